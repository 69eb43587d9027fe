#pragma once
// From addresses in the program to lines of its source; and those of all addresses that a report
// names, looked up together.

#include <map>
#include <string>
#include <vector>

#include "simt/runtime/core/findings.h"

namespace kv::simt {

struct Place {
  std::string file;  // empty: unknown
  int line = 0;

  auto operator<=>(const Place&) const = default;
};

// The call before each of these addresses, in the innermost function that is not CUDA's own.
std::map<Site, Place> places_of(const std::vector<Site>& addresses);

// The places of the instructions at these addresses; some belong to no line.
std::map<Site, Place> places_at(const std::vector<Site>& addresses);

// "scan<float>" of "void scan<float>(float*, int)", as a report names a kernel.
std::string name_of_kernel(const std::string& kernel);

struct ReportedNote {
  std::string text;
  Place place;
};

class Places {
 public:
  Places();  // finds those of the findings and the profile so far

  Place of(Site site) const;
  // For a loop, its first line.
  Place of(const Whereabouts& group) const;

 private:
  Place in_loop(Site site) const;

  std::map<Site, Place> places_, in_loops_;
};

// Where the threads of a launch were, those at one line in one note.
std::vector<ReportedNote> lanes_of(const Finding& finding, const Places& places);

}  // namespace kv::simt
