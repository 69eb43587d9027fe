#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "common/machine.h"
#include "grader/program/base/build/built_files.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

const std::string kNoScore = "lab: no score, and this is not your fault: ";
const fs::path kQueue = "01-free-queue/free_kv_cache_block_queue.cpp";

// A copy of the solution in the folder of the copied kit; `added` follows the free queue's text.
fs::path write_tree(const KitCopy& copy, const std::string& name, const std::string& added) {
  const fs::path tree = copy.root() / name;
  fs::remove_all(tree);
  fs::copy(copy.root() / "solution", tree, fs::copy_options::recursive);
  write_file(tree / kQueue, read_file(tree / kQueue) + added);
  return tree;
}

void check_printable(Checks& checks) {
  const std::pair<std::string, std::string> cases[] = {
      {"a\tb\nc", "a\tb\nc"},
      {"\u00e9 \u2026 \U0001F600", "\u00e9 \u2026 \U0001F600"},
      {"caf\xE9!", "caf\uFFFD!"},
      {"\xC3", "\uFFFD"},
      {"\xC0\x80", "\uFFFD\uFFFD"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xEF\xBF\xBE", "\uFFFD\uFFFD\uFFFD"},
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\x1B[31mred\x01\r\x7F\xC2\x9B", "[31mred"},
  };
  for (const auto& [bytes, text] : cases) {
    checks.expect(printable(bytes) == text, "every text is UTF-8: " + text, printable(bytes));
  }
  checks.expect(printable("\u00e9\u00e9", 3) == "\u00e9\n... (cut)",
                "a text is cut between two characters", printable("\u00e9\u00e9", 3));
}

// Reports on a tree whose bytes are Latin-1, which is no UTF-8.
void check_latin_1(const KitCopy& copy,
                   const std::string& what,
                   const fs::path& tree,
                   Checks& checks) {
  const fs::path json = copy.root() / "out.json", junit = copy.root() / "out.xml";
  const Outcome outcome = copy.lab({"grade", "01", "--all", "--tree", tree.string(), "--json",
                                    json.string(), "--junit", junit.string()});
  expect_sentence(checks, "Latin-1 in " + what, outcome, kExitGraded, "caf\uFFFD");
  for (const std::string& text : {outcome.output, read_file(json), read_file(junit)}) {
    checks.expect(printable(text) == text && text.find("caf\uFFFD") != std::string::npos,
                  "Latin-1 in " + what + ": the report is UTF-8", printable(text));
  }
}

void check_texts(const KitCopy& copy, Checks& checks) {
  check_printable(checks);
  check_latin_1(copy, "a source that does not compile",
                write_tree(copy, "latin", "int x = \"caf\xE9\";\n"), checks);
  const fs::path tree = write_tree(copy, "latin", "");
  write_file(tree / kQueue, "#include <stdexcept>\n" +
                                replace_all(read_file(copy.root() / "starter" / kQueue),
                                            "KV_TODO(\"1.1 get_all_free_blocks\")",
                                            "throw std::runtime_error(\"caf\xE9 \\x1b[2J\")"));
  check_latin_1(copy, "an exception", tree, checks);
}

void set_dates(const fs::path& folder, std::chrono::hours from_now) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() + from_now);
  }
}

// A clock that was set back gives objects that are newer than the files staged now.
void check_dates(const KitCopy& copy, Checks& checks) {
  constexpr std::chrono::hours kYear(24 * 365);
  const fs::path stage = copy.root() / "build" / "stage";
  expect_sentence(checks, "the solution", copy.lab({"grade", "01", "--tree", "solution"}),
                  kExitGraded, "total 100/100");
  write_file(stage / kQueue, read_file(copy.root() / "starter" / kQueue));
  set_dates(stage, -kYear);
  expect_sentence(checks, "the starter, staged with an old date", copy.lab({"grade", "01"}),
                  kExitGraded, "total 0/100");
  copy.lab({"grade", "01", "--tree", "solution"});
  set_dates(stage, kYear);
  expect_sentence(checks, "the solution, staged with a date in the future",
                  copy.lab({"grade", "01", "--tree", "solution"}), kExitGraded, "total 100/100");
  expect_sentence(checks, "then the starter", copy.lab({"grade", "01"}), kExitGraded,
                  "total 0/100");
}

// What is left of these files after a staged file has changed.
std::string left_after(const Kit& kit, const fs::path& changed) {
  const fs::path stage = kit.build / "dates" / "stage", folder = kit.build / "dates" / "built";
  fs::remove_all(kit.build / "dates");
  const std::string objects = "CMakeFiles/lab01_";
  const std::string student = objects + "student.dir/stage/";
  const std::vector<std::string> made = {student + kQueue.string() + ".o",
                                         student + "01-free-queue/compact_free_queue.cpp.o",
                                         objects + "tests.dir/unity.cxx.o",
                                         objects + "solution.dir/" + kQueue.string() + ".obj.o",
                                         "lab01_tests",
                                         "lab01_reference"};
  for (const std::string& file : made) write_file(folder / file, "");
  const BuiltFiles built(kit.manifest, stage, folder);
  for (const fs::path& file : {kQueue, kQueue.parent_path() / "compact_free_queue.cpp", changed}) {
    write_file(stage / file, "old");
  }
  built.end();
  write_file(stage / changed, "new");
  built.remove_outdated();
  std::string left;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (fs::exists(folder / made[i])) left += std::to_string(i);
  }
  return left;
}

void check_built_files(const Kit& kit, Checks& checks) {
  const std::string source = left_after(kit, kQueue);
  checks.expect(source == "1235", "a changed source: its object and the programs are removed",
                source);
  const std::string header = left_after(kit, "01-free-queue/free_kv_cache_block_queue.h");
  checks.expect(header == "35", "a changed header: all objects of its lab are removed", header);
}

void check_refusals(Checks& checks) {
  for (const char* line :
       {"a.cpp:7:1: fatal error: error writing to /tmp/x.s: No space left on device",
        "/tmp/x.s: Fatal error: can't fill 256 bytes in a.cpp.o: 'No space left on device'",
        "/usr/bin/ld: final link failed: No space left on device",
        "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]",
        "c++: fatal error: Killed signal terminated program cc1plus",
        "virtual memory exhausted: Cannot allocate memory", "Too many open files",
        "ninja: fatal: pipe: Too many open files",
        "ninja: error: manifest 'build.ninja' still dirty after 100 tries"}) {
    checks.expect(machine_refusal(line).has_value(), std::string("the machine's: ") + line);
  }
  for (const char* line :
       {"a.cpp:3:5: error: 'Killed' was not declared in this scope",
        "   12 |   return;  // No space left on device", "  throw Error(\"out of memory\");",
        "a.cpp:3:2: error: #error a: Too many open files",
        "a.cpp:1:10: fatal error: nowhere.h: No such file or directory"}) {
    checks.expect(!machine_refusal(line).has_value(), std::string("the student's: ") + line);
  }
}

// Why a changed tree for each: otherwise nothing is compiled.
void check_limits(const KitCopy& copy, Checks& checks) {
  for (const std::string limit : {"-f 1", "-f 32", "-n 100"}) {
    const fs::path tree = write_tree(copy, "limited", "// " + limit + "\n");
    const Outcome outcome = copy.run_in_shell(
        "ulimit " + limit + "; exec \"$0\" grade 01 --tree \"$1\"", {tree.string()});
    expect_sentence(checks, "ulimit " + limit, outcome, kExitKitBroken, kNoScore);
    checks.expect(outcome.output.find("total") == std::string::npos,
                  "ulimit " + limit + ": no score", outcome.output);
  }
  expect_sentence(checks, "the same without limits",
                  copy.lab({"grade", "01", "--tree", (copy.root() / "limited").string()}),
                  kExitGraded, "total 100/100");
}

// The compiler waits for what it includes, a pipe; it is gone when the pipe has no reader.
void check_kill(const KitCopy& copy, int signal_number, Checks& checks) {
  const fs::path pipe = copy.root() / "endless.h";
  ::unlink(pipe.c_str());
  if (::mkfifo(pipe.c_str(), 0600) != 0) throw KitBroken("cannot make a pipe");
  const fs::path tree =
      write_tree(copy, "endless",
                 "#include \"" + pipe.string() + "\"  // " + std::to_string(signal_number) + "\n");
  std::atomic<pid_t> grader = 0;
  std::thread grading([&] {
    copy.run_in_shell("\"$0\" grade 01 --tree \"$1\" >/dev/null & echo $!; wait", {tree.string()},
                      [&](const std::string& line) { grader = std::atoi(line.c_str()); });
  });
  int end = -1;
  for (int i = 0; i < 600 && end < 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    end = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK);
  }
  if (grader > 0) ::kill(grader, signal_number);
  pollfd reader{end, 0, 0};
  const bool is_gone = end >= 0 && ::poll(&reader, 1, 2000) == 1;
  if (end >= 0) ::close(end);
  grading.join();
  checks.expect(is_gone, std::string("after ") + ::strsignal(signal_number) +
                             " no compiler is left after 2 s");
}

void check_links(const KitCopy& copy, Checks& checks) {
  const fs::path tree = write_tree(copy, "loop", "");
  const fs::path file = tree / "01-free-queue" / "compact_free_queue.cpp";
  fs::remove(file);
  fs::create_symlink(file.filename(), file);
  expect_sentence(checks, "a file that is a loop of symbolic links",
                  copy.lab({"grade", "01", "--tree", tree.string()}), kExitGraded,
                  "compact_free_queue.cpp (a loop of symbolic links)");
  fs::remove_all(tree);
  fs::create_symlink(tree.filename(), tree);
  expect_sentence(checks, "a tree that is one", copy.lab({"grade", "01", "--tree", tree.string()}),
                  kExitUsage, "there is no folder");
  fs::remove(tree);
}

// --together links what is in the tree now, whatever was graded before.
void check_together(const KitCopy& copy, Checks& checks) {
  const fs::path tree = write_tree(copy, "linked", "");
  std::string text = read_file(tree / kQueue);
  const std::size_t begin = text.find("{\n", text.find("::popleft(")) + 2;
  text.replace(begin, text.find("\n}\n", begin) - begin, "  KV_TODO(\"1.3 popleft\");");
  write_file(tree / kQueue, text);
  const Outcome outcome = copy.lab({"grade", "02", "--together", "--tree", tree.string()});
  expect_sentence(checks, "--together with a step of lab 01 unwritten", outcome, kExitGraded,
                  "needs 1.3 popleft, which is not written");
  expect_sentence(checks, "its score", outcome, kExitGraded, "total 100/100");
}

}  // namespace

void check_machine(const Kit& kit, const KitCopy& copy, Checks& checks) {
  check_refusals(checks);
  check_built_files(kit, checks);
  check_texts(copy, checks);
  check_dates(copy, checks);
  check_limits(copy, checks);
  for (const int signal_number : {SIGKILL, SIGTERM}) check_kill(copy, signal_number, checks);
  check_links(copy, checks);
  check_together(copy, checks);
}

}  // namespace kv::grader
