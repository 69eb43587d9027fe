// The main of every lab's tests. It reports over the channel; run by hand it is an ordinary
// GoogleTest program that also tells the story of a failing test.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "grader/harness/channel.h"
#include "grader/harness/test_log.h"
#include "kv/todo.h"

namespace kv::grader {
namespace {

// GoogleTest's words around what a student wants to know.
std::string without_wrapping(std::string message) {
  constexpr std::string_view kThrew = "C++ exception with description \"";
  constexpr std::string_view kWhere = "\" thrown in the test body";
  constexpr std::string_view kFailed = "Failed\n";
  if (message.starts_with(kFailed)) return message.substr(kFailed.size());
  if (!message.starts_with(kThrew)) return message;
  message.erase(0, kThrew.size());
  return "an exception came out of your code: " + message.substr(0, message.find(kWhere));
}

class LogListener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    clear_log();
    is_logged_ = false;
    channel::send("start", std::string(test.test_suite_name()) + "." + test.name());
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed() || is_logged_) return;
    is_logged_ = true;
    emit_log();
    channel::send("wrong", without_wrapping(part.message()));
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    channel::send("end", test.result()->Passed() ? "pass" : "fail");
  }

  bool is_logged_ = false;  // one failure a test: the first
};

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  using namespace kv::grader;
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (channel::is_open()) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new LogListener);
  kv::NotImplemented::on_reached = [](const char* step) { channel::send("todo", step); };
  install_crash_handler();
  const int exit_code = RUN_ALL_TESTS();
  channel::finish();
  return exit_code;
}
