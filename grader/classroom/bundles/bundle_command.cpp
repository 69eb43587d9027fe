#include <algorithm>
#include <cstdio>

#include "base/kit/closed_labs.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/classroom/bundles/service_terms.h"
#include "grader/classroom/handout/handout.h"
#include "grader/classroom/handout/repository.h"
#include "grader/engine/submission/stubs.h"

namespace kv::grader {
namespace {

using handout::files_of;
using handout::manifest_text;
using handout::prebuilt_objects;
using handout::Terms;
using handout::tracked_files;

struct BundleOptions {
  std::string service;  // one of kServices
  std::string folder;   // new, or empty
  ServiceTerms terms = {};
};

// What ./lab results has to know, as words of its command line.
std::string words_of(const ServiceTerms& terms, const std::vector<const LabSpec*>& labs) {
  std::string words =
      "--labs " + join(ids_of(labs), ",") + " --wall " + std::to_string(terms.wall_seconds);
  if (terms.seed) words += " --seed " + std::to_string(*terms.seed);
  if (terms.extra_visibility != "visible") words += " --extra " + terms.extra_visibility;
  return words;
}

// A script that calls ./lab results with these words; keeps its mode.
void write_script(const fs::path& form, const fs::path& file, const std::string& words) {
  fs::create_directories(file.parent_path());
  fs::copy_file(form, file);
  write_file(file, replace_all(read_file(form), "@OPTIONS@", words));
}

// The labs and those that they need, each with its solution or without.
Terms terms_to_grade(const Kit& kit, const std::vector<const LabSpec*>& labs, bool is_open) {
  Terms terms;
  for (const LabSpec* lab : labs) {
    terms.labs.insert(lab->id);
    terms.labs.insert(lab->needs.begin(), lab->needs.end());
  }
  if (is_open) terms.open = terms.labs;
  for (const LabSpec& lab : kit.manifest.labs)
    if (terms.is_closed(lab)) refuse_if_closed(kit, lab, "./lab bundle");
  return terms;
}

// What a handout has of the files that git tracks, and the rooms of ./lab results.
std::map<std::string, fs::path> files_to_grade(const Kit& kit, const Terms& terms) {
  std::map<std::string, fs::path> files = files_of(kit, terms);
  std::erase_if(files, [](const auto& file) {
    const std::string top = file.first.substr(0, file.first.find('/'));
    return top != "LICENSE" && top != "lab" && std::ranges::count(kBuildParts, top) == 0;
  });
  for (const std::string& name : tracked_files(kit.root)) {
    const bool is_of_teachers = name.starts_with("grader/classroom/");
    const std::string end = fs::path(name).extension();
    if (is_of_teachers && (end == ".cpp" || end == ".h")) files[name] = kit.root / name;
  }
  for (const LabSpec& lab : kit.manifest.labs)
    if (terms.is_closed(lab)) files.merge(prebuilt_objects(kit, lab));
  return files;
}

// All that grading these labs needs, and nothing else of the clone.
void copy_kit(const Kit& kit, const Terms& terms, const fs::path& folder) {
  for (const auto& [name, place] : files_to_grade(kit, terms)) {
    fs::create_directories((folder / name).parent_path());
    fs::copy_file(place, folder / name);
  }
  write_file(folder / "labs/manifest.json", manifest_text(kit, terms));
}

// Returns what to upload.
fs::path make_gradescope(const Kit& kit,
                         const std::vector<const LabSpec*>& labs,
                         const fs::path& folder,
                         const std::string& words) {
  const fs::path content = kit.build / "bundle";
  fs::remove_all(content);
  for (const char* file : {"setup.sh", "run_autograder"})
    write_script(kit.root / "grader/classroom/bundles/gradescope" / file, content / file, words);
  // Why open: students do not see the zip, and the image has another compiler than this machine.
  copy_kit(kit, terms_to_grade(kit, labs, /*is_open=*/true), content / "kit");
  const fs::path zip = fs::absolute(folder / "autograder.zip");
  const Outcome outcome =
      run({.argv = {"cmake", "-E", "chdir", content.string(), "cmake", "-E", "tar", "cf",
                    zip.string(), "--format=zip", "setup.sh", "run_autograder", "kit"}});
  if (!outcome.ok()) throw MachineFailed("cannot make " + zip.string() + ": " + outcome.output);
  return folder / "autograder.zip";
}

// Returns what Classroom 50 runs. It publishes the folder, so no solution is in it.
fs::path make_classroom50(const Kit& kit,
                          const std::vector<const LabSpec*>& labs,
                          const fs::path& folder,
                          const std::string& words) {
  const fs::path script = folder / "autograder.py";
  write_script(kit.root / "grader/classroom/bundles/classroom50/autograder.py", script, words);
  copy_kit(kit, terms_to_grade(kit, labs, /*is_open=*/false), folder / "kit");
  return script;
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
  if (options.service != "gradescope" && options.terms.extra_visibility != "visible")
    throw UsageError("--extra is for gradescope; Classroom 50 shows everything");
  if (fs::exists(options.folder) &&
      !(fs::is_directory(options.folder) && fs::is_empty(options.folder)))
    throw UsageError("\"" + options.folder + "\" is not an empty folder; name a new one");
}

int max_points(const std::vector<const LabSpec*>& labs) {
  int points = 0;
  for (const LabSpec* lab : labs) points += lab->max_points(true);
  return points;
}

void declare_bundle(CommandForm& form, BundleOptions& options) {
  declare_service(form, options.service);
  form.argument("DIR", options.folder, "a new folder for what the service needs").required();
  declare_terms(form, options.terms);
  form.footer(
      "grader/classroom/docs/services.md says where the files belong, and what students see.");
}

int bundle_command(const Kit& kit, const BundleOptions& options) {
  refuse_options(options);
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.terms.labs);
  refuse_written_starter(kit, labs);
  const Lock lock(kit.build);
  const fs::path folder = options.folder;
  const std::string words = words_of(options.terms, labs);
  fs::create_directories(folder);
  const auto make = options.service == "gradescope" ? make_gradescope : make_classroom50;
  const fs::path made = make(kit, labs, folder, words);
  std::printf("%s, %d points; grader/classroom/docs/services.md says where it belongs\n",
              made.string().c_str(), max_points(labs));
  return kExitGraded;
}

}  // namespace

void add_bundle_command(CommandLine& line) {
  line.add<BundleOptions>("bundle", declare_bundle, bundle_command);
}

}  // namespace kv::grader
