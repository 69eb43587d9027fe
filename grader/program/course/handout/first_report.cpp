#include "grader/program/course/handout/first_report.h"

#include "grader/program/student/submission/submission.h"

namespace kv::grader::handout {
namespace {

// KV_TODO lines in starter/ for which there are core points.
int num_core_stubs(const Kit& kit, const LabSpec& lab) {
  int count = 0;
  for (const std::string& file : lab.files) {
    for (const std::string& step :
         open_steps(read_file(kit.root / "starter" / lab.folder / file))) {
      count += lab.is_core(lab.step(step)) ? 1 : 0;
    }
  }
  return count;
}

std::string rows_of(const LabSpec& lab) {
  const StepSpec& first = lab.steps.front();
  std::string title = "lab " + lab.id + "  " + lab.title;
  title.resize(29, ' ');
  return title + "not started         0/" + std::to_string(lab.max_points(true)) + "  +0/" +
         std::to_string(lab.max_points(false)) + "\n    first read  labs/" + lab.folder +
         "/README.md  (the lab takes " + lab.hours + " hours)\n    next: write step " +
         first.heading() + " in starter/" + lab.folder + "/" + first.file + "\n";
}

// The sum of "2-3" and "4-6" is "6–9 hours".
std::string hours_of(const std::vector<const LabSpec*>& labs) {
  int least = 0, most = 0;
  for (const LabSpec* lab : labs) {
    least += std::stoi(lab->hours);
    most += std::stoi(lab->hours.substr(lab->hours.find('-') + 1));
  }
  return std::to_string(least) + "–" + std::to_string(most) + " hours";
}

}  // namespace

FirstReport first_report(const Kit& kit, const std::vector<const LabSpec*>& labs) {
  FirstReport report;
  int core = 0, extra = 0, num_stubs = 0;
  for (const LabSpec* lab : labs) {
    num_stubs += num_core_stubs(kit, *lab);
    core += lab->max_points(true);
    extra += lab->max_points(false);
  }
  report.first_lab = rows_of(*labs.front());
  report.stubs = "core stubs left: " + std::to_string(num_stubs) + ")";
  report.total =
      "total 0/" + std::to_string(core) + " core, +0/" + std::to_string(extra) + " extra";
  report.hours = hours_of(labs);
  return report;
}

}  // namespace kv::grader::handout
