#include <algorithm>
#include <cstdlib>

#include "simt/cli/simt_build.h"

namespace kv::grader {
namespace {

bool is_cccl(const fs::path& folder) {
  return fs::is_regular_file(folder / "cuda/std/atomic");
}

// Where CUDA's toolkit is installed, if it is.
fs::path toolkit() {
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* const folder = std::getenv(variable);
    if (folder != nullptr) return folder;
  }
  return "/usr/local/cuda";
}

}  // namespace

fs::path take_cccl(std::vector<fs::path>& include_folders) {
  const auto named = std::ranges::find_if(include_folders, is_cccl);
  if (named != include_folders.end()) {
    const fs::path folder = *named;
    include_folders.erase(named);
    return folder;
  }
  const fs::path folder = toolkit() / "include/cccl";
  return is_cccl(folder) ? folder : fs::path();
}

}  // namespace kv::grader
