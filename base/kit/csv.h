#pragma once
// Tables as text, with commas: RFC 4180.

#include <string>
#include <vector>

namespace kv::grader {

using CsvLine = std::vector<std::string>;

// Quoted where needed. A field that a spreadsheet would take for a formula begins with an
// apostrophe.
std::string csv_text(const std::vector<CsvLine>& lines);

// Fields may be quoted; empty lines are left out. Throws UsageError: a quote is not closed.
std::vector<CsvLine> parse_csv(const std::string& text, const std::string& file);

}  // namespace kv::grader
