#include "simt/runtime/report/places.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

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
    for (const Step& step : profile.kernels()[kernel].first_steps) all.push_back(step.site);
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

namespace {

// Code that a program was given: a finding names the line that calls it. Folders given/ are those
// of the labs; cccl/ has NVIDIA's C++ library.
constexpr std::array kOwnHeaders = {"/simt/include/", "/given/", "/include/c++/", "/cccl/"};

// One address on each line, the form that addr2line reads.
std::string text_of(const std::vector<Site>& addresses, unsigned back) {
  std::ostringstream text;
  for (const Site site : addresses) {
    text << std::hex << reinterpret_cast<std::uintptr_t>(site) - program_image().bias() - back
         << '\n';
  }
  return text.str();
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  pclose(pipe);
  return output;
}

// "/home/me/scan.cu:17 (discriminator 3)"
Place parse(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.starts_with("??")) return {};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

bool is_own_header(const Place& place) {
  return place.file.empty() ||
         std::any_of(kOwnHeaders.begin(), kOwnHeaders.end(), [&](const char* folder) {
           return place.file.find(folder) != std::string::npos;
         });
}

// Each answer is the address, then the inlined functions, innermost first.
std::map<Site, Place> parse_answers(const std::string& output, const std::vector<Site>& addresses) {
  std::map<Site, Place> places;
  std::istringstream stream(output);
  std::size_t answer = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("0x")) {
      ++answer;
      continue;
    }
    if (answer == 0 || answer > addresses.size()) continue;
    Place& place = places[addresses[answer - 1]];
    if (is_own_header(place)) place = parse(line);
  }
  return places;
}

// The places of the code this many bytes before each address. Why by descriptors: a test may write
// no file, and its number in /proc is another one than it has itself.
std::map<Site, Place> places_before(const std::vector<Site>& addresses, unsigned back) {
  const std::string text = text_of(addresses, back);
  const int program = open("/proc/self/exe", O_RDONLY);
  const int list = memfd_create("addresses", 0);
  std::string output;
  if (program >= 0 && write(list, text.data(), text.size()) == std::ssize(text)) {
    const std::string folder = " /proc/self/fd/";
    output = output_of("addr2line -a -i -e" + folder + std::to_string(program) + " <" + folder +
                       std::to_string(list) + " 2>/dev/null");
  }
  for (const int fd : {program, list}) close(fd);
  return parse_answers(output, addresses);
}

}  // namespace

std::map<Site, Place> places_at(const std::vector<Site>& addresses) {
  return addresses.empty() ? std::map<Site, Place>() : places_before(addresses, 0);
}

std::map<Site, Place> places_of(const std::vector<Site>& addresses) {
  std::map<Site, Place> places;
  std::vector<Site> open = addresses;
  // One byte back is inside the call. Code that an optimizer has moved may belong to no line; then
  // the code before it is taken.
  for (const unsigned back : {1u, 9u, 33u, 129u}) {
    if (open.empty()) break;
    for (const auto& [site, place] : places_before(open, back)) places[site] = place;
    std::erase_if(open, [&](Site site) { return site == nullptr || places[site].line != 0; });
  }
  return places;
}

// Why not up to the last "(": a parameter may be double (*)[20].
std::string name_of_kernel(const std::string& kernel) {
  int depth = 0;
  std::size_t end = kernel.size();
  while (end-- > 0) {
    depth += kernel[end] == ')' ? 1 : kernel[end] == '(' ? -1 : 0;
    if (kernel[end] == '(' && depth == 0) break;
  }
  const bool is_template = kernel.find('<') < end;  // then the result comes first: void
  const std::size_t begin = is_template ? kernel.find(' ') + 1 : 0;
  return kernel.substr(begin, end - begin);
}

}  // namespace kv::simt
