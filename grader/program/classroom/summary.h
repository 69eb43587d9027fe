#pragma once
// What a class as a whole shows.

#include <string>
#include <vector>

#include "grader/program/classroom/row.h"

namespace kv::grader::classroom {

// How many submissions have all points of a step, or of a lab.
struct PartTally {
  std::string id;     // "02", or a step: "2.3"
  std::string title;  // "Block pool", "get_new_blocks"
  int num_full = 0;
  int num_graded = 0;
  int sum_points = 0;  // core points of all

  double mean() const { return num_graded == 0 ? 0 : 1.0 * sum_points / num_graded; }
};

struct Summary {
  std::vector<PartTally> labs = {};
  std::vector<PartTally> steps = {};
  // "02: looks like: ...", with its submissions; the most frequent first.
  std::vector<std::pair<std::string, std::vector<std::string>>> diagnoses = {};
  std::vector<std::vector<std::string>> equal = {};  // submissions with the same files
  std::vector<std::string> at_a_limit = {};  // a test, or the whole submission, ran out of time
  std::vector<std::string> not_graded = {};
};

Summary summary_of(const std::vector<const LabSpec*>& labs, const std::vector<Row>& rows);
std::string summary_text(const Summary& summary, std::size_t num_rows);

}  // namespace kv::grader::classroom
