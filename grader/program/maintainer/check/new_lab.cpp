#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {

void check_new_lab(const Kit& kit, const KitCopy& copy, Checks& checks) {
  for (const std::string name : {"Lab 98", "98", "98-", "98-two--hyphens", "../98-outside"}) {
    expect_sentence(checks, "a bad name for a lab", copy.lab({"new-lab", name}), kExitUsage,
                    "\"" + name + "\" is not a name for a lab");
  }
  expect_sentence(checks, "a lab that exists", copy.lab({"new-lab", "01-other"}), kExitUsage,
                  "lab 01 exists already");
  expect_sentence(checks, "a new lab", copy.lab({"new-lab", "98-made-up"}), kExitGraded,
                  "added 98-made-up to labs/manifest.json");
  fs::copy_file(kit.root / ".clang-format", copy.root() / ".clang-format");
  for (const std::string group : {"texts", "mirrors"}) {
    expect_sentence(checks, "the new lab's files", copy.lab({"test", "--only", group}), kExitGraded,
                    ", 0 failed");
  }
  expect_sentence(checks, "the new lab", copy.lab({"grade", "98"}), kExitGraded,
                  "next: write step 98.1 first_step in starter/98-made-up/made_up.cpp");
  expect_sentence(checks, "the new lab's solution", copy.lab({"grade", "98", "--tree", "solution"}),
                  kExitGraded, "100/100");
}

}  // namespace kv::grader
