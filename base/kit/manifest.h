#pragma once
// The score sheet: labs/manifest.json lists the labs; lab.json in each lab's folder lists its
// steps, its tests and the points of each test. The list inside a test program is never used for a
// score.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text/text.h"

namespace kv::grader {

// "1.10" comes after "1.9".
bool step_before(const std::string& left, const std::string& right);

struct StepOrder {
  bool operator()(const std::string& left, const std::string& right) const {
    return step_before(left, right);
  }
};

struct TestSpec {
  std::string name;  // Suite.Test
  std::string step;  // "1.2"
  bool is_core;      // else extra
  int max_points;
  double cpu_seconds;  // or 20 times the solution's own time, if that is more
  std::string group;   // "step", "history" or "cost"; see grader/classroom/docs/instructor.md
  std::size_t part;    // which part of its step, from 1; 0: the step has none, or this is a history

  // A history tests many steps at once; it is filed under the last of them.
  bool is_history() const { return group == "history"; }
};

struct StepSpec {
  std::string number;  // "1.2"
  std::string name;    // "remove"
  std::string file;    // the student file that holds its KV_TODO
  std::string call;    // the word for it in scripts of predict questions; by default its name
  // A step without a KV_TODO rewrites earlier ones: the number of each, and the line that was its
  // body until then.
  std::map<std::string, std::string, StepOrder> first_forms = {};
  std::size_t num_given_lines = 0;  // lines of its body above the KV_TODO
  // The parts of a long step, which are written one after the other, and tested after each.
  std::vector<std::string> parts = {};

  bool has_stub() const { return first_forms.empty(); }
  std::string heading() const { return number + " " + name; }
  // "part 3, Hits"; part: from 1.
  std::string part_name(std::size_t part) const {
    return "part " + std::to_string(part) + ", " + parts.at(part - 1);
  }
};

struct LabSpec {
  std::string id;      // "01"
  std::string folder;  // "01-free-queue": in labs/, starter/ and solution/
  std::string title;
  std::string hours;
  std::vector<std::string> needs;    // ids of the labs whose files it links
  std::vector<std::string> files;    // the student's
  std::vector<std::string> headers;  // the contract; a tree may have its own copy
  std::vector<std::string> apps;     // rooms of apps/ whose programs link its files
  std::string use;                   // commands that show what a done lab can do; empty: none
  std::vector<StepSpec> steps;
  std::vector<TestSpec> tests;

  const StepSpec& step(const std::string& number) const;
  const StepSpec& with_stub(const StepSpec& step) const;  // itself, or the first that it rewrites
  bool is_cuda() const;                                   // its kernels run in the simulator
  bool is_core(const StepSpec& step) const;               // has it a core test?
  bool is_rewritten(const StepSpec& step) const;          // by a later step?
  int max_points(bool core) const;
  LabSpec with_tests(const std::function<bool(const TestSpec&)>& is_kept) const;  // and no others
};

std::vector<std::string> ids_of(const std::vector<const LabSpec*>& labs);

struct Manifest {
  std::uint64_t seed;
  std::size_t memory_bytes;
  std::vector<LabSpec> labs;

  // name: "1", "01" or "01-free-queue". find: nullptr if there is no such lab.
  const LabSpec* find(const std::string& name) const;
  const LabSpec& lab(const std::string& name) const;  // throws UsageError
  // names: as find takes them, or "1-3" for several; none: all.
  std::vector<const LabSpec*> chosen(const std::vector<std::string>& names) const;
};

// Reads both kinds of file from the kit's labs/. Throws KitBroken: unreadable, malformed.
Manifest load_manifest(const fs::path& labs);

}  // namespace kv::grader
