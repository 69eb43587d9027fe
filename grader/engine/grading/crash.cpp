#include "grader/engine/grading/crash.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/text/text.h"
#include "grader/harness/record_kinds.h"

namespace kv::grader {
namespace {

using Translation = std::pair<std::string_view, std::string_view>;

// By a part of the file's name; libc++ names the container in its sentence.
constexpr std::array<Translation, 9> kContainers = {{{"/span:", "std::span"},
                                                     {"vector", "std::vector"},
                                                     {"/array:", "std::array"},
                                                     {"deque", "std::deque"},
                                                     {"string_view", "std::string_view"},
                                                     {"string", "std::string"},
                                                     {"/optional:", "std::optional"},
                                                     {"stl_stack", "std::stack"},
                                                     {"stl_queue", "std::queue"}}};

// By a part of the condition. {}: the container.
constexpr std::array<Translation, 9> kConditions = {
    {{"_M_is_engaged", "* or -> on an empty std::optional"},
     {"empty()", "first or last element of an empty {}"},
     {"__count <=", "a part of a {} that is longer than the {}"},
     {"__offset <=", "a part of a {} that begins past its end"},
     {"__n <", "index past the end of a {}"},
     {"__idx <", "index past the end of a {}"},
     {"__pos <", "index past the end of a {}"},
     {"_M_get()", "* or -> on an empty smart pointer"},
     {"get() !=", "* or -> on an empty smart pointer"}}};

// What the C library prints when the heap is damaged.
constexpr std::array<std::string_view, 10> kHeapChecks = {"Fatal glibc error: malloc",
                                                          "double free",
                                                          "free(): ",
                                                          "malloc(): ",
                                                          "realloc(): ",
                                                          "munmap_chunk(): ",
                                                          "malloc_consolidate",
                                                          "corrupted size",
                                                          "corrupted double-linked",
                                                          "malloc.c:"};

std::string_view words_for(std::string_view text, const auto& table, std::string_view otherwise) {
  const auto found = std::ranges::find_if(
      table, [&](const Translation& words) { return text.find(words.first) != std::string::npos; });
  return found == table.end() ? otherwise : found->second;
}

// "/usr/include/c++/12/span:281: ... : Assertion '__idx < size()' failed."
std::optional<AbortMessage> of_assertion(const std::string& line) {
  std::size_t at = line.find(": Assertion ");
  if (at == std::string::npos) at = line.find(": assertion ");
  const std::size_t end = line.rfind(" failed");
  if (at == std::string::npos || end == std::string::npos || end < at) return std::nullopt;
  constexpr std::size_t kMarkSize = 12;
  const std::string condition = line.substr(at + kMarkSize, end - at - kMarkSize);
  const std::string file = line.substr(0, line.find(' '));
  if (file.find("/include/") == std::string::npos) {
    return AbortMessage{"an assertion failed: " + condition};
  }
  const std::string otherwise = "the standard library refused a call: " + condition;
  const std::string sentence(words_for(condition, kConditions, otherwise));
  return AbortMessage{replace_all(sentence, "{}", words_for(file, kContainers, "container"))};
}

std::optional<AbortMessage> of_heap(const std::string& line) {
  const bool is_heap = std::ranges::any_of(
      kHeapChecks, [&](std::string_view check) { return line.starts_with(check); });
  if (!is_heap) return std::nullopt;
  constexpr std::size_t kMaxQuoted = 60;
  const std::string quoted = line.size() <= kMaxQuoted ? " (" + line + ")" : "";
  return AbortMessage{"before this, memory was freed twice or written past its end" + quoted, true};
}

// Why the heap first: glibc 2.37 and newer call its checks assertions, too.
std::optional<AbortMessage> of_line(const std::string& line) {
  if (std::optional<AbortMessage> message = of_heap(line)) return message;
  if (std::optional<AbortMessage> message = of_assertion(line)) return message;
  constexpr std::string_view kThrown = "terminate called after throwing an instance of '";
  if (line.starts_with(kThrown)) {
    return AbortMessage{
        "an exception came out where nothing can catch it, as from a noexcept "
        "function or a thread: " +
        line.substr(kThrown.size(), line.size() - kThrown.size() - 1)};
  }
  if (line.starts_with("terminate called")) {
    return AbortMessage{"std::terminate was called, as for a thread that is not joined"};
  }
  if (line.find("stack smashing detected") != std::string::npos) {
    return AbortMessage{"a write past the end of a local array"};
  }
  return std::nullopt;
}

constexpr std::string_view kWhat = "  what():  ";

}  // namespace

std::string exception_text(const std::string& text) {
  constexpr std::string_view kWhich = " (which is ";
  const std::size_t index = text.find(kWhich);
  const std::size_t size = text.find(kWhich, index + 1);
  const std::size_t name = text.find("::");
  if (index == std::string::npos || size == std::string::npos || name > index) return text;
  const std::size_t first = text.rfind(' ', name) + 1;
  const auto number_at = [&](std::size_t at) {
    at += kWhich.size();
    return text.substr(at, text.find(')', at) - at);
  };
  return text.substr(0, first) + "index " + number_at(index) +
         " past the end of a std::" + text.substr(first, name - first) + " of size " +
         number_at(size);
}

std::optional<AbortMessage> abort_message(const std::string& output) {
  const std::vector<std::string> lines = split_lines(output);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<AbortMessage> message = of_line(lines[i]);
    if (!message) continue;
    if (i + 1 < lines.size() && lines[i + 1].starts_with(kWhat)) {
      message->sentence += ": " + exception_text(lines[i + 1].substr(kWhat.size()));
    }
    return message;
  }
  return std::nullopt;
}

std::string without_abort_messages(const std::string& output) {
  std::string rest;
  for (const std::string& line : split_lines(output)) {
    if (!of_line(line) && !line.starts_with(kWhat)) rest += line + "\n";
  }
  return rest;
}

namespace {

Crash of_bad_pointer(const Records& records) {
  const std::string crash = "crash (SIGSEGV): ";
  if (records.call_stack.is_endless) {
    return {crash + "endless recursion, until the stack is full,"};
  }
  if (!records.fault)
    return {crash + "it read or wrote through a bad pointer", CrashLine::kMayBeTheMistake};
  std::string access = "a " + records.fault->access;
  if (records.fault->access == record_kind::kAccess) access = "a read or write";
  const bool is_null = records.fault->is_null();
  return {crash + access + (is_null ? " through a null pointer" : " through a bad pointer"),
          is_null ? CrashLine::kIsTheMistake : CrashLine::kMayBeTheMistake};
}

Crash of_abort(const Outcome& outcome) {
  const std::string crash = "crash (SIGABRT): ";
  if (const auto message = abort_message(outcome.output)) {
    return {crash + message->sentence,
            message->is_of_the_heap ? CrashLine::kSaysNothing : CrashLine::kIsTheMistake};
  }
  return {crash + "something called abort, as an exception without a catch does"};
}

}  // namespace

Crash crash_of(const Outcome& outcome, const Records& records) {
  switch (outcome.signal) {
    case SIGSEGV:
    case SIGBUS:
      return of_bad_pointer(records);
    case SIGABRT:
      return of_abort(outcome);
    case SIGFPE:
      return {"crash (SIGFPE): an integer was divided by zero"};
    case SIGILL:
      return {"crash (SIGILL): it reached the end of a function that has to return a value"};
    default:
      return {std::string("crash: ended by signal ") + ::strsignal(outcome.signal)};
  }
}

}  // namespace kv::grader
