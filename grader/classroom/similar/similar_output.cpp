#include "grader/classroom/similar/similar_output.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

#include "base/kit/csv.h"

namespace kv::grader::similar {
namespace {

constexpr std::size_t kScreenLines = 20;

int whole_per_cent(double share) {
  return static_cast<int>(share * 100);
}

}  // namespace

std::string per_cent(double share) {
  return std::to_string(whole_per_cent(share)) + "%";
}

std::string four_digits(std::size_t number) {
  std::array<char, 24> text;
  std::snprintf(text.data(), text.size(), "%04zu", number);
  return text.data();
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
  return csv_text(lines);
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

namespace {

constexpr const char* kJplagText =
    R"(JPlag compares the folders in submissions/; what is also in base/ does not count.
It runs on this machine. Get the program from https://github.com/jplag/JPlag, then in this folder:

  java -jar jplag.jar -l cpp -p .cpp,.h,.cu,.cuh -bc base submissions

It compares all labs at once, and does not parse every line of CUDA. For one lab, add -S and its
folder, as -S 01-free-queue.
)";

constexpr const char* kMossText =
    R"(MOSS is a server at Stanford University. The command below sends the students' code there, where
others can read the result if they have its address. Find out first whether you are allowed to do
that. The folders have numbers instead of names; what students wrote into their files is sent as it
is. names.csv says who is who; do not send it.

Get the script from https://theory.stanford.edu/~aiken/moss/, then in this folder, in a shell:

  moss -l cc -d $(for file in base/*; do echo "-b $file"; done) [0-9]*/*
)";

fs::path place_for(const fs::path& path) {
  fs::create_directories(path.parent_path());
  return path;
}

// "01-free-queue/given/plan.h" -> "01-free-queue.given.plan.h". Why: with -d, MOSS takes each
// folder for a submission.
std::string flat_name(const std::string& path) {
  return replace_all(path, "/", ".");
}

}  // namespace

void export_for_jplag(const std::vector<Work>& works,
                      const BaseCode& base,
                      const fs::path& folder) {
  for (const auto& [path, text] : base.files()) write_file(folder / "base" / path, text);
  for (const Work& work : works) {
    for (const auto& [path, file] : work.files)
      fs::copy_file(file, place_for(folder / "submissions" / work.name / path));
  }
  write_file(folder / "README.txt", kJplagText);
}

void export_for_moss(const std::vector<Work>& works, const BaseCode& base, const fs::path& folder) {
  for (const auto& [path, text] : base.files()) write_file(folder / "base" / flat_name(path), text);
  std::vector<CsvLine> names = {{"folder", "submission"}};
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (!works[i].files.empty()) names.push_back({four_digits(i + 1), printable(works[i].name)});
    for (const auto& [path, file] : works[i].files)
      fs::copy_file(file, place_for(folder / four_digits(i + 1) / flat_name(path)));
  }
  write_file(folder / "names.csv", csv_text(names));
  write_file(folder / "README.txt", kMossText);
}

}  // namespace kv::grader::similar
