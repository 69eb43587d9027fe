// Step 7.12: where a request waits under kPriority.

#include <limits>
#include <tuple>

#include "07-serving/tests/near_keys.h"

namespace kv::grader {
namespace {

constexpr const char* kInsert = "7.12 insert_by_priority";

// The ids are in the opposite order, which decides between keys that are taken for equal.
void expect_nearest_first(const NearKeys& keys) {
  if (testing::Test::HasFailure()) return;
  for (const bool is_first_added_first : {true, false}) {
    RecordedScheduler scheduler({.policy = SchedulingPolicy::kPriority});
    log_step("B and A have the keys " + keys.text());
    if (is_first_added_first) scheduler.add("B", {1}, keys.first);
    scheduler.add("A", {1}, keys.second);
    if (!is_first_added_first) scheduler.add("B", {1}, keys.first);
    scheduler.expect_waiting({"B", "A"});
  }
}

TEST(PriorityQueue, TheSmallestFirst) {
  SPEC("requests wait in the order of their priorities, wherever that puts a new one", kInsert,
       "before the first one that goes after it");
  RecordedScheduler scheduler({.policy = SchedulingPolicy::kPriority});
  scheduler.add("A", {1}, urgent(3));
  scheduler.add("B", {1}, urgent(-1));
  scheduler.add("C", {1}, urgent(7));
  scheduler.add("D", {1}, urgent(0));
  scheduler.add("E", {1}, urgent(std::numeric_limits<int>::max()));
  scheduler.add("F", {1}, urgent(std::numeric_limits<int>::min()));
  scheduler.expect_waiting({"F", "B", "D", "A", "C", "E"});
  scheduler.audit();
  for (const NearKeys& keys : near_priorities()) expect_nearest_first(keys);
}

// Two that differ in nothing.
void expect_equal_ones_as_added() {
  ServedRequest first{{.request_id = "A", .block_size = 4, .token_ids = {1}}}, second = first;
  RequestQueue queue(SchedulingPolicy::kPriority);
  queue.add_request(first);
  queue.add_request(second);
  EXPECT_HOLDS(&queue.peek_request() == &first) << "of two equal requests, the first is next";
}

// Seconds since 1970: a float has no half ones.
void expect_all_digits_of_the_time() {
  RecordedScheduler scheduler({.policy = SchedulingPolicy::kPriority});
  scheduler.add("A", {1}, urgent(2, 1'764'400'000.5));
  scheduler.add("B", {1}, urgent(2, 1'764'400'000.25));
  scheduler.expect_waiting({"B", "A"});
}

// Ids as bytes, from the first one that differs: not as numbers, and not as letters.
void expect_ids_as_bytes() {
  for (const auto& [first, second] : {std::pair("10", "9"),
                                      {"A", "AA"},
                                      {"B", "a"},
                                      {"z", "\u00e9"},
                                      {"cmpl-0123456789abcdef-10", "cmpl-0123456789abcdef-9"}}) {
    RecordedScheduler scheduler({.policy = SchedulingPolicy::kPriority});
    scheduler.add(second, {1}, urgent(2, 1.5));
    scheduler.add(first, {1}, urgent(2, 1.5));
    scheduler.expect_waiting({first, second});
  }
}

TEST(PriorityQueue, ThenTheEarlier) {
  SPEC("of several with one priority the one that arrived first goes first, then the smaller id",
       kInsert, "before the first one that goes after it");
  RecordedScheduler scheduler({.policy = SchedulingPolicy::kPriority});
  scheduler.add("D", {1}, urgent(2, 1.5));
  scheduler.add("C", {1}, urgent(2, 1.25));
  scheduler.add("B", {1}, urgent(1, 9));
  scheduler.add("F", {1}, urgent(2, 1.5));
  scheduler.add("E", {1}, urgent(2, 1.5));
  scheduler.add("A", {1}, urgent(2, 1.5));
  scheduler.expect_waiting({"B", "C", "A", "D", "E", "F"});
  expect_equal_ones_as_added();
  expect_all_digits_of_the_time();
  for (const NearKeys& keys : near_times()) expect_nearest_first(keys);
  if (!HasFailure()) expect_ids_as_bytes();
}

TEST(PriorityQueue, IsAdmittedInItsOrder) {
  SPEC("the next one to be admitted is the first of that order, and it stops all when it must wait",
       kInsert, "before the first one that goes after it", "7.4 the next one first",
       "7.4 waits, and all after it");
  RecordedScheduler scheduler(
      {.num_gpu_blocks = 5, .block_size = 2, .policy = SchedulingPolicy::kPriority});
  scheduler.add("A", {1}, urgent(3));
  scheduler.add("B", Tokens(5, 2), urgent(1));
  scheduler.add("C", {3, 3, 3}, urgent(2));
  scheduler.expect_step({.scheduled = {"B 0+5 new"}});
  scheduler.expect_waiting({"C", "A"});
  scheduler.finish({"C"});
  scheduler.expect_step({.scheduled = {"A 0+1 new"}, .finished = {"C"}});
}

TEST(PriorityQueue, OfManyRequests) {
  SPEC("a request is put into its place among hundreds", kInsert,
       "before the first one that goes after it");
  RequestQueue queue(SchedulingPolicy::kPriority);
  std::deque<ServedRequest> requests;
  log_step("500 requests with 20 priorities");
  for (std::size_t i = 0; i < 500; ++i) {
    ServedRequest& request = requests.emplace_back(
        ServedRequest{{.request_id = std::to_string(i), .block_size = 1, .token_ids = {1}}});
    request.priority = static_cast<int>(i * 7 % 20) - 10;
    request.arrival_time = static_cast<double>(i * 11 % 5);
    i % 2 == 0 ? queue.add_request(request) : queue.prepend_request(request);
  }
  ASSERT_SAME(queue.requests().size(), 500u) << "all of them wait";
  const auto place = [](const ServedRequest& it) {
    return std::tie(it.priority, it.arrival_time, it.request_id);
  };
  for (std::size_t i = 0; i + 1 < queue.requests().size(); ++i) {
    const ServedRequest &one = *queue.requests()[i], &next = *queue.requests()[i + 1];
    ASSERT_SAME(place(one) < place(next), true)
        << one.request_id << " should wait after " << next.request_id;
  }
}

}  // namespace
}  // namespace kv::grader
