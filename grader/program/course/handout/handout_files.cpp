#include "grader/program/course/handout/handout_files.h"

#include <algorithm>

#include "grader/program/course/handout/repository.h"

namespace kv::grader::handout {
namespace {

// The lab in whose folder a file is; nullptr: in none. parts: of its path.
const LabSpec* lab_of(const Kit& kit, const std::vector<std::string>& parts) {
  const std::size_t depth = parts.front() == "grader" ? 2 : 1;
  const bool has_labs = parts.front() == "labs" || parts.front() == "starter" ||
                        parts.front() == "solution" ||
                        (parts.size() > 2 && parts[0] == "grader" && parts[1] == "cases");
  if (!has_labs || parts.size() <= depth + 1) return nullptr;
  const auto is_it = [&](const LabSpec& lab) { return lab.folder == parts[depth]; };
  const auto found = std::ranges::find_if(kit.manifest.labs, is_it);
  return found == kit.manifest.labs.end() ? nullptr : &*found;
}

std::vector<std::string> parts_of(const fs::path& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : path) parts.push_back(part.string());
  return parts;
}

}  // namespace

std::map<std::string, fs::path> files_of(const Kit& kit, const Terms& terms) {
  std::map<std::string, fs::path> files;
  for (const std::string& name : tracked_files(kit.root)) {
    const std::vector<std::string> parts = parts_of(name);
    const LabSpec* lab = lab_of(kit, parts);
    const bool is_for_kit =
        parts.front() == ".ci" || parts.front() == ".github" || name == "grader/cases/causes.json";
    if (is_for_kit || !fs::exists(kit.root / name)) continue;
    if (lab != nullptr && !terms.has(*lab)) continue;
    const bool is_closed = lab != nullptr && terms.is_closed(*lab);
    if (is_closed && parts.front() == "grader" && parts.back() != "signatures.json") continue;
    const bool is_stub = is_closed && parts.front() == "solution";
    files[name] = kit.root / (is_stub ? "starter" + name.substr(parts.front().size()) : name);
  }
  return files;
}

}  // namespace kv::grader::handout
