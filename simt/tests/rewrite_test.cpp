#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "simt/tests/expect_rewrite.h"

namespace kv::simt {
namespace {

TEST(DynamicShared, BecomesAPointer) {
  const std::string from = "(::kv::simt::dynamic_shared());";
  expect_rewritten("extern __shared__ float s[];", "  auto* const s = static_cast<float *>" + from);
  expect_rewritten("extern __shared__ __align__(16) unsigned char bytes[];",
                   "   auto* const bytes = static_cast<unsigned char *>" + from);
  expect_rewritten("extern __align__(8 * 2) __shared__ T s[];",
                   "     auto* const s = static_cast<T *>" + from);
  expect_rewritten("extern volatile __shared__ T* s[];",
                   " volatile  auto* const s = static_cast<T* *>" + from);
}

TEST(DynamicShared, OfSeveralDimensions) {
  expect_rewritten("extern __shared__ float tile[][33];",
                   "  auto* const tile = static_cast<float (*)[33]>"
                   "(::kv::simt::dynamic_shared());");
}

TEST(DynamicShared, Malformed) {
  const std::string size = "extern __shared__ declares an array of unknown size; write name[]";
  expect_refused("\nextern __shared__ float s[32];", "a.cu:2: " + size);
  expect_refused("extern __shared__ float s;", "a.cu:1: " + size);
  expect_refused("extern __shared__ float a[], b[];",
                 "a.cu:1: extern __shared__ declares one array here; give each its own line");
}

TEST(Rewrite, LeavesOrdinaryCodeAlone) {
  expect_untouched("a = b << 3 >> c; std::map<int, std::set<std::set<int>>> m;");
  expect_untouched("// k<<<1, 2>>>(x)\n/* k<<<1 \n */ // goes on \\\n k<<<1, 2>>>(x)\n");
  expect_untouched("f(\"k<<<1, 2>>>(x)\", '\"', R\"cu(k<<<1, 2>>>(x) \" )cu\", u8R\"(<<<)\");");
  expect_untouched("int n = 1'000'000; char c = '\\''; \"\\\"<<<\"; 0x1'0p3; 1'0");
  expect_untouched("#error don't write k\nextern int n; extern \"C\" void f(int[]);");
  expect_untouched("friend S& operator<<<T>(S&, T);");
  expect_untouched("__shared__ float s[32];");
}

TEST(Rewrite, TheNameOfAFileMayHoldAnything) {
  EXPECT_EQ(rewrite_cuda("", "a \"b\"\\c.cu"), "#line 1 \"a \\\"b\\\"\\\\c.cu\"\n");
}

// Every source of the grader and of simt is ordinary C++, this one with its many strings among
// them.
TEST(Rewrite, LeavesOrdinarySourcesAlone) {
  int num_files = 0;
  std::vector<std::filesystem::directory_entry> entries;
  for (const std::string folder : {"/grader", "/simt"}) {
    std::ranges::copy(std::filesystem::recursive_directory_iterator(KV_KIT_FOLDER + folder),
                      std::back_inserter(entries));
  }
  for (const auto& entry : entries) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cpp" && extension != ".h") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    SCOPED_TRACE(entry.path());
    expect_untouched(text.str());
    ++num_files;
  }
  EXPECT_GT(num_files, 50);
}

}  // namespace
}  // namespace kv::simt
