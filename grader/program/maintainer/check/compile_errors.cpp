#include <array>

#include "grader/program/base/build/diagnostics.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {
namespace {

// In the solution of lab 01. gnu, clang: what the message has to say beside file and line.
struct Error {
  const char* name;
  const char* old_text;
  const char* new_text;
  const char* gnu;
  const char* clang;
};

constexpr const char* kGenerate =
    "  std::ranges::generate(blocks, [this] { return popleft(); });\n";

constexpr Error kErrors[] = {

    {"a missing semicolon", "    blocks.push_back(block);\n", "    blocks.push_back(block)\n",
     "expected ‘;’", "expected ';'"},
    {"a missing include", "#include <algorithm>\n", "",
     "‘generate’ is not a member of ‘std::ranges’", "no member named 'generate'"},
    {"a member that is not const", "get_all_free_blocks() const {\n", "get_all_free_blocks() {\n",
     "note: candidate is: ‘std::vector<kv::KVCacheBlock*> "
     "kv::FreeKVCacheBlockQueue::get_all_free_blocks() const’",
     "does not match because it is const qualified"},
    {"a change in a const member", "  KVCacheBlock* block = sentinel_.next_free_block;\n",
     "  KVCacheBlock* block = sentinel_.next_free_block = nullptr;\n", "in read-only object",
     "within const member function"},
    {". on a pointer", "    block = block->next_free_block;\n",
     "    block = block.next_free_block;\n", "maybe you meant to use ‘->’",
     "did you mean to use '->'?"},
    {"two types for one template parameter", kGenerate,
     "  blocks.resize(std::min(num_blocks, 3));\n",
     "note: deduced conflicting types for parameter ‘const _Tp’ (‘long unsigned int’ and ‘int’)",
     "deduced conflicting types for parameter '_Tp' ('std::size_t' (aka 'unsigned long') vs. "
     "'int')"},
    {"a value where a function belongs", kGenerate, "  std::ranges::generate(blocks, popleft());\n",
     "note: the expression ‘is_invocable_v<_Fn, _Args ...> [with _Fn = kv::KVCacheBlock*&",
     "note: because 'kv::KVCacheBlock *&' does not satisfy 'invocable'"},
    {"too many arguments", "  remove(*head);\n", "  remove(*head, 1);\n",
     "note: candidate expects 1 argument, 2 provided", "too many arguments to function call"},
    {"a pointer for a reference", "  remove(*head);\n", "  remove(head);\n",
     "initializing argument 1 of ‘void kv::FreeKVCacheBlockQueue::remove(kv::KVCacheBlock&)’",
     "passing argument to parameter 'block' here"},
    {"an object for a pointer", "    blocks.push_back(block);\n", "    blocks.push_back(*block);\n",
     "no known conversion for argument 1 from ‘kv::KVCacheBlock’ to ‘kv::KVCacheBlock* const&’",
     "no known conversion from 'kv::KVCacheBlock' to"},
    {"a second declaration", "  remove(*head);\n", "  remove(*head);\n  int head = 0;\n",
     "note: previous declaration as ‘kv::KVCacheBlock* head’", "previous definition is here"},
    {"a missing namespace", "  std::vector<KVCacheBlock*> blocks;\n",
     "  vector<KVCacheBlock*> blocks;\n", "note: suggested alternatives: ‘std::vector’",
     "did you mean 'std::vector'?"},
    {"a missing closing brace", "  --num_free_blocks_;\n}\n", "  --num_free_blocks_;\n",
     "does the function before it lack its closing brace?",
     "does the function before it lack its closing brace?"}};

std::string message_of(const Kit& kit, const std::string& compiler, const fs::path& file) {
  const Outcome outcome = run({.argv = {compiler, "-std=c++20", "-fsyntax-only", "-I",
                                        (kit.root / "labs").string(), file.string()},
                               .environment = {{"LC_ALL", "C.UTF-8"}}});
  return outcome.ok() ? "it compiles" : first_error(outcome.output);
}

// The place comes first and is in the student's file, and no line begins in a library.
std::string complaint_about(const std::string& message,
                            const fs::path& file,
                            const std::string& part) {
  if (!message.starts_with(file.string() + ":"))
    return "it does not begin with the file\n" + message;
  if (message.find("\n/usr/") != std::string::npos) return "a line begins in a library\n" + message;
  if (message.find(part) == std::string::npos) return "it does not say: " + part + "\n" + message;
  return "";
}

void check_compiler(const Kit& kit, const std::string& compiler, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const fs::path file = kit.build / "messages" / lab.files.front();
  std::string wrong;
  for (const Error& error : kErrors) {
    Variation variation;
    variation.name = error.name;
    variation.file = lab.files.front();
    variation.old_text = error.old_text;
    variation.new_text = error.new_text;
    write_file(file, varied_text(kit, lab, variation));
    const std::string why = complaint_about(message_of(kit, compiler, file), file,
                                            compiler == "g++" ? error.gnu : error.clang);
    if (!why.empty()) wrong += std::string(error.name) + ": " + why + "\n";
  }
  checks.expect(wrong.empty(),
                compiler + ": " + std::to_string(std::size(kErrors)) +
                    " beginner's errors, each with its file, its line and the note that decides",
                wrong);
}

// Inside a library, the place is the line that led there; a linker names the student's line.
void check_places(Checks& checks) {
  const std::string inside =
      "In file included from /usr/include/c++/12/memory:76:\n"
      "/usr/include/c++/12/bits/unique_ptr.h: In instantiation of ‘void f()’:\n"
      "/stage/a.cpp:7:3:   required from here\n"
      "/usr/include/c++/12/bits/unique_ptr.h:93:23: error: static assertion failed\n";
  checks.expect(first_error(inside).starts_with("/stage/a.cpp:7:3: error: static assertion failed"),
                "an error inside a library begins with the line that led there",
                first_error(inside));
  const std::string link =
      "/usr/bin/ld: a.cpp.o: in function `f()':\n/stage/a.cpp:45: undefined reference to `g()'\n";
  checks.expect(first_error(link) == "/stage/a.cpp:45: error: undefined reference to `g()'",
                "a linker's error begins with the student's line", first_error(link));
  const std::string twice =
      "/usr/bin/ld: main.cpp.o: in function `main':\n/kit/main.cpp:9: multiple definition of "
      "`main'; "
      "stage/a.cpp.o:/stage/a.cpp:78: first defined here\n";
  checks.expect(first_error(twice) == "/stage/a.cpp:78: error: multiple definition of `main'",
                "of two definitions the student's is named", first_error(twice));
}

}  // namespace

void check_compile_errors(const Kit& kit, Checks& checks) {
  for (const std::string compiler : {"g++", "clang++"}) {
    if (is_installed(compiler)) {
      check_compiler(kit, compiler, checks);
    } else {
      checks.unavailable("beginner's errors", compiler);
    }
  }
  check_places(checks);
}

}  // namespace kv::grader
