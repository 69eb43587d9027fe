#include "grader/desk/steps/progress.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>

#include "base/kit/json.h"
#include "base/text/errors.h"
#include "base/text/shallow_json.h"

namespace kv::grader::steps {
namespace {

constexpr int kFormat = 2;
constexpr std::array kStateNames = {"not written", "not graded",       "waits", "in progress",
                                    "wrong",       "does not compile", "done"};

StepState state_called(const std::string& name) {
  const auto found = std::ranges::find(kStateNames, name);
  if (found == kStateNames.end()) throw KitBroken("a state is \"" + name + "\"");
  return static_cast<StepState>(found - kStateNames.begin());
}

Json json_of(const StepRecord& step) {
  return {{"state", state_name(step.state)},
          {"said", step.said},
          {"part", step.part},
          {"core_points", step.core_points},
          {"extra_points", step.extra_points}};
}

StepRecord step_from(const Json& json) {
  return {.state = state_called(json.at("state")),
          .said = json.at("said"),
          .part = json.at("part"),
          .core_points = json.at("core_points"),
          .extra_points = json.at("extra_points")};
}

Json json_of(const LabRecord& record) {
  Json steps = Json::object();
  for (const auto& [number, step] : record.steps) steps[number] = json_of(step);
  return {{"files", record.files},
          {"steps", steps},
          {"histories", record.histories ? json_of(*record.histories) : Json()},
          {"step_at_hand", record.step_at_hand},
          {"error", record.error},
          {"diagnosis", record.diagnosis},
          {"is_diagnosis_shown", record.is_diagnosis_shown}};
}

LabRecord record_from(const Json& json) {
  LabRecord record{.files = json.at("files"),
                   .step_at_hand = json.at("step_at_hand"),
                   .error = json.at("error"),
                   .diagnosis = json.at("diagnosis"),
                   .is_diagnosis_shown = json.at("is_diagnosis_shown")};
  for (const auto& [number, step] : json.at("steps").items())
    record.steps[number] = step_from(step);
  if (!json.at("histories").is_null()) record.histories = step_from(json["histories"]);
  return record;
}

Json json_of(const Progress& progress) {
  Json trees = Json::object();
  for (const auto& [folder, labs] : progress.trees)
    for (const auto& [id, record] : labs) trees[folder][id] = json_of(record);
  return {{"format", kFormat}, {"tiers", progress.tiers}, {"trees", trees}};
}

Progress progress_from(const Json& json) {
  if (json.at("format") != kFormat) throw KitBroken("it is of another version of the kit");
  Progress progress{.tiers = json.at("tiers")};
  for (const auto& [folder, labs] : json.at("trees").items())
    for (const auto& [id, record] : labs.items()) progress.trees[folder][id] = record_from(record);
  return progress;
}

fs::path progress_file(const Kit& kit) {
  return progress_folder(kit) / "progress.json";
}

// The same for one folder, however its path is written.
std::string key_of(const fs::path& folder) {
  return fs::weakly_canonical(folder).string();
}

// nullopt: it cannot be used.
std::optional<Progress> stored_progress(const Kit& kit) {
  std::error_code error;
  if (!fs::exists(progress_file(kit), error)) return Progress{};
  try {
    return progress_from(shallow_json<Json>(read_file(progress_file(kit))));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_gone(const std::string& folder) {
  std::error_code error;
  return !fs::is_directory(folder, error);
}

}  // namespace

const char* state_name(StepState state) {
  return kStateNames.at(static_cast<std::size_t>(state));
}

LabRecord& Progress::of(const fs::path& tree, const LabSpec& lab) {
  return trees[key_of(tree)][lab.id];
}

const LabRecord* Progress::find(const fs::path& tree, const LabSpec& lab) const {
  const auto labs = trees.find(key_of(tree));
  if (labs == trees.end()) return nullptr;
  const auto record = labs->second.find(lab.id);
  return record == labs->second.end() ? nullptr : &record->second;
}

const StepSpec* LabRecord::find_step_at_hand(const LabSpec& lab) const {
  const auto found = std::ranges::find(lab.steps, step_at_hand, &StepSpec::number);
  return found == lab.steps.end() ? nullptr : &*found;
}

// Why another name: students' hints, and functions that they have reset, are in this folder.
fs::path progress_folder(const Kit& kit) {
  return kit.build / "desk";
}

Progress load_progress(const Kit& kit) {
  if (auto progress = stored_progress(kit)) return *progress;
  std::cerr << "lab: " << printable(progress_file(kit).string())
            << " is damaged or of another version of the kit, so nothing counts as graded; "
               "./lab grade writes it again\n";
  return {};
}

void change_progress(const Kit& kit, const std::function<void(Progress&)>& change) {
  try {
    const Lock lock(progress_folder(kit), Lock::Wait::kShort);
    Progress progress = stored_progress(kit).value_or(Progress{});
    change(progress);
    std::erase_if(progress.trees, [](const auto& tree) { return is_gone(tree.first); });
    // Why with a replacement: a path need not be UTF-8.
    write_file(progress_file(kit), json_text(json_of(progress), 1) + "\n");
  } catch (const std::exception& failure) {
    std::cerr << "lab: your progress is not stored: " << printable(failure.what()) << '\n';
  }
}

}  // namespace kv::grader::steps
