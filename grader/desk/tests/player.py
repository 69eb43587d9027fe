"""The player of a page: which call it shows, and the state that it draws."""

# Why the texts on the screen, and not the data: those could be right while another state is drawn.
DRAWN_STATE = """
  const stage = document.querySelector(".failure[open] .stage, .play .stage");
  const ids = (list) => [...list.querySelectorAll(".chips li:not(.end):not(.none)")]
    .map((item) => Number(item.textContent));
  const state = {};
  const queue = stage.querySelector(".queue");
  if (queue) state.free = ids(queue);
  for (const block of stage.querySelectorAll(".block.used, .block.both")) {
    state.used ??= {};
    const [id, count] = [".id", ".count"].map((part) => block.querySelector(part).textContent);
    state.used[id.slice(1)] = Number(count.slice(1));
  }
  for (const row of stage.querySelectorAll(".tables:not(.queues) tr")) {
    state.block_tables ??= {};
    state.block_tables[row.querySelector("th").textContent] = ids(row);
  }
  for (const row of stage.querySelectorAll(".queues tr")) {
    state[row.querySelector("th").textContent] =
      [...row.querySelectorAll(".chips li:not(.none)")].map((item) => item.textContent);
  }
  return state"""


def step_of(browser):
    return browser.execute_script("return Number(document.querySelector('.controls input').value)")


def drawn_state(browser):
    return browser.execute_script(DRAWN_STATE)


def recorded_state(state):
    """The part of a state that is drawn as queues, blocks and tables."""
    lists = {name: state[name] for name in ("free", "waiting", "running") if name in state}
    tables = {name: state[name] for name in ("used", "block_tables") if state.get(name)}
    return lists | tables
