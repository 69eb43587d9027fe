#pragma once
// What a service has to know about one graded submission, read from its report.

#include <string>
#include <vector>

#include "base/kit/manifest.h"
#include "grader/classroom/class/row.h"

namespace kv::grader::services {

struct ScoredTest {
  std::string name;
  std::string status;  // as in the JSON report; "not graded" if the report lacks it
  int points = 0;
  int max_points = 0;
  std::string output = {};  // what a student reads; empty for a pass

  bool passed() const { return status == "pass"; }
};

// The core tests of a step, or its extra ones.
struct ScoredPart {
  std::string number;   // "1.2"
  std::string heading;  // "1.2 remove", or "1.6 append_n (extra)"
  bool is_core;
  std::vector<ScoredTest> tests = {};

  int points() const;
  int max_points() const;
  bool passed() const;
  // One line for each test, then the first failure in full.
  std::string text() const;
};

struct ScoredLab {
  std::string id;  // "01"
  std::string title;
  std::string state;    // "in progress"
  std::string message;  // a compiler's message, or why it was not graded
  std::vector<ScoredPart> parts = {};

  int points(bool is_core) const;
  int max_points(bool is_core) const;
  std::vector<ScoredTest> tests(bool is_core) const;
};

struct Scored {
  std::string problem = {};              // why there is no score, or not a whole one
  std::vector<std::string> notes = {};   // how its files were found
  std::vector<std::string> flags = {};   // for the instructor only
  std::vector<std::string> graded = {};  // what a lab's notes say
  double seconds = 0;
  std::vector<ScoredLab> labs = {};

  int points(bool is_core) const;
  int max_points(bool is_core) const;
  std::string headline() const;  // "60/100 points, 3/26 extra"
  // The problem, the notes, and what stops a lab as a whole.
  std::string text() const;
};

// The maxima are those of the manifest, whatever the report holds.
Scored scored(const std::vector<const LabSpec*>& labs, const classroom::Row& row);

}  // namespace kv::grader::services
