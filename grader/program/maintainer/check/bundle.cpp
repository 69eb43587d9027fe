#include <numeric>

#include "common/errors.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/maintainer/check/service_replica.h"
#include "grader/program/maintainer/check/service_rules.h"

namespace kv::grader {
namespace {

const std::string kQueueFile = "free_kv_cache_block_queue.cpp";
constexpr int kHalf = 56;  // points of a popleft that returns nothing
constexpr int kExtraOfAppendN = 5;

void add_submissions(const Kit& kit, ServiceReplica& replica) {
  const fs::path solution = kit.root / "solution" / kit.manifest.labs.front().folder;
  const std::string queue = read_file(solution / kQueueFile);
  const auto with_popleft = [&](const std::string& line) {
    return replace_all(queue, "  remove(*head);", "  remove(*head);\n  " + line);
  };
  const std::string compact = "compact_free_queue.cpp";
  replica.add_submission("right", {{kQueueFile, queue}, {compact, read_file(solution / compact)}});
  replica.add_submission("half", {{"homework/01-free-queue/" + kQueueFile,
                                   "#include <iostream>\n" + with_popleft("return nullptr;")}});
  // The line of the error is shown, and must not end the block that shows it.
  replica.add_submission("broken", {{kQueueFile, "int ``` = 1;\n```\n"}});
  replica.add_submission("none", {{"README.md", "nothing yet\n"}});
  replica.add_submission("slow",
                         {{kQueueFile, "#include <unistd.h>\n" + with_popleft("sleep(60);")}});
}

int sum_of(const Json& tests, const std::string& key) {
  return std::accumulate(tests.begin(), tests.end(), 0,
                         [&](int sum, const Json& test) { return sum + test[key].get<int>(); });
}

// The part of the results with this heading.
Json entry(const Json& tests, const std::string& key, const std::string& name) {
  for (const Json& test : tests) {
    if (test[key] == name) return test;
  }
  return nullptr;
}

// What holds for the file of each submission.
void check_gradescope_file(const Played& played, const std::string& name, Checks& checks) {
  const std::string broken = broken_gradescope_rule(played.results);
  checks.expect(broken.empty(), "gradescope: " + name + ": the file keeps the published rules",
                broken + "\n" + played.outcome.output);
  if (!broken.empty()) return;
  const Json& results = played.results;
  checks.expect(results["stdout_visibility"] == "hidden" && !results.contains("leaderboard") &&
                    results["output_format"] == "text",
                "gradescope: " + name + ": text, no leaderboard, hidden stdout", results.dump(2));
  if (!results.contains("tests")) return;
  checks.expect(results["score"] == sum_of(results["tests"], "score"),
                "gradescope: " + name + ": the score is the sum of the steps", results.dump(2));
}

void check_gradescope_scores(const ServiceReplica& replica, int max_extra, Checks& checks) {
  const Played right = replica.play_gradescope("right");
  check_gradescope_file(right, "right", checks);
  const Json tests = right.results["tests"];
  checks.expect(right.results["score"] == 100 + max_extra,
                "gradescope: right: 100 points and all extra ones", right.results.dump(2));
  const Json core = entry(tests, "name", "1.6 append_n");
  const Json extra = entry(tests, "name", "1.6 append_n (extra)");
  checks.expect(core["max_score"] == 18 && extra["max_score"] == kExtraOfAppendN &&
                    core["visibility"] == "visible" && extra["visibility"] == "after_due_date",
                "gradescope: the extra tests of a step are hidden by themselves", tests.dump(2));
  const Played half = replica.play_gradescope("half");
  check_gradescope_file(half, "half", checks);
  const Json popleft = entry(half.results["tests"], "name", "1.3 popleft");
  const std::string said = popleft["output"];
  checks.expect(half.results["score"] == kHalf && popleft["status"] == "failed" &&
                    said.find("yours gave nullptr") != said.npos,
                "gradescope: half: the step says what is wrong", half.results.dump(2));
  const std::string flag = "for the instructor: lab 01: ";
  checks.expect(half.outcome.output.find(flag) != std::string::npos &&
                    half.results.dump().find("instructor") == std::string::npos,
                "gradescope: flags are for the instructor only", half.outcome.output);
}

void check_gradescope_failures(const Kit& kit, const ServiceReplica& replica, Checks& checks) {
  const auto expect = [&](const std::string& name, const std::string& says) {
    const Played played = replica.play_gradescope(name);
    check_gradescope_file(played, name, checks);
    const std::string said = played.results.value("output", "");
    checks.expect(played.results.value("score", -1) >= 0 && said.find(says) != said.npos,
                  "gradescope: " + name + ": \"" + says + "\"", played.results.dump(2));
  };
  expect("broken", "does not compile");
  expect("none", "holds no file of any lab");
  const fs::path out = kit.build / "services" / "slow.json";
  const Outcome slow = run_lab(kit,
                               {"results", "gradescope", replica.submission("slow").string(),
                                out.string(), "--labs", "01", "--wall", "10"},
                               "services/autograder/source/build",
                               {{"LAB_ROOT", (replica.autograder() / "source" / "kit").string()}});
  const Json results = Json::parse(read_file(out));
  checks.expect(slow.ok() && broken_gradescope_rule(results).empty() && results["score"] == 0 &&
                    results.value("output", "").starts_with("stopped after 10 seconds"),
                "gradescope: slow: stopped, with a result", slow.output + results.dump(2));
  write_file(replica.autograder() / "source" / "kit" / "lab", "#!/bin/sh\nexit 3\n");
  expect("right", "No score, and this is not your fault");
}

void check_gradescope(ServiceReplica& replica, int max_extra, Checks& checks) {
  const Outcome made =
      replica.make("gradescope", {"--labs", "01", "--extra", "after_due_date", "--wall", "120"});
  checks.expect(made.ok() && made.output.find("autograder.zip, 100 points") != made.output.npos,
                "gradescope: the bundle is made", made.output);
  const Outcome setup = replica.set_up_gradescope();
  const std::string extra = std::to_string(max_extra) + "/" + std::to_string(max_extra);
  checks.expect(setup.ok() && setup.output.starts_with("100/100 points, " + extra + " extra"),
                "gradescope: setup.sh grades the solution", setup.output);
  if (!setup.ok()) return;
  check_gradescope_scores(replica, max_extra, checks);
}

// The reporter's own sum: over all runners that have a max_score.
void check_reported(const ServiceReplica& replica,
                    const std::string& name,
                    int points,
                    const std::string& status,
                    Checks& checks) {
  const Played played = replica.play_github(name);
  const std::string workflow = read_file(replica.file("github", ".github/workflows/classroom.yml"));
  int sum = 0;
  int maximum = 0;
  for (const std::string& id : reported_runners(workflow)) {
    const Json runner = reported_results(workflow, played.output, id);
    const std::string broken = broken_github_rule(runner);
    checks.expect(broken.empty(), "github: " + name + ": " + id + " has the reporter's format",
                  broken + "\n" + played.outcome.output);
    if (!broken.empty() || runner["max_score"] == 0) continue;
    checks.expect(runner["status"] == status, "github: " + name + ": " + id + ": " + status,
                  runner.dump());
    sum += sum_of(runner["tests"], "score");
    maximum += runner["max_score"].get<int>();
  }
  checks.expect(played.outcome.ok() && sum == points && maximum == 100,
                "github: " + name + ": " + std::to_string(points) + "/100 are reported",
                played.outcome.output + std::to_string(sum) + "/" + std::to_string(maximum));
  const std::string title = "### PagedLab: " + std::to_string(points) + "/100 points, ";
  checks.expect(played.summary.starts_with(title) && has_closed_fences(played.summary) &&
                    played.summary.find("| 1.3 popleft | ") != std::string::npos,
                "github: " + name + ": the summary of the job", played.summary);
}

void check_github(ServiceReplica& replica, Checks& checks) {
  const Outcome made = replica.make("github", {"--labs", "01", "--kit", "ada/pagedlab@v1"});
  checks.expect(made.ok(), "github: the bundle is made", made.output);
  if (!made.ok()) return;
  const std::string workflow = read_file(replica.file("github", ".github/workflows/classroom.yml"));
  checks.expect(workflow.find("repository: ada/pagedlab\n          ref: v1\n") != workflow.npos &&
                    workflow.find("libgtest-dev") != workflow.npos &&
                    workflow.find("clang-format") == workflow.npos &&
                    workflow.find('@' + std::string("OPTIONS")) == workflow.npos,
                "github: the workflow names the kit and its packages", workflow);
  check_reported(replica, "right", 100, "pass", checks);
  check_reported(replica, "half", kHalf, "fail", checks);
  check_reported(replica, "broken", 0, "fail", checks);
  check_reported(replica, "none", 0, "error", checks);
}

void check_classroom50_scores(const ServiceReplica& replica, Checks& checks) {
  const std::map<std::string, int> scores = {{"right", 100}, {"half", kHalf}, {"broken", 0}};
  for (const auto& [name, score] : scores) {
    const Played played = replica.play_classroom50(name);
    const std::string broken = broken_classroom50_rule(played.results);
    checks.expect(played.outcome.ok() && broken.empty(),
                  "classroom50: " + name + ": result.json keeps the published schema",
                  broken + "\n" + played.outcome.output + played.results.dump(2));
    if (!broken.empty()) continue;
    const Json& tests = played.results["tests"];
    checks.expect(played.results["score"] == score && played.results["max-score"] == 100 &&
                      sum_of(tests, "score") == score && sum_of(tests, "max-score") == 100,
                  "classroom50: " + name + ": " + std::to_string(score) + "/100",
                  played.results.dump(2));
    const std::string status = score == 100 ? "status=success\n" : "status=failure\n";
    checks.expect(played.output.starts_with(status) && has_closed_fences(played.summary),
                  "classroom50: " + name + ": " + status, played.output + played.summary);
    const Json extra = entry(tests, "test-name", "1.6 append_n (extra)");
    checks.expect(
        extra["max-score"] == 0 && extra["extra-score"] == (score == 100 ? kExtraOfAppendN : 0),
        "classroom50: " + name + ": extra points beside the score", extra.dump());
  }
}

void check_classroom50(ServiceReplica& replica, Checks& checks) {
  const Outcome made = replica.make("classroom50", {"--labs", "01"});
  checks.expect(made.ok(), "classroom50: the bundle is made", made.output);
  if (!is_installed("python3")) return checks.unavailable("classroom50", "python3");
  check_classroom50_scores(replica, checks);
  const Played nobody = replica.play_classroom50("right", {{"CLASSROOM", ""}});
  checks.expect(nobody.outcome.exit_code == kExitUsage && nobody.results.is_null(),
                "classroom50: a variable that is missing: no result", nobody.outcome.output);
}

}  // namespace

void check_bundle(const Kit& kit, Checks& checks) {
  check_service_rules(checks);
  check_service_use(kit, checks);
  ServiceReplica replica(kit);
  add_submissions(kit, replica);
  check_gradescope(replica, kit.manifest.lab("01").max_points(false), checks);
  check_github(replica, checks);
  check_classroom50(replica, checks);
  check_gradescope_failures(kit, replica, checks);
}

}  // namespace kv::grader
