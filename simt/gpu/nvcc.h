#pragma once
// nvcc, where it is installed: what it says about a CUDA file.

#include <string>
#include <vector>

#include "base/process/process.h"
#include "base/text/text.h"

namespace kv::grader {

struct NvccResult {
  bool compiles = false;
  std::vector<std::string> messages = {};  // errors and warnings, a line each, each once
};

struct NvccSource {
  fs::path file;
  std::vector<fs::path> include_folders;
  fs::path object;  // what is written
};

// "13.0.88"; empty where nvcc is not installed.
std::string nvcc_version();

// Those of `wanted` for which this nvcc compiles: "sm_80".
std::vector<std::string> possible_architectures(const std::vector<std::string>& wanted);

constexpr const char* kNoNvcc = "nvcc is not installed";

// Why nothing can run on a GPU here; empty: it can. The second asks for nvcc, too.
std::string why_no_gpu();
std::string why_no_gpu_program();

// Only the code of the GPU is made: the host's half takes as long again, and the simulator's build
// has compiled it.
NvccResult compile_with_nvcc(const NvccSource& source,
                             const std::vector<std::string>& architectures);

// The tools of compute-sanitizer, and how one of them runs a program. An error that it finds is the
// exit code kSanitizerFound.
inline const std::vector<std::string> kSanitizerTools = {"memcheck", "racecheck", "initcheck",
                                                         "synccheck"};
constexpr int kSanitizerFound = 99;
Command with_sanitizer(const std::string& tool, Command command);

}  // namespace kv::grader
