// ./lab watch at a terminal: what a student sees after each save and each key.

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/errors.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/made_trees.h"
#include "grader/program/maintainer/check/pseudo_terminal.h"
#include "grader/program/student/watch/terminal_page.h"

namespace kv::grader {
namespace {

const std::string kFolder = "watch";  // of the build
const std::string kOk = " ok ";
const std::string kCompiling = "compiling ...\033[K";  // without seconds: once for a grading
const std::string kIdle = "waiting for a save in ";
const std::string kKeyLine = "n next  h hint";
constexpr watch::Size kUsualSize = {.rows = 40, .columns = 80};  // room for a deep folder's paths

// A tree with lab 01 alone, and ./lab watch on it.
class WatchedTree {
 public:
  explicit WatchedTree(const Kit& kit)
      : kit_(kit), lab_(kit.manifest.lab("01")), tree_(kit.build / "watched") {
    fs::remove_all(tree_);
    fs::remove_all(kit.build / kFolder / "desk");
    fs::remove_all(kit.build / kFolder / "stage");
    fs::create_directories(tree_);
    fs::copy(kit.root / "starter" / lab_.folder, tree_ / lab_.folder);
  }
  ~WatchedTree() { fs::remove_all(tree_); }
  WatchedTree(const WatchedTree&) = delete;
  WatchedTree& operator=(const WatchedTree&) = delete;

  const fs::path& root() const { return tree_; }
  fs::path file() const { return tree_ / lab_.folder / lab_.files.front(); }
  fs::path record() const { return kit_.build / kFolder / "desk" / "progress.json"; }

  Command command(const std::vector<std::string>& arguments) const {
    Command command{.argv = {kit_.program.string()},
                    .environment = {{"LAB_ROOT", kit_.root.string()},
                                    {"LAB_BUILD_DIR", (kit_.build / kFolder).string()}}};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    return command;
  }
  Command watch() const { return command({"watch", "01", "--tree", tree_.string()}); }

  // In place, as some editors do. The text is that of the lab solved up to a step, with `body` in
  // the stub of another one.
  void save(const std::string& text) const {
    const int fd = ::open(file().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    [[maybe_unused]] const ssize_t size = ::write(fd, text.data(), text.size());
    ::close(fd);
  }
  void save_by_rename(const std::string& text) const { write_file(file(), text); }

  std::string solved_up_to(const std::string& step) const {
    write_stair(kit_, lab_, step, kit_.build / "watched stair");
    return read_file(kit_.build / "watched stair" / lab_.folder / lab_.files.front());
  }
  static std::string with(const std::string& text,
                          const std::string& step,
                          const std::string& body) {
    return replace_all(text, "KV_TODO(\"" + step + "\");", body);
  }

 private:
  const Kit& kit_;
  const LabSpec& lab_;
  fs::path tree_;
};

// Below the first failure alone: what follows it looks at the same screen.
void expect_shown(Checks& checks,
                  PseudoTerminal& terminal,
                  const std::string& name,
                  const std::string& text) {
  const bool is_first = terminal.is_patient();
  const bool is_shown = terminal.shows(text);
  checks.expect(is_shown, "watch, " + name + ": \"" + text + "\"",
                is_first ? terminal.screen() : "");
}

void check_verdicts(const WatchedTree& tree, PseudoTerminal& terminal, Checks& checks) {
  expect_shown(checks, terminal, "an untouched lab", "next: write step 1.1 get_all_free_blocks");
  checks.expect(!terminal.has_line_mode(), "watch reads single keys");
  tree.save(tree.solved_up_to("1.1"));
  expect_shown(checks, terminal, "a step that is right", kOk);
  expect_shown(checks, terminal, "the next step", "next: write step 1.2 remove");
  const std::string one = tree.solved_up_to("1.1");
  tree.save_by_rename(tree.with(one, "1.2 remove", "block.prev_free_block = nullptr;"));
  expect_shown(checks, terminal, "a save by rename, of a step that is wrong", "what went wrong: ");
  expect_shown(checks, terminal, "the step to fix", "next: fix step 1.2 remove");
  tree.save(tree.with(one, "1.2 remove", "block.prev_free_block->nonsense();"));
  expect_shown(checks, terminal, "a compile error", "does not compile");
  expect_shown(checks, terminal, "what is wrong", "nonsense");
  tree.save(tree.with(one, "1.2 remove", "static_cast<KVCacheBlock*>(nullptr)->ref_cnt = 1;"));
  expect_shown(checks, terminal, "a crash", "a write through a null pointer in remove");
  tree.save(tree.with(one, "1.2 remove", "for (volatile int i = 0;; i = 1) {\n  }"));
  expect_shown(checks, terminal, "a hang", "a loop that does not end");
  fs::remove(tree.file());
  expect_shown(checks, terminal, "a file that is gone", "graded as untouched");
  tree.save(tree.solved_up_to("1.2"));
  expect_shown(checks, terminal, "a file that is back", "next: write step 1.3 popleft");
}

// How often it has begun to grade is how often it has shown that it compiles.
void check_saves(const WatchedTree& tree, PseudoTerminal& terminal, Checks& checks) {
  const std::size_t before = terminal.num_printed(kCompiling);
  const std::string text = tree.solved_up_to("1.2");
  tree.save(text);  // the same content
  write_file(tree.file().string() + "~", "an editor's copy");
  write_file(tree.file().parent_path() / "notes.cpp", "not a file of the lab");
  tree.save("");
  tree.save(text);
  tree.save(tree.with(text, "1.3 popleft", "return nullptr;"));
  expect_shown(checks, terminal, "several writes, one new content", "next: fix step 1.3 popleft");
  checks.expect(terminal.num_printed(kCompiling) == before + 1, "watch grades it once",
                std::to_string(terminal.num_printed(kCompiling) - before) + " times");
}

// The compiler of the first save waits for what it includes, a pipe; it is gone when the pipe has
// no reader.
void check_given_up(const WatchedTree& tree, PseudoTerminal& terminal, Checks& checks) {
  const fs::path pipe = tree.root() / "endless.h";
  if (::mkfifo(pipe.c_str(), 0600) != 0) throw KitBroken("cannot make a pipe");
  const std::string record = read_file(tree.record());
  tree.save("#include \"" + pipe.string() + "\"\n");
  const int end = ::open(pipe.c_str(), O_WRONLY);  // waits for the compiler
  checks.expect(read_file(tree.record()) == record, "watch records nothing while it grades");
  tree.save(tree.solved_up_to("1.3"));
  pollfd reader{end, 0, 0};
  checks.expect(::poll(&reader, 1, 60'000) == 1, "watch gives up a compiler after another save");
  ::close(end);
  expect_shown(checks, terminal, "the second of two saves", "next: write step 1.4 append");
  expect_shown(checks, terminal, "the end of a grading", kIdle);
}

void check_hints_and_next(PseudoTerminal& terminal, Checks& checks) {
  terminal.type("h");
  expect_shown(checks, terminal, "h", "1.4 append, tier 1 of 3");
  terminal.type("\n");
  expect_shown(checks, terminal, "enter", "next: write step 1.4 append");
  terminal.type("h");
  expect_shown(checks, terminal, "h again", "1.4 append, tier 2 of 3");
  terminal.type("h");
  expect_shown(checks, terminal, "h before tier 3", "y yes, another key no");
  terminal.type("x");
  expect_shown(checks, terminal, "no", "next: write step 1.4 append");
  terminal.type("hy");
  expect_shown(checks, terminal, "yes", "1.4 append, tier 3 of 3");
  terminal.type("n");
  expect_shown(checks, terminal, "n", "    write   ");
}

void check_other_keys(const WatchedTree& tree, PseudoTerminal& terminal, Checks& checks) {
  terminal.type("l");
  expect_shown(checks, terminal, "l", "3 of 10 steps done, 0 wrong");
  terminal.type("d");
  expect_shown(checks, terminal, "d", "when the core of a lab is done");
  terminal.type("a");
  expect_shown(checks, terminal, "a", "lab 06  The CUDA kernel      not submitted");
  terminal.type("\033[A");  // the arrow upwards is no key of ours
  tree.save(tree.with(tree.solved_up_to("1.3"), "1.4 append", "append(block);"));
  expect_shown(checks, terminal, "endless recursion", "next: fix step 1.4 append");
  expect_shown(checks, terminal, "the end of it", kIdle);
  terminal.type("r");
  expect_shown(checks, terminal, "r", "Put the stub of step 1.4 append back?");
  terminal.type("y");
  expect_shown(checks, terminal, "a reset", "your function is kept in ");
  expect_shown(checks, terminal, "after a reset", "next: write step 1.4 append");
  checks.expect(read_file(tree.file()) == tree.solved_up_to("1.3"), "watch puts the stub back");
}

std::string too_large(const PseudoTerminal& terminal, watch::Size size) {
  const std::vector<std::string> lines = split_lines(replace_all(terminal.screen(), "\r", ""));
  std::string text = lines.size() > size.rows ? "too many lines\n" : "";
  for (const std::string& line : lines)
    if (line.size() > size.columns) text += line + "\n";
  return text;
}

void check_sizes(const WatchedTree& tree, PseudoTerminal& terminal, Checks& checks) {
  tree.save(tree.with(tree.solved_up_to("1.3"), "1.4 append", "// nothing"));
  expect_shown(checks, terminal, "a step that does nothing", "next: fix step 1.4 append");
  constexpr watch::Size kSmall = {.rows = 10, .columns = 40};
  terminal.resize(kSmall);
  expect_shown(checks, terminal, "a small window", " more lines: space --");
  const std::string wrong = too_large(terminal, kSmall);
  checks.expect(wrong.empty(), "watch fits a small window", wrong);
  terminal.resize({.rows = 16, .columns = 80});
  expect_shown(checks, terminal, "a larger window", "what the test did:");
  terminal.type(" ");
  expect_shown(checks, terminal, "space", "-- from the top: space --");
  checks.expect(terminal.shows("next: fix step 1.4 append"), "watch shows the end of the page");
  terminal.resize(kUsualSize);
  expect_shown(checks, terminal, "the usual window", "this test checks: ");
}

void check_done(const Kit& kit, const WatchedTree& tree, PseudoTerminal& terminal, Checks& checks) {
  tree.save(kit.solution_text(kit.manifest.lab("01"), tree.file().filename().string()));
  expect_shown(checks, terminal, "a lab that is done", "compare: ./lab diff ");
  expect_shown(checks, terminal, "the end of its grading", kIdle);
  terminal.type("d");
  expect_shown(checks, terminal, "d when it is done", "1.1 get_all_free_blocks: the same");
  terminal.type("q");
  checks.expect(terminal.exit_code() == kExitGraded, "watch, q: exit 0", terminal.screen());
  checks.expect(terminal.has_line_mode(), "watch puts the modes of the terminal back");
  checks.expect(terminal.shows("6 of 10 steps done, 0 wrong"), "watch says at its end what is done",
                terminal.screen());
}

void check_signals(const WatchedTree& tree, Checks& checks) {
  if (!is_installed("bash")) return checks.unavailable("watch, Ctrl-Z", "bash");
  Command shell = tree.watch();
  shell.argv = {"bash", "--norc", "--noprofile", "-i"};
  shell.environment["PS1"] = "prompt> ";
  PseudoTerminal terminal(shell, kUsualSize);
  expect_shown(checks, terminal, "a shell", "prompt> ");
  terminal.type("'" + join(tree.watch().argv, "' '") + "'\n");
  expect_shown(checks, terminal, "in a shell", "compare: ./lab diff ");
  terminal.type("\x1a");
  expect_shown(checks, terminal, "Ctrl-Z", "Stopped");
  expect_shown(checks, terminal, "the shell after it", "prompt> ");
  terminal.type("fg\n");
  expect_shown(checks, terminal, "fg", kKeyLine);
  checks.expect(!terminal.has_line_mode(), "watch reads single keys again after fg");
  terminal.type("l");
  expect_shown(checks, terminal, "a key after fg", "6 of 10 steps done");
  terminal.type("\x03");
  expect_shown(checks, terminal, "the shell after Ctrl-C", "prompt> ");
  terminal.type("echo exit $?\n");
  expect_shown(checks, terminal, "Ctrl-C", "exit 130");
  terminal.type("stty -a\n");
  expect_shown(checks, terminal, "the modes after Ctrl-C", " icanon ");
  checks.expect(terminal.shows(" echo "), "watch gives the echo back", terminal.screen());
}

void check_without_terminal(const WatchedTree& tree, Checks& checks) {
  expect_sentence(checks, "watch without a terminal", run(tree.watch()), kExitGraded,
                  "total 100/100 core");
  Command dumb = tree.watch();
  dumb.argv.insert(dumb.argv.begin(), {"env", "TERM=dumb"});
  PseudoTerminal terminal(dumb, kUsualSize);
  checks.expect(terminal.exit_code() == kExitGraded, "watch at a terminal that shows no pages",
                terminal.screen());
  expect_sentence(checks, "watch, no such lab", run(tree.command({"watch", "99"})), kExitUsage,
                  "there is no lab \"99\"");
  expect_sentence(checks, "watch, no such tree", run(tree.command({"watch", "--tree", "/nowhere"})),
                  kExitUsage, "there is no folder \"/nowhere\"");
}

void check_pages(Checks& checks) {
  const auto lines = [](const std::string& text) { return join(watch::wrapped(text, 10), "|"); };
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"short", "short"},
      {"ten letter", "ten letter"},
      {"two words here", "two words|here"},
      {"  a margin stays", "  a margin|  stays"},
      {"unbreakableword", "unbreakabl|eword"},
      {"\033[32mgreen\033[0m has no width", "\033[32mgreen\033[0m has|no width"},
      {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9",
       "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"}};
  for (const auto& [text, wrapped] : cases)
    checks.expect(lines(text) == wrapped, "watch, a wrapped line: " + printable(text), lines(text));
  const std::string hint =
      "One\nparagraph.\n\n    a\n    drawing\n1. An item\n   of a list.\n2. Another.\n";
  const std::string whole =
      "One paragraph.\n\n    a\n    drawing\n1. An item of a list.\n2. Another.\n";
  checks.expect(watch::with_whole_paragraphs(hint) == whole, "watch, a hint in whole paragraphs",
                watch::with_whole_paragraphs(hint));
}

}  // namespace

void check_watch(const Kit& kit, Checks& checks) {
  check_pages(checks);
  const WatchedTree tree(kit);
  {
    PseudoTerminal terminal(tree.watch(), kUsualSize);
    check_verdicts(tree, terminal, checks);
    check_saves(tree, terminal, checks);
    check_given_up(tree, terminal, checks);
    check_hints_and_next(terminal, checks);
    check_other_keys(tree, terminal, checks);
    check_sizes(tree, terminal, checks);
    check_done(kit, tree, terminal, checks);
  }
  check_signals(tree, checks);
  check_without_terminal(tree, checks);
}

}  // namespace kv::grader
