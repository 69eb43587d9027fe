// free, preempt, and requests from their beginning to their end.

#include "04-kv-cache-manager/given/simple_scheduler.h"
#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

TEST(FreeRequest, TheLastBlockFirst) {
  SPEC("the last block is freed first, so it is reused first and beginnings stay cached",
       "4.7 free", "last block first");
  RecordedManager manager({5, 2});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.free("A");
  manager.expect_free({4, 3, 2, 1});
  manager.expect_cached({1, 2});
  manager.expect_table("A", {});
  manager.start("B", {6, 7, 8, 9});
  log_step("evict_blocks([#4])");
  manager.raw().evict_blocks(Ids{4});
  manager.free("B");
  manager.expect_free({2, 1, 3, 4});
  manager.audit();
  RecordedManager uncached({5, 2, 100, false});
  uncached.admit("C", {1, 2, 3});
  uncached.expect_allocated("C", 3, Ids{1, 2, 3, 4}, {.num_lookahead_tokens = 4});
  log_step("the user goes before the model has computed a token of C");
  uncached.free("C");
  uncached.expect_free({4, 3, 2, 1});
  uncached.audit();
}

TEST(FreeRequest, OthersKeepTheirBlocks) {
  SPEC("a block that another request holds stays in use", "4.7 free", "out of each of its blocks");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.start("B", {1, 2, 3, 4, 6});
  manager.free("A");
  manager.expect_table("B", {1, 2, 4});
  manager.expect_ref_cnt(1, 1);
  manager.expect_free({5, 3});
  manager.audit();
}

TEST(FreeRequest, WithoutBlocks) {
  SPEC("a request without blocks is freed without any effect, as often as one likes", "4.7 free",
       "without blocks changes nothing");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 2, 3});
  manager.admit("B", {1, 2, 3});
  const ManagerState before = manager.state();
  manager.free("B");
  manager.expect_unchanged(before);
  manager.free("A");
  const ManagerState freed = manager.state();
  manager.free("A");
  manager.expect_unchanged(freed);
}

TEST(FreeRequest, TheIdCanComeAgain) {
  SPEC("a freed request is forgotten: one with its id starts with no block and nothing cached",
       "4.7 free", "forgets the request");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.free("A");
  manager.start("A", {7, 7, 8, 8, 9});
  manager.expect_table("A", {4, 5, 6});
  manager.expect_cached({1, 2, 4, 5});
  manager.start("B", {7, 7, 8, 8});
  manager.expect_table("B", {4, 7});
  manager.audit();
}

TEST(FreeRequest, TwoManagers) {
  SPEC("managers do not share requests", "4.7 free", "out of each of its blocks");
  RecordedManager first({6, 2});
  log_object(TestObject::kSecond);
  RecordedManager second({6, 2});
  second.start("A", {1, 2, 3});
  log_object(TestObject::kFirst);
  first.start("A", {1, 2, 3, 4, 5});
  first.free("A");
  log_object(TestObject::kSecond);
  second.expect_table("A", {1, 2});
  second.free("A");
  second.expect_free({3, 4, 5, 2, 1});
}

TEST(FreeRequest, SharingFromBeginningToEnd) {
  SPEC(
      "A computes four blocks, B shares three, A goes, B goes: the shared beginning is evicted "
      "last",
      "4.7 free", "last block first", "out of each of its blocks");
  RecordedManager manager({7, 4});
  manager.start("A", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  manager.expect_table("A", {1, 2, 3, 4});
  manager.start("B", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99});
  manager.expect_table("B", {1, 2, 3, 5});
  manager.free("A");
  manager.expect_free({6, 4});
  manager.free("B");
  manager.expect_free({6, 4, 5, 3, 2, 1});
  manager.expect_cached({1, 2, 3});
  manager.audit();
}

TEST(FreeRequest, OrderOfEviction) {
  SPEC(
      "hits in use and free hits, two ends, and then everything is evicted in the order of freeing",
      "4.7 free", "last block first");
  RecordedManager manager({11, 2});
  const Tokens common = {1, 1, 2, 2, 3, 3};
  const auto with = [&](Tokens more) {
    more.insert(more.begin(), common.begin(), common.end());
    return more;
  };
  manager.start("A", with({4}));
  manager.start("B", with({5}));
  manager.expect_table("B", {1, 2, 3, 5});
  manager.free("A");
  manager.free("B");
  manager.expect_free({6, 7, 8, 9, 10, 4, 5, 3, 2, 1});
  manager.start("C", with({6}));
  manager.expect_table("C", {1, 2, 3, 6});
  manager.expect_free({7, 8, 9, 10, 4, 5});
  manager.free("C");
  manager.start("D", Tokens(20, 9));
  manager.expect_table("D", {7, 8, 9, 10, 4, 5, 6, 3, 2, 1});
}

TEST(Preempt, FreesAndStartsOver) {
  SPEC("a preempted request has no blocks and no computed tokens, and still its tokens",
       "4.8 preempt", "Frees the request", "num_computed_tokens to 0");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.decode("A", 6);
  manager.preempt("A");
  manager.expect_table("A", {});
  manager.expect_free({4, 5, 3, 2, 1});
  EXPECT_SAME(manager.request("A").token_ids.size(), 6u) << "its tokens stay";
  manager.audit();
}

TEST(Preempt, ResumesWithWhatIsStillCached) {
  SPEC("a request that starts over finds those of its blocks that no other request has taken",
       "4.8 preempt", "Frees the request", "num_computed_tokens to 0");
  RecordedManager manager({5, 2});
  manager.start("A", {1, 2, 3, 4, 5, 6});
  manager.decode("A", 7);
  manager.preempt("A");
  manager.start("B", {9, 9, 9});
  manager.expect_table("B", {4, 3});
  manager.free("B");
  manager.start("A");
  manager.expect_table("A", {1, 2, 3, 4});
  manager.audit();
}

TEST(Preempt, ARequestWithoutBlocks) {
  SPEC("a request without blocks has num_computed_tokens set to 0, and nothing else changes",
       "4.8 preempt", "num_computed_tokens to 0");
  RecordedManager manager({6, 2});
  manager.start("A", {1, 2, 3});
  manager.admit("B", {1, 2, 3});
  manager.compute("B", 0x1'0002);
  manager.request("B").skip_reading_prefix_cache = true;
  const ManagerState before = manager.state();
  manager.preempt("B");
  manager.expect_unchanged(before);
  EXPECT_SAME(manager.request("B").skip_reading_prefix_cache, true) << "it still does not read";
  manager.expect_table("A", {1, 2});
}

// The text that a model would write: each token is made of all before it.
TokenId next_token(const Request& request) {
  TokenId sum = 1;
  for (const TokenId token : request.token_ids) sum = (sum * 31 + token) % 1009;
  return sum;
}

// Twelve requests, the first half of each the same, served with so many blocks.
struct Served {
  std::vector<Tokens> texts;
  std::size_t num_preemptions;
  bool is_all_free;
};
Served serve(std::size_t num_gpu_blocks, std::size_t max_num_batched_tokens) {
  KVCacheManager manager(num_gpu_blocks, 4, 100);
  SimpleScheduler scheduler(manager, max_num_batched_tokens, 5);
  std::map<std::string, Tokens> texts;
  for (TokenId i = 0; i < 12; ++i) {
    Tokens prompt(6 + static_cast<std::size_t>(i % 5), 3);
    prompt.push_back(i);
    scheduler.add_request(
        {.request_id = std::to_string(100 + i), .block_size = 4, .token_ids = prompt}, 9);
  }
  for (int i = 0; i < 5'000 && scheduler.has_requests(); ++i) {
    scheduler.update_from_output(scheduler.schedule(), [&](const Request& request) {
      const TokenId token = next_token(request);
      texts[request.request_id] = request.token_ids;
      texts[request.request_id].push_back(token);
      return token;
    });
  }
  Served served{{}, scheduler.num_preemptions(), manager.usage() == 0};
  for (const auto& [name, tokens] : texts) served.texts.push_back(tokens);
  return served;
}

TEST(Scheduling, ServesMoreThanFits) {
  SPEC("a scheduler serves the same texts with few blocks as with many: it preempts, and goes on",
       "4.8 preempt", "num_computed_tokens to 0");
  log_step("twelve requests with 200 blocks of 4 tokens");
  const Served roomy = serve(200, 1000);
  EXPECT_SAME(roomy.num_preemptions, 0u) << "with 200 blocks no request has to wait";
  log_step("the same with 12 blocks, and at most 7 tokens a step");
  const Served tight = serve(12, 7);
  EXPECT_HOLDS(tight.num_preemptions > 0) << "12 blocks are too few for five requests at once";
  EXPECT_SAME(tight.texts.size(), 12u) << "every request is served";
  EXPECT_HOLDS(tight.texts == roomy.texts) << "the texts differ";
  EXPECT_HOLDS(tight.is_all_free && roomy.is_all_free) << "blocks are in use, and no request is";
}

}  // namespace
}  // namespace kv::grader
