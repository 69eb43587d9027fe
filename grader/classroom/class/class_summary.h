#pragma once
// What a class as a whole shows.

#include <optional>
#include <string>
#include <vector>

#include "grader/classroom/class/class_state.h"

namespace kv::grader::classroom {

// How many submissions have all points of a step, or of a lab.
struct PartTally {
  std::string id;     // "02", or a step: "2.3"
  std::string title;  // "Block pool", "get_new_blocks"
  int num_full = 0;
  int num_graded = 0;
  int sum_points = 0;            // core points of all
  int max_points = 0;            // core points that one can have
  std::vector<int> counts = {};  // submissions with no point, with one, ... with all
  // Only for a step: submissions in which its function makes a test fail.
  std::optional<int> num_causes = {};

  double mean() const { return num_graded == 0 ? 0 : 1.0 * sum_points / num_graded; }
};

// What there is to look at of one kind.
struct Section {
  std::string title;  // "do not compile"
  std::vector<std::string> items = {};
};

struct Summary {
  std::vector<PartTally> labs = {};
  std::vector<PartTally> steps = {};
  // "02: looks like: ...", with its submissions; the most frequent first.
  std::vector<std::pair<std::string, std::vector<std::string>>> diagnoses = {};
  std::vector<Section> to_look_at = {};
};

Summary summary_of(const ClassState& state);
std::string summary_text(const Summary& summary, std::size_t num_rows);

}  // namespace kv::grader::classroom
