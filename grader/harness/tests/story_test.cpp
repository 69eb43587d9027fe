// The story of a test as data: what it holds, what is cut, how it is drawn, and that a signal
// handler hands it over.

#include "grader/harness/story.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>
#include <string>
#include <vector>

#include "grader/harness/story_text.h"
#include "grader/harness/test_log.h"

namespace kv::grader::story {
namespace {

using Ids = std::vector<int>;

class Lines : public LineSink {
 public:
  void line(std::string_view text) override { all.append(text).append("\n"); }

  std::string all;
};

StoryRecord touched() {
  StoryRecord record;
  record.begin(1);
  record.add_text(StoryPart::kCall, "", "touch(blocks)");
  record.add_text(StoryPart::kSentence, "", "touch({0})");
  record.add_text(StoryPart::kCode, "", "touch({0})");
  record.add(StoryPart::kArg, "", Blocks{Ids{1, 2}});
  record.add(StoryPart::kState, "free", Ids{3, 4});
  record.add(StoryPart::kState, "used", RefCounts{Ids{1, 1, 2, 7}});
  record.add(StoryPart::kState, "waiting", std::vector<std::string>{"A 4/6", "B"});
  return record;
}

std::string drawn(const StoryRecord& step) {
  StoryRecord head, start;
  head.begin(1);
  start.begin(0);
  const std::vector<const StoryRecord*> steps = {&step};
  Lines lines;
  draw_story({head, start, steps}, lines);
  return lines.all;
}

std::vector<std::byte> bytes_of(const StoryRecord& record) {
  std::vector<std::byte> bytes;
  for (const auto part : record.bytes()) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

TEST(StoryRecord, IsTheSameAfterItsJourney) {
  const StoryRecord sent = touched();
  const std::vector<std::byte> bytes = bytes_of(sent);
  std::span<const std::byte> rest = bytes;
  StoryRecord received;
  ASSERT_TRUE(received.read(rest));
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(drawn(received), drawn(sent));
  EXPECT_EQ(drawn(received),
            "    1. touch(#1, #2)                free [3 4], used [1:1 2:7], waiting [A 4/6, B]\n");
}

TEST(StoryRecord, IsNotReadFromBytesThatAreNone) {
  const std::vector<std::byte> bytes = bytes_of(touched());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::span<const std::byte> cut = std::span(bytes).first(size);
    EXPECT_FALSE(StoryRecord().read(cut)) << size << " of " << bytes.size() << " bytes";
  }
  const std::vector<std::byte> noise(100'000, std::byte{0xFF});
  std::span<const std::byte> all = noise;
  EXPECT_FALSE(StoryRecord().read(all)) << "it claims more than a record holds";
}

TEST(StoryRecord, FieldsReadInsideTheRecord) {
  const StoryRecord record = touched();
  const StoryField beyond{
      .kind = ValueKind::kList, .name_first = 60'000, .name_size = 9, .first = 60'000, .size = 9};
  EXPECT_TRUE(record.numbers(beyond).empty());
  EXPECT_EQ(record.name(beyond), "");
}

TEST(StoryRecord, WhatHasNoRoomIsCounted) {
  std::vector<int> many(5000);
  std::iota(many.begin(), many.end(), 0);
  StoryRecord record;
  record.begin(1);
  record.add(StoryPart::kState, "free", many);
  const StoryField& list = record.fields()[0];
  EXPECT_EQ(record.numbers(list).size(), StoryRecord::kMaxItems);
  EXPECT_EQ(record.numbers(list).size() + list.num_cut, many.size());
  record.add_text(StoryPart::kCall, "", std::string(5000, 'x'));
  const StoryField& text = record.fields()[1];
  EXPECT_EQ(record.text(text).size() + text.num_cut, 5000u);
  for (int i = 0; i < 100; ++i) record.add(StoryPart::kArg, "", i);
  EXPECT_EQ(record.fields().size() + record.num_fields_cut(), 102u);
}

TEST(StoryRecord, LosesNoBitOfANumber) {
  StoryRecord record;
  record.begin(1);
  record.add(StoryPart::kArg, "", ~std::uint64_t{0});
  record.add(StoryPart::kArg, "", -1);
  record.add(StoryPart::kArg, "", 1e300);
  record.add_text(StoryPart::kSentence, "", "{0} {1} {2}");
  EXPECT_EQ(drawn(record), "    1. 18446744073709551615 -1 1e+300\n");
}

TEST(StoryRecord, DrawsTheEndsOfALongList) {
  std::vector<int> many(70);
  std::iota(many.begin(), many.end(), 0);
  StoryRecord record;
  record.begin(1);
  record.add(StoryPart::kState, "free", many);
  EXPECT_EQ(drawn(record),
            "    1.                              free [0 1 2 3 4 5 6 7 ... 67 68 69] of 70\n");
  many.resize(5000);
  record.begin(1);
  record.add(StoryPart::kState, "free", many);
  EXPECT_EQ(drawn(record),
            "    1.                              free [0 1 2 3 4 5 6 7 ...] of 5000\n");
}

TEST(StoryRecord, DrawsALongStateInSeveralLines) {
  StoryRecord record;
  record.begin(1);
  for (const char* name : {"free", "used", "cached"}) {
    record.add(StoryPart::kState, name, Ids(16, 1000));
  }
  const std::string column(36, ' ');
  const std::string lines = drawn(record);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 3) << lines;
  EXPECT_NE(lines.find("\n" + column + "used ["), std::string::npos) << lines;
}

TEST(StoryRecord, DrawsRealNumbersWithoutZerosAtTheEnd) {
  StoryRecord record;
  record.begin(1);
  for (const double number : {0.75, 1e-12, 3.0, std::nan("")}) {
    record.add(StoryPart::kArg, "", number);
  }
  record.add_text(StoryPart::kSentence, "", "{0} {1} {2} {3}");
  EXPECT_EQ(drawn(record), "    1. 0.75 1e-12 3 NaN\n");
}

// What a child prints that logs two steps and ends by `finish`.
std::string printed_by_child(void (*finish)()) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    clear_log();
    log_start("queue", {"FreeKVCacheBlockQueue(num_blocks)", ""}, 2);
    log_state("free", Ids{0, 1});
    log_step({"popleft()", "popleft()"});
    log_result(Block{0});
    log_state("free", Ids{1});
    log_step({"append(block)", "append({0})"}, Block{0});
    finish();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string printed;
  char buffer[4096];
  for (ssize_t size; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    printed.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return printed;
}

TEST(Story, SurvivesASignal) {
#ifdef KV_SANITIZED
  GTEST_SKIP() << "a sanitizer reports a crash itself";
#endif
  const std::string expected =
      "start: free [0 1]\n"
      "    1. popleft()                    #0, free [1]\n"
      "    2. append(#0)\n";
  EXPECT_EQ(printed_by_child([] { ::raise(SIGSEGV); }), expected);
  EXPECT_EQ(printed_by_child([] { emit_log(); }), expected);
}

TEST(Story, BeginsWithTheConstructorWhereNoStateIsKnown) {
  const std::string printed = printed_by_child([] {
    log_start("pool", {"BlockPool(num_gpu_blocks, block_size)", ""}, 4, 16);
    emit_log();
  });
  EXPECT_EQ(printed, "start: BlockPool(4, 16)\n");
}

TEST(Story, SaysThatStepsAreLeftOut) {
  const std::string printed = printed_by_child([] {
    for (int i = 0; i < 100; ++i) log_step({"append(block)", "append({0})"}, Block{i});
    emit_log();
  });
  EXPECT_NE(printed.find("... earlier steps are left out\n   87. append(#84)\n"), std::string::npos)
      << printed;
}

TEST(Story, IsATestToPasteWhenAHistoryIsWhole) {
  const std::string printed = printed_by_child([] {
    log_as_found("broken after 1 call", "./lab grade 01 --seed 42");
    log_start("queue", {"Queue(num_blocks)", "", "RecordedQueue queue({0});"}, 2);
    log_step({"popleft_n(n)", "popleft_n({0})", "expect_popleft_n({0}, {=})"}, 1);
    log_expected_result(std::optional(Ids{0}));
    log_result(std::optional<Ids>());
    log_state("free", Ids{0, 1});
    log_expectation({"free(blocks)", "", "expect_free({0})"}, Ids{1});
    emit_log();
  });
  EXPECT_NE(printed.find("    RecordedQueue queue(2);\n"
                         "    queue.expect_popleft_n(1, Ids{0});\n"
                         "    queue.expect_free({1});\n"),
            std::string::npos)
      << printed;
}

void start_queue() {
  log_start("queue", {"Queue(num_blocks)", "", "Queue queue({0});"}, 2);
}

// A history as a test, after its SPEC line.
std::string test_of(void (*log_history)()) {
  static void (*log)();
  log = log_history;
  const std::string printed = printed_by_child([] {
    log_as_found("broken after 1 call", "./lab grade 04 --seed 42");
    log();
    emit_log();
  });
  const std::size_t begin = printed.find("    SPEC(");
  return begin == printed.npos ? "" : printed.substr(printed.find('\n', begin) + 1);
}

TEST(Story, KeepsTheBracesOfATest) {
  EXPECT_EQ(
      test_of([] {
        log_start("manager", {"Manager(sizes)", "", "Manager manager({{0}, {1}});"}, 5, true);
        log_step({"admit(request)", "", "admit({.id = {0}, .tokens = {1}}, {})"}, "A", Ids{7});
      }),
      "    Manager manager({5, true});\n"
      "    manager.admit({.id = \"A\", .tokens = {7}}, {});\n  }\n");
}

TEST(Story, SaysInATestThatACallHasToBeRefused) {
  EXPECT_EQ(test_of([] {
              start_queue();
              const ToBeRefused to_be_refused("it is in the queue");
              log_step({"append(block)", "append({0})", "append({0})"}, Block{1});
            }),
            "    Queue queue(2);\n"
            "    expect_refused(queue, \"it is in the queue\", [&] { queue.append(1); });\n  }\n");
}

TEST(Story, LooksInATestWhereTheHistoryLooked) {
  EXPECT_EQ(test_of([] {
              start_queue();
              log_step({"remove(block)", "remove({0})", "remove({0})"}, Block{1});
              log_returned();
              log_step({"append(block)", "append({0})", "append({0})"}, Block{1});
              log_returned();
              log_state("free", Ids{1});
            }),
            "    Queue queue(2);\n    allow_looks(false);\n    queue.remove(1);\n"
            "    allow_looks(true);\n    queue.append(1);\n  }\n");
}

TEST(Story, IsNoTestWhereALineWouldBeMissing) {
  const auto of_call_without_line = [] {
    start_queue();
    log_step("remove a block of another queue");
  };
  const auto of_long_list = [] {
    start_queue();
    log_step({"append_n(blocks)", "", "append_n({0})"}, Ids(StoryRecord::kMaxItems + 1));
  };
  const auto of_expectation_without_line = [] {
    start_queue();
    log_step({"remove(block)", "remove({0})", "remove({0})"}, Block{1});
    log_expectation({"text(position)", ""}, 3);
  };
  EXPECT_EQ(test_of(of_call_without_line), "");
  EXPECT_EQ(test_of(of_long_list), "");
  EXPECT_EQ(test_of(of_expectation_without_line), "");
}

}  // namespace
}  // namespace kv::grader::story
