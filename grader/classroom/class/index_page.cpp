#include "base/page/page.h"
#include "grader/classroom/class/class_state.h"
#include "grader/classroom/class/class_summary.h"
#include "grader/classroom/class/remarks.h"

namespace kv::grader::classroom {
namespace {

Json json_of(const PartTally& part) {
  return {{"id", part.id},
          {"title", part.title},
          {"num_full", part.num_full},
          {"num_graded", part.num_graded},
          {"mean", part.mean()},
          {"max_points", part.max_points},
          {"counts", part.counts},
          {"num_causes", part.num_causes ? Json(*part.num_causes) : Json(nullptr)}};
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

Json json_of(const ClassState& state, const Row& row, const std::vector<Remark>& remarks) {
  const Owners owners = state.owners(row);
  Json flags = Json::array();
  for (const Remark& remark : remarks)
    if (remark.concern == Concern::kFlag) flags.push_back(printable(remark.text()));
  Json others = Json::array();
  for (const std::string& line : lines_of(remarks, &Remark::text))
    others.push_back(printable(line));
  return {{"name", printable(row.name)},
          {"person", of_all(owners, &Person::name)},
          {"group", of_all(owners, &Person::group)},
          {"score", row.has_score() ? Json(row.score()) : Json(nullptr)},
          {"extra", row.extra()},
          {"labs", labs_of(state.labs, row)},
          {"flags", flags},
          {"remarks", others},
          {"page", row.has_score() ? page_file(row.name) : ""}};
}

Json json_of(const Section& section) {
  return {{"title", section.title}, {"items", section.items}};
}

template <class Part>
Json list_of(const std::vector<Part>& parts) {
  Json json = Json::array();
  for (const Part& part : parts) json.push_back(json_of(part));
  return json;
}

// For a reader without JavaScript.
std::string plain_text(const ClassState& state, const Summary& summary) {
  std::string text = "core and extra points\n";
  for (const Row& row : state.rows) {
    const std::string points = row.has_score() ? points_text(row.score(), row.extra()) : "none";
    text += "  " + row.name + ": " + points + "\n";
  }
  return text + summary_text(summary, state.rows.size());
}

}  // namespace

std::string page_file(const std::string& name) {
  return "students/" + name + ".html";
}

std::string index_page(const Kit& kit, const ClassState& state, Names names) {
  const Summary summary = summary_of(state);
  const bool has_names = names == Names::kShown;
  Json data = {{"kind", "class"},
               {"title", "Class"},
               {"has_people", !state.people().empty()},
               {"num_rows", state.rows.size()},
               {"labs", list_of(summary.labs)},
               {"steps", list_of(summary.steps)},
               {"rows", Json::array()},
               {"diagnoses", Json::array()},
               {"to_look_at", Json::array()}};
  const auto remarks = remarks_of(state);
  if (has_names) {
    data["to_look_at"] = list_of(summary.to_look_at);
    for (const Row& row : state.rows)
      data["rows"].push_back(json_of(state, row, remarks.at(row.name)));
  }
  for (const auto& [text, those] : summary.diagnoses)
    data["diagnoses"].push_back({{"text", text},
                                 {"count", those.size()},
                                 {"names", has_names ? those : std::vector<std::string>()}});
  return pages::page_text(kit.root, {.script = "grader/classroom/page/main.js",
                                     .title = "Class",
                                     .data = data,
                                     .plain = has_names ? plain_text(state, summary) : ""});
}

}  // namespace kv::grader::classroom
