#include "grader/desk/predict/predict_session.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <sstream>

#include "base/text/text.h"

namespace kv::grader {
namespace {

constexpr std::string_view kListMarks = ",[]#";  // around and between ids
constexpr std::string_view kOfNumbers = "0123456789.";

// "20.50" -> "20.5"; a word that is no such number stays as it is.
std::string without_last_zeros(std::string word) {
  const bool is_decimal = word.find('.') != std::string::npos &&
                          word.find_first_not_of(kOfNumbers) == std::string::npos;
  if (!is_decimal) return word;
  word.erase(word.find_last_not_of('0') + 1);
  if (word.ends_with('.')) word.pop_back();
  return word;
}

std::optional<std::string> line_at(const std::vector<std::string>& lines, std::size_t at) {
  return at < lines.size() ? std::optional(lines[at]) : std::nullopt;
}

}  // namespace

std::string plain_line(const std::string& line) {
  std::string text = line;
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return std::ranges::count(kListMarks, c) > 0 ? ' ' : std::tolower(c);
  });
  std::istringstream words(text);
  std::vector<std::string> plain;
  for (std::string word; words >> word;) plain.push_back(without_last_zeros(word));
  return replace_all(replace_all(join(plain, " "), " :", ":"), ": ", ":");
}

std::optional<LineDifference> first_difference(const std::vector<std::string>& yours,
                                               const std::vector<std::string>& other) {
  for (std::size_t at = 0; at < std::max(yours.size(), other.size()); ++at) {
    LineDifference difference{at + 1, line_at(yours, at), line_at(other, at)};
    const bool both = difference.yours && difference.other;
    if (!both || plain_line(*difference.yours) != plain_line(*difference.other)) return difference;
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view kIndent = "    ";

std::string text_of(const std::vector<std::string>& lines) {
  return lines.empty() ? "(nothing)\n" : join(lines, "\n") + "\n";
}

std::string numbers_of(const std::vector<int>& numbers, std::string_view separator) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return join(texts, separator);
}

}  // namespace

bool PredictSession::ask(const std::vector<PredictQuestion>& questions) {
  introduce(questions);
  std::size_t num_asked = 0;
  Reply reply = Reply::kAnswer;
  for (const PredictQuestion& question : questions) {
    if (reply != Reply::kQuits) reply = ask_one(question);
    num_asked += reply == Reply::kQuits ? 0 : 1;
    if (reply != Reply::kAnswer || !judge(question)) again_.push_back(question.number);
  }
  summarize(num_asked, questions.size());
  return again_.empty();
}

void PredictSession::introduce(const std::vector<PredictQuestion>& questions) const {
  out_ << "lab " << lab_.id << "  " << lab_.title << ": "
       << plural(questions.size(), "predict question") << '\n'
       << "What each call does and prints is in labs/" << lab_.folder
       << "/README.md, \"Predict the state\".\n"
       << "A list without ids has nothing after its colon.\n"
       << "Type your answer line by line. An empty line ends it, ? shows the answer, q ends all.\n";
}

PredictSession::Reply PredictSession::ask_one(const PredictQuestion& question) {
  out_ << "\nQuestion " << question.number << ". " << question.text;
  if (question.is_counterexample()) {
    out_ << "Your script, one call a line:\n";
  } else {
    out_ << indent(question.script, kIndent) << "It prints:\n";
  }
  const Reply reply = read_answer();
  if (reply == Reply::kGivesUp) show_answer(question);
  return reply;
}

PredictSession::Reply PredictSession::read_answer() {
  answer_.clear();
  std::string line;
  out_ << prompt_ << std::flush;
  while (std::getline(in_, line)) {
    const std::string plain = plain_line(line);
    if (plain == "q") return Reply::kQuits;
    if (plain == "?" || (plain.empty() && answer_.empty())) return Reply::kGivesUp;
    if (plain.empty()) return Reply::kAnswer;
    answer_.push_back(printable(line.substr(0, line.find('\r'))));
    out_ << prompt_ << std::flush;
  }
  return answer_.empty() ? Reply::kQuits : Reply::kAnswer;
}

bool PredictSession::judge(const PredictQuestion& question) {
  if (question.is_counterexample()) return judge_counterexample(question);
  const std::vector<std::string> right = programs_.solution_prints(question.script).lines;
  const auto difference = first_difference(answer_, right);
  if (!difference) {
    out_ << "Right.\n";
    return true;
  }
  out_ << "Not right. The first line that differs is line " << difference->number << ":\n";
  show(*difference, "yours:", "right:");
  show_why(question);
  return false;
}

bool PredictSession::judge_counterexample(const PredictQuestion& question) {
  const std::string first_word = question.script.substr(0, question.script.find(' '));
  const std::string script = text_of(answer_);
  if (!plain_line(answer_.front()).starts_with(first_word + " ")) {
    out_ << "This script cannot be run: its first line has to begin with `" << first_word
         << "`, as in the questions before.\n";
    return false;
  }
  const Printed right = programs_.solution_prints(script);
  if (!right.refusal.empty()) {
    out_ << "This script cannot be run: " << printable(right.refusal) << ".\n";
    return false;
  }
  const auto difference = first_difference(programs_.bug_prints(question.bug, script), right.lines);
  return show_outcome(question, difference, right.lines);
}

bool PredictSession::show_outcome(const PredictQuestion& question,
                                  const std::optional<LineDifference>& difference,
                                  const std::vector<std::string>& right) const {
  if (!difference) {
    out_ << "Not right. Both versions print the same:\n" << indent(text_of(right), kIndent);
    show_why(question);
    return false;
  }
  const std::size_t shorter = split_lines(question.script).size();
  out_ << "Right: the two versions differ in line " << difference->number << ".\n";
  show(*difference, "theirs:", "right: ");
  if (shorter < answer_.size()) {
    out_ << "A script of " << shorter << " lines does it, too; yours has " << answer_.size()
         << ".\n";
  }
  return true;
}

void PredictSession::show(const LineDifference& difference,
                          const std::string& one,
                          const std::string& other) const {
  const std::string absent = "(no such line)";
  out_ << indent(one + "  " + difference.yours.value_or(absent) + "\n" + other + "  " +
                     difference.other.value_or(absent),
                 kIndent);
}

void PredictSession::show_answer(const PredictQuestion& question) const {
  out_ << (question.is_counterexample() ? "A script that shows it:\n" : "The answer:\n")
       << indent(question.is_counterexample()
                     ? question.script
                     : text_of(programs_.solution_prints(question.script).lines),
                 kIndent);
  show_why(question);
}

void PredictSession::show_why(const PredictQuestion& question) const {
  out_ << "Why: " << question.why;
}

void PredictSession::summarize(std::size_t num_asked, std::size_t num_questions) const {
  out_ << '\n' << num_questions - again_.size() << " of " << num_questions << " right";
  if (num_asked < num_questions) out_ << ", " << num_questions - num_asked << " not answered";
  if (!again_.empty()) {
    out_ << (again_.size() == 1 ? "; question " : "; questions ") << numbers_of(again_, ", ")
         << " again: ./lab predict " << lab_.id << " --question " << numbers_of(again_, ",");
  }
  out_ << '\n';
}

}  // namespace kv::grader
