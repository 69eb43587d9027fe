// What ./lab grade --nvcc says of a file. Why from the inside: lab 06 need not be built for it.

#include "grader/engine/gpu/nvidia_rows.h"

#include "base/kit/tests/kit_test.h"
#include "simt/gpu/nvcc.h"

namespace kv::grader {
namespace {

class NvidiaRows : public KitTest {
 protected:
  void SetUp() override {
    if (nvcc_version().empty()) GTEST_SKIP() << "nvcc";
  }

  // The rows of a tree whose warmup.cu has this line in its first function.
  std::string rows_with(const std::string& line) {
    LabSpec lab = kit.manifest.lab("06");
    lab.files = {"warmup.cu", "block_reduce.cuh"};
    const std::string begin = "const float* b, int n) {\n";
    const fs::path tree = kit.build / "tree";
    for (const std::string& file : lab.files)
      write_file(tree / lab.folder / file,
                 replace_all(kit.solution_text(lab, file), begin, begin + line));
    const Submission submission = stage_submission(kit, tree.string(), {&lab}, kit.build / "stage");
    BuildTree build(kit, "build", submission.stage, {});  // only a GPU needs it
    return nvidia_rows(kit, build, submission,
                       LabResult{.lab = &lab, .state = LabState::kInProgress});
  }

  void expect_rows(const std::string& line, const std::vector<std::string>& parts) {
    const std::string rows = rows_with(line);
    for (const std::string& part : parts) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, rows);
  }
};

TEST_F(NvidiaRows, SayWhatNvccSays) {
  expect_rows("", {" ok ", "1 files, no warnings"});
  expect_rows("  int unused;\n", {" warnings ", "warmup.cu(", "warning #177-D"});
  expect_rows("  missing();\n",
              {" wrong ", "identifier \"missing\"", "1 of 1 files do not compile"});
}

}  // namespace
}  // namespace kv::grader
