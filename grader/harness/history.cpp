#include "grader/harness/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "grader/harness/channel.h"
#include "grader/harness/endless.h"
#include "grader/harness/in_child.h"
#include "grader/harness/random.h"
#include "grader/harness/record_kinds.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

using std::chrono::milliseconds;

// Processor time of one call. A call needs microseconds, so one that needs this much hangs, even on
// a slow machine and under a sanitizer.
constexpr milliseconds kPatience{500};
// While shrinking, hangs are frequent, and a wrong guess does no harm.
constexpr milliseconds kLessPatience{25};
// After this time the shortest history so far has to do: a student is waiting.
constexpr milliseconds kTimeToShrink{2000};

// KV_SHRINK=0 is for runs of which only the verdict counts.
milliseconds time_to_shrink() {
  const char* wanted = std::getenv("KV_SHRINK");
  return wanted != nullptr && std::string_view(wanted) == "0" ? milliseconds{0} : kTimeToShrink;
}

// Under a sanitizer a run takes ten times as long, and what it looks for appears in the first runs.
std::size_t num_runs_made(std::size_t num_runs) {
#ifdef KV_SANITIZED
  return (num_runs + 9) / 10;
#else
  return num_runs;
#endif
}

template <class List>
void write_list(std::ostream& out, const List& list) {
  out << list.size();
  for (const auto number : list) out << ' ' << number;
  out << '\n';
}

template <class List>
void read_list(std::istream& in, List& list) {
  std::size_t size = 0;
  in >> size;
  for (typename List::value_type number; list.size() < size && in >> number;)
    list.push_back(number);
}

// A history as text, for a second run of the same calls in another program. Numbers only; each list
// begins with its length.
std::string text_of(const History& history) {
  std::ostringstream out;
  out << history.num_objects << ' ' << history.looks_at_each_call << '\n';
  write_list(out, history.sizes);
  out << history.calls.size() << '\n';
  for (const Numbers& call : history.calls) write_list(out, call);
  return out.str();
}

// The inverse. nullopt for any other text.
std::optional<History> history_from(const std::string& text) {
  std::istringstream in(text);
  History history;
  std::size_t num_calls = 0;
  in >> history.num_objects >> history.looks_at_each_call;
  read_list(in, history.sizes);
  in >> num_calls;
  for (std::size_t i = 0; i < num_calls && in; ++i) read_list(in, history.calls.emplace_back());
  if (!in) return std::nullopt;
  return history;
}

// More than any call uses; shrinking removes the unused ones.
constexpr std::size_t kNumbersOfACall = 24;

// Three runs of eight look at the end only, and two have two objects. Why its own random numbers:
// sizes are chosen by the seed itself.
History without_calls(const Histories& histories, std::uint64_t seed) {
  const std::size_t kind = histories.num_runs == 1 ? 0 : Random(~seed).below(8);
  return {.sizes = histories.sizes(seed),
          .calls = {},
          .num_objects = kind == 6 || kind == 7 ? 2u : 1u,
          .looks_at_each_call = kind < 4 || kind == 7};
}

History drawn(const Histories& histories, std::uint64_t seed) {
  Random random(seed);
  History history = without_calls(histories, seed);
  while (history.calls.size() < histories.num_calls) {
    Numbers& numbers = history.calls.emplace_back(kNumbersOfACall);
    std::ranges::generate(numbers, [&] {
      return static_cast<std::uint32_t>(random.below(std::numeric_limits<std::uint32_t>::max()));
    });
  }
  return history;
}

// The objects of a history, side by side; the second is larger. With two, the story says on which
// one a call is made.
class Objects {
 public:
  Objects(const Histories& histories, const History& history) {
    Sizes sizes = history.sizes;
    for (std::size_t i = 0; i < history.num_objects; ++i, ++sizes[0]) {
      log_object(history.num_objects == 1 ? TestObject::kOnly : kTwo.at(i));
      tests_.push_back(histories.create(sizes));
    }
  }

  void call(Choices choices) {
    const std::size_t i = tests_.size() == 1 ? 0 : choices.below(tests_.size());
    on(i);
    tests_[i]->call(choices);
  }

  // Calls look or finish of each, up to the first failure.
  void each(void (ModelTest::*member)()) {
    for (std::size_t i = 0; i < tests_.size() && !testing::Test::HasFailure(); ++i) {
      on(i);
      (*tests_[i].*member)();
    }
  }

 private:
  void on(std::size_t i) {
    if (tests_.size() > 1) log_object(kTwo.at(i));
  }

  static constexpr std::array kTwo = {TestObject::kFirst, TestObject::kSecond};

  std::vector<std::unique_ptr<ModelTest>> tests_;
};

void run_history(const Histories& histories,
                 const History& history,
                 milliseconds patience,
                 Progress& progress) {
  Objects objects(histories, history);
  allow_looks(history.looks_at_each_call);
  progress.num_calls = 0;
  for (const Numbers& numbers : history.calls) {
    if (testing::Test::HasFailure()) break;
    ++progress.num_calls;
    allow_until_next_call(patience);
    objects.call(Choices(numbers));
    if (history.looks_at_each_call) objects.each(&ModelTest::look);
  }
  allow_looks(true);
  allow_until_next_call(patience);
  objects.each(&ModelTest::look);
  objects.each(&ModelTest::finish);
  allow_until_next_call(milliseconds{0});
}

std::optional<Progress> first_broken_run(const Histories& histories) {
  return breaks_in_child([&](Progress& progress) {
    for (; progress.num_runs < num_runs_made(histories.num_runs); ++progress.num_runs) {
      const std::uint64_t seed = history_seed() + progress.num_runs;
      run_history(histories, drawn(histories, seed), kPatience, progress);
      if (testing::Test::HasFailure()) return;
    }
  });
}

struct Shrunk {
  History history;
  std::string found;  // "broken after 2 calls (shrunk from 45 in 24 runs)"
};

Shrunk shrunk(const Histories& histories, const History& history) {
  int num_runs = 0;
  const milliseconds end = time_in_children() + time_to_shrink();
  const auto breaks = [&](const History& candidate) -> std::optional<std::size_t> {
    if (time_in_children() >= end) return std::nullopt;
    ++num_runs;
    const auto broken = breaks_in_child(
        [&](Progress& progress) { run_history(histories, candidate, kLessPatience, progress); });
    if (!broken) return std::nullopt;
    return broken->num_calls;
  };
  const History result = shortest(history, breaks);
  const std::size_t num_calls = result.calls.size();
  const std::string calls = num_calls == 0   ? "no call, when everything is given back"
                            : num_calls == 1 ? "1 call"
                                             : std::to_string(num_calls) + " calls";
  return {result, "broken after " + calls + " (shrunk from " +
                      std::to_string(history.calls.size()) + " in " + std::to_string(num_runs) +
                      " runs)"};
}

// In this process, so that the outcome is that of the test.
void run_and_log(const Histories& histories, const History& history) {
  std::signal(SIGPROF, [](int) {
    note_endless_call();
    std::raise(SIGXCPU);
  });
  Progress progress;
  run_history(histories, history, kPatience, progress);
}

}  // namespace

void expect_model_agrees(const Histories& histories) {
  const char* given = std::getenv("KV_HISTORY");
  if (const auto history = history_from(given == nullptr ? "" : given)) {
    run_and_log(histories, *history);
    return;
  }
  const std::optional<Progress> broken = first_broken_run(histories);
  if (!broken) return;
  const std::uint64_t seed = history_seed() + broken->num_runs;
  History history = drawn(histories, seed);
  history.calls.resize(broken->num_calls);
  const Shrunk shortest_run = shrunk(histories, history);
  const std::string option = seed == default_seed() ? "" : " --seed " + std::to_string(seed);
  log_as_found(shortest_run.found, histories.replay + option);
  channel::send(record_kind::kHistory, text_of(shortest_run.history));
  run_and_log(histories, shortest_run.history);
  if (testing::Test::HasFailure()) return;
  // Why: a test with these calls would not break either, so none is shown.
  log_expectation({"broken()", ""});
  ADD_FAILURE() << "these calls broke before and did not break now: something is read that was "
                   "never written, or is gone. Try ./lab grade --sanitize";
}

}  // namespace kv::grader
