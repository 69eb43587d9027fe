#include <cstdio>
#include <mutex>
#include <regex>
#include <thread>

#include "base/commands/command_line.h"
#include "base/kit/kit.h"
#include "base/text/errors.h"
#include "grader/classroom/class/class_results.h"
#include "grader/classroom/class/decisions.h"
#include "grader/classroom/class/grade.h"
#include "grader/classroom/class/worker.h"

namespace kv::grader {
namespace {

using namespace classroom;

struct ClassOptions {
  std::string folder = {};  // the folder of the submissions, or a list of repositories
  std::string out = "class-report";
  std::vector<std::string> labs = {};  // empty: all
  unsigned num_jobs = 1;               // submissions at a time
  int wall_seconds = 600;              // for one submission
  std::optional<std::uint64_t> seed = {};
  std::string roster = {};     // CSV: id, name, group, hours_late
  std::string keep = {};       // "best", "last"; empty: neither
  std::string late = {};       // hours and factors: "24:0.9,72:0.5"
  std::string decisions = {};  // CSV: id, points, hours, reason
  std::string grace = {};      // hours of a term and its file: "72:term.csv"
  bool has_pairs = false;
  std::vector<std::string> regrades = {};  // submissions that are graded although nothing changed
  std::string shard = {};                  // "3/40": the third part of forty
  bool is_merge = false;                   // joins the parts
};

// Every count-th submission, from this one on.
struct Part {
  std::size_t number = 1;  // from 1
  std::size_t count = 1;

  bool is_all() const { return count == 1; }
  bool has(std::size_t submission) const { return submission % count == number - 1; }
};

// Throws UsageError.
Part part_named(const std::string& text) {
  if (text.empty()) return {};
  static const std::regex pattern("([0-9]{1,4})/([0-9]{1,4})");
  std::smatch found;
  if (std::regex_match(text, found, pattern)) {
    const Part part{std::stoul(found[1]), std::stoul(found[2])};
    if (part.number >= 1 && part.number <= part.count) return part;
  }
  throw UsageError("--shard " + text + " is no part of a class; the third of forty is 3/40");
}

// A digest of everything that can change a score: a row is used again only if none of it has
// changed. A text to read cannot.
std::string kit_digest(const Kit& kit, const GradingTerms& terms) {
  std::vector<std::string> files;
  for (const char* part : kBuildParts) {
    if (fs::is_regular_file(kit.root / part)) files.push_back(part);
    if (!fs::is_directory(kit.root / part)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kit.root / part)) {
      if (entry.is_regular_file() && entry.path().extension() != ".md")
        files.push_back(entry.path().lexically_relative(kit.root).string());
    }
  }
  std::map<std::string, std::string> digests = sha256(kit.root, files);
  digests["labs graded"] = join(terms.labs, " ");
  digests["seed"] = std::to_string(terms.seed);
  return digest_over(digests, kit.build / "class-kit");
}

// Is the report of an earlier run that of the row, which has none yet?
bool is_still_right(const Row& before, const Row& row) {
  return before.has_score() && before.source_digest == row.source_digest &&
         before.kit_digest == row.kit_digest &&
         before.report["tree"] == printable(row.origin.name());
}

// Grades what is not graded yet, several at a time.
class ClassRun {
 public:
  ClassRun(const Kit& kit, const ClassOptions& options, Results& results)
      : kit_(kit), options_(options), results_(results) {
    terms_.seed = options.seed.value_or(kit.manifest.seed);
    terms_.labs = ids_of(kit.manifest.chosen(options.labs));
    terms_.wall_seconds = options.wall_seconds;
    terms_.kit_digest = kit_digest(kit, terms_);
  }

  // What other runs have graded, on the same terms. Throws UsageError: all had other terms.
  void merge(const std::vector<HandedIn>& handed_in) {
    std::vector<Row> rows;
    std::size_t num_on_other_terms = 0;
    for (const HandedIn& each : handed_in) {
      const fs::path file = results_.row_file(each.name);
      if (!fs::exists(file)) continue;
      Row row = load_row(file);
      if (row.kit_digest == terms_.kit_digest)
        rows.push_back(std::move(row));
      else
        ++num_on_other_terms;
    }
    if (rows.empty() && num_on_other_terms > 0)
      throw UsageError(
          "the parts were graded with another kit, other --labs or another --seed; "
          "give --merge what they had");
    std::ranges::sort(rows, {}, &Row::name);
    results_.take(std::move(rows));
  }

  void grade(const std::vector<HandedIn>& handed_in) {
    std::vector<std::thread> threads;
    for (unsigned i = 1; i <= std::min<std::size_t>(options_.num_jobs, handed_in.size()); ++i) {
      threads.emplace_back([&, i] { work(handed_in, "class-" + std::to_string(i)); });
    }
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work(const std::vector<HandedIn>& handed_in, const std::string& folder) {
    try {
      const Lock lock(kit_.build / folder);
      Worker worker(kit_, kit_.build / folder, terms_);
      for (std::size_t i = next_++; i < handed_in.size(); i = next_++) {
        results_.add(row_of(worker, handed_in[i]));
      }
    } catch (...) {
      const std::lock_guard guard(mutex_);
      error_ = std::current_exception();
      next_ = handed_in.size();
    }
  }

  Row row_of(Worker& worker, const HandedIn& handed_in) {
    const fs::path file = results_.row_file(handed_in.name);
    Row row = worker.collect(handed_in);
    if (fs::exists(file)) {
      Row before = load_row(file);
      const bool is_asked =
          std::ranges::find(options_.regrades, row.name) != options_.regrades.end();
      if (!is_asked && is_still_right(before, row)) return before;
      results_.keep_history(before, row);
    }
    if (!worker.is_prepared())
      std::fputs("a job compiles the kit and grades its solution first: some minutes ...\n",
                 stderr);
    worker.grade(row);
    save_row(row, file);
    return row;
  }

  const Kit& kit_;
  const ClassOptions& options_;
  Results& results_;
  GradingTerms terms_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

void refuse_without_walls() {
  if (landlock_version() > 0 && can_limit_kernel_calls()) return;
  const std::string missing = landlock_version() > 0 ? "seccomp" : "Landlock";
  throw UsageError("this system has no " + missing +
                   ", so a submission could change the score of another one; run it in the "
                   "container (Dockerfile), on Linux 5.13 or newer");
}

std::vector<HandedIn> those_of(const Part& part, const std::vector<HandedIn>& all) {
  std::vector<HandedIn> some;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (part.has(i)) some.push_back(all[i]);
  return some;
}

void declare_terms(CommandForm& form, ClassOptions& options) {
  form.option("--keep", options.keep,
              "which of several submissions of one person counts: the best, or the last by name")
      .one_of({"best", "last"});
  form.option("--late", options.late,
              "what hours_late costs, as 24:0.9,72:0.5: up to 24 hours 0.9 of the points count,\n"
              "up to 72 half of them, and none later");
  form.option("--by-hand", options.decisions,
              "CSV file \"id,points,hours,reason\": points by hand, as 90 or +5, and extensions");
  form.option("--grace", options.grace,
              "hours that each person may be late over a term for nothing, and the file in which\n"
              "they are counted, as 72:term.csv");
  form.flag("--pairs", options.has_pairs,
            "a name with the ids of two or three people is a work of all of them");
  form.option("--regrade", options.regrades,
              "grade this submission again, and keep what was known of it in history/")
      .one_value_a_time();
}

void declare_class(CommandForm& form, ClassOptions& options) {
  form.argument("FOLDER", options.folder,
                "with a folder, an archive or the files of each submission; or a file with a line\n"
                "\"name url [commit]\" for each git repository")
      .required();
  form.option("--out", options.out, "folder for the results; class-report by default");
  declare_only_labs(form, options.labs);
  form.option("--jobs", options.num_jobs, "submissions that are graded at a time").between(1, 64);
  form.option("--wall", options.wall_seconds, "seconds until one submission is stopped")
      .between(10, 86400);
  declare_seed(form, options.seed, "seed of the random histories");
  form.option("--roster", options.roster,
              "CSV file \"id,name,group,hours_late\": adds people to the table, and writes\n"
              "canvas.csv");
  declare_terms(form, options);
  const OptionForm shard =
      form.option("--shard", options.shard,
                  "grade a part of the class, as 3/40: the third of forty; see "
                  "grader/classroom/docs/shards.md");
  form.flag("--merge", options.is_merge, "grade nothing: make the tables of what the parts did")
      .not_with(shard);
  form.footer(
      "Results, written as they come: scores.csv, and submissions/NAME.json with the whole\n"
      "report. A second run goes on where the first one stopped, and grades again what has\n"
      "changed. Each submission reads the kit, the system and itself, and writes nothing that\n"
      "another one reads.");
}

// text: "72:term.csv". Throws UsageError.
void take_grace(const std::string& text, const std::string& labs, std::vector<Person>& people) {
  static const std::regex pattern("([0-9]{1,4}):(.+)");
  std::smatch found;
  if (!std::regex_match(text, found, pattern))
    throw UsageError("--grace " + text + " is no number of hours with a file; 72:term.csv is");
  apply_grace(std::stod(found[1]), found[2].str(), labs, people);
}

// Throws UsageError: something would have no effect, and nobody would see it.
void take_terms(const ClassOptions& options, ClassState& state) {
  if (!options.keep.empty()) state.keep = options.keep == "best" ? Keep::kBest : Keep::kLast;
  if (!options.late.empty()) state.late = LatePolicy(options.late);
  if (!options.roster.empty()) state.roster = load_roster(options.roster);
  state.roster.has_pairs = options.has_pairs;
  const bool is_about_people = state.late.is_given() || state.keep != Keep::kNone ||
                               options.has_pairs || !options.decisions.empty() ||
                               !options.grace.empty();
  if (state.people().empty() && is_about_people)
    throw UsageError(
        "--keep, --late, --by-hand, --grace and --pairs are about people; name their table: "
        "--roster people.csv");
  const bool has_hours = !state.people().empty() && state.people().front().hours_late;
  if (has_hours && !state.late.is_given())
    throw UsageError(options.roster +
                     " has hours_late; say what they cost, as --late 24:0.9,72:0.5");
  if (state.late.is_given() && !has_hours)
    throw UsageError("--late needs a last column hours_late in " + options.roster);
  std::vector<Person>& people = state.roster.people;
  if (!options.decisions.empty()) apply_decisions(options.decisions, people);
  if (!options.grace.empty()) take_grace(options.grace, labs_text(state.labs), people);
}

void refuse_unknown_regrades(const ClassOptions& options, const ClassState& state) {
  for (const std::string& name : options.regrades)
    if (std::ranges::find(state.submissions, name) == state.submissions.end())
      throw UsageError("--regrade " + name + ": no submission has this name; scores.csv has them");
}

int class_command(const Kit& kit, const ClassOptions& options) {
  if (!options.is_merge) {
    refuse_without_walls();
    std::printf("each test has: %s\n", join(isolation_of_tests(), "; ").c_str());
  }
  const Part part = part_named(options.shard);
  const std::vector<HandedIn> handed_in =
      those_of(part, find_handed_in(options.folder, kit.manifest));
  ClassState state{.labs = kit.manifest.chosen(options.labs)};
  take_terms(options, state);
  for (const HandedIn& each : handed_in) state.submissions.push_back(each.name);
  refuse_unknown_regrades(options, state);
  Results results(kit, fs::absolute(options.out).lexically_normal(), state,
                  part.is_all() ? Tables::kAfterEachRow : Tables::kLater);
  ClassRun run(kit, options, results);
  options.is_merge ? run.merge(handed_in) : run.grade(handed_in);
  if (part.is_all()) results.write_for_students();
  const char* const next = "when all parts are done, --merge makes the tables\n";
  std::printf("%s", part.is_all() ? results.summary().c_str() : next);
  if (const std::string missing = join(results.without_row(), ", "); !missing.empty())
    std::printf("not graded yet: %s; run their parts again, then --merge\n", missing.c_str());
  return results.all_have_scores() ? kExitGraded : kExitNotFull;
}

}  // namespace

void add_class_command(CommandLine& line) {
  line.add<ClassOptions>("class", declare_class, class_command);
}

}  // namespace kv::grader
