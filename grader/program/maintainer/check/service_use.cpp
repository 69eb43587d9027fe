#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/maintainer/check/service_rules.h"

namespace kv::grader {
namespace {

void expect_broken(Checks& checks,
                   std::string (*rule)(const Json&),
                   const char* text,
                   const std::string& says) {
  const std::string broken = rule(Json::parse(text));
  checks.expect(broken == says, "a rule of the services: " + (says.empty() ? "kept" : says),
                broken + ": " + text);
}

void check_gradescope_rules(Checks& checks) {
  const auto expect = [&](const char* text, const std::string& says) {
    expect_broken(checks, broken_gradescope_rule, text, says);
  };
  expect(R"({"score": 1.5, "tests": [{"name": "a", "status": "passed"}]})", "");
  expect(R"({"output": "no score"})", "neither a score nor tests");
  expect(R"({"tests": [{"name": "a"}]})", "a test without a score");
  expect(R"({"score": "1"})", "score has another type");
  expect(R"({"score": 1, "max_score": 2})", "max_score is unknown");
  expect(R"({"score": 1, "visibility": "never"})", "visibility cannot be never");
  expect(R"({"score": 1, "tests": [{"status": "pass"}]})", "tests: status cannot be pass");
}

void check_github_rules(Checks& checks) {
  const auto expect = [&](const char* text, const std::string& says) {
    expect_broken(checks, broken_github_rule, text, says);
  };
  expect(R"({"version": 1, "status": "pass", "max_score": 1, "tests": []})", "no tests");
  expect(R"({"version": 1, "status": "pass", "tests": []})", "max_score is missing");
  expect(R"({"version": 1, "status": "ok", "max_score": 1, "tests": []})", "status cannot be ok");
  expect(R"({"version": 1, "status": "pass", "max_score": 1, "tests": [{"name": "a"}]})",
         "tests: duration is missing");
}

void check_classroom50_rules(Checks& checks) {
  Json result = {{"schema", "classroom50/result/v1"},
                 {"classroom", "a"},
                 {"assignment", "b"},
                 {"assignment_type", "group"},
                 {"owner", "c"},
                 {"submission", "submit/1"},
                 {"commit", "d"},
                 {"release", "e"},
                 {"review", "f"},
                 {"datetime", "2026-03-09T17:30:00Z"},
                 {"score", 1},
                 {"max-score", 2},
                 {"tests", Json::array()}};
  const auto expect = [&](const std::string& key, const Json& value, const std::string& says) {
    Json changed = result;
    changed[key] = value;
    expect_broken(checks, broken_classroom50_rule, changed.dump().c_str(), says);
  };
  expect("score", 2, "");
  expect("score", 3, "score above max-score");
  expect("score", 1.5, "score has another type");
  expect("usernames", Json::array(), "usernames is unknown");
  expect("owner", "", "owner does not match .");
  expect("datetime", "2026-03-09T24:30:00Z",
         "datetime does not match ^\\d{4}-\\d{2}-\\d{2}T"
         "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$");
  expect("tests", {{{"test-name", "a"}, {"passed", true}, {"score", 1}, {"max-score", 0}}},
         "tests: score above max-score");
}

void check_bundle_use(const KitCopy& copy, Checks& checks) {
  const std::string folder = (copy.root() / "bundle").string();
  const auto expect = [&](const std::string& name, std::vector<std::string> arguments,
                          const std::string& says) {
    arguments.insert(arguments.begin(), "bundle");
    expect_sentence(checks, name, copy.lab(arguments), kExitUsage, says);
    checks.expect(!fs::exists(folder), name + ": nothing is made");
  };
  expect("no such service", {"canvas", folder}, "canvas");
  expect("a workflow without a kit", {"github", folder}, "--kit OWNER/NAME");
  expect("a repository that is none", {"github", folder, "--kit", "https://x/y/z"}, "--kit OWNER/");
  expect("a kit for Gradescope", {"gradescope", folder, "--kit", "a/b"}, "--kit is for github");
  expect("hidden tests on GitHub", {"github", folder, "--kit", "a/b", "--extra", "hidden"},
         "--extra is for gradescope");
  expect("no such visibility", {"gradescope", folder, "--extra", "never"}, "--extra");
  expect("no such lab", {"classroom50", folder, "--labs", "99"}, "there is no lab \"99\"");
  expect("a wall of a second", {"classroom50", folder, "--wall", "1"}, "--wall");
  expect_sentence(checks, "a folder that is not empty",
                  copy.lab({"bundle", "classroom50", copy.root().string()}), kExitUsage,
                  "is not an empty folder; name a new one");
  const std::string file = "01-free-queue/free_kv_cache_block_queue.cpp";
  write_file(copy.root() / "starter" / file, read_file(copy.root() / "solution" / file));
  expect("a starter that is written", {"classroom50", folder},
         "starter/" + file + " holds a written 1.1 get_all_free_blocks");
}

void check_results_use(const KitCopy& copy, Checks& checks) {
  const std::string here = copy.root().string();
  const std::string out = (copy.root() / "out.json").string();
  const auto expect = [&](const std::string& name, const std::vector<std::string>& arguments,
                          const std::string& says) {
    expect_sentence(checks, name, copy.lab(arguments), kExitUsage, says);
    checks.expect(!fs::exists(out), name + ": no file is written");
  };
  expect("no such submission", {"results", "github", "/nowhere", out}, "no folder \"/nowhere\"");
  expect("a folder to write", {"results", "github", here, here}, "is a folder; name the file");
  expect("no environment of a runner", {"results", "classroom50", here, out}, "is not set");
}

// The folder of the worker cannot be made: nobody can be graded.
void check_no_score(const KitCopy& copy, Checks& checks) {
  const std::string starter = (copy.root() / "starter").string();
  const fs::path out = copy.root() / "out.json";
  const fs::path outputs = copy.root() / "outputs";
  const fs::path summary = copy.root() / "summary.md";
  write_file(copy.root() / "build" / "service", "no folder\n");
  const Outcome github =
      copy.lab({"results", "github", starter, out.string()},
               {{"GITHUB_OUTPUT", outputs.string()}, {"GITHUB_STEP_SUMMARY", summary.string()}});
  const std::string sentence = "No score, and this is not your fault: ";
  checks.expect(github.exit_code == kExitKitBroken && !fs::exists(out) && !fs::exists(outputs) &&
                    read_file(summary).find(sentence) != std::string::npos,
                "github: a machine that fails: exit 3, a summary, nothing for the reporter",
                github.output);
  const Outcome gradescope = copy.lab({"results", "gradescope", starter, out.string()});
  const Json results = Json::parse(fs::exists(out) ? read_file(out) : "{}");
  checks.expect(gradescope.exit_code == kExitKitBroken && broken_gradescope_rule(results).empty() &&
                    results["score"] == 0 && results.value("output", "").starts_with(sentence),
                "gradescope: a machine that fails: exit 3, and a result that says so",
                gradescope.output);
}

}  // namespace

void check_service_rules(Checks& checks) {
  check_gradescope_rules(checks);
  check_github_rules(checks);
  check_classroom50_rules(checks);
  checks.expect(has_closed_fences("a\n````text\n```\n````\nb\n") &&
                    !has_closed_fences("```text\n```\n```\n") && !has_closed_fences("```\na\n"),
                "a block of Markdown that is not closed is found");
}

void check_service_use(const Kit& kit, Checks& checks) {
  const KitCopy copy(kit);
  check_bundle_use(copy, checks);
  check_results_use(copy, checks);
  check_no_score(copy, checks);
}

}  // namespace kv::grader
