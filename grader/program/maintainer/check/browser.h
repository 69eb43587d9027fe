#pragma once
// A browser that is driven: pages are opened, keys are pressed, and what is drawn is asked for. It
// speaks Chrome's DevTools protocol over a socket. Why not WebDriver: that needs a second program,
// and does not say which requests a page makes.

#include <optional>
#include <string>
#include <vector>

#include "common/text.h"
#include "grader/program/base/kit/json.h"

namespace kv::grader {

class Browser {
 public:
  // The name of the program that is installed, if one is.
  static std::optional<std::string> find();

  // profile: a folder of its own.
  Browser(const std::string& program, const fs::path& profile);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Loads a page, and forgets what the one before it has complained about.
  void open(const fs::path& page);

  // The value of an expression in the page.
  Json value_of(const std::string& expression);

  // Key names are those of the DOM: "ArrowRight", "Tab", "Enter".
  void press(const std::string& key);

  void set_width(int pixels);
  void set_dark(bool is_dark);
  void set_printing(bool is_printing);

  // Since the page was opened: errors on the console, and what it has asked the network for.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  Json call(const std::string& method, Json parameters = Json::object());
  Json next_message();
  void take_event(const Json& message);
  void emulate_media();

  int pid_ = -1;
  int socket_ = -1;
  int num_calls_ = 0;
  std::string session_;   // empty: commands are for the browser itself
  std::string received_;  // not read yet
  bool is_loaded_ = false;
  bool is_dark_ = false, is_printing_ = false;
  std::string address_;
  std::vector<std::string> complaints_;
};

}  // namespace kv::grader
