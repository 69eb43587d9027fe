#include "grader/classroom/class/grade.h"

#include <algorithm>
#include <cmath>

namespace kv::grader::classroom {
namespace {

void decide_by_hand(const ByHand& by_hand, Grade& grade) {
  const double before = by_hand.is_change ? grade.core.value_or(0) : 0;
  if (by_hand.is_change && !grade.core) return;  // Nothing is known that could be changed.
  grade.core = std::max(0.0, before + by_hand.points);
  if (!grade.extra) grade.extra = 0;
}

}  // namespace

std::vector<Grade> grades_of(const ClassState& state) {
  std::vector<Grade> grades;
  const std::map<const Person*, const Row*> counted = counted_rows(state);
  const bool may_be_theirs = state.by_owner().contains(nullptr);
  for (const Person& person : state.people()) {
    Grade grade{.person = &person};
    const auto own = counted.find(&person);
    if (own == counted.end() && !may_be_theirs) grade.core = grade.extra = 0;
    if (own != counted.end() && own->second != nullptr) {
      grade.row = own->second;
      grade.core = grade.row->score() * state.late.factor(person);
      grade.extra = grade.row->extra() * state.late.factor(person);
    }
    if (person.by_hand) decide_by_hand(*person.by_hand, grade);
    grades.push_back(grade);
  }
  return grades;
}

int max_core_points(const std::vector<const LabSpec*>& labs) {
  int points = 0;
  for (const LabSpec* lab : labs) points += lab->max_points(true);
  return points;
}

std::string points_in_tenths(double points) {
  const long tenths = std::lround(points * 10);
  const std::string whole = std::to_string(tenths / 10);
  return tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10);
}

std::string labs_text(const std::vector<const LabSpec*>& labs) {
  const bool are_in_a_row = labs.size() > 1 && std::stoul(labs.front()->id) + labs.size() - 1 ==
                                                   std::stoul(labs.back()->id);
  if (are_in_a_row) return labs.front()->id + "-" + labs.back()->id;
  return join(ids_of(labs), " ");
}

std::string sentence_of(const ClassState& state, const Grade& grade) {
  std::vector<std::string> parts = {points_in_tenths(*grade.core) + " of " +
                                    std::to_string(max_core_points(state.labs)) + " core points, " +
                                    points_in_tenths(*grade.extra) + " extra"};
  if (grade.row == nullptr) parts.push_back("nothing was handed in that could be graded");
  const double factor = state.late.factor(*grade.person);
  if (grade.row != nullptr && factor < 1)
    parts.push_back("late: " + factor_text(factor) + " of the points count");
  parts.insert(parts.end(), grade.person->decisions.begin(), grade.person->decisions.end());
  return join(parts, "; ");
}

}  // namespace kv::grader::classroom
