#include "grader/desk/pages/grading_page.h"

#include <algorithm>

#include "base/page/page.h"
#include "grader/desk/pages/listing.h"
#include "grader/engine/report/report.h"

namespace kv::grader::pages {
namespace {

// None if there was nothing to run.
std::vector<const TestResult*> failures_of(const LabResult& lab) {
  return lab.was_run() ? lab.failures() : std::vector<const TestResult*>{};
}

// Why not all labs: a page can be of a course that has no others.
std::vector<const LabSpec*> graded_labs(const Report& report) {
  std::vector<const LabSpec*> labs;
  for (const LabResult& lab : report.labs) labs.push_back(lab.lab);
  return labs;
}

class PageData {
 public:
  PageData(const Kit& kit, const Report& report) : kit_(kit), report_(report) {}

  Json json() {
    const Submission& submission = *report_.submission;
    Json data = {{"kind", "report"},
                 {"title", "PagedLab"},
                 {"tree", submission.name},
                 {"digest", submission.digest},
                 {"stubs_left", submission.num_core_stubs()},
                 {"score", report_.points(true)},
                 {"max_score", report_.max_points(true)},
                 {"extra", report_.points(false)},
                 {"max_extra", report_.max_points(false)},
                 {"labs", Json::array()}};
    for (const LabResult& lab : report_.labs) data["labs"].push_back(json_of(lab));
    add_stories(data["labs"]);
    data["listings"] = listings_;
    return data;
  }

 private:
  Json json_of(const LabResult& lab) {
    Json failures = Json::array();
    for (const TestResult* test : failures_of(lab)) failures.push_back(json_of(lab, *test));
    return {{"id", lab.lab->id},
            {"title", lab.lab->title},
            {"state", state_name(lab.state)},
            {"score", lab.points(true)},
            {"max_score", lab.lab->max_points(true)},
            {"extra", lab.points(false)},
            {"max_extra", lab.lab->max_points(false)},
            {"message", printable(lab.message)},
            {"warnings", lab.warnings},
            {"notes", lab.notes},
            {"flags", lab.flags},
            {"steps", lab.was_run() ? json_of_table(lab) : Json::array()},
            {"next", next_lines(lab, *report_.submission, graded_labs(report_))},
            {"kernels", kernel_listings(*report_.submission, lab)},
            {"failures", failures}};
  }

  Json json_of(const LabResult& lab, const TestResult& test) {
    const FailureParts parts = failure_parts(lab, test);
    const StepSpec& step = lab.step_to_fix(test);
    return {{"name", test.spec->name},
            {"status", status_name(test.verdict.status)},
            {"step", parts.step},
            {"spec", parts.spec},
            {"wrong", printable(parts.wrong)},
            {"advice", test.verdict.advice},
            {"cause", parts.cause},
            {"diagnosis", parts.diagnosis},
            {"read", parts.read},
            {"hint", parts.hint},
            {"findings", findings_of(*report_.submission, test.verdict)},
            {"function",
             kept(students_function(kit_, *report_.submission, *lab.lab, step, test.verdict))},
            {"test", kept(test_function(kit_, test.verdict))}};
  }

  // The key of a listing: many failures have the same function. null: there is none.
  Json kept(const Json& listing) {
    if (listing.is_null()) return nullptr;
    const std::string key = listing["file"].get<std::string>() + ":" + listing["first"].dump() +
                            ":" + listing["mark"].dump();
    listings_[key] = listing;
    return key;
  }

  // The first failure of each lab, then the second of each, and so on.
  void add_stories(Json& labs) const {
    std::vector<std::vector<const TestResult*>> failures;
    std::size_t num_rounds = 0, num_bytes = 0;
    for (const LabResult& lab : report_.labs) {
      failures.push_back(failures_of(lab));
      num_rounds = std::max(num_rounds, failures.back().size());
    }
    for (std::size_t round = 0; round < num_rounds; ++round) {
      for (std::size_t lab = 0; lab < failures.size(); ++lab) {
        if (round < failures[lab].size())
          add_story(*failures[lab][round], labs[lab]["failures"][round], num_bytes);
      }
    }
  }

  static void add_story(const TestResult& test, Json& failure, std::size_t& num_bytes) {
    const Json story = kv::grader::json_of(test.verdict.story);
    const Json printed = printable(test.printed);
    const std::size_t size = embedded(story).size() + embedded(printed).size();
    failure["story_left_out"] = num_bytes + size > kMaxStoryBytes;
    if (failure["story_left_out"]) return;
    num_bytes += size;
    failure["story"] = story;
    failure["printed"] = printed;
  }

  const Kit& kit_;
  const Report& report_;
  Json listings_ = Json::object();
};

// For a reader without JavaScript.
std::string plain_text(const Report& report) {
  std::string text = report.submission->name + ": " + std::to_string(report.points(true)) + "/" +
                     std::to_string(report.max_points(true)) + " core, +" +
                     std::to_string(report.points(false)) + " extra\n";
  for (const LabResult& lab : report.labs) {
    text += "\nlab " + lab.lab->id + " " + lab.lab->title + ": " + state_name(lab.state) + ", " +
            std::to_string(lab.points(true)) + "/" + std::to_string(lab.lab->max_points(true)) +
            " core, +" + std::to_string(lab.points(false)) + "/" +
            std::to_string(lab.lab->max_points(false)) + " extra\n";
    const std::vector<const TestResult*> failures = failures_of(lab);
    if (!failures.empty()) text += "\n" + indent(failure_text(lab, *failures.front()), "    ");
    if (failures.size() > 1) text += "\n    and " + std::to_string(failures.size() - 1) + " more\n";
    if (!lab.message.empty()) text += indent(lab.message, "    ");
    text += indent(next_lines(lab, *report.submission, graded_labs(report)), "    ");
  }
  return text;
}

}  // namespace

void write_page(const Kit& kit, const Report& report, const fs::path& path) {
  write_file(path, page_text(kit.root, {.script = "grader/page/main.js",
                                        .title = "PagedLab: " + report.submission->name,
                                        .data = PageData(kit, report).json(),
                                        .plain = plain_text(report)}));
}

}  // namespace kv::grader::pages
