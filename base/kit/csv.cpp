#include "base/kit/csv.h"

#include "base/text/errors.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

std::string field_text(const std::string& field) {
  const bool is_formula = !field.empty() && std::string("=+-@\t").find(field[0]) != field.npos;
  const std::string text = is_formula ? "'" + field : field;
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  return '"' + replace_all(text, "\"", "\"\"") + '"';
}

// Reads one character after the other.
class Parser {
 public:
  void read(char c) {
    if (is_quoted_ && c == '"') {
      is_quoted_ = false;
      was_quoted_ = true;
    } else if (is_quoted_) {
      field_ += c;
    } else if (c == '"') {
      if (was_quoted_) field_ += '"';  // two of them inside quotes are one
      is_quoted_ = true;
    } else if (c == ',' || c == '\n') {
      end_field();
      if (c == '\n') end_line();
    } else if (c != '\r') {
      field_ += c;
    }
  }

  bool is_quoted() const { return is_quoted_; }
  std::vector<CsvLine> take() { return std::move(lines_); }

 private:
  void end_field() {
    line_.push_back(std::move(field_));
    field_.clear();
    was_quoted_ = false;
  }

  void end_line() {
    if (line_.size() > 1 || !line_.front().empty()) lines_.push_back(std::move(line_));
    line_.clear();
  }

  std::vector<CsvLine> lines_;
  CsvLine line_;
  std::string field_;
  bool is_quoted_ = false;
  bool was_quoted_ = false;
};

}  // namespace

std::string csv_text(const std::vector<CsvLine>& lines) {
  std::string text;
  for (const CsvLine& line : lines) {
    CsvLine fields;
    for (const std::string& field : line) fields.push_back(field_text(field));
    text += join(fields, ",") + "\n";
  }
  return text;
}

std::vector<CsvLine> parse_csv(const std::string& text, const std::string& file) {
  Parser parser;
  const bool has_mark = text.starts_with("\xEF\xBB\xBF");  // spreadsheets write one before UTF-8
  for (const char c : text.substr(has_mark ? 3 : 0)) parser.read(c);
  if (parser.is_quoted())
    throw UsageError(file + ": a quoted field does not end; close it with \"");
  if (!text.ends_with('\n')) parser.read('\n');
  return parser.take();
}

}  // namespace kv::grader
