#include "grader/program/classroom/index_page.h"

#include "grader/program/html/page.h"

namespace kv::grader::classroom {
namespace {

Json json_of(const PartTally& part) {
  return {{"id", part.id},
          {"title", part.title},
          {"num_full", part.num_full},
          {"num_graded", part.num_graded},
          {"mean", part.mean()}};
}

Json labs_of(const std::vector<const LabSpec*>& labs, const Row& row) {
  Json json = Json::array();
  for (const LabSpec* spec : labs) {
    const Json* lab = row.lab(spec->id);
    json.push_back(lab == nullptr ? Json(nullptr)
                                  : Json{{"score", (*lab)["score"]},
                                         {"max_score", (*lab)["max_score"]},
                                         {"state", (*lab)["state"]}});
  }
  return json;
}

Json flags_of(const Row& row) {
  Json flags = Json::array();
  if (!row.has_score()) return flags;
  for (const Json& lab : row.report["labs"]) {
    for (const Json& flag : lab["flags"])
      flags.push_back(lab["id"].get<std::string>() + ": " + flag.get<std::string>());
  }
  return flags;
}

Json json_of(const std::vector<const LabSpec*>& labs, const Person* owner, const Row& row) {
  return {{"name", printable(row.name)},
          {"person", owner == nullptr ? "" : owner->name},
          {"group", owner == nullptr ? "" : owner->group},
          {"score", row.has_score() ? Json(row.score()) : Json(nullptr)},
          {"extra", row.extra()},
          {"labs", labs_of(labs, row)},
          {"flags", flags_of(row)},
          {"note", row.note()},
          {"page", row.has_score() ? page_file(row.name) : ""}};
}

template <class Part>
Json list_of(const std::vector<Part>& parts) {
  Json json = Json::array();
  for (const Part& part : parts) json.push_back(json_of(part));
  return json;
}

}  // namespace

std::string page_file(const std::string& name) {
  return "students/" + name + ".html";
}

std::string index_page(const Kit& kit,
                       const std::vector<const LabSpec*>& labs,
                       const std::vector<Person>& people,
                       const std::vector<Row>& rows) {
  const Summary summary = summary_of(labs, rows);
  Json data = {{"kind", "class"},
               {"title", "Class"},
               {"has_people", !people.empty()},
               {"labs", list_of(summary.labs)},
               {"steps", list_of(summary.steps)},
               {"rows", Json::array()},
               {"without_row", Json::array()},
               {"diagnoses", Json::array()},
               {"equal", summary.equal},
               {"at_a_limit", summary.at_a_limit}};
  for (const Row& row : rows)
    data["rows"].push_back(json_of(labs, owner_of(people, row.name), row));
  for (const Person* person : without_row(people, rows))
    data["without_row"].push_back(person->name + " (" + person->id + ")");
  for (const auto& [text, names] : summary.diagnoses)
    data["diagnoses"].push_back({{"text", text}, {"names", names}});
  return html::page_text(kit, {.title = "Class", .data = data});
}

}  // namespace kv::grader::classroom
