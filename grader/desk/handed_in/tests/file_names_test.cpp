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
        "block_pool_final_v2.cpp", "block_pool_final2.cpp", "block_pool - Kopie.cpp",
        "block-pool.cpp", "Block Pool (2).cpp", "block_pool.cpp.download", "block_pool.txt"})
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

TEST_F(FileNames, MayHaveSomethingInFront) {
  const auto front_of = [&](const std::string& file) {
    const NameWithFront meant = known_name_at_end(known_files(kit.manifest), file);
    EXPECT_EQ(meant.name, "block_hash_to_block_map.cpp") << file;
    return meant.front;
  };
  EXPECT_EQ(front_of("block_hash_to_block_map.cpp"), "");
  EXPECT_EQ(front_of("Copy of block_hash_to_block_map.cpp"), "Copy of");
  EXPECT_EQ(front_of("ada_lovelace_12_block_hash_to_block_map (1).cpp"), "ada_lovelace_12");
  EXPECT_EQ(front_of("24-68 - Ada L. - Oct 9, 2026 - block_hash_to_block_map.cpp"),
            "24-68 - Ada L. - Oct 9, 2026");
  EXPECT_EQ(known_name_at_end(known_files(kit.manifest), "my_pool.cpp").name, "");
}

// "async_engine.cpp" is a file of the kit, and not lab 07's engine.cpp.
TEST_F(FileNames, OfTheKitAreInItsFolders) {
  EXPECT_TRUE(is_in_kit("kit/apps/serve/async_engine.cpp"));
  EXPECT_FALSE(is_in_kit("my solution/07-serving/engine.cpp"));
}

}  // namespace
}  // namespace kv::grader
