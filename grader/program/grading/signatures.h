#pragma once
// What each known mistake breaks. A student whose tests fail just so has probably made it.

#include <set>
#include <string>
#include <vector>

#include "grader/program/grading/results.h"
#include "grader/program/kit/kit.h"

namespace kv::grader {

struct Signature {
  std::string name;               // of the bug in known_bugs.json
  std::string sentence;           // what the mistake is
  std::string heading;            // of README and HINTS, as "1.2 remove"
  std::set<std::string> failing;  // the tests that do not pass

  bool operator==(const Signature&) const = default;
};

// Written by `./lab signatures`, never by hand.
fs::path signatures_file(const Kit& kit, const LabSpec& lab);

std::vector<Signature> load_signatures(const Kit& kit, const LabSpec& lab);  // throws KitBroken
void write_signatures(const Kit& kit, const LabSpec& lab, const std::vector<Signature>& signatures);

// Tests that began and did not pass. A stub is no mistake.
std::set<std::string> failing_tests(const LabResult& result);

// "looks like: ..." when exactly one known mistake breaks these tests and no others; else empty.
std::string diagnosis_of(const std::vector<Signature>& signatures, const LabResult& result);

}  // namespace kv::grader
