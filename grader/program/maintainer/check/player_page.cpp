#include <deque>

#include "grader/program/maintainer/check/drawn_page.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

constexpr std::size_t kNumCalls = 100'000;
constexpr double kMaxMilliseconds = 16;  // of a step: a frame of a screen with 60 a second

// A pool that hands out blocks and takes them back, and the log of it.
class LoggedPool {
 public:
  explicit LoggedPool(std::size_t num_blocks) {
    for (std::size_t id = 1; id < num_blocks; ++id) free_.push_back(static_cast<int>(id));
    log("BlockPool", {{"num_gpu_blocks", num_blocks}, {"block_size", 4}});
  }

  void call(std::size_t choice) {
    const bool takes = !free_.empty() && (used_.empty() || choice % 2 == 0);
    takes ? take("r" + std::to_string(lines_.size() % 7)) : give_back();
  }

  Json state_at(std::size_t step) const { return Json::parse(lines_[step])["state"]; }
  std::string text() const { return join(lines_, "\n") + "\n"; }

 private:
  void take(const std::string& name) {
    const int id = free_.front();
    free_.pop_front();
    used_.emplace_back(name, id);
    log("get_new_blocks", {{"request_id", name}, {"num_blocks", 1}});
  }
  void give_back() {
    const auto [name, id] = used_.front();
    used_.pop_front();
    free_.push_back(id);
    log("free_blocks", {{"request_id", name}});
  }
  void log(const std::string& call, const Json& args) {
    Json state = {{"free", free_}};
    for (const auto& [name, id] : used_) {
      state["used"][std::to_string(id)] = 1;
      state["block_tables"][name].push_back(id);
    }
    Json event = Json::object();
    if (lines_.empty()) event = {{"format", 1}, {"of", "start"}};
    event.update({{"step", lines_.size()},
                  {"call", call},
                  {"args", args},
                  {"state", state},
                  {"sentence", call + "(" + std::to_string(lines_.size()) + ") <b>"}});
    lines_.push_back(event.dump());
  }

  std::deque<int> free_;
  std::deque<std::pair<std::string, int>> used_;
  std::vector<std::string> lines_;  // Why not as JSON: that takes ten times the memory.
};

std::string number(std::size_t value) {
  return std::to_string(value);
}

// What is drawn at call `step` differs from the event; empty if it does not.
std::string difference(const DrawnPage& page, const LoggedPool& pool, std::size_t step) {
  if (page.step() != step) return "call " + number(page.step()) + ", not " + number(step) + "\n";
  const std::string wrong = page.difference_from(pool.state_at(step));
  return wrong.empty() ? "" : "call " + number(step) + ": " + wrong;
}

void check_keys(const LoggedPool& pool, Browser& browser, Checks& checks) {
  const DrawnPage page(browser);
  std::string wrong;
  std::size_t step = 0;
  const std::vector<std::pair<std::string, std::size_t>> kKeys = {
      {"ArrowRight", 1},           {"ArrowDown", 2},   {"PageDown", 12},
      {"ArrowLeft", 11},           {"End", kNumCalls}, {"PageUp", kNumCalls - 10},
      {"ArrowUp", kNumCalls - 11}, {"Home", 0}};
  for (const auto& [key, expected] : kKeys) {
    browser.press(key);
    step = expected;
    wrong += difference(page, pool, step);
  }
  checks.expect(wrong.empty(), "each key goes to its call, and the state is the event's", wrong);
}

void check_anywhere(const LoggedPool& pool, Browser& browser, Checks& checks) {
  const DrawnPage page(browser);
  std::string wrong;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t step = (i * 7919 + 13) % (kNumCalls + 1);
    browser.value_of(
        "(() => { const slider = document.querySelector('.controls input'); "
        "slider.value = " +
        number(step) + "; slider.dispatchEvent(new Event('input')); })()");
    wrong += difference(page, pool, step);
  }
  checks.expect(wrong.empty(), "100 calls anywhere in a log of 100,000: drawn as the events say",
                wrong);
  checks.expect(page.count(".step") < 100, "the list has only the rows in sight");
  const std::size_t shown = page.step();
  browser.value_of("[...document.querySelectorAll('.controls button')][0].click()");
  checks.expect(page.step() == shown - 1, "the button goes back");
  browser.value_of("document.querySelector('.step.current').nextElementSibling.click()");
  checks.expect(page.step() == shown, "a row of the list goes to its call");
  checks.expect(page.text_of(".step.current .sentence").ends_with(" <b>"),
                "the sentence of a call stays text");
}

void check_speed(Browser& browser, Checks& checks) {
  const double median = browser.value_of(R"JS((() => {
    const times = [];
    for (let i = 0; i < 300; ++i) {
      const begin = performance.now();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      document.body.getBoundingClientRect();
      times.push(performance.now() - begin);
    }
    return times.sort((left, right) => left - right)[150];
  })())JS");
  checks.expect(median < kMaxMilliseconds, "a step is drawn within 16 ms",
                std::to_string(median) + " ms, the median of 300");
}

Outcome play(const Kit& kit, const fs::path& log, const fs::path& page) {
  return run_lab(kit, {"play", log.string(), "--no-open", "--html", page.string()}, "pages");
}

void check_bad_logs(const Kit& kit, Checks& checks) {
  const fs::path file = kit.build / "pages" / "bad.jsonl", page = kit.build / "pages" / "bad.html";
  const std::string start =
      R"({"format": 1, "of": "start", "step": 0, "call": "", "args": {}, "state": {}})"
      "\n";
  const std::vector<std::pair<std::string, std::string>> kBad = {
      {"", "bad.jsonl is empty"},
      {"hello\n", "bad.jsonl:1: this is no event log"},
      {"{}\n", "bad.jsonl:1: this is no event log"},
      {start + "hello\n", "bad.jsonl:2: this is not JSON"},
      {start + "[1]\n", "bad.jsonl:2: this is not a JSON object"},
      {start + "{\"call\": 1}\n", "bad.jsonl:2: an event needs \"call\", a text"},
      {start + "{\"call\": \"a\"}\n", "bad.jsonl:2: an event needs \"args\", an object"}};
  for (const auto& [text, says] : kBad) {
    write_file(file, text);
    expect_sentence(checks, "a malformed log", play(kit, file, page), kExitUsage, says);
  }
  write_file(file, start + "{\"call\": \"a");
  expect_sentence(checks, "a log that is still being written", play(kit, file, page), kExitGraded,
                  "0 calls: ");
}

// A call of lab 05 that leaves out one of its slots, 7, and reads another one, 4.
constexpr const char* kCallOnSlots =
    R"({"format": 1, "of": "start", "step": 0, "call": "shape",
"args": {"num_blocks": 4, "block_size": 2}, "state": {}}|
{"step": 1, "call": "paged_attention", "args": {"seq_len": 3, "block_table": [3, 1]},
"state": {"read": [2, 4, 6]}}|)";

void check_slots(const Kit& kit, Browser& browser, Checks& checks) {
  const fs::path log = kit.build / "pages" / "slots.jsonl", file = kit.build / "pages/slots.html";
  write_file(log, replace_all(replace_all(kCallOnSlots, "\n", ""), "|", "\n"));
  checks.expect(play(kit, log, file).ok(), "./lab play writes the page of a call of lab 05");
  browser.open(file);
  browser.press("End");
  const DrawnPage page(browser);
  std::string marks;
  for (const std::string slot : {"2", "3", "4", "5", "6", "7"})
    marks += slot + ":" + page.text_of(".slot[aria-label^='slot " + slot + "'] b") + " ";
  checks.expect(marks == "2:r 3: 4:r \u2260 5: 6:r 7:a \u2260 " && page.count(".slot.wrong") == 2,
                "slots of a call: those read, one too many, and one left out", marks);
  page.expect_sound(checks, "slots");
}

// A step of lab 07 in which B is preempted. The test wanted A to be the victim.
constexpr const char* kStepOfQueues =
    R"({"format": 1, "of": "start", "step": 0, "call": "Scheduler",
"args": {"num_gpu_blocks": 3, "block_size": 2},
"state": {"waiting": ["C 0/3"], "running": ["A 2/3", "B 2/3"], "free": []}}|
{"step": 1, "call": "schedule", "args": {}, "expected":
[{"of": "waiting", "request_ids": ["A", "C"]}, {"of": "running", "request_ids": ["A"]}],
"state": {"waiting": ["B 0/3", "C 0/3"], "running": ["A 3/3"], "free": []}}|)";

void check_queues(const Kit& kit, Browser& browser, Checks& checks) {
  const fs::path log = kit.build / "pages" / "queues.jsonl", file = kit.build / "pages/queues.html";
  const std::string text = replace_all(replace_all(kStepOfQueues, "\n", ""), "|", "\n");
  write_file(log, text);
  checks.expect(play(kit, log, file).ok(), "./lab play writes the page of a scheduler's step");
  browser.open(file);
  browser.press("End");
  const DrawnPage page(browser);
  const std::string wrong = page.difference_from(Json::parse(split_lines(text).back())["state"]);
  checks.expect(wrong.empty(), "a step shows the waiting and the running requests", wrong);
  const std::string came = page.text_of(".queues .new");
  checks.expect(page.count(".queues .new") == 1 && came == "B 0/3",
                "the request that came into a queue is marked", came);
  const std::string differs = page.text_of(".expected tr.wrong th");
  checks.expect(page.count(".expected tr.wrong") == 1 && differs == "waiting",
                "a queue is compared with the one that a test expects", differs);
  page.expect_sound(checks, "queues");
}

}  // namespace

void check_player_page(const Kit& kit, Browser& browser, Checks& checks) {
  check_bad_logs(kit, checks);
  LoggedPool pool(17);
  for (std::size_t i = 0; i < kNumCalls; ++i) pool.call(i * i / 7);
  const fs::path log = kit.build / "pages" / "events.jsonl";
  const fs::path page_file = kit.build / "pages" / "events.html";
  write_file(log, pool.text());
  const Outcome written = play(kit, log, page_file);
  checks.expect(written.ok(), "./lab play writes the page of 100,000 calls", written.output);
  if (!written.ok()) return;
  browser.open(page_file);
  const DrawnPage page(browser);
  checks.expect(difference(page, pool, 0).empty(), "it begins at the start");
  check_keys(pool, browser, checks);
  check_anywhere(pool, browser, checks);
  check_speed(browser, checks);
  page.expect_both_themes(checks, "the player");
  page.expect_sound(checks, "the player");
  check_slots(kit, browser, checks);
  check_queues(kit, browser, checks);
}

}  // namespace kv::grader
