#pragma once
// What an instructor has to look at. The end of `./lab class`, its lines and its page all take it
// from here.

#include <map>
#include <string>
#include <vector>

#include "grader/classroom/class/class_state.h"

namespace kv::grader::classroom {

// In the order in which they are listed.
enum class Concern {
  kNotGraded,
  kTimeLimit,
  kCost,
  kDoesNotCompile,
  kUnexplained,
  kNotStarted,
  kNotSubmitted,
  kSameFiles,
  kSameOwner,
  kNoOwner,
  kFlag,
  kNote
};

const char* title_of(Concern concern);  // "do not compile"

struct Remark {
  Concern concern;
  std::string lab = {};     // "01"; empty: of the whole submission
  std::string detail = {};  // one line; may be empty where there is a lab

  bool names_group() const;   // is the detail the names of all of whom it is said?
  std::string brief() const;  // "lab 01 does not compile"
  std::string text() const;   // "lab 01 does not compile: a.cpp:3:5: error: ..."

  auto operator<=>(const Remark&) const = default;
};

// A line for each, flags apart. Labs that are all not started, or not submitted, share one line.
std::vector<std::string> lines_of(const std::vector<Remark>& remarks,
                                  std::string (Remark::*text)() const);

// What a row says by itself.
std::vector<Remark> remarks_of(const Row& row);

// By submission; also what only the class shows. Every row has an entry.
std::map<std::string, std::vector<Remark>> remarks_of(const ClassState& state);

}  // namespace kv::grader::classroom
