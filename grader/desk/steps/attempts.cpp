#include "grader/desk/steps/attempts.h"

#include <fstream>

namespace kv::grader::steps {
namespace {

constexpr std::size_t kShownDigits = 12;

// The lab's files as they were graded.
std::string digest_of(const Kit& kit, const Submission& submission, const LabSpec& lab) {
  std::vector<std::string> files;
  for (const std::string& file : lab.files) files.push_back(lab.folder + "/" + file);
  return digest_over(sha256(submission.stage, files), kit.build / "attempt")
      .substr(0, kShownDigits);
}

}  // namespace

void log_attempt(const Kit& kit, const Submission& submission, const LabResult& result) {
  const fs::path file = kit.root / kAttemptsFile;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  const StepSpec* const step = result.was_run() ? result.step_at_hand() : nullptr;
  std::ofstream log(file, std::ios::app);
  if (fs::file_size(file, error) == 0) log << "time,lab,digest,step,core,extra\n";
  log << now_in_utc() << ',' << result.lab->id << ',' << digest_of(kit, submission, *result.lab)
      << ',' << (step == nullptr ? "" : step->number) << ',' << result.points(true) << ','
      << result.points(false) << '\n';
}

}  // namespace kv::grader::steps
