#include "grader/desk/handed_in/file_names.h"

#include "base/kit/tests/kit_test.h"

namespace kv::grader {
namespace {

class FileNames : public KitTest {
 protected:
  std::string meant_by(const std::string& file) const {
    return known_name(known_files(kit.manifest), file);
  }
};

TEST_F(FileNames, AreKnownWithWhatSystemsAndStudentsAdd) {
  for (const char* file :
       {"block_pool.cpp", "Block_Pool.CPP", "block_pool.cpp.txt", "block_pool (1).cpp",
        "block_pool-2.cpp", "block_pool_final.cpp", "block_pool - Copy (2).cpp", "block_pool.cc",
        "block_pool_final_v2.cpp", "block_pool.cpp.download", "block_pool.txt"})
    EXPECT_EQ(meant_by(file), "block_pool.cpp") << file;
  EXPECT_EQ(meant_by("block_pool.hpp"), "block_pool.h");
}

// A number at the end can be of the name.
TEST_F(FileNames, KeepTheirOwnNumbers) {
  EXPECT_EQ(meant_by("paged_attention_v2.cu"), "paged_attention_v2.cu");
  EXPECT_EQ(meant_by("paged_attention_v2 (1).cu"), "paged_attention_v2.cu");
}

TEST_F(FileNames, AreNoneOfOthers) {
  for (const char* file :
       {"main.cpp", "pool.cpp", "block_pool.pdf", "final.cpp", "", ".cpp", "(1)"})
    EXPECT_EQ(meant_by(file), "") << file;
}

}  // namespace
}  // namespace kv::grader
