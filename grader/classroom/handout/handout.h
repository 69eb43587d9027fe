#pragma once
// What a handout is made of.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

struct HandoutOptions {
  std::string folder = {};
  std::vector<std::string> labs = {};  // "01" or "01-03"; empty: all, or those of the handout
  std::vector<std::string> open = {};  // in addition to those that are open there
  std::string assistants = {};         // the course's own rule; empty: that of the handout
};

namespace handout {

// Which labs, and of which the solution is open.
struct Terms {
  std::set<std::string> labs;  // ids
  std::set<std::string> open;
  std::string assistants = {};  // what the course says of coding assistants; empty: nothing

  bool has(const LabSpec& lab) const { return labs.contains(lab.id); }
  bool is_closed(const LabSpec& lab) const { return has(lab) && !open.contains(lab.id); }
};

// before: handout.json of the folder, empty if there is none. Throws UsageError: an unknown lab, a
// lab without one that it needs, or an open one that is not handed out.
Terms terms_of(const Kit& kit, const HandoutOptions& options, const std::string& before);

// handout.json, which says what a handout was made from.
std::string text_of(const Terms& terms);

// AGENTS.md at the root, where assistants look first: that of starter/, with the course's own rule.
std::string agents_text(const Kit& kit, const Terms& terms);

// labs/manifest.json with the labs of the handout.
std::string manifest_text(const Kit& kit, const Terms& terms);

// Which files of the kit are in a handout.

// From the path in the handout to the text's place in the kit: what a student reads and runs, of
// the files that git tracks. Tests of the kit, bugs, and the rooms of teachers show how steps are
// written, so none of them is there. Of a closed lab, solution/ has the stubs, there is no bench,
// and signatures.json says which tests a known bug fails, and has no code. Throws UsageError: the
// kit is no git repository.
std::map<std::string, fs::path> files_of(const Kit& kit, const Terms& terms);

// The Markdown pages of a handout. They are the kit's, without what is not true for the copy.

// From the path of each page among the copies to its text in the handout:
// - lines from "<!-- whole kit only -->" to "<!-- end -->" are left out, and so are those from
//   "<!-- lab 04 only -->" on if that lab is not handed out; of a page that has no other lines, the
//   text is empty: it is to be left out;
// - the comment that begins with "<!-- handout only" becomes text, with the labs in place of "LABS"
//   and the system of the compiled objects in place of "SYSTEM";
// - of a lab that is not handed out there are no rows in tables, no commands, and none of what a
//   grading prints; the sums in README.md, of a first grading and of hours, are the other labs';
// - a link to a file that is not there becomes plain text.
std::map<std::string, std::string> pages_of(const Kit& kit,
                                            const Terms& terms,
                                            const std::map<std::string, fs::path>& copies);

// The compiled objects of a closed lab: of its solution, which other labs and the comparison of
// times need, and of the bugs of its counterexample questions.

// Compiles them, and writes them without what a debugger reads. From the path in the handout to the
// object. They are for this system, and for g++ and clang++ with the standard library of g++.
std::map<std::string, fs::path> prebuilt_objects(const Kit& kit, const LabSpec& lab);

}  // namespace handout
}  // namespace kv::grader
