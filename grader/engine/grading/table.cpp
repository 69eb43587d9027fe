#include "grader/engine/grading/table.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>

namespace kv::grader {
namespace {

struct RowState {
  RowKind kind;
  std::string text;
};

using IsInRow = std::function<bool(const TestSpec&)>;

const TestResult* find_test(const LabResult& lab,
                            const std::function<bool(const TestResult&)>& is_meant) {
  const auto found = std::ranges::find_if(lab.tests, is_meant);
  return found == lab.tests.end() ? nullptr : &*found;
}

// Why no word that blames: an unwritten step is no mistake, and a step that waits can be right.
RowState waiting_state(const LabResult& lab, const IsInRow& is_in_row) {
  const TestResult* waiting = find_test(lab, [&](const TestResult& test) {
    return is_in_row(*test.spec) && !test.verdict.unwritten.empty();
  });
  return {RowKind::kWaits,
          waiting == nullptr ? "waits" : "waits for " + waiting->verdict.unwritten};
}

// The state of a step whose test fails, if the mistake is not known to be in that step. nullopt: it
// can be there.
std::optional<RowState> blameless_state(const LabResult& lab, const TestResult& failure) {
  const std::string place = lab.fails_through(failure);
  if (!place.empty()) {
    const bool is_step = std::isdigit(static_cast<unsigned char>(place.front())) != 0;
    const std::string first = place.substr(0, place.find(' '));  // "1.4", if place is "1.4 and 1.5"
    return RowState{RowKind::kWaits, is_step ? "fails through " + first : "fails elsewhere"};
  }
  const auto shows_other_mistake = [&](const TestResult& test) {
    return test.cause || (test.failed() && step_before(test.spec->step, failure.spec->step));
  };
  const bool is_known = failure.cause || find_test(lab, shows_other_mistake) == nullptr;
  if (is_known && !failure.spec->is_history()) return std::nullopt;
  return RowState{RowKind::kWaits, "fails"};
}

RowState wrong_state(const LabResult& lab, const StepSpec& step) {
  const std::size_t part = lab.part_at_hand(step);
  if (part == 0) return {RowKind::kWrong, "wrong"};
  if (lab.has_begun(step, part))
    return {RowKind::kWrong, "part " + std::to_string(part) + " wrong"};
  return {RowKind::kInProgress,
          part == 2 ? "part 1 ok" : "parts 1-" + std::to_string(part - 1) + " ok"};
}

// The state of a step whose core tests pass.
RowState right_state(const LabResult& lab, const StepSpec& step) {
  const TestResult* broken = find_test(lab, [&](const TestResult& test) {
    const bool is_own = test.spec->step == step.number && !test.spec->is_history();
    return !is_own && test.cause && test.cause->is_in(step.number);
  });
  if (broken != nullptr && lab.is_blamed(step))
    return {RowKind::kWrong,
            "breaks " + (broken->spec->is_history() ? "histories" : broken->spec->step)};
  return {RowKind::kOk, lab.tally(step, false).all_pass ? "ok" : "core ok"};
}

RowState state_of(const LabResult& lab, const StepSpec& step) {
  const bool is_core = lab.lab->is_core(step);
  const StepTally tally = lab.tally(step, is_core);
  if (!step.has_stub() && tally.points == 0) return {RowKind::kNotStarted, "not done"};
  if (lab.is_open(step)) return {RowKind::kNotStarted, "not started"};
  if (tally.all_pass) return right_state(lab, step);
  const auto is_in_row = [&](const TestSpec& test) {
    return test.step == step.number && test.is_core == is_core && !test.is_history();
  };
  const TestResult* failure = find_test(
      lab, [&](const TestResult& test) { return test.failed() && is_in_row(*test.spec); });
  if (failure == nullptr) return waiting_state(lab, is_in_row);
  const auto blameless = lab.is_blamed(step) ? std::nullopt : blameless_state(lab, *failure);
  return blameless ? *blameless : wrong_state(lab, step);
}

RowState history_state(const LabResult& lab, bool is_core) {
  const StepTally tally = lab.history_tally(is_core);
  if (tally.all_pass) return {RowKind::kOk, lab.history_tally(false).all_pass ? "ok" : "core ok"};
  const auto is_in_row = [&](const TestSpec& test) {
    return test.is_history() && test.is_core == is_core;
  };
  const TestResult* failure = find_test(
      lab, [&](const TestResult& test) { return test.failed() && is_in_row(*test.spec); });
  if (failure == nullptr) return {RowKind::kNotStarted, "not started"};
  return *blameless_state(lab, *failure);
}

}  // namespace

TableRow row_of(const LabResult& lab, const StepSpec& step) {
  const auto [kind, state] = state_of(lab, step);
  return {&step, kind, state, lab.tally(step, true), lab.tally(step, false)};
}

std::vector<TableRow> table_of(const LabResult& lab) {
  std::vector<TableRow> table, extra_rows;
  for (const StepSpec& step : lab.lab->steps)
    (lab.lab->is_core(step) ? table : extra_rows).push_back(row_of(lab, step));
  const StepTally core = lab.history_tally(true), extra = lab.history_tally(false);
  if (core.max_points + extra.max_points > 0) {
    const auto [kind, state] = history_state(lab, core.max_points > 0);
    table.push_back({nullptr, kind, state, core, extra});
  }
  table.insert(table.end(), extra_rows.begin(), extra_rows.end());
  return table;
}

Json json_of_table(const LabResult& lab) {
  Json rows = Json::array();
  for (const TableRow& row : table_of(lab)) {
    rows.push_back({{"heading", row.heading()},
                    {"state", row.state},
                    {"is_wrong", row.kind == RowKind::kWrong},
                    {"score", row.core.points},
                    {"max_score", row.core.max_points},
                    {"extra", row.extra.points},
                    {"max_extra", row.extra.max_points}});
  }
  return rows;
}

}  // namespace kv::grader
