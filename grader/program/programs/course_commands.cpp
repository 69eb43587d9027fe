#include "grader/program/programs/course_commands.h"

#include "grader/program/base/commands/command_line.h"
#include "grader/program/course/classroom/class_command.h"
#include "grader/program/course/handout/handout_command.h"
#include "grader/program/course/services/service_commands.h"
#include "grader/program/course/similar/similar_command.h"
#include "grader/program/course/site/site_command.h"
#include "grader/program/programs/programs.h"
#include "grader/program/programs/student_commands.h"
#include "grader/program/student/pages/grading_page.h"

namespace kv::grader {
namespace {

void declare_handout(CLI::App& app, HandoutOptions& options) {
  app.add_option("FOLDER", options.folder, "new, or a handout that is made again")->required();
  app.add_option("--labs", options.labs, "which labs, as 01-03 or 01,02; all if none is given")
      ->delimiter(',');
  app.add_option("--open", options.open, "labs whose solution is in it, as 01,02")->delimiter(',');
  app.footer(
      "The folder is a git repository. Labs that are not open have stubs in solution/, compiled\n"
      "objects for grading, and no bugs or alternatives. Run it again with --open 02, or with a\n"
      "newer kit: it makes a commit that students merge.");
}

void declare_class(CLI::App& app, ClassOptions& options) {
  app.add_option("FOLDER", options.folder,
                 "with a folder, .zip or .tar.gz for each submission; or a file with a line\n"
                 "\"name url [commit]\" for each git repository")
      ->required();
  app.add_option("--out", options.out, "folder for the results; class-report by default");
  declare_only_labs(app, options.labs);
  app.add_option("--jobs", options.num_jobs, "submissions that are graded at a time")
      ->check(CLI::Range(1, 64));
  app.add_option("--wall", options.wall_seconds, "seconds until one submission is stopped")
      ->check(CLI::Range(10, 86400));
  app.add_option("--seed", options.seed, "seed of the random histories");
  app.add_option("--roster", options.roster,
                 "CSV file \"id,name,group\": adds people to the table, and writes canvas.csv");
  app.footer(
      "Results, written as they come: scores.csv, and submissions/NAME.json with the whole\n"
      "report. A second run goes on where the first one stopped, and grades again what has\n"
      "changed. Each submission reads the kit, the system and itself, and writes nothing that\n"
      "another one reads.");
}

void declare_similar(CLI::App& app, SimilarOptions& options) {
  app.add_option("FOLDER", options.folder, "the submissions, as for ./lab class")->required();
  app.add_option("--out", options.out, "folder for the results; similar-report by default");
  declare_only_labs(app, options.labs);
  app.add_option("--share", options.share,
                 "per cent of a submission's own fingerprints from which a pair is listed; 50 by\n"
                 "default. A pair with one long common place is listed in any case.")
      ->check(CLI::Range(0, 100));
  app.footer(
      "Names, layout, comments and the order of functions make no difference. What the starter,\n"
      "the solution, a contract or many submissions have does not count. Similarity is a reason\n"
      "to read two texts, and proves nothing.");
}

void declare_site(CLI::App& app, SiteOptions& options) {
  app.add_option("--out", options.folder,
                 "a new folder, or that of a site; build/lab/site by default");
  app.footer(
      "The texts of the kit as pages, in reading order, with a search. Open its index.html: no\n"
      "server is needed. Its tools come from PyPI, when the command runs for the first time.");
}

}  // namespace

void add_course_commands(CommandLine& line) {
  line.add<ClassOptions>("class", "grade the submissions of a class, each by itself", declare_class,
                         class_command);
  line.add<SimilarOptions>("similar", "which submissions of a class have much text in common",
                           declare_similar, similar_command);
  line.add<HandoutOptions>("handout", "a copy for students, without solutions that are not open",
                           declare_handout, handout_command);
  add_service_commands(line);
  line.add<SiteOptions>("site", "the course as pages to read, with a search", declare_site,
                        site_command);
}

int run_course_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, html::write_page);
  add_course_commands(line);
  return line.run(argc, argv);
}

}  // namespace kv::grader
