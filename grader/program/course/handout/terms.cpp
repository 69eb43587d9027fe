#include "grader/program/course/handout/terms.h"

#include "common/errors.h"
#include "grader/program/base/kit/json.h"

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
  Terms terms{.labs = ids_of(kit, options.labs), .open = ids_of(kit, options.open)};
  if (!before.empty()) {
    const Json json = Json::parse(before);
    terms.labs.merge(list_in(json, "labs"));
    terms.open.merge(list_in(json, "open"));
  } else if (terms.labs.empty()) {
    for (const LabSpec& lab : kit.manifest.labs) terms.labs.insert(lab.id);
  }
  require_whole(kit, terms);
  return terms;
}

std::string text_of(const Terms& terms) {
  const Json json = {{"format", 1}, {"labs", terms.labs}, {"open", terms.open}};
  return json.dump(2) + "\n";
}

std::string manifest_text(const Kit& kit, const Terms& terms) {
  Json manifest = Json::parse(read_file(kit.root / "labs" / "manifest.json"));
  manifest["labs"] = Json::array();
  for (const LabSpec& lab : kit.manifest.labs) {
    if (terms.has(lab)) manifest["labs"].push_back(lab.folder);
  }
  return manifest.dump(2) + "\n";
}

}  // namespace kv::grader::handout
