#pragma once
// The solution with one place changed: a known bug, a near miss of one, or an attack on the grader
// (grader/proof/cases/NN-name/known_bugs.txt, near_misses.txt, stories.txt, hostile.txt and
// parts.txt).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

struct Variation {
  std::string name;
  std::string sentence = {};  // what the bug is
  std::string file = {};      // the student's, or a header of the contract
  std::string old_text = {};
  std::string new_text = {};
  std::string includes = {};              // put at the top of the file
  std::string killed_by = {};             // known bug: the test that has to fail
  std::vector<std::string> only_by = {};  // known bug: if given, exactly the tests that fail
  // known bug: if given, the fewest calls that show it; the history tests have to come close.
  std::optional<std::size_t> shrinks_to = {};
  // known bug: what fails beside killed_by, or what it says, is not the same in each build and run
  bool varies = false;
  // known bug: what a core step does for the extra points is left out; core tests do not see it
  bool is_core_only = false;
  std::string like = {};  // near miss: the known bug that fails the same tests
  std::map<std::string, std::string> expected = {};           // hostile, stories: test -> status
  std::string flag = {};                                      // hostile: a part of one of its flags
  std::map<std::string, std::vector<std::string>> says = {};  // stories: test -> parts of its text

  bool is_near_miss() const { return !like.empty(); }
};

// grader/proof/cases/<lab folder>/<kind>.txt; empty when there is none. Throws KitBroken when
// malformed.
std::vector<Variation> load_variations(const Kit& kit, const LabSpec& lab, const std::string& kind);

// Throws KitBroken: there is no such bug.
Variation known_bug(const Kit& kit, const LabSpec& lab, const std::string& name);

// The lab with only the tests of `expected`: the others would only wait for their timeouts.
LabSpec narrowed(const LabSpec& lab, const Variation& variation);

// The change made in a text, or in that of variation.file, without the added includes. Both throw
// KitBroken unless old_text is there exactly once.
std::string varied(const std::string& source, const Variation& variation);
std::string varied_text(const Kit& kit, const LabSpec& lab, const Variation& variation);

// Writes the changed solution of the lab and returns the tree. Throws KitBroken as varied_text
// does.
fs::path write_variation(const Kit& kit, const LabSpec& lab, const Variation& variation);
fs::path write_variations(const Kit& kit,
                          const LabSpec& lab,
                          const std::vector<Variation>& variations);

}  // namespace kv::grader
