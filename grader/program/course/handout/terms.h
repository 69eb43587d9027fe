#pragma once
// What a handout has: which labs, and of which the solution is open.

#include <set>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct HandoutOptions {
  std::string folder = {};
  std::vector<std::string> labs = {};  // "01" or "01-03"; empty: all, or those of the handout
  std::vector<std::string> open = {};  // in addition to those that are open there
};

namespace handout {

struct Terms {
  std::set<std::string> labs;  // ids
  std::set<std::string> open;

  bool has(const LabSpec& lab) const { return labs.contains(lab.id); }
  bool is_closed(const LabSpec& lab) const { return has(lab) && !open.contains(lab.id); }
};

// before: handout.json of the folder, empty if there is none. Throws UsageError: an unknown lab, a
// lab without one that it needs, or an open one that is not handed out.
Terms terms_of(const Kit& kit, const HandoutOptions& options, const std::string& before);

// handout.json, which says what a handout was made from.
std::string text_of(const Terms& terms);

// labs/manifest.json with the labs of the handout.
std::string manifest_text(const Kit& kit, const Terms& terms);

}  // namespace handout
}  // namespace kv::grader
