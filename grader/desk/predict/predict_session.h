#pragma once
// Asks predict questions: prints each, reads an answer, compares it with what a program prints.

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "grader/desk/predict/predict_programs.h"

namespace kv::grader {

// Compares what a student predicts with what a program prints.

// The line without what has no meaning: "Free : [#3, 4]" is the line "free: 3 4", and 20.0 is 20.
std::string plain_line(const std::string& line);

struct LineDifference {
  std::size_t number;  // the line's number, from 1
  std::optional<std::string> yours;
  std::optional<std::string> other;  // one of the two is there, or both are
};

// The first line that differs by more than what plain_line leaves out.
std::optional<LineDifference> first_difference(const std::vector<std::string>& yours,
                                               const std::vector<std::string>& other);

// Asks predict questions: prints each, reads an answer, compares it with what a program prints.
class PredictSession {
 public:
  // prompt: in front of each line that is typed.
  PredictSession(const LabSpec& lab,
                 const PredictPrograms& programs,
                 std::istream& in,
                 std::ostream& out,
                 std::string prompt)
      : lab_(lab), programs_(programs), in_(in), out_(out), prompt_(std::move(prompt)) {}

  // Asks one after the other, until `q` or the end of the input. True when all answers are right.
  bool ask(const std::vector<PredictQuestion>& questions);

 private:
  enum class Reply { kAnswer, kGivesUp, kQuits };

  void introduce(const std::vector<PredictQuestion>& questions) const;
  Reply ask_one(const PredictQuestion& question);
  Reply read_answer();  // into answer_
  bool judge(const PredictQuestion& question);
  bool judge_counterexample(const PredictQuestion& question);
  // difference: between a known bug and the solution, which prints `right`; none if they agree.
  bool show_outcome(const PredictQuestion& question,
                    const std::optional<LineDifference>& difference,
                    const std::vector<std::string>& right) const;
  void show(const LineDifference& difference,
            const std::string& one,
            const std::string& other) const;
  void show_answer(const PredictQuestion& question) const;
  void show_why(const PredictQuestion& question) const;
  void summarize(std::size_t num_asked, std::size_t num_questions) const;

  const LabSpec& lab_;
  const PredictPrograms& programs_;
  std::istream& in_;
  std::ostream& out_;
  std::string prompt_;
  std::vector<std::string> answer_ = {};  // the lines of the last one
  std::vector<int> again_ = {};           // the questions without a right answer
};

}  // namespace kv::grader
