#include "grader/program/maintainer/check/service_replica.h"

#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

std::string text_of(const fs::path& file) {
  return fs::exists(file) ? read_file(file) : "";
}

Json json_of(const fs::path& file) {
  return fs::exists(file) ? Json::parse(read_file(file), nullptr, false) : Json(nullptr);
}

void replace_folder(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

}  // namespace

ServiceReplica::ServiceReplica(const Kit& kit) : kit_(kit), folder_(kit.build / "services") {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

void ServiceReplica::add_submission(const std::string& name,
                                    const std::map<std::string, std::string>& files) {
  for (const auto& [path, text] : files) {
    fs::create_directories((submission(name) / path).parent_path());
    write_file(submission(name) / path, text);
  }
}

fs::path ServiceReplica::file(const std::string& service, const std::string& name) const {
  return folder_ / "bundles" / service / name;
}

Outcome ServiceReplica::make(const std::string& service, const std::vector<std::string>& options) {
  fs::create_directories(folder_ / "bundles");
  std::vector<std::string> arguments = {"bundle", service, file(service, "").string()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_lab(kit_, arguments, "inner-bundle");
  if (!outcome.ok()) return outcome;
  if (service == "gradescope") lay_out_gradescope();
  if (service == "classroom50") replace_lab(file(service, "kit"));
  return outcome;
}

// Gradescope makes its image so: the zip in source/, run_autograder beside it.
void ServiceReplica::lay_out_gradescope() const {
  const fs::path source = autograder() / "source";
  fs::create_directories(source);
  run_in(source, {"cmake", "-E", "tar", "xf", file("gradescope", "autograder.zip").string()}, {});
  fs::copy_file(source / "run_autograder", autograder() / "run_autograder");
  replace_lab(source / "kit");
}

// All bundles share the build of the one for Gradescope: one build takes half a minute.
void ServiceReplica::replace_lab(const fs::path& kit) const {
  const fs::path source = autograder() / "source";
  write_file(kit / "lab", "#!/bin/sh\nLAB_ROOT='" + (source / "kit").string() +
                              "' LAB_BUILD_DIR='" + (source / "build").string() + "' exec '" +
                              kit_.program.string() + "' \"$@\"\n");
  fs::permissions(kit / "lab", fs::perms::owner_all);
}

Outcome ServiceReplica::run_in(const fs::path& folder,
                               const std::vector<std::string>& argv,
                               const std::map<std::string, std::string>& environment) const {
  Command command{.argv = {"sh", "-c", "cd \"$0\" && exec \"$@\"", folder.string()},
                  .environment = environment};
  command.argv.insert(command.argv.end(), argv.begin(), argv.end());
  return run(command);
}

Outcome ServiceReplica::set_up_gradescope() const {
  return run_in(autograder() / "source", {"./setup.sh"}, {});
}

Played ServiceReplica::play_gradescope(const std::string& name) const {
  replace_folder(submission(name), autograder() / "submission");
  Played played{.outcome = run_in(autograder(), {"./run_autograder"}, {})};
  played.results = json_of(autograder() / "results" / "results.json");
  return played;
}

// A workspace with both checkouts, and the files that the runner names.
Played ServiceReplica::play_github(const std::string& name) const {
  const fs::path workspace = folder_ / "workspace";
  const fs::path temp = folder_ / "runner-temp";
  for (const fs::path& each : {workspace, temp}) {
    fs::remove_all(each);
    fs::create_directories(each);
  }
  fs::copy(submission(name), workspace / "submission", fs::copy_options::recursive);
  fs::create_directories(workspace / "kit");
  replace_lab(workspace / "kit");
  const std::string workflow = read_file(file("github", ".github/workflows/classroom.yml"));
  Played played{.outcome =
                    run_in(workspace, {"sh", "-e", "-c", commands_of_step(workflow, "Grade")},
                           {{"RUNNER_TEMP", temp.string()},
                            {"GITHUB_OUTPUT", (temp / "output").string()},
                            {"GITHUB_STEP_SUMMARY", (temp / "summary").string()}})};
  played.results = json_of(temp / "results.json");
  played.output = text_of(temp / "output");
  played.summary = text_of(temp / "summary");
  return played;
}

// The runner's helper variables, with the student's checkout as the working folder.
Played ServiceReplica::play_classroom50(const std::string& name,
                                        std::map<std::string, std::string> environment) const {
  const fs::path checkout = folder_ / "checkout";
  const fs::path output = folder_ / "classroom50-output";
  replace_folder(submission(name), checkout);
  fs::remove(output);
  environment.merge(
      std::map<std::string, std::string>{{"CLASSROOM", "llm-serving"},
                                         {"ASSIGNMENT", "free-queue"},
                                         {"ASSIGNMENT_TYPE", "individual"},
                                         {"USERNAME", "ada"},
                                         {"OWNER", "ada"},
                                         {"SUBMISSION_TAG", "submit/2026-03-09T17-30-00Z-0123456"},
                                         {"COMMIT_URL", "https://example.org/commit/0123456"},
                                         {"RELEASE_URL", "https://example.org/releases/tag/submit"},
                                         {"REVIEW_URL", "https://example.org/compare/0...1"},
                                         {"GITHUB_OUTPUT", output.string()}});
  const std::string script = file("classroom50", "autograder.py").string();
  Played played{.outcome = run_in(checkout, {"python3", script}, environment)};
  played.results = json_of(checkout / "result.json");
  played.output = text_of(output);
  played.summary = text_of(checkout / "release-body.md");
  return played;
}

std::string commands_of_step(const std::string& workflow, const std::string& step) {
  const std::string margin(10, ' ');
  std::string commands;
  bool is_in_step = false;
  for (const std::string& line : split_lines(workflow)) {
    if (line.starts_with("      - name: ")) is_in_step = line == "      - name: " + step;
    const bool is_command = line.starts_with(margin) && line.find(": ") == std::string::npos;
    if (is_in_step && is_command) commands += line.substr(margin.size()) + "\n";
  }
  return commands;
}

}  // namespace kv::grader
