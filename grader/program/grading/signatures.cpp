#include "grader/program/grading/signatures.h"

#include "grader/program/base/errors.h"
#include "grader/program/base/json.h"

namespace kv::grader {

fs::path signatures_file(const Kit& kit, const LabSpec& lab) {
  return kit.case_folder(lab) / "signatures.json";
}

std::vector<Signature> load_signatures(const Kit& kit, const LabSpec& lab) {
  const fs::path path = signatures_file(kit, lab);
  std::vector<Signature> signatures;
  if (!fs::exists(path)) return signatures;
  try {
    for (const Json& json : Json::parse(read_file(path))) {
      signatures.push_back({.name = json.at("name"),
                            .sentence = json.at("sentence"),
                            .heading = json.at("heading"),
                            .failing = json.at("failing")});
    }
  } catch (const Json::exception& error) {
    throw KitBroken(path.string() + ": " + error.what() + "; ./lab signatures writes it anew");
  }
  return signatures;
}

void write_signatures(const Kit& kit,
                      const LabSpec& lab,
                      const std::vector<Signature>& signatures) {
  Json json = Json::array();
  for (const Signature& signature : signatures) {
    json.push_back({{"name", signature.name},
                    {"sentence", signature.sentence},
                    {"heading", signature.heading},
                    {"failing", signature.failing}});
  }
  write_file(signatures_file(kit, lab), json.dump(2) + "\n");
}

std::set<std::string> failing_tests(const LabResult& result) {
  std::set<std::string> names;
  for (const TestResult& test : result.tests) {
    const Status status = test.verdict.status;
    if (status != Status::kPass && status != Status::kNotStarted) names.insert(test.spec->name);
  }
  return names;
}

std::string diagnosis_of(const std::vector<Signature>& signatures, const LabResult& result) {
  const std::set<std::string> failing = failing_tests(result);
  const Signature* match = nullptr;
  for (const Signature& signature : signatures) {
    if (signature.failing != failing) continue;
    if (match != nullptr) return "";
    match = &signature;
  }
  if (match == nullptr) return "";
  return "looks like: " + match->sentence + "\nhint: labs/" + result.lab->folder + "/HINTS.md, \"" +
         match->heading + "\", tier 1";
}

}  // namespace kv::grader
