// What is typed, and what has to be on the screen. Each session is one run of PredictSession, with
// the answers of all questions.

#include <algorithm>
#include <cctype>
#include <sstream>

#include "grader/desk/predict/predict_session.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

using Questions = std::vector<PredictQuestion>;

class SessionChecks {
 public:
  SessionChecks(const LabSpec& lab, const PredictPrograms& programs, Checks& checks)
      : lab_(lab), programs_(programs), checks_(checks) {}

  // The parts have to be on the screen in this order.
  void expect(const std::string& name,
              const Questions& questions,
              const std::string& typed,
              bool is_right,
              const std::vector<std::string>& parts) {
    std::istringstream in(typed);
    std::ostringstream out;
    const bool result = PredictSession(lab_, programs_, in, out, "").ask(questions);
    std::string why = result == is_right ? "" : "it ends with the other exit code\n";
    std::size_t at = 0;
    for (const std::string& part : parts) {
      const std::size_t found = out.str().find(part, at);
      if (found == std::string::npos) why += "it does not say here: " + part + "\n";
      if (found != std::string::npos) at = found + part.size();
    }
    checks_.expect(why.empty(), "lab " + lab_.id + ", predict: " + name, why + out.str());
  }

 private:
  const LabSpec& lab_;
  const PredictPrograms& programs_;
  Checks& checks_;
};

std::string right_reply(const PredictQuestion& question) {
  return (question.is_counterexample() ? question.script : question.answer) + "\n";
}

std::string right_replies(const Questions& questions) {
  std::string typed;
  for (const PredictQuestion& question : questions) typed += right_reply(question);
  return typed;
}

Questions without_counterexamples(Questions questions) {
  std::erase_if(questions, [](const auto& question) { return question.is_counterexample(); });
  return questions;
}

// In capital letters, with commas and too many blanks.
std::string written_otherwise(const std::string& text) {
  std::string other = replace_all(replace_all(text, " ", "   "), ":", " :");
  std::ranges::transform(other, other.begin(), [](unsigned char c) { return std::toupper(c); });
  return replace_all(other, " 1 ", " #1, ");
}

std::string count_right(std::size_t right, std::size_t all) {
  return "\n" + std::to_string(right) + " of " + std::to_string(all) + " right";
}

void check_right_answers(const Questions& questions, SessionChecks& sessions) {
  const std::vector<std::string> parts(questions.size(), "\nRight");
  sessions.expect("the right answers", questions, right_replies(questions), true, parts);
  const Questions plain = without_counterexamples(questions);
  sessions.expect("the right answers, written otherwise", plain,
                  written_otherwise(right_replies(plain)), true,
                  {count_right(plain.size(), plain.size())});
}

// Every line of every answer is wrong once; the last line is left out once, and one is added once.
void check_wrong_answers(const Questions& questions, SessionChecks& sessions) {
  Questions asked;
  std::string typed;
  std::vector<std::string> parts;
  const auto add = [&](const PredictQuestion& question, const std::string& reply, std::size_t line,
                       const std::string& yours, const std::string& right) {
    asked.push_back(question);
    typed += reply + "\n";
    parts.push_back("Not right. The first line that differs is line " + std::to_string(line) +
                    ":\n    yours:  " + yours + "\n    right:  " + right +
                    "\nWhy: " + question.why);
  };
  const std::string none = "(no such line)";
  for (const PredictQuestion& question : without_counterexamples(questions)) {
    const std::vector<std::string> right = split_lines(question.answer);
    for (std::size_t i = 0; i < right.size(); ++i) {
      std::vector<std::string> wrong = right;
      wrong[i] = "wrong: 1";
      add(question, join(wrong, "\n") + "\n", i + 1, wrong[i], right[i]);
    }
    const std::string all_but_last = question.answer.substr(0, question.answer.rfind(right.back()));
    add(question, all_but_last, right.size(), none, right.back());
    add(question, question.answer + "more: 1\n", right.size() + 1, "more: 1", none);
  }
  parts.push_back(count_right(0, asked.size()) + "; questions ");
  sessions.expect(std::to_string(asked.size()) + " wrong answers", asked, typed, false, parts);
}

void check_no_answer(const LabSpec& lab, const Questions& questions, SessionChecks& sessions) {
  const PredictQuestion& first = questions.front();
  const std::string again = "; question 1 again: ./lab predict " + lab.id + " --question 1\n";
  for (const std::string reply : {"?\n", "\n", "wrong\n ? \n"}) {
    sessions.expect(
        "giving up shows the answer", {first}, reply, false,
        {"The answer:\n" + indent(first.answer, "    "), first.why, count_right(0, 1) + again});
  }
  const std::string unanswered = ", " + std::to_string(questions.size() - 1) + " not answered";
  for (const std::string end : {"", "q\n", "half: 1\nQ"}) {
    sessions.expect("the end after one answer", questions, right_reply(first) + end, false,
                    {"Right", count_right(1, questions.size()) + unanswered + "; questions 2, 3"});
  }
  sessions.expect("the end in the middle of an answer", {first, first}, "half: 1", false,
                  {"yours:  half: 1", count_right(0, 2) + ", 1 not answered"});
}

void check_scripts(const PredictQuestion& question, SessionChecks& sessions) {
  const std::string first_line = split_lines(question.script).front() + "\n";
  sessions.expect("giving up shows the script", {question}, "?\n", false,
                  {"A script that shows it:\n", indent(question.script, "    "), question.why});
  sessions.expect("a script that shows the bug", {question}, question.script, true,
                  {"Right: the two versions differ in line ", "theirs:  ", "right:   "});
  sessions.expect("a script that shows nothing", {question}, first_line, false,
                  {"Not right. Both versions print the same:\n", question.why, count_right(0, 1)});
  sessions.expect("a script with an unknown call", {question}, first_line + "fly #1\n", false,
                  {"This script cannot be run: line 2, \"fly #1\": "});
  sessions.expect("a script with another first line", {question}, "fly #1\n", false,
                  {"This script cannot be run: its first line has to begin with `"});
  const std::string last_line = split_lines(question.script).back() + "\n";
  const std::size_t length = split_lines(question.script).size();
  sessions.expect("a script that is longer than it has to be", {question},
                  question.script + last_line, true,
                  {"A script of " + std::to_string(length) + " lines does it, too; yours has " +
                   std::to_string(length + 1)});
}

}  // namespace

void check_sessions(const LabSpec& lab,
                    const std::vector<PredictQuestion>& questions,
                    const PredictPrograms& programs,
                    Checks& checks) {
  SessionChecks sessions(lab, programs, checks);
  check_right_answers(questions, sessions);
  check_wrong_answers(questions, sessions);
  check_no_answer(lab, questions, sessions);
  for (const PredictQuestion& question : questions) {
    if (question.is_counterexample()) check_scripts(question, sessions);
  }
}

}  // namespace kv::grader
