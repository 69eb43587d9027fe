// Step 7.17: a child runs beside its parent, in the parent's blocks.

#include <cstdint>

#include "07-serving/tests/many_requests.h"

namespace kv::grader {
namespace {

constexpr const char* kForkRequest = "7.17 fork_request";

// A scheduler with request A, whose prompt is computed, and which has the token 70.
class WithAnAnswer : public RecordedScheduler {
 public:
  explicit WithAnAnswer(const SchedulerSizes& sizes,
                        const Tokens& prompt = {1, 2, 3, 4, 5, 6},
                        const RequestOptions& options = {})
      : RecordedScheduler(sizes) {
    add("A", prompt, options);
    schedule();
    expect_update({{"A", {70}}}, {"A 70"});
  }

  // What a request has, in the words "B 5/6".
  void expect_progress(const Names& expected) {
    expect_same("the running requests to be", expected, progress_of(raw().running()));
  }
};

TEST(ForkRequest, RunsBesideItsParent) {
  SPEC("the child runs at once, in its parent's blocks, and computes the last token of the prompt",
       kForkRequest, "a child of a running request runs, too", "as the one admitted last",
       "It has the computed tokens of its parent", "shares their blocks",
       "computes the last of them once more");
  WithAnAnswer scheduler({});
  scheduler.add("W", {8, 9});
  const Ids free = free_ids(scheduler.pool());
  scheduler.expect_fork("A", "B");
  scheduler.expect_progress({"A 6/7", "B 5/6"});
  scheduler.expect_waiting({"W"});
  scheduler.expect_table("B", {1, 2});
  scheduler.expect_free(free);
  scheduler.audit();
  scheduler.expect_step({.scheduled = {"A 6+1", "B 5+1", "W 0+2 new"}});
  scheduler.expect_update({{"A", {71}}, {"B", {80}}, {"W", {9}}}, {"A 71", "B 80", "W 9"});
  EXPECT_SAME(scheduler.request("A").token_ids, Tokens({1, 2, 3, 4, 5, 6, 70, 71})) << "A's tokens";
  EXPECT_SAME(scheduler.request("B").token_ids, Tokens({1, 2, 3, 4, 5, 6, 80})) << "B's tokens";
  scheduler.expect_step({.scheduled = {"A 7+1", "B 6+1", "W 2+1"}});
  scheduler.audit();
}

TEST(ForkRequest, TheFirstToWriteGetsACopy) {
  SPEC("a prompt ends in the middle of a block: one of the two answers gets a copy of its slots",
       kForkRequest, "shares their blocks");
  for (const bool enable_caching : {true, false}) {
    WithAnAnswer scheduler({.enable_caching = enable_caching});
    scheduler.expect_fork("A", "B");
    scheduler.expect_step({.scheduled = {"A 6+1", "B 5+1"}});
    scheduler.expect_copies({"#2 to #3, 2 slots"});
    scheduler.expect_table("A", {1, 3});
    scheduler.expect_table("B", {1, 2});
    scheduler.expect_update({{"A", {71}}, {"B", {80}}}, {"A 71", "B 80"});
    scheduler.expect_step({.scheduled = {"A 7+1", "B 6+1"}});
    scheduler.expect_copies({});
    scheduler.audit();
  }
}

// The last token of the prompt is the last one of its block, and B computes it once more: where
// block 2 is cached, it is the same number in the same slot; else B has a block of its own.
void expect_answers_to_full_blocks() {
  WithAnAnswer cached({}, {1, 2, 3, 4, 5, 6, 7, 8});
  cached.expect_fork("A", "B");
  cached.expect_step({.scheduled = {"A 8+1", "B 7+1"}});
  cached.expect_copies({});
  cached.expect_table("A", {1, 2, 3});
  cached.expect_table("B", {1, 2});

  WithAnAnswer other({.enable_caching = false}, {1, 2, 3, 4, 5, 6, 7, 8});
  other.expect_fork("A", "B");
  other.expect_step({.scheduled = {"A 8+1", "B 7+1"}});
  other.expect_copies({"#2 to #4, 3 slots"});
  other.expect_table("A", {1, 2, 3});
  other.expect_table("B", {1, 4});
}

// A's first token fills a block of which the salt is a key; that block is not one of B's. C, which
// has B's tokens and salt, finds both blocks of B.
void expect_keys_of_a_child() {
  WithAnAnswer scheduler({}, {1, 2, 3}, {.cache_salt = "salt"});
  scheduler.expect_fork("A", "B");
  Tokens tokens = {1, 2, 3};
  for (const TokenId token : {80, 81, 82, 83, 84}) {
    scheduler.schedule();
    scheduler.update(scheduler.step(), {{"A", {70}}, {"B", {token}}});
    tokens.push_back(token);
  }
  scheduler.schedule();
  scheduler.finish({"A", "B"});
  tokens.push_back(85);
  scheduler.add("C", tokens, {.cache_salt = "salt"});
  scheduler.expect_step({.scheduled = {"C 8+1 new"}, .finished = {"A", "B"}});
}

TEST(ForkRequest, APromptOfFullBlocks) {
  SPEC("a prompt ends at the end of a block: the hash of no block is left that the child lacks",
       kForkRequest, "It has the computed tokens of its parent", "shares their blocks");
  expect_answers_to_full_blocks();
  for (const bool enable_caching : {true, false}) {
    WithAnAnswer scheduler({.block_size = 1, .enable_caching = enable_caching}, {1, 2, 3});
    scheduler.expect_fork("A", "B");
    EXPECT_SAME(scheduler.request("B").block_hashes.size(), 3u) << "full blocks of B";
    scheduler.expect_step({.scheduled = {"A 3+1", "B 2+1"}});
    scheduler.expect_copies({});
    scheduler.audit();
  }
  WithAnAnswer scheduler({}, {1, 2, 3, 4, 5, 6, 7});  // the answer's first token fills block 2
  scheduler.expect_fork("A", "B");
  EXPECT_SAME(scheduler.request("A").block_hashes.size(), 2u) << "full blocks of A";
  EXPECT_SAME(scheduler.request("B").block_hashes.size(), 1u) << "full blocks of B";
  scheduler.expect_step({.scheduled = {"A 7+1", "B 6+1"}});
  scheduler.expect_update({{"A", {71}}, {"B", {80}}}, {"A 71", "B 80"});
  EXPECT_HOLDS(scheduler.request("A").block_hashes[1] != scheduler.request("B").block_hashes[1])
      << "the second blocks of A and B end with other tokens";
  scheduler.audit();
  if (!HasFailure()) expect_keys_of_a_child();
}

TEST(ForkRequest, HasItsOwnSamplingParams) {
  SPEC("the child is asked for in its own way, and is as urgent as its parent", kForkRequest,
       "with its own sampling_params", "without drafts or preemptions");
  WithAnAnswer scheduler({.policy = SchedulingPolicy::kPriority}, {1, 2, 3},
                         {.sampling_params = {.max_tokens = 9, .eos_token_id = 5},
                          .priority = 4,
                          .arrival_time = 2.5});
  scheduler.raw().update_draft_token_ids("A", {71, 72});
  scheduler.expect_fork("A", "B", true, {.max_tokens = 2, .stop_token_ids = {6}, .seed = 3});
  const ServedRequest& child = scheduler.request("B");
  EXPECT_SAME(child.request_id, std::string("B")) << "the id of the child";
  EXPECT_SAME(child.sampling_params.max_tokens, 2u) << "max_tokens of B";
  EXPECT_HOLDS(!child.sampling_params.eos_token_id) << "B has no eos_token_id";
  EXPECT_SAME(child.sampling_params.stop_token_ids, Tokens({6})) << "stop_token_ids of B";
  EXPECT_SAME(child.sampling_params.seed, std::uint64_t{3}) << "the seed of B";
  EXPECT_SAME(child.priority, 4) << "the priority of B";
  EXPECT_HOLDS(child.arrival_time == 2.5) << "B came with A, after 2.5 seconds";
  EXPECT_SAME(scheduler.request("A").sampling_params.max_tokens, 9u) << "max_tokens of A";
  EXPECT_SAME(child.num_prompt_tokens, 3u) << "the prompt of B";
  scheduler.expect_step({.scheduled = {"A 3+3 ?71 ?72", "B 2+1"}});
  scheduler.expect_update({{"A", {5}}, {"B", {5}}}, {"A 5 stop", "B 5"});
  scheduler.expect_step({.scheduled = {"B 3+1"}, .finished = {"A"}});
  scheduler.expect_update({{"B", {4}}}, {"B 4 length"});
}

TEST(ForkRequest, InTheMiddleOfAnAnswer) {
  SPEC("a child of a longer answer begins with it, and its last token is the child's own",
       kForkRequest, "which are all but the last", "It has the computed tokens of its parent");
  WithAnAnswer scheduler({});
  for (const TokenId token : {71, 72, 73}) {
    scheduler.schedule();
    scheduler.expect_update({{"A", {token}}}, {"A " + std::to_string(token)});
  }
  scheduler.expect_fork("A", "B", true, {.max_tokens = 5});
  EXPECT_SAME(scheduler.request("B").token_ids, Tokens({1, 2, 3, 4, 5, 6, 70, 71, 72})) << "B's";
  EXPECT_SAME(scheduler.request("B").num_output_tokens(), 3u) << "B has output from the beginning";
  scheduler.expect_progress({"A 9/10", "B 8/9"});
  scheduler.expect_step({.scheduled = {"A 9+1", "B 8+1"}});
  scheduler.expect_copies({"#3 to #4, 1 slot"});
  scheduler.expect_update({{"A", {74}}, {"B", {80}}}, {"A 74", "B 80"});
  scheduler.expect_step({.scheduled = {"A 10+1", "B 9+1"}});
  scheduler.expect_update({{"A", {75}}, {"B", {81}}}, {"A 75", "B 81 length"});
  scheduler.audit();
}

TEST(ForkRequest, SeveralAnswers) {
  SPEC("four answers: all but the last one to write get a copy, and a child has children",
       kForkRequest, "a child of a running request runs, too", "shares their blocks");
  WithAnAnswer scheduler({});
  for (const char* name : {"B", "C", "D"}) scheduler.expect_fork("A", name);
  scheduler.expect_step({.scheduled = {"A 6+1", "B 5+1", "C 5+1", "D 5+1"}});
  scheduler.expect_copies({"#2 to #3, 2 slots", "#2 to #4, 1 slot", "#2 to #5, 1 slot"});
  scheduler.expect_table("D", {1, 2});
  scheduler.expect_common(1);
  scheduler.audit();
  const Sampled sampled = {{"A", {71}}, {"B", {80}}, {"C", {90}}, {"D", {60}}};
  scheduler.expect_update(sampled, {"A 71", "B 80", "C 90", "D 60"});
  scheduler.expect_fork("B", "E");
  scheduler.expect_progress({"A 7/8", "B 6/7", "C 6/7", "D 6/7", "E 5/6"});
  scheduler.audit();
  scheduler.finish({"A", "B", "C", "D", "E"});
  EXPECT_SAME(scheduler.pool().get_num_free_blocks(), 19u) << "at the end all blocks are free";
}

TEST(ForkRequest, DraftsThatWereWrong) {
  SPEC("a block that only wrong drafts have reached is not copied", kForkRequest,
       "which are all but the last", "shares their blocks");
  WithAnAnswer scheduler({.block_size = 2}, {1, 2, 3});
  scheduler.raw().update_draft_token_ids("A", {71, 72, 73});
  scheduler.expect_step({.scheduled = {"A 3+4 ?71 ?72 ?73"}});
  scheduler.expect_update({{"A", {78}}}, {"A 78"});
  scheduler.expect_table("A", {1, 2, 3, 4});
  scheduler.expect_fork("A", "B");
  scheduler.expect_progress({"A 4/5", "B 3/4"});
  scheduler.expect_step({.scheduled = {"A 4+1", "B 3+1"}});
  scheduler.expect_copies({});
  scheduler.expect_table("A", {1, 2, 5, 6});
  scheduler.expect_table("B", {1, 2, 3, 4});
  scheduler.audit();
}

void expect_no_place_among_many() {
  log_step("fork_request where 65,540 requests run, and no more may");
  ManyRequests many;
  many.add(kMany, 1);
  const SchedulerOutput step = many.scheduler.schedule();
  many.scheduler.update_from_output(step, std::vector<Tokens>(kMany, {7}));
  EXPECT_HOLDS(!many.scheduler.fork_request("0", "B", {})) << "there is no place for a child";
}

TEST(ForkRequest, NoPlaceForAChild) {
  SPEC("where max_num_seqs requests run, there is no child, and nothing has changed", kForkRequest,
       "false if max_num_seqs requests run", "and nothing has changed");
  WithAnAnswer scheduler({.max_num_seqs = 2});
  scheduler.add("B", {4});
  scheduler.expect_step({.scheduled = {"A 6+1", "B 0+1 new"}});
  scheduler.expect_update({{"A", {71}}, {"B", {5}}}, {"A 71", "B 5"});
  const SchedulerState before = scheduler.state();
  scheduler.expect_fork("A", "C", false);
  scheduler.expect_unchanged(before);
  EXPECT_HOLDS(!scheduler.raw().has_request("C")) << "there is no C";
  scheduler.expect_step({.scheduled = {"A 7+1", "B 1+1"}});
  scheduler.expect_copies({});
  scheduler.expect_update({{"A", {72}}, {"B", {5}}}, {"A 72", "B 5"});
  scheduler.finish({"B"});
  scheduler.expect_fork("A", "C");
  scheduler.expect_fork("C", "D", false);
  scheduler.audit();
  if (!HasFailure()) expect_no_place_among_many();
}

// Where no block is free for the copy that A needs.
void expect_victim_for_a_copy() {
  RecordedScheduler scheduler({.num_gpu_blocks = 4, .block_size = 2});
  scheduler.add("Z", {9});
  scheduler.add("A", {1, 2, 3});
  scheduler.expect_step({.scheduled = {"Z 0+1 new", "A 0+3 new"}});
  scheduler.expect_update({{"Z", {5}}, {"A", {70}}}, {"Z 5", "A 70"});
  scheduler.expect_fork("A", "B");
  scheduler.expect_step({.scheduled = {"Z 1+1", "A 3+1"}, .preempted = {"B"}});
  scheduler.expect_copies({});
  scheduler.audit();
}

// Four blocks of 2: two answers to a prompt of 4 tokens need five.
TEST(ForkRequest, AChildIsTheFirstVictim) {
  SPEC("a child that loses its blocks resumes as others do, with what it finds of them",
       kForkRequest, "as the one admitted last");
  WithAnAnswer scheduler({.num_gpu_blocks = 5, .block_size = 2}, {1, 2, 3});
  scheduler.expect_fork("A", "B");
  scheduler.expect_step({.scheduled = {"A 3+1", "B 2+1"}});
  scheduler.expect_copies({"#2 to #3, 1 slot"});
  scheduler.expect_update({{"A", {71}}, {"B", {80}}}, {"A 71", "B 80"});
  scheduler.expect_step({.scheduled = {"A 4+1", "B 3+1"}});
  scheduler.expect_update({{"A", {72}}, {"B", {81}}}, {"A 72", "B 81"});
  scheduler.expect_step({.scheduled = {"A 5+1"}, .preempted = {"B"}});
  scheduler.expect_update({{"A", {73}}}, {"A 73"});
  scheduler.audit();
  EXPECT_SAME(scheduler.request("B").num_preemptions, 1u) << "B was preempted once";
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 4+1 resumed"}, .finished = {"A"}});
  scheduler.audit();
  if (!HasFailure()) expect_victim_for_a_copy();
}

TEST(ForkRequest, OneEndsAndTheOtherGoesOn) {
  SPEC("when the parent or the child is aborted, the other one goes on in the blocks that it has",
       kForkRequest, "shares their blocks");
  for (const std::string name : {"A", "B"}) {
    const std::string other = name == "A" ? "B" : "A";
    WithAnAnswer scheduler({});
    scheduler.expect_fork("A", "B");
    scheduler.finish({name});
    scheduler.audit();
    scheduler.expect_step({.scheduled = {name == "A" ? "B 5+1" : "A 6+1"}, .finished = {name}});
    scheduler.expect_copies({});
    scheduler.expect_table(other, {1, 2});
    scheduler.expect_update({{other, {80}}}, {other + " 80"});
    scheduler.finish({other});
    EXPECT_SAME(scheduler.pool().get_num_free_blocks(), 19u) << "at the end all blocks are free";
  }
}

}  // namespace
}  // namespace kv::grader
