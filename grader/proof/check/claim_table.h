#pragma once
// The claims of the contracts: each step's paragraph, cut into clauses (claims.txt of each lab).

#include <map>
#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

// A clause of a contract. Its kind says how a body can break it: result, order, exhaustion, misuse,
// atomicity, cost, memory or fields; empty if no body can: a condition for callers, advice.
struct Claim {
  std::string step = {};  // "2.2"
  std::string kind = {};
  std::string bug = {};     // the known bug that breaks it
  std::string reason = {};  // why no test can see it, if there is no such bug
  std::string text = {};    // in one line

  bool can_be_broken() const { return !kind.empty(); }
};

fs::path claims_file(const Kit& kit, const LabSpec& lab);

// Throws KitBroken when malformed; grader/proof/docs/cases.md has the form.
std::vector<Claim> load_claims(const fs::path& path);

// "2.2" if the text begins with the number of a step; else empty.
std::string step_at_start(const std::string& text);

// The paragraph of each step in the contract headers of all labs, in one line.
std::map<std::string, std::string> contract_paragraphs(const Kit& kit);

}  // namespace kv::grader
