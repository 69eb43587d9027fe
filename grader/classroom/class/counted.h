#pragma once
// Which submission of a person counts, and how much of its points.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kv::grader::classroom {

struct ClassState;
struct Person;
struct Row;

// Which of several submissions of one person counts: none, the one with the most points, or the
// last one by name, where ada-10 is after ada-9.
enum class Keep { kNone, kBest, kLast };

// What late work costs.
class LatePolicy {
 public:
  LatePolicy() = default;  // nothing

  // "24:0.9,72:0.5": up to 24 hours late 0.9 of the points count, up to 72 hours half of them, and
  // none of what is later. Throws UsageError.
  explicit LatePolicy(const std::string& text);

  bool is_given() const { return !limits_.empty(); }
  double factor(const Person& person) const;

 private:
  std::vector<std::pair<double, double>> limits_ = {};  // hours, and the factor until then
};

// For each person who has handed in: the row that counts. nullptr: none, or not known before all of
// theirs that matter have a score.
std::map<const Person*, const Row*> counted_rows(const ClassState& state);

// "0.9"
std::string factor_text(double factor);

}  // namespace kv::grader::classroom
