#include "grader/proof/check/claim_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "base/text/errors.h"
#include "grader/proof/check/documents.h"

namespace kv::grader {
namespace {

constexpr std::array<std::string_view, 8> kKinds = {"result",    "order", "exhaustion", "misuse",
                                                    "atomicity", "cost",  "memory",     "fields"};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

void append_words(std::string& text, const std::string& line) {
  std::istringstream words(line);
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
}

// "the clause | misuse remove-unchecked", "the clause | cost no test: REASON", or the clause alone.
Claim claim_of(const std::string& row) {
  constexpr std::string_view kNoTest = "no test: ";
  const auto [text, answer] = divided(row, " | ");
  const auto [kind, why] = divided(answer, " ");
  Claim claim{.kind = kind, .text = text};
  if (why.starts_with(kNoTest)) {
    claim.reason = why.substr(kNoTest.size());
  } else {
    claim.bug = why;
  }
  return claim;
}

// The number of a step, and a row for each clause; a row goes on in lines that are indented.
std::vector<Claim> claims_of(const Paragraph& step) {
  std::vector<std::string> rows;
  for (std::size_t i = 1; i < step.lines.size(); ++i) {
    const std::string& line = step.lines[i];
    if (!line.starts_with(' ')) rows.emplace_back();
    if (!rows.empty()) append_words(rows.back(), line);
  }
  std::vector<Claim> claims;
  for (const std::string& row : rows) {
    claims.push_back(claim_of(row));
    claims.back().step = step.lines.front();
  }
  return claims;
}

bool is_well_formed(const Claim& claim) {
  const bool has_kind = std::ranges::count(kKinds, claim.kind) == 1;
  const bool has_answer = !claim.bug.empty() || !claim.reason.empty();
  const bool has_step = step_at_start(claim.step) == claim.step && !claim.step.empty();
  return has_step && has_answer == claim.can_be_broken() && has_kind == claim.can_be_broken();
}

// "2.2" if a comment begins with "2.2  " or "2.2 (extra)  ", which is then taken off; else empty.
std::string take_step(std::string& comment) {
  constexpr std::string_view kExtra = " (extra)";
  const std::string step = step_at_start(comment);
  const std::size_t end =
      step.size() + (comment.compare(step.size(), kExtra.size(), kExtra) == 0 ? kExtra.size() : 0);
  if (step.empty() || comment.compare(end, 2, "  ") != 0) return "";
  comment.erase(0, end);
  return step;
}

void add_paragraphs(const std::string& header, std::map<std::string, std::string>& paragraphs) {
  std::string step;
  for (const std::string& line : split_lines(header)) {
    std::string comment = without_outer_spaces(line);
    const bool is_comment = comment.starts_with("//");
    comment = is_comment ? without_outer_spaces(comment.substr(2)) : "";
    const std::string new_step = take_step(comment);
    if (!new_step.empty() || !is_comment) step = new_step;
    if (!step.empty()) append_words(paragraphs[step], comment);
  }
}

}  // namespace

std::string step_at_start(const std::string& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string step = text.substr(0, end);
  const bool is_step = !step.empty() && is_digit(step.front()) && is_digit(step.back()) &&
                       std::ranges::count(step, '.') == 1;
  return is_step ? step : "";
}

fs::path claims_file(const Kit& kit, const LabSpec& lab) {
  return kit.case_folder(lab) / "claims.txt";
}

std::vector<Claim> load_claims(const fs::path& path) {
  std::vector<Claim> claims;
  for (const Paragraph& step : paragraphs_in(read_file(path))) {
    for (const Claim& claim : claims_of(step)) {
      if (!is_well_formed(claim))
        throw KitBroken(path.string() + ":" + std::to_string(step.line) +
                        ": a claim is words of the contract, and after a bar \"KIND known-bug\" or "
                        "\"KIND no test: REASON\"; see grader/proof/docs/cases.md");
      claims.push_back(claim);
    }
  }
  return claims;
}

std::map<std::string, std::string> contract_paragraphs(const Kit& kit) {
  std::map<std::string, std::string> paragraphs;
  // Why not kit.manifest: steps of lab 03 are in a header of lab 02, which another share may have.
  for (const LabSpec& lab : load_manifest(kit.root / "labs").labs) {
    for (const std::string& header : lab.headers)
      add_paragraphs(read_file(kit.lab_folder(lab) / header), paragraphs);
  }
  return paragraphs;
}

}  // namespace kv::grader
