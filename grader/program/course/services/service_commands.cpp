#include "grader/program/course/services/service_commands.h"

#include "grader/program/course/services/bundle_command.h"
#include "grader/program/course/services/results_command.h"

namespace kv::grader {
namespace {

constexpr int kMinWallSeconds = 10;
constexpr int kMaxWallSeconds = 86400;

void declare_service(CLI::App& app, std::string& service) {
  app.add_option("SERVICE", service, "gradescope, github or classroom50")
      ->required()
      ->check(CLI::IsMember(kServices));
}

void declare_terms(CLI::App& app, ServiceTerms& terms) {
  declare_only_labs(app, terms.labs);
  app.add_option("--wall", terms.wall_seconds, "seconds until a submission is stopped")
      ->check(CLI::Range(kMinWallSeconds, kMaxWallSeconds));
  app.add_option("--seed", terms.seed, "seed of the random histories");
  app.add_option("--extra", terms.extra_visibility,
                 "Gradescope: who sees the extra tests: visible, hidden, after_due_date or\n"
                 "after_published")
      ->check(CLI::IsMember(kVisibilities));
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

void declare_results(CLI::App& app, ResultsOptions& options) {
  declare_service(app, options.service);
  app.add_option("SUBMISSION", options.submission, "the folder of one submission")->required();
  app.add_option("OUT", options.out, "the file to write")->required();
  declare_terms(app, options.terms);
  app.footer(
      "exit codes: 0 there is a result, 2 wrong use, 3 the kit or the machine is at fault\n"
      "and there is no score");
}

}  // namespace

void add_service_commands(CommandLine& line) {
  line.add<BundleOptions>("bundle", "what Gradescope, GitHub Classroom or Classroom 50 grades with",
                          declare_bundle, bundle_command);
  line.add<ResultsOptions>("results", "grade one submission there; the bundles run this",
                           declare_results, results_command);
}

}  // namespace kv::grader
