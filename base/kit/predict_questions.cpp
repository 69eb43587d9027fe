#include "base/kit/predict_questions.h"

#include <map>
#include <sstream>

#include "base/text/errors.h"

namespace kv::grader {
namespace {

constexpr std::string_view kQuestionMark = "**Question ";
constexpr std::string_view kTextMark = ".** ";

// Collects the questions of pages, line by line.
class QuestionReader {
 public:
  void read(const fs::path& page) {
    is_extra_ = page.filename() != "README.md";
    target_ = nullptr;
    for (const std::string& line : split_lines(read_file(page))) read_line(line);
  }

  void leave_out_those_in_words() {
    std::erase_if(questions_, [](const auto& entry) {
      return entry.second.script.empty() && entry.second.answer.empty();
    });
  }

  const std::map<int, PredictQuestion>& questions() const { return questions_; }

 private:
  void read_line(const std::string& line) {
    if (line.starts_with("```")) return read_fence(line.substr(3));
    if (line.starts_with("#") && !is_in_block_) target_ = nullptr;
    if (line.starts_with(kQuestionMark) && !is_in_block_) return begin_paragraph(line);
    if (target_ != nullptr) *target_ += line + "\n";
  }

  // "predict 1", "predict 2 cost", "answer 1", "counterexample 4 remove-keeps-links", or a fence of
  // another kind.
  void read_fence(const std::string& info) {
    is_in_block_ = !is_in_block_;
    target_ = nullptr;
    std::istringstream words(info);
    std::string kind;
    int number = 0;
    if (!is_in_block_ || !(words >> kind >> number)) return;
    PredictQuestion& question = questions_[number];
    question.is_extra = is_extra_;
    if (kind == "counterexample") words >> question.bug;
    if (std::string about; kind == "predict" && words >> about) question.is_cost = about == "cost";
    target_ = kind == "answer" ? &question.answer : &question.script;
  }

  // The first paragraph of a number asks, the second one explains.
  void begin_paragraph(const std::string& line) {
    PredictQuestion& question = questions_[std::stoi(line.substr(kQuestionMark.size()))];
    target_ = question.text.empty() ? &question.text : &question.why;
    *target_ = line.substr(line.find(kTextMark) + kTextMark.size()) + "\n";
  }

  std::map<int, PredictQuestion> questions_;
  std::string* target_ = nullptr;  // where the lines go
  bool is_in_block_ = false;
  bool is_extra_ = false;
};

std::string without_last_blank_lines(std::string text) {
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

void refuse_incomplete(const std::string& place, const PredictQuestion& question) {
  const bool is_answered = question.answer.empty() == question.is_counterexample();
  if (is_answered && !question.text.empty() && !question.script.empty() && !question.why.empty())
    return;
  throw KitBroken(place + ": question " + std::to_string(question.number) +
                  " needs its text, its script, its answer and a sentence why");
}

std::vector<PredictQuestion> complete(const QuestionReader& reader, const std::string& place) {
  std::vector<PredictQuestion> questions;
  for (auto [number, question] : reader.questions()) {
    question.number = number;
    question.text = without_last_blank_lines(question.text);
    question.why = without_last_blank_lines(question.why);
    refuse_incomplete(place, question);
    questions.push_back(question);
  }
  return questions;
}

}  // namespace

std::vector<PredictQuestion> predict_questions(const Kit& kit, const LabSpec& lab) {
  QuestionReader reader;
  for (const fs::directory_entry& entry : fs::directory_iterator(kit.lab_folder(lab)))
    if (entry.path().extension() == ".md") reader.read(entry.path());
  return complete(reader, "labs/" + lab.folder);
}

std::vector<PredictQuestion> exam_questions(const Kit& kit, const LabSpec& lab) {
  const std::string page = "docs/course/exam/" + lab.id + ".md";
  if (!fs::exists(kit.root / page)) return {};
  QuestionReader reader;
  reader.read(kit.root / page);
  reader.leave_out_those_in_words();
  return complete(reader, page);
}

}  // namespace kv::grader
