#include "simt/cli/simt_build.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "base/builds/diagnostics.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "simt/cli/kept_file.h"
#include "simt/compile/program_text.h"
#include "simt/rewrite/rewrite.h"

namespace kv::grader {
namespace {

std::string contents_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::string all;
  for (const fs::path& file : files) all += file.string() + "\n" + read_file(file);
  return all;
}

// Everything that decides what the compiler makes, but for the files that it reads besides simt's.
std::string made_with(const SimtCompiler& compiler, const std::vector<std::string>& options) {
  return compiler.version + compiler.simt_contents + join(options, "\n");
}

// Why an empty file: the flags include the header itself.
bool compile(const SimtCompiler& compiler,
             const std::vector<std::string>& options,
             const fs::path& folder,
             const fs::path& compiled) {
  const fs::path empty = folder / "empty.h";
  write_file(empty, "");
  Command command{.argv = {compiler.name}};
  command.argv.insert(command.argv.end(), options.begin(), options.end());
  command.argv.insert(command.argv.end(),
                      {"-x", "c++-header", "-c", empty.string(), "-o", compiled.string()});
  return run(command).ok();
}

// CUDA's headers are most of what a small program compiles, so they are compiled once for each
// compiler and level. More options for a compilation with these options, so that it reads them so.
// `folder` is where they are kept. None when they cannot be compiled.
std::vector<std::string> compiled_headers(const SimtCompiler& compiler,
                                          const std::vector<std::string>& options,
                                          const fs::path& folder) {
  const fs::path compiled = folder / (compiler.is_clang() ? "headers.pch" : "cuda_runtime.h.gch");
  const KeptFile kept(compiled, made_with(compiler, options));
  if (!kept.is_current()) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    if (!compile(compiler, options, folder, compiled)) return {};
    kept.remember({});
  }
  // g++ looks for the compiled form of a header in each folder, before the header.
  if (compiler.is_clang()) return {"-include-pch", compiled.string()};
  return {"-I" + folder.string()};
}

// What is put before a compiler in ./lab test, which has a cache of compilations. Why without these
// two: a report finds a line of a program by its path.
std::vector<std::string> compiler_cache() {
  const char* const folder = std::getenv("CCACHE_DIR");
  if (folder == nullptr || *folder == '\0' || !is_installed("ccache")) return {};
  return {"env", "-u", "CCACHE_BASEDIR", "-u", "CCACHE_NOHASHDIR", "ccache"};
}

// CXX may be a path with blanks, or words, as clang++ -stdlib=libc++.
SimtCompiler default_compiler() {
  const char* const chosen = std::getenv("CXX");
  if (chosen == nullptr) return {"c++"};
  const std::vector<std::string> words = compiler_words(chosen);
  if (words.empty()) return {"c++"};
  return {.name = words.front(), .options = {words.begin() + 1, words.end()}};
}

constexpr int kOldestStandard = 20;  // that simt's headers need

// "c++17" becomes 20: programs of older standards compile with the newer one.
std::string standard_option(const std::string& standard) {
  static const std::regex form("(c|gnu)\\+\\+(\\d\\d)");
  std::smatch found;
  if (!std::regex_match(standard, found, form)) {
    throw UsageError("-std=" + standard + " is not a C++ standard; write -std=c++20");
  }
  const int year = std::stoi(found[2]) > 90 ? kOldestStandard : std::stoi(found[2]);
  return "-std=" + found[1].str() + "++" + std::to_string(std::max(year, kOldestStandard));
}

std::vector<std::string> joined(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

bool is_cuda(const fs::path& file) {
  return file.extension() == ".cu";
}

}  // namespace

SimtBuild::SimtBuild(const SimtPlaces& places, const SimtOptions& options)
    : places_(places),
      call_(options.call),
      is_cuda_13_(options.cuda == "13"),
      compiler_(options.compiler.empty() ? default_compiler() : SimtCompiler{options.compiler}) {
  for (const std::string& file : options.files) {
    if (!fs::is_regular_file(file)) throw UsageError("no file \"" + file + "\"");
    files_.push_back(fs::weakly_canonical(file));
  }
  for (const std::string& folder : options.include_folders) {
    if (!fs::is_directory(folder)) throw UsageError("no folder \"" + folder + "\" for -I");
    include_folders_.push_back(fs::weakly_canonical(folder));
  }
  cccl_ = take_cccl(include_folders_);
  for (const std::string& macro : options.macros) options_.push_back("-D" + macro);
  cuda_options_.push_back("-DKV_SIMT_CUDA=" + options.cuda);
  if (options.has_extended_lambda) cuda_options_.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1");
  if (!options.standard.empty()) options_.push_back(standard_option(options.standard));
  const std::string& name = compiler_.name;
  if (!is_installed(name)) throw UsageError("no compiler \"" + name + "\" here");
  compiler_.version = run({.argv = {name, "--version"}}).output;
  const fs::path simt = places.root / "simt";
  compiler_.simt_contents = contents_below(simt / "include") + contents_below(simt / "flags");
  std::string key = name;
  for (const fs::path& file : files_) key += file.string();
  const std::size_t digest = std::hash<std::string>()(key);
  folder_ = places.build / "simt" /
            (files_.front().stem().string() + "-" + std::to_string(digest % 1000000));
}

std::string SimtBuild::name_of(const fs::path& file) const {
  return call_.empty() ? file.string() : "--call \"" + call_ + "\"";
}

void SimtBuild::require(const Outcome& outcome, const std::string& what) const {
  if (outcome.ok()) return;
  const std::string refusal = simt_refusal(outcome.output, is_cuda_13_);
  const bool is_simts = refusal.find(": simt has no ") != std::string::npos;
  if (is_simts) throw UsageError(refusal + "; what it has: " + places_.manual);
  if (!refusal.empty()) throw UsageError(refusal);
  throw UsageError(what + "\n" + first_error(outcome.output));
}

std::string SimtBuild::names() const {
  std::string names;
  for (const fs::path& file : files_) names += (names.empty() ? "" : ", ") + name_of(file);
  return names;
}

// The options for every CUDA program that this compiler compiles.
std::vector<std::string> SimtBuild::common_options(const std::string& level) const {
  const fs::path simt = places_.root / "simt";
  const std::string own = compiler_.is_clang() ? "clang++.txt" : "g++.txt";
  std::vector<std::string> options = joined(
      {compiler_.options,
       cuda_options_,
       {"@" + (simt / "flags" / "common.txt").string(), "@" + (simt / "flags" / own).string(),
        "-O" + level, "-I" + (simt / "include").string()}});
  for (const fs::path& folder : places_.more_headers) options.push_back("-I" + folder.string());
  if (!cccl_.empty()) options.insert(options.end(), {"-isystem", cccl_.string()});
  return options;
}

// The rewritten folders come first, then our headers with CUDA's names, then those of the program.
std::vector<std::string> SimtBuild::own_options(const fs::path& mirror,
                                                const fs::path& file) const {
  std::vector<std::string> options{"-iquote" + file.parent_path().string()};
  for (const fs::path& folder : include_folders_) {
    options.push_back("-I" + (mirror / folder.relative_path()).string());
    options.push_back("-idirafter" + folder.string());
  }
  return options;
}

// Compiled headers are for programs without options that could change them.
std::vector<std::string> SimtBuild::headers_of(const std::string& level,
                                               const std::vector<std::string>& options) const {
  if (!options_.empty()) return {};
  const std::string key = compiler_.name + join(cuda_options_, " ");
  const std::size_t digest = std::hash<std::string>()(key);
  const std::string name = "headers-" + std::to_string(digest % 1000000);
  return compiled_headers(compiler_, options, folder_.parent_path() / name / level);
}

Outcome SimtBuild::run_compiler(const std::vector<std::string>& headers,
                                const std::vector<std::string>& options) const {
  const auto compile_with = [&](const std::vector<std::string>& compiled) {
    return run({.argv = joined({compiler_cache(), {compiler_.name}, compiled, options})});
  };
  Outcome outcome = compile_with(headers);
  // Why again: a compiler refuses compiled headers when a system header has changed since; and what
  // it says of a program's errors should not depend on them.
  if (!outcome.ok() && !headers.empty()) outcome = compile_with({});
  return outcome;
}

// Returns the copy that is compiled.
fs::path SimtBuild::rewrite(const fs::path& file, const fs::path& mirror) const {
  simt::RewrittenTree tree(mirror, include_folders_, places_.root / "simt" / "include", cccl_);
  try {
    tree.add(file);
  } catch (const simt::MalformedCuda& error) {
    throw UsageError(error.what());
  }
  return tree.place_of(file);
}

// Returns the object file.
fs::path SimtBuild::compile(const std::string& level,
                            const fs::path& folder,
                            std::size_t number,
                            std::string& warnings) const {
  const fs::path& file = files_[number];
  const fs::path object = folder / ("program" + std::to_string(number) + ".o");
  const fs::path said = object.string() + ".said", read = object.string() + ".read";
  const fs::path source = rewrite(file, folder / "source");
  std::vector<std::string> options = common_options(level);
  if (is_cuda(file))
    options.push_back("@" + (places_.root / "simt/flags/cuda_sources.txt").string());
  const std::vector<std::string> headers =
      is_cuda(file) ? headers_of(level, options) : std::vector<std::string>();
  // Why options_ come later: of two -std the last one counts.
  const std::vector<std::string> of_object = {"-c", source, "-o", object, "-MD", "-MF", read};
  options = joined({own_options(folder / "source", file), options, options_, of_object});
  const KeptFile kept(object, made_with(compiler_, options));
  if (!kept.is_current()) {
    const Outcome compiled = run_compiler(headers, options);
    require(compiled, name_of(file) + " does not compile:");
    write_file(said, compiled.output);
    // Why: the compiler calls these functions, and their accesses have to be checked, too.
    const fs::path renamed = places_.root / "simt" / "flags" / "renamed_functions.txt";
    require(run({.argv = {"objcopy", "--redefine-syms=" + renamed.string(), object.string()}}),
            "objcopy (of binutils) is needed, and failed:");
    kept.remember(files_read(read));
  }
  warnings += read_file(said);
  return object;
}

void SimtBuild::require_linked(const Outcome& linked) const {
  if (linked.output.find("undefined reference to `main'") != std::string::npos)
    throw UsageError(names() +
                     " has no main function; if another file has it, name it, too; to call one of "
                     "its functions: --call \"solve(float[1000], 1000)\"");

  if (const std::string refusal = simt_refusal(linked.output, is_cuda_13_); refusal.empty()) {
    const std::string missing = missing_function(linked.output, files_);
    if (!missing.empty()) throw UsageError(missing);
  }

  require(linked, names() + " does not link:");
}

SimtProgram SimtBuild::build(const std::string& level) const {
  const fs::path folder = folder_ / level;
  SimtProgram built{folder / "program", ""};

  // Why: a header that is gone must not be found there.
  fs::remove_all(folder / "source");
  const std::string runtime = places_.runtime.string();
  // Why all of the runtime, and first: both sides hold copies of the standard library's templates,
  // and the linker takes the first; the runtime must not call copies that are instrumented.
  const std::vector<std::string> whole = {"-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive"};
  std::vector<std::string> link = joined({{compiler_.name}, compiler_.options, whole});

  std::vector<fs::path> objects;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    objects.push_back(compile(level, folder, i, built.warnings));
    link.push_back(objects.back());
  }
  link.insert(link.end(), {"-o", built.program.string()});

  const KeptFile kept(built.program, join(link, "\n"));
  if (kept.is_current()) return built;
  const Outcome linked = run({.argv = link});
  require_linked(linked);
  objects.push_back(runtime);
  kept.remember(objects);
  return built;
}

}  // namespace kv::grader
