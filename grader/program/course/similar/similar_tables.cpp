#include <algorithm>
#include <cstdio>
#include <span>

#include "grader/program/course/classroom/csv.h"
#include "grader/program/course/similar/similar_output.h"

namespace kv::grader::similar {
namespace {

constexpr std::size_t kScreenLines = 20;

using classroom::CsvLine;

int whole_per_cent(double share) {
  return static_cast<int>(share * 100);
}

}  // namespace

std::string per_cent(double share) {
  return std::to_string(whole_per_cent(share)) + "%";
}

std::string pairs_csv(const std::vector<SimilarPair>& pairs) {
  std::vector<CsvLine> lines = {{"lab", "left", "right", "left_percent", "right_percent",
                                 "common_tokens", "longest_place", "places", "page"}};
  for (const SimilarPair& pair : pairs) {
    lines.push_back({pair.lab, printable(pair.left), printable(pair.right),
                     std::to_string(whole_per_cent(pair.shared.left_share)),
                     std::to_string(whole_per_cent(pair.shared.right_share)),
                     std::to_string(pair.num_tokens), std::to_string(pair.longest()),
                     std::to_string(pair.places.size()), pair.page_file});
  }
  return classroom::csv_text(lines);
}

std::string screen_table(const std::vector<SimilarPair>& pairs) {
  if (pairs.empty()) return "no pair has more in common than independent answers have\n";
  std::string text = "lab  tokens  longest  of left  of right  pair\n";
  for (const SimilarPair& pair : std::span(pairs).first(std::min(pairs.size(), kScreenLines))) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%-4s %6zu %8zu %8s %9s  ", pair.lab.c_str(),
                  pair.num_tokens, pair.longest(), per_cent(pair.shared.left_share).c_str(),
                  per_cent(pair.shared.right_share).c_str());
    text += numbers + printable(pair.left) + ", " + printable(pair.right) + "\n";
  }
  if (pairs.size() > kScreenLines)
    text += "... and " + std::to_string(pairs.size() - kScreenLines) + " more\n";
  return text;
}

}  // namespace kv::grader::similar
