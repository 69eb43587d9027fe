#pragma once
// The predict questions of a lab's pages (grader/proof/docs/add-a-lab.md).

#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

struct PredictQuestion {
  int number = 0;
  std::string text;    // what is asked
  std::string script;  // what is run; of a counterexample: one that shows the bug
  std::string bug;     // the name of the known bug, if it is a counterexample; else empty
  std::string answer;  // as the page prints it; of a counterexample: empty
  std::string why;     // the sentences above the answer

  // Whether another page than the README asks it: one about extra steps.
  bool is_extra = false;
  bool is_cost = false;  // it asks what calls cost, and right answers differ in that

  bool is_counterexample() const { return !bug.empty(); }
};

// By number; none if the pages have none. Throws KitBroken when a part of a question is missing.
std::vector<PredictQuestion> predict_questions(const Kit& kit, const LabSpec& lab);

// Those of docs/course/exam/ that have a script, in the same form; the others are answered in
// words. None if the page is not there, as in a handout. Throws KitBroken as above.
std::vector<PredictQuestion> exam_questions(const Kit& kit, const LabSpec& lab);

}  // namespace kv::grader
