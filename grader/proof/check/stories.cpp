#include <algorithm>
#include <array>
#include <regex>

#include "grader/engine/variations/variation.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

constexpr std::array<std::string_view, 7> kRaw = {
    "Which is", "byte object", "0x", "std::", "__", "Value of:", "kv::"};
constexpr std::size_t kLongestLine = 160;
constexpr double kMostSeconds = 5;  // until a loop that does not end is reported

// A line may name a container, "index past the end of a std::span", and what is CUDA's.
bool is_readable(const std::string& line) {
  static const std::regex own_words(
      "std::(span|vector|array|deque|optional|string_view|string|stack|queue)\\b(?!<)|"
      "__(syncthreads|syncwarp)\\(\\)|__(half|nv_bfloat16|pipeline_memcpy_async)\\b|mask "
      "0x[0-9a-f]{8}");
  if (line.size() > kLongestLine) return false;
  const std::string rest = std::regex_replace(line, own_words, "word");
  return std::ranges::none_of(kRaw, [&](auto raw) { return rest.find(raw) != std::string::npos; });
}

// Without the test that makes the same calls, which is C++.
std::string text_of(const TestResult& test) {
  const std::string story = test.verdict.story.text();
  return story.substr(0, story.find("the same as a test:\n")) + test.verdict.headline + "\n";
}

// What a text lacks, or shows too much of; empty if it is as it has to be.
std::string complaint(const Variation& story, const TestResult& test) {
  const std::string& status = story.expected.at(test.spec->name);
  std::string lines;
  if (status_name(test.verdict.status) != status) lines += "its status is not " + status + "\n";
  if (test.seconds > kMostSeconds) {
    lines += "it took " + std::to_string(test.seconds) + " seconds\n";
  }
  const auto parts = story.says.find(test.spec->name);
  if (parts == story.says.end()) return lines;
  for (const std::string& part : parts->second) {
    if (text_of(test).find(part) == std::string::npos) lines += "it lacks: " + part + "\n";
  }
  return lines.empty() ? lines : lines + text_of(test);
}

// GoogleTest's own comparisons, which print C++ expressions.
void check_expectations(const Kit& kit, const LabSpec& lab, Checks& checks) {
  const std::regex raw("\\b(EXPECT|ASSERT)_(EQ|NE|L[ET]|G[ET]|TRUE|FALSE|NEAR|THROW|STREQ)\\b");
  std::string lines;
  for (const auto& entry : fs::directory_iterator(kit.root / "labs" / lab.folder / "tests")) {
    for (const std::string& line : split_lines(read_file(entry.path()))) {
      if (!std::regex_search(line, raw)) continue;
      lines += entry.path().filename().string() + ": " + line + "\n";
    }
  }
  checks.expect(lines.empty(),
                "lab " + lab.id + ": its tests compare with grader/harness/expectations.h", lines);
}

}  // namespace

void expect_readable(const std::string& name, const LabResult& result, Checks& checks) {
  std::string unreadable;
  for (const TestResult& test : result.tests) {
    if (test.verdict.status == Status::kPass) continue;
    for (const std::string& line : split_lines(text_of(test))) {
      if (!is_readable(line)) unreadable += test.spec->name + ":\n  " + line + "\n";
    }
  }
  checks.expect(unreadable.empty(), name + ": its failures are readable", unreadable);
}

void check_stories(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    check_expectations(kit, lab, checks);
    for (const Variation& story : load_variations(kit, lab, "stories")) {
      const LabSpec narrow = narrowed(lab, story);
      const fs::path tree = write_variation(kit, lab, story);
      const LabResult result = build.grade(narrow, tree, {.seed = kit.manifest.seed});
      const std::string name = "lab " + lab.id + " " + story.name;
      std::string lines = result.message;
      for (const TestResult& test : result.tests) lines += complaint(story, test);
      checks.expect(lines.empty(), name + ": its failures say so", lines);
      expect_readable(name, result, checks);
    }
  }
}

}  // namespace kv::grader
