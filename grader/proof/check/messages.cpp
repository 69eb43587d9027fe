// What a beginner reads: the usual mistakes, each put into the solution of lab 01, and the words of
// the report that lead to it.

#include "grader/engine/cause/cause.h"
#include "grader/engine/report/report.h"
#include "grader/engine/variations/variation.h"
#include "grader/proof/check/beginner_bug.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/documents.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

LabSpec with_test(const LabSpec& lab, const std::string& name) {
  return lab.with_tests([&](const TestSpec& test) { return test.name == name; });
}

constexpr const char* kPops = "FreeQueue/FreeKVCacheBlockQueue.PopsTheHead";
constexpr const char* kAppends = "FreeQueue/FreeKVCacheBlockQueue.AppendsAtTheTail";
constexpr const char* kPopsMany = "FreeQueueBatch.PopsTheFirstBlocksInOrder";

constexpr BeginnerBug kStops[] = {
    {"a write through a null pointer",
     "  remove(*head);\n  return head;\n",
     "  head->prev_free_block = nullptr;\n  remove(*head);\n  return head;\n",
     kPops,
     {"crash (SIGSEGV): a write through a null pointer in remove, line 3",
      " of starter/01-free-queue/free_kv_cache_block_queue.cpp",
      "test: labs/01-free-queue/tests/free_queue_test.cpp:"}},
    {"recursion without end",
     "  remove(*head);\n  return head;\n",
     "  KVCacheBlock* first = popleft();\n  remove(*first);\n  return first;\n",
     kPops,
     {"crash (SIGSEGV): endless recursion, until the stack is full, in popleft, line 4"}},
    {"an index past the end",
     "  std::ranges::generate(blocks, [this] { return popleft(); });\n",
     "  for (std::size_t i = 0; i <= num_blocks; ++i) blocks[i] = popleft();\n",
     kPopsMany,
     {"crash (SIGABRT): index past the end of a std::vector in popleft_n, line 6"}},
    {"an exception out of noexcept",
     "  remove(*head);\n  return head;\n",
     "  [&]() noexcept { remove(sentinel_), remove(sentinel_); }();\n  return head;\n",
     kPops,
     {"an exception came out where nothing can catch it", "kv::ContractViolation: I6: remove",
      "in remove, line 3"}},
    {"at() past the end",
     "  remove(*head);\n  return head;\n",
     "  remove(*head);\n  return std::vector<KVCacheBlock*>(2).at(5);\n",
     kPops,
     {"an exception came out of your code: index 5 is past the end of a list of 2"}},
    {"a write past the end of a vector",
     "  std::ranges::generate(blocks, [this] { return popleft(); });\n",
     "  for (std::size_t i = 0; i < num_blocks + 9; ++i) blocks.data()[i] = popleft();\n",
     kPopsMany,
     {"which line? ./lab grade 01 --sanitize"}}};

void check_stops(const Kit& kit, ScratchBuild& build, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  for (const BeginnerBug& bug : kStops) {
    const LabSpec narrow = with_test(lab, bug.test);
    const LabResult result = graded(kit, build, narrow, bug);
    std::string text = result.message;
    if (const auto failure = result.first_failure()) text += failure_text(result, *failure);
    // Why: a message of a library has hundreds of characters.
    const bool is_raw = text.find("Assertion") != std::string::npos ||
                        text.find("terminate called") != std::string::npos;
    const std::string why =
        missing_in(text, std::vector<std::string>(bug.says.begin(), bug.says.end())) +
        (is_raw ? "raw output:\n" + text : "");
    checks.expect(why.empty(), std::string("it stops: ") + bug.name, why);
  }
}

// Puts a block at the wrong end, as docs/report.md does, and the picture in README.md.
constexpr BeginnerBug kWrongEnd = {"append at the head",
                                   "  KVCacheBlock* tail = sentinel_.prev_free_block;\n"
                                   "  tail->next_free_block = &block;\n"
                                   "  block.prev_free_block = tail;\n"
                                   "  block.next_free_block = &sentinel_;\n"
                                   "  sentinel_.prev_free_block = &block;\n",
                                   "  KVCacheBlock* head = sentinel_.next_free_block;\n"
                                   "  head->prev_free_block = &block;\n"
                                   "  block.next_free_block = head;\n"
                                   "  block.prev_free_block = &sentinel_;\n"
                                   "  sentinel_.next_free_block = &block;\n",
                                   kAppends};

void check_shown_failure(const Kit& kit, const std::string& failure, Checks& checks) {
  const std::string page = read_file(kit.root / "docs/report.md");
  checks.expect(page.find(indent(failure, "    ")) != std::string::npos,
                "docs/report.md shows a failure as it is printed", failure);
  checks.expect(words_of_picture(kit).find(in_one_line(failure)) != std::string::npos,
                "the picture in README.md shows it, too; to draw it again: docs/site/README.md",
                failure);
}

// The line of the check, not that of its TEST, on the screen and in both files.
void check_source_line(const Kit& kit, ScratchBuild& build, Checks& checks) {
  const LabSpec lab = with_test(kit.manifest.labs.front(), kAppends);
  LabResult result = graded(kit, build, lab, kWrongEnd);
  cause::add_causes(kit, build.build_tree(), build.stage(), {.seed = kit.manifest.seed},
                    {.cpu_seconds = 20}, result);
  result.diagnosis.text =
      "looks like: " + known_bug(kit, kit.manifest.labs.front(), "append-at-the-head").sentence;
  check_shown_failure(kit, failure_text(result, result.tests.front()), checks);
  const std::string source = result.tests.front().verdict.source;
  const std::string file = source.substr(0, source.rfind(':'));
  const int line = std::atoi(source.substr(source.rfind(':') + 1).c_str());
  const std::vector<std::string> lines = split_lines(read_file(kit.root / file));
  const bool is_check =
      line > 0 && lines.at(static_cast<std::size_t>(line - 1)).find("queue.") != std::string::npos;
  checks.expect(is_check, "the line of the check that failed: " + source, source);
  const Submission submission{.name = "starter", .tree = {}, .stage = build.stage()};
  const Report report{
      .submission = &submission, .provenance = {}, .seed = 0, .labs = {std::move(result)}};
  const fs::path path = kit.build / "messages" / "report";
  write_json(report, path);
  const std::string json = read_file(path);
  write_junit(report, path);
  const std::string why =
      missing_in(json, {"\"source\": \"" + source + "\""}) +
      missing_in(read_file(path), {"file=\"" + file + "\" line=\"" + std::to_string(line) + "\""});
  checks.expect(why.empty(), "the same line in the JSON and the JUnit report", why);
}

// Also in a later run, in which nothing is compiled.
void check_warnings(const Kit& kit, ScratchBuild& build, Checks& checks) {
  const LabSpec lab = with_test(kit.manifest.labs.front(), kPops);
  const BeginnerBug bug{"", "  remove(*head);\n  return head;\n",
                        "  int n = 3;\n  remove(*head);\n"};
  for (const std::string run : {"the first run", "a run without a change"}) {
    const LabResult result = graded(kit, build, lab, bug);
    const std::string first = result.warnings.empty() ? "no warning" : result.warnings.front();
    const std::string why =
        missing_in(first, {kFileOfBeginnerBugs + std::string(":4"), "[-Wreturn-type]"});
    checks.expect(why.empty() && result.warnings.size() == 2,
                  run + ": a missing return is the first of two warnings",
                  join(result.warnings, "\n"));
  }
}

// What --sanitize says, and ./lab grade of a crash that has no line of its own.
void check_sanitized(const Kit& kit,
                     const BeginnerBug& bug,
                     const std::string& says,
                     Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit, true);
  const LabSpec lab = with_test(kit.manifest.labs.front(), bug.test);
  const fs::path tree = write_variation(kit, lab, variation_of(bug));
  const LabResult result =
      build.grade(lab, tree.string(), {.seed = kit.manifest.seed, .sanitized = true});
  const std::string text = result.tests.front().verdict.headline;
  const std::string why = missing_in(text, {says});
  checks.expect(why.empty(), std::string("a sanitizer: ") + bug.name, why);
}

}  // namespace

void check_sanitized_messages(const Kit& kit, Checks& checks) {
  const BeginnerBug& null = kStops[0];
  const BeginnerBug& heap = kStops[5];
  check_sanitized(kit, null, "an access through a null pointer in remove, line 3", checks);
  check_sanitized(kit, heap, "a write past the end of a piece of memory in popleft_n, line 6",
                  checks);
}

void check_messages(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  check_stops(kit, build, checks);
  check_source_line(kit, build, checks);
  check_loops(kit, build, checks);
  check_warnings(kit, build, checks);
}

}  // namespace kv::grader
