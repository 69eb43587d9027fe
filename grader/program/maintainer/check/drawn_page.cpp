#include "grader/program/maintainer/check/drawn_page.h"

namespace kv::grader {
namespace {

std::string quoted(const std::string& text) {
  return Json(text).dump();
}

// Why the texts on the screen, and not the data: those could be right while another state is drawn.
constexpr const char* kStateScript = R"JS((() => {
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
  return state;
})())JS";

// The part of a state that is drawn as queues, blocks and tables.
Json drawn_part(const Json& state) {
  Json part = Json::object();
  for (const std::string name : {"free", "waiting", "running"})
    if (state.contains(name)) part[name] = state[name];
  for (const std::string name : {"used", "block_tables"})
    if (state.contains(name) && !state[name].empty()) part[name] = state[name];
  return part;
}

}  // namespace

std::string DrawnPage::text_of(const std::string& selector) const {
  return browser_.value_of("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''");
}

std::size_t DrawnPage::count(const std::string& selector) const {
  return browser_.value_of("document.querySelectorAll(" + quoted(selector) + ").length");
}

std::size_t DrawnPage::step() const {
  return browser_.value_of("Number(document.querySelector('.controls input').value)");
}

std::string DrawnPage::difference_from(const Json& state) const {
  const nlohmann::json drawn = browser_.value_of(kStateScript);  // Why not Json: order is no matter
  const nlohmann::json recorded = drawn_part(state);
  if (drawn == recorded) return "";
  return recorded.dump() + " is drawn as " + drawn.dump() + "\n";
}

void DrawnPage::expect_sound(Checks& checks, const std::string& name) const {
  expect_narrow(checks, name);
  checks.expect(browser_.complaints().empty(), name + ": no error on the console and no request",
                join(browser_.complaints(), "\n"));
}

void DrawnPage::expect_narrow(Checks& checks, const std::string& name) const {
  constexpr int kPhone = 360, kDesk = 1280;
  browser_.set_width(kPhone);
  const int width = browser_.value_of("document.documentElement.scrollWidth");
  checks.expect(width <= kPhone, name + ": no horizontal scrolling at 360 pixels",
                "the page is " + std::to_string(width) + " pixels wide");
  browser_.set_width(kDesk);
}

// The brightness of the ink minus that of the paper, of 255.
void DrawnPage::expect_both_themes(Checks& checks, const std::string& name) const {
  const auto contrast = [&]() -> double {
    return browser_.value_of(R"JS((() => {
      const brightness = (color) => color.match(/\d+/g).slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0) / 3;
      const style = getComputedStyle(document.body);
      return brightness(style.color) - brightness(style.backgroundColor);
    })())JS");
  };
  constexpr double kReadable = 150;
  browser_.set_dark(false);
  const double in_light = contrast();
  browser_.set_dark(true);
  const double in_dark = contrast();
  browser_.value_of("document.querySelector('.theme').click()");
  const double chosen = contrast();
  browser_.set_dark(false);
  browser_.value_of("document.documentElement.removeAttribute('data-theme')");
  checks.expect(in_light < -kReadable && in_dark > kReadable && chosen < -kReadable,
                name + ": light and dark as the system says, and as the reader chooses");
}

}  // namespace kv::grader
