#include "simt/runtime/report/places.h"

#include <algorithm>

#include "simt/runtime/memory/program_image.h"
#include "simt/runtime/profile/profile.h"

namespace kv::simt {
namespace {

std::vector<Site> all_sites() {
  std::vector<Site> all;
  for (const Finding& finding : findings.all()) {
    all.push_back(finding.site);
    for (const Note& note : finding.notes) all.push_back(note.site);
    for (const Whereabouts& group : finding.whereabouts) {
      if (group.doing != Doing::kLooping) all.push_back(group.sites.front());
    }
  }
  for (std::size_t kernel = 0; kernel < profile.kernels().size(); ++kernel) {
    for (const Metric& metric : profile.metrics(kernel)) all.push_back(metric.site);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Site> all_sites_in_loops() {
  std::vector<Site> all;
  for (const Finding& finding : findings.all()) {
    for (const Whereabouts& group : finding.whereabouts) {
      if (group.doing != Doing::kLooping) continue;
      all.insert(all.end(), group.sites.begin(), group.sites.end());
      all.push_back(program_image().function_of(group.sites.front()));
    }
  }
  return all;
}

}  // namespace

Places::Places() : places_(places_of(all_sites())), in_loops_(places_at(all_sites_in_loops())) {}

Place Places::of(Site site) const {
  const auto known = places_.find(site);
  return known == places_.end() ? Place{} : known->second;
}

Place Places::in_loop(Site site) const {
  const auto known = in_loops_.find(site);
  return known == in_loops_.end() ? Place{} : known->second;
}

Place Places::of(const Whereabouts& group) const {
  if (group.doing != Doing::kLooping) return of(group.sites.front());
  // Why the last: a compiler gives the first line of the function to what it adds in the loop.
  const Place first_of_function = in_loop(program_image().function_of(group.sites.front()));
  Place first;
  for (const Site site : group.sites) {
    const Place place = in_loop(site);
    if (place.line == 0) continue;
    const bool is_better = first.line == 0 || first == first_of_function ||
                           (place.file == first.file && place < first);
    if (is_better && (first.line == 0 || place != first_of_function)) first = place;
  }
  return first;
}

std::vector<ReportedNote> lanes_of(const Finding& finding, const Places& places) {
  std::vector<std::pair<Place, Whereabouts>> groups;
  for (const Whereabouts& more : finding.whereabouts) {
    const Place place = places.of(more);
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.first == place && group.second.doing == more.doing;
    });
    if (known == groups.end()) {
      groups.emplace_back(place, more);
      continue;
    }
    std::vector<std::uint32_t>& lanes = known->second.lanes;
    for (std::size_t warp = 0; warp < lanes.size(); ++warp) lanes[warp] |= more.lanes[warp];
  }
  std::vector<ReportedNote> lanes;
  for (const auto& [place, group] : groups) lanes.push_back({group.text(), place});
  return lanes;
}

}  // namespace kv::simt
