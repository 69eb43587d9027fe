#include <algorithm>
#include <cstdio>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "base/text/text.h"
#include "simt/cli/simt.h"
#include "simt/cli/simt_build.h"

namespace kv::grader {
namespace {

// The first run that did not end with exit code 0. Empty if there is none.
std::string bad_end(const Json& all) {
  for (const auto& run : all["runs"]) {
    const bool is_first = run == all["runs"].front();
    const std::string which = is_first ? "" : ", in its " + run["run"].get<std::string>() + " run";
    if (run.contains("signal")) {
      return "the program was ended by signal " + run["signal"].dump() + which;
    }
    if (run["exit_code"] != 0) {
      return "the program ended with exit code " + run["exit_code"].dump() + which;
    }
  }
  return "";
}

void declare_outputs(CommandForm& form, SimtOptions& options) {
  form.flag("--annotate", options.annotate, "show the source with its costs");
  form.option("--format", options.format,
              "text; sanitizer: the findings as compute-sanitizer prints them; ncu: the counts "
              "in the sections of Nsight Compute")
      .one_of({"text", "sanitizer", "ncu"});
  declare_output(form, "--html", options.page,
                 "write a page: the source with its costs, accesses drawn, a block step by step");
  declare_output(form, "--json", options.json_file, "write the report to this file");
}

void declare_simt(CommandForm& form, SimtOptions& options) {
  form.argument("FILE", options.files, "the sources of a CUDA program; after --: its arguments")
      .required();
  form.hidden("--argument", options.arguments);
  form.option(
      "--call", options.call,
      "for a file without main: a call, as \"solve(float[1000], float[1000], 1000)\", where "
      "float[1000] is an array on the device");
  form.option("-I", options.include_folders, "a folder of headers").one_value_a_time();
  form.option("-D", options.macros, "a macro: NAME or NAME=VALUE").one_value_a_time();
  form.option("--std", options.standard,
              "the C++ standard, as -std=c++20; older ones are compiled as C++20");
  form.option("--cuda", options.cuda, "the CUDA whose names there are; 13 removed some of 12")
      .one_of({"12", "13"});
  form.flag("--extended-lambda", options.has_extended_lambda,
            "lambdas may be __device__, as with this option of nvcc");
  form.option("--schedule", options.schedule, "order of threads: forward, reverse or both")
      .one_of({"forward", "reverse", "both"});
  form.option("-O", options.level,
              "optimization level of all runs; by default 0 to check and 1 to profile")
      .one_of({"0", "1"});
  form.flag("--no-profile", options.no_profile, "only check");
  form.flag("--occurrences", options.occurrences, "profile without lockstep: faster, less exact");
  declare_outputs(form, options);
  form.option("--compiler", options.compiler, "g++ or clang++; the default is CXX, or c++");
  form.footer("exit codes: 0 clean, 1 findings, 2 wrong use, or it does not compile");
}

void print_text(const Json& all, const SimtOptions& options, const std::string& how_it_ended) {
  std::printf("%s", simt_findings(all).c_str());
  if (!how_it_ended.empty()) std::printf("%s\n", how_it_ended.c_str());
  if (all["has_abandoned_launches"] && !options.no_profile) {
    std::printf("no profile: a launch was abandoned, so its counts would mean nothing\n");
  }
  std::printf("%s", options.annotate ? simt_listing(all).c_str() : simt_profile(all).c_str());
  std::printf("\n%s", simt_checkers(all).c_str());
}

// Why a program with bugs has no counts: they may be those of the bugs.
void print_counts(const Json& all) {
  if (all["findings"].empty()) return void(std::printf("%s", simt_ncu(all).c_str()));
  std::printf("\nno counts: this program has %s; leave out --format to see them\n",
              plural(all["findings"].size(), "finding").c_str());
}

int simt_command(const SimtPlaces& places, const SimtOptions& given) {
  if (given.format == "ncu" && given.no_profile)
    throw UsageError("--format ncu shows what --no-profile leaves out; leave out one of them");
  if (!given.page.empty() && (given.no_profile || given.format == "sanitizer"))
    throw UsageError("--html needs the profile: leave out --no-profile and --format sanitizer");
  const Lock lock(places.build);
  SimtOptions options = given;
  options.no_profile |= options.format == "sanitizer";
  if (!options.call.empty()) {
    if (options.files.size() > 1) throw UsageError("--call takes one file");
    options.files = {write_caller(options.files.front(), options.call, places.build / "simt-call")};
  }
  const Json all = run_simt(places, options);
  if (!options.json_file.empty()) write_file(options.json_file, all.dump(2) + "\n");
  const std::string how_it_ended = bad_end(all);
  if (!options.page.empty()) write_simt_page(places, all, options.page);
  if (options.format == "text") print_text(all, options, how_it_ended);
  if (options.format == "sanitizer") std::printf("%s", simt_sanitizer(all).c_str());
  if (options.format == "ncu") print_counts(all);
  return all["findings"].empty() && how_it_ended.empty() ? kExitGraded : kExitNotFull;
}

}  // namespace

SimtPlaces places_in_kit(const Kit& kit) {
  return {.root = kit.root,
          .runtime = kit.program.parent_path() / "libsimt_runtime.a",
          .build = kit.build,
          .manual = "simt/docs/simt.md",
          .more_headers = {kit.root / "labs"}};
}

std::vector<std::string> readable_simt_options(std::vector<std::string> words) {
  if (words.size() < 2 || words[1] != "simt") return words;
  const auto dashes = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != dashes; ++word) {
    if (word->starts_with("-std=")) word->insert(0, "-");
  }
  const std::vector<std::string> arguments(dashes == words.end() ? dashes : dashes + 1,
                                           words.end());
  words.erase(dashes, words.end());
  for (const std::string& argument : arguments) words.push_back("--argument=" + argument);
  return words;
}

void add_simt_command(CommandLine& line, SimtPlaces (*find)(const Kit& kit)) {
  line.add<SimtOptions>("simt", declare_simt, [find](const Kit& kit, const SimtOptions& options) {
    return simt_command(find(kit), options);
  });
}

}  // namespace kv::grader
