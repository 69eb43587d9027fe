// simt FILE.cu: the program that `cmake --install` puts into a prefix, without the kit.

#include <cstdlib>

#include "base/commands/command_line.h"
#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

// The user's, as other programs choose it.
fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache != nullptr) return fs::path(cache) / "simt";
  return home != nullptr ? fs::path(home) / ".cache" / "simt" : fs::temp_directory_path() / "simt";
}

// In a prefix; otherwise this is the program of a build folder, which has the runtime, too.
SimtPlaces own_places(const Kit&) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path prefix = folder.parent_path();
  if (fs::is_directory(prefix / "share" / "simt"))
    return {prefix / "share" / "simt", prefix / "lib" / "simt" / "libsimt_runtime.a",
            cache_folder()};
  return {KV_SIMT_SOURCE, folder / "libsimt_runtime.a", folder / "cache"};
}

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  using namespace kv::grader;
  CommandLine line({.call = "", .name = "simt", .find = [](const char*) { return Kit(); }});
  add_simt_command(line, own_places);
  std::vector<std::string> words = {"", "simt"};
  words.insert(words.end(), argv + 1, argv + argc);
  return line.run(readable_simt_options(words));
}
