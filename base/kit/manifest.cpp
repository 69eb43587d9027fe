#include "base/kit/manifest.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/kit/json.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

constexpr int kCorePoints = 100;  // each lab has so many

TestSpec test_from(const Json& json, double default_cpu_seconds) {
  const std::string kind = json.at("kind");
  if (kind != "core" && kind != "extra") throw KitBroken("kind is \"" + kind + "\"");
  return {.name = json.at("name"),
          .step = json.at("step"),
          .is_core = kind == "core",
          .max_points = json.at("points"),
          .cpu_seconds = json.value("cpu_seconds", default_cpu_seconds),
          .group = json.value("group", "step"),
          .part = json.value("part", std::size_t{0})};
}

// "file" is left out where a step rewrites earlier ones: they say where it is.
StepSpec step_from(const Json& json, const LabSpec& lab) {
  StepSpec step{.number = json.at("step"),
                .name = json.at("name"),
                .file = json.value("file", ""),
                .call = json.value("call", json.at("name").get<std::string>()),
                .num_given_lines = json.value("given_lines", std::size_t{0}),
                .parts = json.value("parts", std::vector<std::string>())};
  if (json.contains("rewrites")) step.first_forms = json.at("rewrites");
  for (const auto& [number, line] : step.first_forms) step.file = lab.step(number).file;
  if (step.file.empty()) throw KitBroken("step " + step.number + " is in no file");
  return step;
}

// The tests of a step are in the order of its parts, which all have some: the first one that fails
// is the one to read.
void require_parts(const LabSpec& lab, const StepSpec& step) {
  const std::size_t num_parts = step.parts.size();
  std::size_t last = 0;
  for (const TestSpec& test : lab.tests) {
    if (test.step != step.number || test.is_history()) continue;
    const std::string which = test.name + " is of part " + std::to_string(test.part) + " of step " +
                              step.number + ", which has " + std::to_string(num_parts);
    if (test.part > num_parts || (test.part == 0 && num_parts > 0)) throw KitBroken(which);
    if (test.part < last) throw KitBroken(which + ", and comes after a test of a later part");
    if (test.part > last + 1) break;
    last = test.part;
  }
  if (last < num_parts)
    throw KitBroken("step " + step.number + ": no test has " + step.part_name(last + 1));
}

LabSpec lab_from(const Json& json, const std::string& folder, double default_cpu_seconds) {
  LabSpec lab{.id = folder.substr(0, folder.find('-')),
              .folder = folder,
              .title = json.at("title"),
              .hours = json.at("hours"),
              .needs = json.at("needs"),
              .files = json.at("files"),
              .headers = json.at("headers"),
              .apps = json.value("apps", std::vector<std::string>()),
              .use = json.value("use", ""),
              .steps = {},
              .tests = {}};
  for (const Json& step : json.at("steps")) {
    lab.steps.push_back(step_from(step, lab));
  }
  for (const Json& test : json.at("tests")) {
    lab.tests.push_back(test_from(test, default_cpu_seconds));
    lab.step(lab.tests.back().step);  // throws if there is no such step
  }
  for (const StepSpec& step : lab.steps) require_parts(lab, step);
  if (const int points = lab.max_points(true); points != kCorePoints) {
    throw KitBroken("the core points add up to " + std::to_string(points) + ", not to " +
                    std::to_string(kCorePoints));
  }
  return lab;
}

std::string without_zeros(const std::string& number) {
  return number.substr(std::min(number.find_first_not_of('0'), number.size()));
}

// The first and the last lab of a name as `chosen` takes it.
std::pair<const LabSpec*, const LabSpec*> range_of(const Manifest& manifest,
                                                   const std::string& name) {
  const std::size_t dash = name.find('-');
  const LabSpec* first = manifest.find(name.substr(0, dash));
  const LabSpec* last = dash == name.npos ? nullptr : manifest.find(name.substr(dash + 1));
  if (first == nullptr || last == nullptr) return {&manifest.lab(name), &manifest.lab(name)};
  if (last < first) throw UsageError("\"" + name + "\" ends before it begins");
  return {first, last};
}

}  // namespace

const StepSpec& LabSpec::step(const std::string& number) const {
  const auto found = std::ranges::find(steps, number, &StepSpec::number);
  if (found == steps.end()) throw KitBroken("lab " + id + " has no step " + number);
  return *found;
}

const StepSpec& LabSpec::with_stub(const StepSpec& one) const {
  return one.has_stub() ? one : step(one.first_forms.begin()->first);
}

bool LabSpec::is_cuda() const {
  return std::ranges::any_of(files, [](const std::string& file) { return file.ends_with(".cu"); });
}

bool LabSpec::is_core(const StepSpec& step) const {
  return std::ranges::any_of(
      tests, [&](const TestSpec& test) { return test.is_core && test.step == step.number; });
}

bool LabSpec::is_rewritten(const StepSpec& step) const {
  return std::ranges::any_of(
      steps, [&](const StepSpec& later) { return later.first_forms.contains(step.number); });
}

int LabSpec::max_points(bool core) const {
  int sum = 0;
  for (const TestSpec& test : tests) sum += test.is_core == core ? test.max_points : 0;
  return sum;
}

LabSpec LabSpec::with_tests(const std::function<bool(const TestSpec&)>& is_kept) const {
  LabSpec lab = *this;
  std::erase_if(lab.tests, std::not_fn(is_kept));
  return lab;
}

std::vector<std::string> ids_of(const std::vector<const LabSpec*>& labs) {
  std::vector<std::string> ids;
  for (const LabSpec* lab : labs) ids.push_back(lab->id);
  return ids;
}

const LabSpec* Manifest::find(const std::string& name) const {
  const auto is_meant = [&](const LabSpec& lab) {
    return name == lab.folder || without_zeros(name) == without_zeros(lab.id);
  };
  const auto found = std::ranges::find_if(labs, is_meant);
  return found == labs.end() ? nullptr : &*found;
}

const LabSpec& Manifest::lab(const std::string& name) const {
  if (const LabSpec* found = find(name)) return *found;
  std::vector<std::string> folders;
  for (const LabSpec& lab : labs) folders.push_back(lab.folder);
  throw UsageError("there is no lab \"" + name + "\"; the labs are " + join(folders, ", "));
}

std::vector<const LabSpec*> Manifest::chosen(const std::vector<std::string>& names) const {
  std::vector<const LabSpec*> chosen;
  for (const std::string& name : names) {
    const auto [first, last] = range_of(*this, name);
    for (const LabSpec* each = first; each <= last; ++each)
      if (std::ranges::find(chosen, each) == chosen.end()) chosen.push_back(each);
  }
  if (!names.empty()) return chosen;
  for (const LabSpec& each : labs) chosen.push_back(&each);
  return chosen;
}

Manifest load_manifest(const fs::path& labs) {
  constexpr int kFormat = 1;
  constexpr std::size_t kMebibyte = 1 << 20;
  fs::path path = labs / "manifest.json";
  try {
    const Json json = Json::parse(read_file(path));
    if (json.at("format") != kFormat) throw KitBroken("format is not " + std::to_string(kFormat));
    Manifest manifest{.seed = json.at("seed"),
                      .memory_bytes = json.at("memory_mib").get<std::size_t>() * kMebibyte,
                      .labs = {}};
    for (const std::string folder : json.at("labs")) {
      path = labs / folder / "lab.json";
      manifest.labs.push_back(
          lab_from(Json::parse(read_file(path)), folder, json.at("cpu_seconds")));
    }
    return manifest;
  } catch (const std::exception& error) {
    throw KitBroken("the score sheet " + path.string() + " cannot be used (" + error.what() +
                    "); to get it back: git checkout -- " +
                    fs::relative(path, labs.parent_path()).string());
  }
}

bool step_before(const std::string& left, const std::string& right) {
  const auto number = [](const std::string& step) {
    const std::size_t dot = step.find('.');
    return std::pair(std::atoi(step.c_str()), std::atoi(step.c_str() + dot + 1));
  };
  return number(left) < number(right);
}

}  // namespace kv::grader
