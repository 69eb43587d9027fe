// What every form of PrefixTable promises, the one-line form included.

#include <gtest/gtest.h>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

// [1 2 | 3 4], block by block.
class PrefixIdentity : public testing::Test {
 public:
  PrefixIdentity() { update_block_hashes(request_); }

  PrefixTable::Block block(std::size_t i, std::optional<PrefixId> parent) const {
    return block_of(request_, i, parent);
  }

 protected:
  Request request_{.request_id = "r", .block_size = 2, .token_ids = {1, 2, 3, 4}};
  PrefixTable table_{2};
};

TEST_F(PrefixIdentity, AskingChangesNothing) {
  SPEC("find gives the same answer as often as it is asked", "3.7 PrefixTable::find");
  const PrefixTable& table = table_;
  EXPECT_EQ(table.find(block(0, std::nullopt)), table.find(block(0, std::nullopt)));
}

TEST_F(PrefixIdentity, EqualPrefixesAreOne) {
  SPEC("interning an equal prefix gives the same identity, and find gives it too",
       "3.8 PrefixTable::intern");
  const PrefixId first = table_.intern(block(0, std::nullopt));
  const PrefixId second = table_.intern(block(1, first));
  EXPECT_NE(first, second);
  EXPECT_EQ(table_.intern(block(0, std::nullopt)), first);
  EXPECT_EQ(table_.find(block(0, std::nullopt)), first);
  EXPECT_EQ(table_.find(block(1, first)), second);
}

TEST_F(PrefixIdentity, ReleasedOnceOfTwice) {
  SPEC("a prefix that is held twice and released once is still found", "3.9 PrefixTable::release");
  const PrefixId first = table_.intern(block(0, std::nullopt));
  table_.intern(block(0, std::nullopt));
  table_.release(first);
  EXPECT_EQ(table_.find(block(0, std::nullopt)), first);
}

TEST_F(PrefixIdentity, NothingIsLeftBehind) {
  SPEC("when nobody holds a prefix any more, the table is empty", "3.9 PrefixTable::release");
  const PrefixId first = table_.intern(block(0, std::nullopt));
  const PrefixId second = table_.intern(block(1, first));
  table_.release(first);
  EXPECT_EQ(table_.find(block(1, first)), second) << "a child holds its parent";
  table_.release(second);
  EXPECT_EQ(table_.size(), 0u);
}

}  // namespace
}  // namespace kv::grader
