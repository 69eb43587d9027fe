// simt FILE.cu: the program that `cmake --install` puts into a prefix, without the kit.

#include <unistd.h>

#include <cstdlib>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

// The user's, as other programs choose it.
fs::path cache_folder() {
  const auto folder_in = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return fs::path(value == nullptr ? "" : value);
  };
  const fs::path cache = folder_in("XDG_CACHE_HOME"), home = folder_in("HOME");
  if (!cache.empty()) return cache / "simt";
  return (home.empty() ? fs::temp_directory_path() : home / ".cache") / "simt";
}

void require_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (::access(folder.c_str(), W_OK) != 0)
    throw UsageError("cannot write to " + folder.string() +
                     "; name a folder that can be written: XDG_CACHE_HOME=/tmp/cache simt ...");
}

// In a prefix; otherwise this is the program of a build folder, which has the runtime, too.
SimtPlaces own_places(const Kit&) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path prefix = folder.parent_path();
  const bool is_installed = fs::is_directory(prefix / "share" / "simt");
  const fs::path docs = is_installed ? prefix / "share/doc/simt/docs" : fs::path("simt/docs");
  SimtPlaces places = {
      .root = is_installed ? prefix / "share" / "simt" : KV_SIMT_SOURCE,
      .runtime = (is_installed ? prefix / "lib/simt" : folder) / "libsimt_runtime.a",
      .build = is_installed ? cache_folder() : folder / "cache",
      .manual = (docs / "simt.md").string()};
  require_writable(places.build);
  return places;
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
