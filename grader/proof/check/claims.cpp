// Every claim of a contract is quoted by a test, and a known bug that breaks it fails this test.

#include <algorithm>
#include <array>
#include <cstdio>

#include "grader/engine/grading/signatures.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/claim_table.h"

namespace kv::grader {
namespace {

// What the tests of a lab quote, as they say it when they run on the solution.
struct Quote {
  std::string test;
  std::string step;
  std::string text;
};

// "1.8 is refused" quotes the contract of step 1.8, other texts that of the heading's step.
Quote quote_of(const std::string& test, const std::string& heading, const std::string& text) {
  const std::string step = step_at_start(text);
  if (step.empty()) return {test, step_at_start(heading), text};
  return {test, step, text.substr(step.size() + 1)};
}

std::vector<Quote> quotes_of(const LabResult& solution) {
  std::vector<Quote> quotes;
  for (const TestResult& test : solution.tests) {
    const std::string& heading = test.verdict.heading;
    for (const std::string& text : test.verdict.quotes)
      quotes.push_back(quote_of(test.spec->name, heading, text));
  }
  return quotes;
}

bool is_quoted_by(const Claim& claim, const Quote& quote) {
  return claim.can_be_broken() && claim.step == quote.step &&
         claim.text.find(quote.text) != std::string::npos;
}

// The steps whose clauses are not, one after the other, the paragraph of the contract.
std::string wrong_paragraphs(const std::map<std::string, std::string>& contract,
                             const LabSpec& lab,
                             const std::vector<Claim>& claims) {
  std::string wrong;
  for (const StepSpec& step : lab.steps) {
    if (!step.has_stub()) continue;
    std::vector<std::string> clauses;
    for (const Claim& claim : claims) {
      if (claim.step == step.number) clauses.push_back(claim.text);
    }
    const auto found = contract.find(step.number);
    const std::string paragraph = found == contract.end() ? "" : found->second;
    if (!paragraph.empty() && join(clauses, " ") == paragraph) continue;
    wrong += step.heading() + ", the contract:\n  " + paragraph + "\nthe claims:\n  " +
             join(clauses, " ") + "\n";
  }
  return wrong;
}

std::string wrong_quotes(const std::vector<Claim>& claims, const std::vector<Quote>& quotes) {
  std::string wrong;
  for (const Quote& quote : quotes) {
    const auto num_quoted = std::ranges::count_if(
        claims, [&](const Claim& claim) { return is_quoted_by(claim, quote); });
    if (num_quoted == 1) continue;
    wrong += quote.test + " quotes \"" + quote.text + "\", which is in " +
             std::to_string(num_quoted) + " claims of step " + quote.step + "\n";
  }
  return wrong;
}

struct Coverage {
  int num_claims = 0;
  int num_quoted = 0;
  int num_killed = 0;     // by a test that quotes them
  int num_explained = 0;  // why no test can see them
  std::string gaps = {};
};

bool is_killed(const Claim& claim,
               const std::vector<Quote>& quotes,
               const std::vector<Signature>& signatures) {
  const auto bug = std::ranges::find(signatures, claim.bug, &Signature::name);
  return bug != signatures.end() && std::ranges::any_of(quotes, [&](const Quote& quote) {
           return is_quoted_by(claim, quote) && bug->failing.contains(quote.test);
         });
}

Coverage coverage_of(const std::vector<Claim>& claims,
                     const std::vector<Quote>& quotes,
                     const std::vector<Signature>& signatures) {
  Coverage coverage;
  for (const Claim& claim : claims) {
    if (!claim.can_be_broken()) continue;
    const auto quotes_it = [&](const Quote& quote) { return is_quoted_by(claim, quote); };
    const bool is_quoted = std::ranges::any_of(quotes, quotes_it);
    const bool is_dead = is_killed(claim, quotes, signatures);
    const bool is_explained = !claim.reason.empty();
    ++coverage.num_claims;
    coverage.num_quoted += is_quoted ? 1 : 0;
    coverage.num_killed += is_dead ? 1 : 0;
    coverage.num_explained += is_explained ? 1 : 0;
    if (is_dead || is_explained) continue;
    coverage.gaps += claim.step + " \"" + claim.text + "\": " +
                     (is_quoted ? "no test that quotes it fails with known bug " + claim.bug
                                : "no test quotes it") +
                     "\n";
  }
  return coverage;
}

std::string table_row(const std::string& lab, const Coverage& coverage) {
  std::array<char, 80> row;
  std::snprintf(row.data(), row.size(), "        %-5s%8d%8d%8d%8d\n", lab.c_str(),
                coverage.num_claims, coverage.num_quoted, coverage.num_killed,
                coverage.num_explained);
  return row.data();
}

}  // namespace

void check_claims(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  const auto contract = contract_paragraphs(kit);
  std::string table = "        lab    claims  quoted  killed  no test\n";
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::string name = "lab " + lab.id + ": ";
    const std::vector<Claim> claims = load_claims(claims_file(kit, lab));
    const std::vector<Quote> quotes =
        quotes_of(build.grade(lab, "solution", {.seed = kit.manifest.seed}));
    const Coverage coverage = coverage_of(claims, quotes, load_signatures(kit, lab));
    const std::string paragraphs = wrong_paragraphs(contract, lab, claims);
    const std::string ambiguous = wrong_quotes(claims, quotes);
    checks.expect(paragraphs.empty(), name + "the claims are the contract", paragraphs);
    checks.expect(ambiguous.empty(),
                  name + std::to_string(quotes.size()) + " quotes, each of one claim", ambiguous);
    checks.expect(coverage.gaps.empty(),
                  name + "every claim is quoted by a test that a known bug fails", coverage.gaps);
    table += table_row(lab.id, coverage);
  }
  checks.print(table);
}

}  // namespace kv::grader
