#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "grader/proof/check/bug_signatures.h"
#include "grader/proof/check/near_misses.h"

namespace kv::grader {
namespace {

struct SignaturesOptions {
  std::vector<std::string> labs;  // empty: all
  std::vector<std::string> bugs;  // empty: all; else the others keep their signatures
  bool explain = false;           // print the messages, write nothing
};

void declare_signatures(CommandForm& form, SignaturesOptions& options) {
  declare_labs(form, options.labs, "try");
  form.option("--bug", options.bugs, "of these bugs only; the others keep what is written");
  form.flag("--explain", options.explain,
            "print the messages of the failing tests, and whether they agree with the digests "
            "that are written; writes nothing");
}

void require_known(const LabSpec& lab,
                   const BugTrees& trees,
                   const std::vector<std::string>& asked) {
  for (const std::string& name : asked) {
    if (std::ranges::count(trees.bugs(), name, &Variation::name) == 0)
      throw UsageError("lab " + lab.id + " has no known bug " + name +
                       "; their names are in grader/proof/cases/" + lab.folder + "/known_bugs.txt");
  }
}

// The signatures of the other bugs stay as they are written.
void add_kept(const std::vector<Signature>& written,
              const BugTrees& trees,
              std::vector<Signature>& signatures) {
  std::vector<Signature> all;
  for (const Variation& bug : trees.bugs()) {
    for (const std::vector<Signature>* of : {&std::as_const(signatures), &written}) {
      const auto found = std::ranges::find(*of, bug.name, &Signature::name);
      if (found == of->end()) continue;
      all.push_back(*found);
      break;
    }
  }
  signatures = std::move(all);
}

void explain(const Kit& kit,
             const LabSpec& lab,
             const std::vector<std::string>& asked,
             ScratchBuild& build) {
  const std::vector<Signature> written = load_signatures(kit, lab);
  BugTrees trees(kit, lab, BugTrees::Tests::kAll);
  require_known(lab, trees, asked);
  const auto print = [&](const Variation& bug, const LabResult& result, const Signature& now) {
    if (bug.is_near_miss()) return;
    const auto before = std::ranges::find(written, bug.name, &Signature::name);
    const std::string text =
        explained(now, before == written.end() ? Signature{} : *before, messages_of(result));
    std::printf("lab %s %s\n%s\n", lab.id.c_str(), bug.name.c_str(), indent(text, "  ").c_str());
  };
  grade_bugs(kit, trees, build, std::nullopt, print, asked);
}

void write(const Kit& kit,
           const LabSpec& lab,
           const std::vector<std::string>& asked,
           ScratchBuild& build) {
  // The old file may be damaged, so it is read with --bug only.
  std::vector<Signature> written;
  if (!asked.empty()) written = load_signatures(kit, lab);
  BugTrees trees(kit, lab, BugTrees::Tests::kAll);
  require_known(lab, trees, asked);
  const auto nothing = [](const Variation&, const LabResult&, const Signature&) {};
  std::vector<Signature> signatures = grade_bugs(kit, trees, build, std::nullopt, nothing, asked);
  forget_names(make_near_misses(kit, lab, signatures), signatures);
  if (!asked.empty()) add_kept(written, trees, signatures);
  write_signatures(kit, lab, signatures);
  std::printf("wrote %s\n", fs::relative(signatures_file(kit, lab), kit.root).c_str());
}

int signatures_command(const Kit& kit, const SignaturesOptions& options) {
  const Lock lock(kit.build);
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec* lab : kit.manifest.chosen(options.labs))
    (options.explain ? explain : write)(kit, *lab, options.bugs, build);
  return kExitGraded;
}

}  // namespace

void add_signatures_command(CommandLine& line) {
  line.add<SignaturesOptions>("signatures", declare_signatures, signatures_command);
}

}  // namespace kv::grader
