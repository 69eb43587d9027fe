// The main of every lab's tests. It reports over the channel; run by hand it is an ordinary
// GoogleTest program that also prints the story of a failing test.

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "grader/harness/call_stack.h"
#include "grader/harness/channel.h"
#include "grader/harness/counters.h"
#include "grader/harness/endless.h"
#include "grader/harness/failure_message.h"
#include "grader/harness/record_kinds.h"
#include "grader/harness/test_log.h"
#include "kv/todo.h"

namespace kv::grader {
namespace {

// Not a recorder or a fixture, which tests share.
bool is_test_source(const char* file) {
  return file != nullptr && std::string_view(file).ends_with("_test.cpp");
}

void send_source(std::string_view file, int line) {
  channel::send(record_kind::kSource, std::string(file) + ":" + std::to_string(line));
}

class LogListener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    clear_log();
    is_logged_ = false;
    channel::send(record_kind::kStart, std::string(test.test_suite_name()) + "." + test.name());
    send_source(test.file(), test.line());
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed() || is_logged_) return;
    is_logged_ = true;
    if (const auto what = exception_in(part.message())) log_exception(*what);
    emit_log();
    channel::send(record_kind::kWrong, without_wrapping(part.message()));
    if (is_test_source(part.file_name())) send_source(part.file_name(), part.line_number());
    send_call_stack();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    channel::send(record_kind::kSteps, std::to_string(num_basic_blocks_so_far()) + " " +
                                           std::to_string(most_steps_of_test()));
    channel::send(record_kind::kEnd,
                  test.result()->Passed() ? record_kind::kPass : record_kind::kFail);
  }

  bool is_logged_ = false;  // the first failure of a test is reported, and no other
};

// Why: at its first line standard output asks for the memory of its buffer, and some tests count
// what is asked for. A line that a student prints to find a mistake costs no points.
void give_output_its_buffer() {
  static std::array<char, BUFSIZ> buffer;
  std::setvbuf(stdout, buffer.data(), ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF,
               buffer.size());
}

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  using namespace kv::grader;
  give_output_its_buffer();
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (channel::is_open()) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new LogListener);
  kv::NotImplemented::on_reached = [](const char* step) {
    channel::send(record_kind::kTodo, step);
  };
  install_crash_handler();
  const int exit_code = RUN_ALL_TESTS();
  channel::finish();
  return exit_code;
}
