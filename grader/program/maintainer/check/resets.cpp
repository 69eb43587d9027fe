#include "common/errors.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/steps/step_texts.h"

namespace kv::grader {
namespace {

steps::Tree reset_tree(const Kit& kit) {
  return {.name = "reset", .folder = kit.build / "reset"};
}

// What one reset does wrong in a file.
std::string wrong_reset(const Kit& kit, const LabSpec& lab, const StepSpec& step) {
  const fs::path path = reset_tree(kit).file(lab, step);
  const std::string before = read_file(path);
  const auto function = steps::find_step(kit, lab, step, before);
  if (!function) return step.heading() + " is not found\n";
  const steps::Reset reset = steps::reset_step(kit, reset_tree(kit), lab, step);
  const std::string after = read_file(path);
  const std::size_t size = function->close + 1 - function->begin;
  const bool is_kept = read_file(reset.kept) == before.substr(function->begin, size) + "\n";
  const bool is_same_outside = after.starts_with(before.substr(0, function->begin)) &&
                               after.ends_with(before.substr(function->close + 1));
  if (is_kept && is_same_outside) return "";
  return step.heading() + (is_kept ? " changes more than its function\n" : " is not kept\n");
}

// Resets all steps of the solution: then every file has to be starter's.
void check_all_steps(const Kit& kit,
                     const LabSpec& lab,
                     const std::string& line_end,
                     const std::string& name,
                     Checks& checks) {
  const auto with_line_ends = [&](const std::string& text) {
    return replace_all(text, "\n", line_end);
  };
  const fs::path folder = reset_tree(kit).folder / lab.folder;
  std::string wrong;
  for (const std::string& file : lab.files)
    write_file(folder / file, with_line_ends(kit.solution_text(lab, file)));
  for (const StepSpec& step : lab.steps)
    if (step.has_stub()) wrong += wrong_reset(kit, lab, step);
  for (const std::string& file : lab.files) {
    const std::string starter = read_file(kit.root / "starter" / lab.folder / file);
    if (read_file(folder / file) != with_line_ends(starter))
      wrong += file + " is not as in starter/\n";
  }
  checks.expect(wrong.empty(), "lab " + lab.id + name + ": all steps reset are starter/", wrong);
}

void expect_refused(const Kit& kit,
                    const std::string& number,
                    const std::string& source,
                    const std::string& says,
                    Checks& checks) {
  const LabSpec& lab = kit.manifest.lab(number.substr(0, number.find('.')));
  const StepSpec& step = lab.step(number);
  const fs::path path = reset_tree(kit).file(lab, step);
  write_file(path, source);
  std::string error;
  try {
    steps::reset_step(kit, reset_tree(kit), lab, step);
  } catch (const UsageError& refusal) {
    error = refusal.what();
  }
  checks.expect(error.find(says) != std::string::npos && read_file(path) == source,
                "reset " + number + " is refused: " + says, error);
}

void check_refusals(const Kit& kit, Checks& checks) {
  const std::string pool = kit.solution_text(kit.manifest.lab("02"), "block_pool.cpp");
  const std::string head = "void BlockPool::touch(";
  expect_refused(kit, "2.3", read_file(kit.root / "starter/02-block-pool/block_pool.cpp"),
                 "is the stub already", checks);
  expect_refused(kit, "2.3", replace_all(pool, head, "{ " + head), "has no partner", checks);
  expect_refused(kit, "2.3", replace_all(pool, head, ") " + head), "has no partner", checks);
  expect_refused(kit, "2.3", replace_all(pool, head, "void BlockPool::tuoch("),
                 "the function of step 2.3 touch is not found", checks);
  // touch lacks its last brace, and there is one too many at the end of the file.
  const std::string next = "void BlockPool::free_blocks(";
  const std::string swallows = replace_all(pool, "}\n\n" + next, "\n" + next);
  expect_refused(kit, "2.3", replace_all(swallows, "}  // namespace kv", "}\n}  // namespace kv"),
                 "the function of step 2.4 free_blocks is not found", checks);
  expect_refused(kit, "3.16", "", "has no stub of its own: it rewrites 3.8 ", checks);
}

// A helper with the name of a step is not the step.
void check_overload(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("05");
  const StepSpec& step = lab.step("5.2");
  const fs::path path = reset_tree(kit).file(lab, step);
  const std::string helper = "void write_kv(int row) {\n  row = 0;\n}\n";
  write_file(path, replace_all(kit.solution_text(lab, step.file), "namespace kv {\n",
                               "namespace kv {\n" + helper));
  steps::reset_step(kit, reset_tree(kit), lab, step);
  const std::string after = read_file(path);
  checks.expect(after.find(helper) != std::string::npos && open_steps(after).size() == 1,
                "a helper with the name of a step stays", after);
}

// Begins again twice, in a file that only its owner may read.
void check_files(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("01");
  const StepSpec& step = lab.steps.front();
  const fs::path path = reset_tree(kit).file(lab, step);
  constexpr fs::perms kMode = fs::perms::owner_read | fs::perms::owner_write;
  std::vector<fs::path> kept;
  for (int i = 0; i < 2; ++i) {
    write_file(path, kit.solution_text(lab, step.file));
    fs::permissions(path, kMode);
    kept.push_back(steps::reset_step(kit, reset_tree(kit), lab, step).kept);
  }
  checks.expect(fs::status(path).permissions() == kMode, "a reset keeps the mode of the file");
  checks.expect(kept[0] != kept[1] && fs::exists(kept[0]),
                "what a reset keeps is not overwritten by the next");
}

}  // namespace

void check_resets(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    check_all_steps(kit, lab, "\n", "", checks);
    check_all_steps(kit, lab, "\r\n", ", CRLF", checks);
  }
  check_refusals(kit, checks);
  check_overload(kit, checks);
  check_files(kit, checks);
}

}  // namespace kv::grader
