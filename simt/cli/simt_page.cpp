#include <map>
#include <set>

#include "base/page/page.h"
#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

std::set<std::string> files_of(const Json& all) {
  std::set<std::string> files;
  for (const char* const part : {"lines", "findings"}) {
    for (const Json& each : all[part]) files.insert(each["file"].get<std::string>());
  }
  files.erase("");
  return files;
}

std::string name_of_kernel(const Json& line, const Json& kernels) {
  for (const Json& kernel : kernels)
    if (kernel["kernel"] == line["kernel"]) return kernel["name"];
  return line["kernel"];
}

Json traffic_of(const Json& line, const Json& kernels) {
  const bool is_shared = line["space"] == "shared";
  return {{"line", line["line"]},
          {"kernel", name_of_kernel(line, kernels)},
          {"is_shared", is_shared},
          {"is_read", line["access"] == "read"},
          {"width", line["width"]},
          {"requests", line["requests"]},
          {"lanes", line["lanes"]},
          {"moved", line[is_shared ? "wavefronts" : "sectors"]},
          {"least", line[is_shared ? "ideal_wavefronts" : "ideal_sectors"]},
          {"example", line.value("example", Json())}};
}

Json finding_of(const Json& finding) {
  const std::string kernel = finding.value("kernel", "host code");
  const bool has_block = finding.contains("block");
  return {{"line", finding["line"]},
          {"kind", finding["kind"]},
          {"where", kernel + (has_block ? ", block " + text_of_index(finding["block"]) : "")},
          {"what", finding["what"]},
          {"means", finding["means"]}};
}

// A source file, with what was found and counted at its lines.
Json listing_of(const std::string& file, const Json& all) {
  Json listing{{"file", file}, {"first", 1}, {"mark", 0}, {"lines", Json::array()}};
  for (const std::string& line : source_lines(file)) listing["lines"].push_back(printable(line));
  listing["traffic"] = listing["findings"] = Json::array();
  for (const Json& line : all["lines"])
    if (line["file"] == file) listing["traffic"].push_back(traffic_of(line, all["kernels"]));
  for (const Json& finding : all["findings"])
    if (finding["file"] == file) listing["findings"].push_back(finding_of(finding));
  return listing;
}

// Why numbers for the files: there are thousands of steps.
Json steps_of(const Json& steps, const Json& listings) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < listings.size(); ++i)
    numbers[fs::absolute(listings[i]["file"].get<std::string>()).string()] = i;
  Json result = Json::array();
  for (const Json& step : steps) {
    const auto found = numbers.find(step[2]);
    if (found != numbers.end()) result.push_back({step[0], step[1], found->second, step[3]});
  }
  return result;
}

Json data_of(const Json& all) {
  Json listings = Json::array();
  for (const std::string& file : files_of(all)) listings.push_back(listing_of(file, all));
  Json kernels = all["kernels"];
  for (std::size_t i = 0; i < kernels.size(); ++i)
    kernels[i]["first_steps"] = steps_of(all["first_steps"][i], listings);
  return {{"kind", "cuda"},
          {"title", all["program"]},
          {"checked_with", all["checked_with"]},
          {"num_findings", all["findings"].size()},
          {"kernels", kernels},
          {"listings", listings}};
}

}  // namespace

void write_simt_page(const SimtPlaces& places, const Json& all, const fs::path& file) {
  const std::string title = "simt " + all["program"].get<std::string>();
  const std::string plain = simt_findings(all) + simt_profile(all);
  write_file(file, pages::page_text(places.root, {.script = "simt/page/main.js",
                                                  .title = title,
                                                  .data = data_of(all),
                                                  .plain = plain}));
}

}  // namespace kv::grader
