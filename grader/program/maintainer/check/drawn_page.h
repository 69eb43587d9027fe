#pragma once
// What a page of grader/page/ shows, read from what is drawn.

#include "grader/program/maintainer/check/browser.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

class DrawnPage {
 public:
  explicit DrawnPage(Browser& browser) : browser_(browser) {}

  // The text of the first element that a CSS selector finds; empty if there is none.
  std::string text_of(const std::string& selector) const;
  std::size_t count(const std::string& selector) const;

  // The open player: the number of its call, and how the state that it draws differs from one of a
  // log, in "free", "used", "block_tables", "waiting" and "running"; empty if it does not.
  std::size_t step() const;
  std::string difference_from(const Json& state) const;

  // No error on the console, no request, no horizontal scrolling at 360 pixels.
  void expect_sound(Checks& checks, const std::string& name) const;
  void expect_both_themes(Checks& checks, const std::string& name) const;

 private:
  void expect_narrow(Checks& checks, const std::string& name) const;

  Browser& browser_;
};

}  // namespace kv::grader
