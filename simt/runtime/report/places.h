#pragma once
// The lines of all addresses that a report names, looked up together.

#include "simt/runtime/report/symbols.h"

namespace kv::simt {

struct ReportedNote {
  std::string text;
  Place place;
};

class Places {
 public:
  Places();  // of the findings and the profile so far

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
