#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/text.h"
#include "grader/engine/grading/crash.h"
#include "grader/engine/grading/source_lines.h"

namespace kv::grader {
namespace {

using FindingWords = std::pair<std::string_view, std::string_view>;

// By the beginning of the sanitizer's own words; {} is "a read" or "a write".
constexpr std::array<FindingWords, 20> kFindings = {
    {{"heap-buffer-overflow", "{} past the end of a piece of memory"},
     {"heap-use-after-free", "{} of memory that was freed"},
     {"stack-buffer-overflow", "{} past the end of a local variable"},
     {"global-buffer-overflow", "{} past the end of a global variable"},
     {"container-overflow", "{} past the end of a container"},
     {"stack-use-after", "{} of a local variable that is gone"},
     {"stack-overflow", "endless recursion, until the stack is full,"},
     {"SEGV", "{} through a bad pointer"},
     {"attempting double-free", "memory was freed twice"},
     {"attempting free", "memory was freed that did not come from new"},
     {"alloc-dealloc-mismatch", "memory was freed in another way than it was asked for"},
     {"detected memory leaks", "memory was never freed"},
     {"member access within null", "an access through a null pointer"},
     {"member call on null", "a call through a null pointer"},
     {"load of null", "a read through a null pointer"},
     {"store to null", "a write through a null pointer"},
     {"reference binding to null", "a reference to what a null pointer points to"},
     {"execution reached the end", "a function that has to return a value ended without return"},
     {"signed integer overflow", "an integer overflowed"},
     {"division by zero", "an integer was divided by zero"}}};

// What was found, in its own words, and where if the first line of the report says it.
struct Finding {
  std::string words;
  std::optional<SourceLine> place = {};
};

// "FILE:36:33: runtime error: WORDS" or "==7==ERROR: AddressSanitizer: WORDS"
std::optional<Finding> read_finding(const std::string& line) {
  constexpr std::string_view kRuntime = ": runtime error: ", kError = "ERROR: ";
  if (const std::size_t at = line.find(kRuntime); at != std::string::npos) {
    const std::vector<std::string> place = split_at_colons(line.substr(0, at));
    Finding finding{line.substr(at + kRuntime.size())};
    if (place.size() >= 2) finding.place = {"", place[0], std::atoi(place[1].c_str())};
    return finding;
  }
  const std::size_t at = line.find(kError);
  if (at == std::string::npos) return std::nullopt;
  const std::string words = line.substr(at + kError.size());
  return Finding{words.substr(std::min(words.find(": ") + 2, words.size()))};
}

bool is_graded(const std::string& path) {
  return path.find("stage/") != std::string::npos;
}

// "    #1 0x5583 in kv::Queue::remove(kv::Block&) /stage/queue.cpp:36:5"
std::optional<SourceLine> frame_in(const std::string& line) {
  constexpr std::string_view kIn = " in ";
  const std::size_t in = line.find(kIn);
  const std::size_t path = line.rfind(" /");
  if (!line.starts_with("    #") || in == std::string::npos || path == std::string::npos) return {};
  if (path < in || !is_graded(line.substr(path))) return {};
  const std::vector<std::string> place = split_at_colons(line.substr(path + 1));
  if (place.size() < 2) return {};
  const std::string function = line.substr(in + kIn.size(), path - in - kIn.size());
  return SourceLine{function, place[0], std::atoi(place[1].c_str())};
}

std::string in_words(const std::string& words, const std::string& output) {
  const bool is_write = output.find("WRITE of size") != std::string::npos ||
                        output.find("caused by a WRITE") != std::string::npos;
  const bool is_null = output.find("address points to the zero page") != std::string::npos;
  const auto found = std::ranges::find_if(
      kFindings, [&](const FindingWords& each) { return words.starts_with(each.first); });
  if (found == kFindings.end()) return words.substr(0, words.find(" 0x"));
  std::string sentence =
      replace_all(std::string(found->second), "{}", is_write ? "a write" : "a read");
  if (is_null) sentence = replace_all(std::move(sentence), "a bad pointer", "a null pointer");
  return sentence;
}

}  // namespace

std::string sanitizer_sentence(const std::string& output) {
  std::optional<Finding> finding;
  std::optional<SourceLine> frame;
  for (const std::string& line : split_lines(output)) {
    if (!finding) finding = read_finding(line);
    if (finding && !frame) frame = frame_in(line);
  }
  if (!finding) return "a sanitizer stopped the program";
  std::string sentence = in_words(finding->words, output);
  if (finding->place && is_graded(finding->place->file) && !frame) frame = finding->place;
  return frame ? sentence + " " + text_of(*frame) : sentence;
}

}  // namespace kv::grader
