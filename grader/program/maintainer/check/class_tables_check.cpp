#include <algorithm>

#include "grader/program/course/classroom/class_state.h"
#include "grader/program/course/classroom/class_summary.h"
#include "grader/program/course/classroom/remarks.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

using namespace classroom;

void check_two_of_one(const Kit& kit, Checks& checks) {
  const std::string text = summary_text(
      summary_of(
          {.labs = {},
           .people = {{"12345", "Ada", ""}, {"23456", "Alan", ""}},
           .rows = {{.name = "12345-early"}, {.name = "12345-late"}, {.name = "turing_23456"}}}),
      3);
  checks.expect(text.find("of one person: take away all but one, and run this again\n"
                          "    12345-early, 12345-late\n") != text.npos,
                "two submissions of one person", text);
  const ClassState two{.labs = {&kit.manifest.labs[0], &kit.manifest.labs[1]},
                       .people = {{"12345", "Ada"}},
                       .submissions = {"12345-early", "12345-late"},
                       .rows = {{.name = "12345-early", .report = {{"score", 7}, {"extra", 0}}}}};
  const std::string canvas = canvas_csv(two);
  checks.expect(
      canvas.find(",PagedLab 01-02 core,") != canvas.npos && canvas.ends_with("\nAda,,12345,,,,\n"),
      "of two submissions, neither is a grade", canvas);
}

// Who has handed in nothing has no point, unless a submission is nobody's.
void check_nothing_handed_in(const Kit& kit, Checks& checks) {
  ClassState state{.labs = {&kit.manifest.labs.front()},
                   .people = {{"12345", "Ada"}, {"23456", "Alan"}},
                   .submissions = {"lovelace_12345"}};
  const auto zero = [&] { return canvas_csv(state).ends_with("\nAlan,,23456,,,0,0\n"); };
  const auto list = [&] { return summary_text(summary_of(state), state.rows.size()); };
  checks.expect(zero() && list().ends_with("nothing was handed in by\n    Alan (23456)\n"),
                "who has handed in nothing has 0", canvas_csv(state) + list());
  state.submissions.push_back("turing");
  state.rows.push_back({.name = "turing"});
  checks.expect(
      !zero() && list().ends_with("    one may belong to Alan (23456); until then, they have "
                                  "no points in canvas.csv\n"),
      "no 0 while a submission is nobody's", canvas_csv(state) + list());
  const std::string scores = scores_csv(state);
  for (const std::string said : {kWhyNobodys, "no submission has this id; one that is nobody's"})
    checks.expect(scores.find(said) != scores.npos, "a table of scores: " + said, scores);
}

// In the order of the submissions, not of what is said of them.
void check_order(Checks& checks) {
  const ClassState state{
      .rows = {{.name = "ada", .problem = "/z"}, {.name = "ben", .problem = "/a"}}};
  const std::string text = summary_text(summary_of(state), 2);
  checks.expect(text.find("    ada: /z\n    ben: /a\n") != text.npos, "the order of a list", text);
}

// The report on a lab in which four tests fail, each with the step to fix, if one is found.
Json failing_lab() {
  Json lab = {{"id", "01"},      {"state", "in progress"}, {"score", 90},           {"extra", 0},
              {"diagnosis", ""}, {"flags", Json::array()}, {"tests", Json::array()}};
  for (const char* fix : {"1.4 append", "1.6 append_n", "1.4 append", ""}) {
    lab["tests"].push_back({{"kind", "core"},
                            {"step", "1.4"},
                            {"points", 0},
                            {"max_points", 1},
                            {"fix", fix},
                            {"status", "fail"},
                            {"explained_by", ""}});
  }
  return lab;
}

Summary summary_with(const Kit& kit, const Json& lab) {
  const Json report = {{"score", 90}, {"extra", 0}, {"labs", {lab}}};
  return summary_of(
      {.labs = {&kit.manifest.labs.front()}, .rows = {{.name = "ada", .report = report}}});
}

// A list says where a lab fails, if neither a known bug nor a time limit does.
void check_unexplained(const Kit& kit, Checks& checks) {
  Json lab = failing_lab();
  const Summary unexplained = summary_with(kit, lab);
  const std::string text = summary_text(unexplained, 1);
  checks.expect(
      text.find("fail, and no known bug explains it\n    ada: lab 01: 1.4 append: 2 tests "
                "fail; 1.6 append_n: 1 test fails\n") != text.npos,
      "a failure that no known bug explains", text);
  const auto append = std::ranges::find(unexplained.steps, "1.4", &PartTally::id);
  checks.expect(append->num_causes == 1 && unexplained.steps.front().num_causes == 0,
                "how often a step has to be fixed", text);
  lab["diagnosis"] = "looks like: a known bug";
  const Summary known = summary_with(kit, lab);
  checks.expect(known.to_look_at.empty(), "a known bug needs no other word",
                summary_text(known, 1));
  lab["diagnosis"] = "";
  lab["tests"][0]["status"] = "timeout";
  const std::string limit = summary_text(summary_with(kit, lab), 1);
  checks.expect(limit.find("no known bug") == limit.npos, "nor does a time limit", limit);
}

}  // namespace

void check_class_tables(const Kit& kit, Checks& checks) {
  check_two_of_one(kit, checks);
  check_nothing_handed_in(kit, checks);
  check_order(checks);
  check_unexplained(kit, checks);
}

}  // namespace kv::grader
