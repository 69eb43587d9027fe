#include <algorithm>

#include "base/kit/json.h"
#include "base/text/errors.h"
#include "base/text/shallow_json.h"
#include "grader/classroom/handout/handout.h"
#include "grader/classroom/handout/repository.h"

namespace kv::grader::handout {
namespace {

std::set<std::string> ids_of(const Kit& kit, const std::vector<std::string>& names) {
  std::set<std::string> ids;
  if (names.empty()) return ids;
  for (const LabSpec* lab : kit.manifest.chosen(names)) ids.insert(lab->id);
  return ids;
}

std::set<std::string> list_in(const Json& json, const char* key) {
  const std::vector<std::string> list = json.at(key);
  return {list.begin(), list.end()};
}

void require_whole(const Kit& kit, const Terms& terms) {
  for (const LabSpec& lab : kit.manifest.labs) {
    if (!terms.has(lab)) continue;
    for (const std::string& id : lab.needs) {
      if (!terms.labs.contains(id))
        throw UsageError("lab " + lab.id + " needs lab " + id + "; hand out both");
    }
  }
  for (const std::string& id : terms.open) {
    if (!terms.labs.contains(id))
      throw UsageError("lab " + id + " cannot be open, for it is not handed out; add it to --labs");
  }
}

}  // namespace

Terms terms_of(const Kit& kit, const HandoutOptions& options, const std::string& before) {
  Terms terms{.labs = ids_of(kit, options.labs),
              .open = ids_of(kit, options.open),
              .assistants = options.assistants};
  if (!before.empty()) {
    const Json json = shallow_json<Json>(before);
    terms.labs.merge(list_in(json, "labs"));
    terms.open.merge(list_in(json, "open"));
    if (terms.assistants.empty()) terms.assistants = json.value("assistants", "");
  } else if (terms.labs.empty()) {
    for (const LabSpec& lab : kit.manifest.labs) terms.labs.insert(lab.id);
  }
  require_whole(kit, terms);
  return terms;
}

std::string text_of(const Terms& terms) {
  Json json = {{"format", 1}, {"labs", terms.labs}, {"open", terms.open}};
  if (!terms.assistants.empty()) json["assistants"] = terms.assistants;
  return json_text(json, 2) + "\n";
}

std::string agents_text(const Kit& kit, const Terms& terms) {
  const std::string text = read_file(kit.root / "starter" / "AGENTS.md");
  const auto [title, rest] = divided(text, "\n");
  const std::string rule = terms.assistants.empty() ? ""
                                                    : "\n**The rule of this course:** " +
                                                          one_line(terms.assistants) + "\n";
  return title + "\n" + rule +
         replace_all(rest, "`.cpp` files here", "`.cpp` and `.cu` files in `starter/`");
}

std::string manifest_text(const Kit& kit, const Terms& terms) {
  Json manifest = Json::parse(read_file(kit.root / "labs" / "manifest.json"));
  manifest["labs"] = Json::array();
  for (const LabSpec& lab : kit.manifest.labs) {
    if (terms.has(lab)) manifest["labs"].push_back(lab.folder);
  }
  return manifest.dump(2) + "\n";
}

namespace {

// The lab whose file it is; nullptr: no lab's. parts: of its path.
const LabSpec* lab_of(const Kit& kit, const std::vector<std::string>& parts) {
  const bool is_app = parts.front() == "apps";
  const bool is_case = parts.size() > 3 && parts[1] == "proof" && parts[2] == "cases";
  const bool has_labs = is_app || is_case || parts.front() == "labs" ||
                        parts.front() == "starter" || parts.front() == "solution";
  const std::size_t depth = is_case ? 3 : 1;
  if (!has_labs || parts.size() <= depth + 1) return nullptr;

  const std::string& room = parts[depth];
  const auto is_it = [&](const LabSpec& lab) {
    return is_app ? std::ranges::count(lab.apps, room) > 0 : lab.folder == room;
  };
  const auto found = std::ranges::find_if(kit.manifest.labs, is_it);
  return found == kit.manifest.labs.end() ? nullptr : &*found;
}

// What a student neither reads nor runs, and what shows in passing how a step is written: the rooms
// of teachers and of those who work on the kit, and all tests but a lab's own.
bool is_of_the_makers(const std::vector<std::string>& parts) {
  static const std::set<std::string> rooms = {".ci", ".github", "findings", "tests"};
  static const std::set<std::string> files = {
      "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md",
      "SECURITY.md",  "conftest.py",  "pytest.ini"};
  if (rooms.contains(parts.front()) || files.contains(parts.front())) return true;
  if (parts.size() < 3) return false;
  const std::string& room = parts[1];
  const bool is_figure = room == "site" && parts[2] == "figures";
  if (parts.front() == "docs")
    return room == "dev" || room == "course" || (room == "site" && !is_figure);
  if (parts.front() == "grader" && room == "proof") return parts.back() != "signatures.json";
  if (parts.front() == "grader" && room == "classroom") return true;
  const bool is_of_a_lab = parts.front() == "labs" && parts[2] == "tests";
  return !is_of_a_lab && std::ranges::count(parts, "tests") > 0;
}

// What of a closed lab stays with its solution: ./lab bench, which is refused. Why not all of it:
// ./lab replay, generate, chat and serve include two of its headers.
bool is_closed_part(const std::vector<std::string>& parts) {
  static const std::set<std::string> of_apps = {"engine_run.h", "processor_time.h"};
  return parts.front() == "labs" && parts.size() > 3 && parts[2] == "bench" &&
         !of_apps.contains(parts.back());
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
    if (is_of_the_makers(parts) || !fs::exists(kit.root / name)) continue;
    if (lab != nullptr && !terms.has(*lab)) continue;
    const bool is_closed = lab != nullptr && terms.is_closed(*lab);
    if (is_closed && is_closed_part(parts)) continue;
    const bool is_stub = is_closed && parts.front() == "solution";
    files[name] = kit.root / (is_stub ? "starter" + name.substr(parts.front().size()) : name);
  }
  return files;
}

}  // namespace kv::grader::handout
