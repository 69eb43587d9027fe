#include <cstdio>

#include "grader/program/course/classroom/csv.h"
#include "grader/program/course/similar/similar_output.h"

namespace kv::grader::similar {
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

std::string number_of(std::size_t index) {
  char text[24];
  std::snprintf(text, sizeof text, "%04zu", index + 1);
  return text;
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
  std::vector<classroom::CsvLine> names = {{"folder", "submission"}};
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (!works[i].files.empty()) names.push_back({number_of(i), printable(works[i].name)});
    for (const auto& [path, file] : works[i].files)
      fs::copy_file(file, place_for(folder / number_of(i) / flat_name(path)));
  }
  write_file(folder / "names.csv", classroom::csv_text(names));
  write_file(folder / "README.txt", kMossText);
}

}  // namespace kv::grader::similar
