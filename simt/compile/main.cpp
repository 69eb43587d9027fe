// simt_compile RENAMED_FUNCTIONS COMPILER ... -MF DEPENDENCIES ... -o OBJECT -c SOURCE.cu
// Compiles a CUDA source for the CPU, in place of the compile command of a build system: what CUDA
// adds to C++ is rewritten first, in copies beside the object, and calls that the compiler inserts
// are renamed afterwards, so that the simulator sees the memory they access. What nvcc would refuse
// is an error here, too, in the form of a compiler's. COMPILER may be a launcher and a compiler.

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/text/text.h"
#include "simt/compile/program_text.h"
#include "simt/rewrite/rewrite.h"

namespace {

namespace fs = std::filesystem;
using kv::grader::replace_all;
using Words = std::vector<std::string>;

// The exit status of a command.
int run(const Words& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) {
    throw std::runtime_error(words.front() + ": error: cannot be started");
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string word_after(const Words& words, const std::string& option) {
  const auto found = std::find(words.begin(), words.end(), option);
  return found == words.end() || found + 1 == words.end() ? "" : found[1];
}

std::vector<fs::path> include_folders(const Words& words) {
  std::vector<fs::path> folders;
  for (const std::string& word : words) {
    if (word.starts_with("-I") && word.size() > 2) folders.push_back(word.substr(2));
  }
  return folders;
}

bool is_refused(const fs::path& source) {
  kv::simt::ProgramText text;
  text.add(source);
  bool is_refused = false;
  text.for_each_refusal([&](const fs::path& file, const kv::simt::Refusal& each) {
    is_refused = true;
    std::fprintf(stderr, "%s:%zu:1: error: %s; %s\n", file.c_str(), each.line, each.what.c_str(),
                 each.means.c_str());
  });
  return is_refused;
}

// Why: a build system has to look at the originals, which the copies are made of.
void name_originals(const fs::path& dependencies, const fs::path& copies) {
  if (dependencies.empty()) return;
  const std::string escaped = replace_all(copies.string(), " ", "\\ ");
  const std::string text = kv::grader::read_file(dependencies);
  kv::grader::write_file(dependencies, replace_all(text, escaped, ""));
}

int compile(const fs::path& renamed_functions, Words command) {
  const fs::path source = fs::weakly_canonical(command.back());
  const std::string object = word_after(command, "-o");
  if (is_refused(source)) return 1;
  const fs::path copies = fs::absolute(object + ".rewritten");
  fs::remove_all(copies);
  const std::vector<fs::path> folders = include_folders(command);
  kv::simt::RewrittenTree tree(copies, folders, KV_SIMT_HEADERS);
  tree.add(source);
  command.back() = tree.place_of(source).string();
  Words found_first;
  for (const fs::path& folder : folders)
    found_first.push_back("-I" + tree.place_of(folder).string());
  const auto first_option =
      std::ranges::find_if(command, [](const std::string& word) { return word.starts_with("-"); });
  command.insert(first_option, found_first.begin(), found_first.end());
  if (const int status = run(command); status != 0) return status;
  name_originals(word_after(command, "-MF"), copies);
  return run({"objcopy", "--redefine-syms=" + renamed_functions.string(), object});
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) return 2;
  return compile(argv[1], Words(argv + 2, argv + argc));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
