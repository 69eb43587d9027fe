#pragma once
// What counts for a person: of the submission that counts, after what late work costs and what was
// decided by hand.

#include <optional>
#include <string>
#include <vector>

#include "grader/classroom/class/class_state.h"

namespace kv::grader::classroom {

struct Grade {
  const Person* person;
  const Row* row = nullptr;         // what counts; nullptr: nothing, or it is not known yet
  std::optional<double> core = {};  // none: a 0 would be a wrong grade
  std::optional<double> extra = {};
};

// In the order of the roster.
std::vector<Grade> grades_of(const ClassState& state);

int max_core_points(const std::vector<const LabSpec*>& labs);

std::string points_in_tenths(double points);  // "76.5"

std::string labs_text(const std::vector<const LabSpec*>& labs);  // "01-03", "01 03"

// "176 of 200 core points, 3 extra; late: 0.9 of the points count"
std::string sentence_of(const ClassState& state, const Grade& grade);

}  // namespace kv::grader::classroom
