#include "base/commands/common_options.h"

#include <unistd.h>

#include "base/text/text.h"

namespace kv::grader {
namespace {

// Why a file cannot be written there, as far as can be seen; empty: it can.
std::string why_not_written(const std::string& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) return "cannot write " + file + ": it is a folder";
  fs::path place = file;
  const bool is_special = fs::exists(place, error) && !fs::is_regular_file(place, error);
  if (!is_special) place = fs::absolute(place).parent_path();
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const bool is_writable = is_special || fs::is_directory(place, error);
  if (is_writable && ::access(place.c_str(), W_OK) == 0) return "";
  return "cannot write " + file + ": " + place.string() + " cannot be written, or is no folder";
}

}  // namespace

// Why one value a time: the next word is the folder of the submissions.
void declare_only_labs(CommandForm& form, std::vector<std::string>& labs) {
  form.option("--labs", labs, "only these labs, as 01-03 or 01,02; all if none is given")
      .comma_separated()
      .one_value_a_time();
}

void declare_tree(CommandForm& form, std::string& tree) {
  form.option("--tree", tree, "starter (default), solution, or a folder with your files");
}

void declare_labs(CommandForm& form, std::vector<std::string>& labs, const std::string& what) {
  form.argument("LAB", labs,
                "labs to " + what + ": 1, 01, 01-free-queue or 1-3; all if none is given");
}

// Why by hand: CLI11 takes -1 for the largest number.
void declare_seed(CommandForm& form, Variable seed, const std::string& purpose) {
  form.option("--seed", seed, purpose).check([](const std::string& text) {
    return text.starts_with('-') ? "a seed is a number from 0" : "";
  });
}

void declare_output(CommandForm& form,
                    const std::string& name,
                    std::string& file,
                    const std::string& purpose) {
  form.option(name, file, purpose).check(why_not_written);
}

}  // namespace kv::grader
