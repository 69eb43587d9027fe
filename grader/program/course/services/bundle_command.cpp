#include <algorithm>
#include <cstdio>
#include <regex>

#include "common/errors.h"
#include "grader/program/base/process/process.h"
#include "grader/program/course/services/service_files.h"
#include "grader/program/course/services/service_terms.h"
#include "grader/program/student/submission/submission.h"

namespace kv::grader {
namespace {

struct BundleOptions {
  std::string service;          // of kServices
  std::string folder;           // new, or empty
  std::string repository = {};  // GitHub: of the kit, as OWNER/NAME or OWNER/NAME@REF
  ServiceTerms terms = {};
};

using services::runner_id;

using Blanks = std::vector<std::pair<std::string, std::string>>;

// What ./lab results has to know, as words of its command line.
std::string words_of(const ServiceTerms& terms, const std::vector<const LabSpec*>& labs) {
  std::vector<std::string> ids;
  for (const LabSpec* lab : labs) ids.push_back(lab->id);
  std::string words = "--labs " + join(ids, ",") + " --wall " + std::to_string(terms.wall_seconds);
  if (terms.seed) words += " --seed " + std::to_string(*terms.seed);
  if (terms.extra_visibility != "visible") words += " --extra " + terms.extra_visibility;
  return words;
}

// A file of grader/services with its blanks filled in; keeps its mode.
void fill_in(const fs::path& form, const fs::path& file, const Blanks& blanks) {
  std::string text = read_file(form);
  for (const auto& [blank, content] : blanks) text = replace_all(text, blank, content);
  fs::create_directories(file.parent_path());
  fs::copy_file(form, file);
  write_file(file, text);
}

// All that grading needs, without git and whatever else is in the clone.
void copy_kit(const Kit& kit, const fs::path& folder) {
  fs::create_directories(folder);
  for (const char* part : kBuildParts)
    fs::copy(kit.root / part, folder / part, fs::copy_options::recursive);
  for (const char* file : {"LICENSE", "lab"}) fs::copy(kit.root / file, folder / file);
}

void make_gradescope(const Kit& kit, const fs::path& folder, const std::string& words) {
  const fs::path content = kit.build / "bundle";
  fs::remove_all(content);
  for (const char* file : {"setup.sh", "run_autograder"})
    fill_in(kit.root / "grader/services/gradescope" / file, content / file, {{"@OPTIONS@", words}});
  copy_kit(kit, content / "kit");
  const fs::path zip = fs::absolute(folder / "autograder.zip");
  const Outcome outcome =
      run({.argv = {"cmake", "-E", "chdir", content.string(), "cmake", "-E", "tar", "cf",
                    zip.string(), "--format=zip", "setup.sh", "run_autograder", "kit"}});
  if (!outcome.ok()) throw MachineFailed("cannot make " + zip.string() + ": " + outcome.output);
}

// The packages that every command needs: the first lines of needs() in the script.
std::string packages_of(const std::string& lab) {
  const std::string script = lab.substr(0, lab.find("\n  case $command in"));
  static const std::regex kNeed("\n  echo '(?:command|header) \\S+ (\\S+) ");
  std::vector<std::string> packages;
  for (auto each = std::sregex_iterator(script.begin(), script.end(), kNeed);
       each != std::sregex_iterator(); ++each) {
    const std::string package = (*each)[1];
    if (std::ranges::count(packages, package) == 0) packages.push_back(package);
  }
  return join(packages, " ");
}

Blanks github_blanks(const Kit& kit,
                     const BundleOptions& options,
                     const std::vector<const LabSpec*>& labs) {
  std::vector<std::string> ids;
  std::vector<std::string> results;
  for (const LabSpec* lab : labs) {
    for (const bool is_core : {true, false}) {
      if (lab->max_points(is_core) > 0) ids.push_back(runner_id(*lab, is_core));
    }
  }
  for (const std::string& id : ids) {
    std::string name = id;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    results.push_back("          " + name + "_RESULTS: ${{ steps.pagedlab.outputs." + id + " }}");
  }
  const std::size_t at = options.repository.find('@');
  const std::string ref = at == std::string::npos ? "''" : options.repository.substr(at + 1);
  return {{"@REPOSITORY@", options.repository.substr(0, at)},
          {"@REF@", ref},
          {"@PACKAGES@", packages_of(read_file(kit.root / "lab"))},
          {"@OPTIONS@", words_of(options.terms, labs)},
          {"@RESULTS@", join(results, "\n")},
          {"@RUNNERS@", join(ids, ",")}};
}

// The stubs in starter/ stand for the files that a submission lacks.
void refuse_written_starter(const Kit& kit, const std::vector<const LabSpec*>& labs) {
  for (const LabSpec* lab : labs) {
    for (const StepSpec& step : lab->steps) {
      const fs::path file = fs::path("starter") / lab->folder / step.file;
      const std::vector<std::string> open = open_steps(read_file(kit.root / file));
      if (!step.has_stub() || std::ranges::count(open, step.number) > 0) continue;
      throw UsageError(file.string() + " holds a written " + step.heading() +
                       ", so a submission without this file would get no points in its lab; make "
                       "the bundle in a fresh clone");
    }
  }
}

void refuse_options(const BundleOptions& options) {
  static const std::regex kRepository("[A-Za-z0-9-]+/[A-Za-z0-9._-]+(@[A-Za-z0-9._/-]+)?");
  const bool is_github = options.service == "github";
  if (is_github && !std::regex_match(options.repository, kRepository))
    throw UsageError(
        "students can change the kit in their own repository; name the one that "
        "grades: --kit OWNER/NAME or --kit OWNER/NAME@COMMIT");
  if (!is_github && !options.repository.empty())
    throw UsageError("--kit is for github; the other bundles hold the kit");
  if (options.service != "gradescope" && options.terms.extra_visibility != "visible")
    throw UsageError("--extra is for gradescope; the other services show everything");
  if (fs::exists(options.folder) &&
      !(fs::is_directory(options.folder) && fs::is_empty(options.folder)))
    throw UsageError("\"" + options.folder + "\" is not an empty folder; name a new one");
}

int max_points(const std::vector<const LabSpec*>& labs) {
  int points = 0;
  for (const LabSpec* lab : labs) points += lab->max_points(true);
  return points;
}

void declare_bundle(CLI::App& app, BundleOptions& options) {
  declare_service(app, options.service);
  app.add_option("DIR", options.folder, "a new folder for what the service needs")->required();
  app.add_option("--kit", options.repository,
                 "GitHub: the repository of the kit that grades, as OWNER/NAME or\n"
                 "OWNER/NAME@COMMIT");
  declare_terms(app, options.terms);
  app.footer("docs/services.md says where the files belong, and what students see.");
}

int bundle_command(const Kit& kit, const BundleOptions& options) {
  refuse_options(options);
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.terms.labs);
  refuse_written_starter(kit, labs);
  const Lock lock(kit.build);
  const fs::path folder = options.folder;
  const std::string words = words_of(options.terms, labs);
  fs::create_directories(folder);
  const fs::path forms = kit.root / "grader" / "services" / options.service;
  std::string made = "autograder.zip";
  if (options.service == "gradescope") {
    make_gradescope(kit, folder, words);
  } else if (options.service == "github") {
    made = ".github/workflows/classroom.yml";
    fill_in(forms / "classroom.yml", folder / made, github_blanks(kit, options, labs));
  } else {
    made = "autograder.py";
    fill_in(forms / made, folder / made, {{"@OPTIONS@", words}});
    copy_kit(kit, folder / "kit");
  }
  std::printf("%s, %d points; docs/services.md says where it belongs\n",
              (folder / made).string().c_str(), max_points(labs));
  return kExitGraded;
}

}  // namespace

void add_bundle_command(CommandLine& line) {
  line.add<BundleOptions>("bundle", "what Gradescope, GitHub Classroom or Classroom 50 grades with",
                          declare_bundle, bundle_command);
}

}  // namespace kv::grader
