#pragma once
// Builds a CUDA program for this CPU, against the headers that are compiled once.

#include <string>
#include <vector>

#include "base/process/process.h"
#include "base/text/text.h"
#include "simt/cli/simt.h"

namespace kv::grader {

struct SimtCompiler {
  std::string name;                       // "g++"
  std::vector<std::string> options = {};  // words of CXX after it
  std::string version = {};               // what --version says
  std::string simt_contents = {};         // the headers and flags with which it compiles
  bool is_clang() const { return version.find("clang") != std::string::npos; }
};

// Builds a CUDA program for the CPU: rewritten, compiled with the hooks of -fsanitize=thread,
// linked with our runtime.
struct SimtProgram {
  fs::path program;
  std::string warnings;  // what the compiler warns about
};

class SimtBuild {
 public:
  // Throws UsageError when a file or the compiler is not there.
  SimtBuild(const SimtPlaces& places, const SimtOptions& options);

  // Builds with optimization level "0" or "1". Throws UsageError with one sentence about what simt
  // does not have, or with the compiler's message.
  SimtProgram build(const std::string& level) const;

  const std::vector<fs::path>& files() const { return files_; }
  // "g++" or "clang++", whatever its name is here.
  std::string compiler_kind() const { return compiler_.is_clang() ? "clang++" : "g++"; }

 private:
  std::string name_of(const fs::path& file) const;  // that a user gave
  void require(const Outcome& outcome, const std::string& what) const;
  void require_linked(const Outcome& linked) const;  // or says what is missing, and where it is
  std::string names() const;                         // all files, separated by commas
  std::vector<std::string> common_options(const std::string& level) const;
  std::vector<std::string> own_options(const fs::path& mirror, const fs::path& file) const;
  std::vector<std::string> headers_of(const std::string& level,
                                      const std::vector<std::string>& options) const;
  Outcome run_compiler(const std::vector<std::string>& headers,
                       const std::vector<std::string>& options) const;
  fs::path rewrite(const fs::path& file, const fs::path& mirror) const;
  fs::path compile(const std::string& level,
                   const fs::path& folder,
                   std::size_t number,
                   std::string& warnings) const;

  const SimtPlaces places_;
  std::string call_;  // that the one file makes; empty: the files are a user's
  std::vector<fs::path> files_;
  std::vector<fs::path> include_folders_;
  fs::path cccl_;                          // empty: it is not here
  std::vector<std::string> options_;       // -D and -std
  std::vector<std::string> cuda_options_;  // which CUDA
  bool is_cuda_13_;
  fs::path folder_;  // where it builds
  SimtCompiler compiler_;
};

// The folder of NVIDIA's C++ library, libcu++: one of these, which then is none of the program's,
// or that of an installed toolkit. Empty: it is not here.
fs::path take_cccl(std::vector<fs::path>& include_folders);

// A source that includes this file, and whose main function makes the call: a file of functions and
// kernels becomes a program. Throws UsageError.
fs::path write_caller(const fs::path& file, const std::string& call, const fs::path& folder);

// Why a CUDA program does not compile here: it needs a part of CUDA that simt does not have, or
// that CUDA itself does not have. One sentence with the line, from what the compiler says:
// "a.cu:12: simt has no textures (tex2D)". Empty if the program is wrong in another way.
std::string simt_refusal(const std::string& compiler_output, bool is_cuda_13);

// What a linker misses, and where it may be: a sentence with the line. Empty: it misses no
// function.
std::string missing_function(const std::string& linker_output, const std::vector<fs::path>& files);

// How a program that SimtBuild has built runs.
struct SimtRun {
  std::string name;      // "forward", "reverse", "profile"
  std::string schedule;  // "forward", "reverse"
  std::string level = {};
  bool is_profile = false;
  bool has_lockstep = false;
  bool has_details = false;  // for a page
};

// What the run is doing stands beside its report while it runs, see status/run_status.h.
fs::path status_beside(fs::path report);

// It writes what it found to `report`, as JSON.
Command simt_process(const fs::path& program, const SimtRun& run, const fs::path& report);

}  // namespace kv::grader
