#include "grader/program/student/simt/simt_headers.h"

#include <algorithm>

#include "grader/program/base/process/process.h"

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

// What the compiled headers depend on.
std::string stamp_of(const SimtCompiler& compiler,
                     const std::vector<std::string>& options,
                     const fs::path& simt) {
  std::string all =
      compiler.version + contents_below(simt / "include") + contents_below(simt / "flags");
  for (const std::string& option : options) all += option + "\n";
  return std::to_string(std::hash<std::string>()(all));
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

}  // namespace

std::vector<std::string> compiled_headers(const SimtCompiler& compiler,
                                          const std::vector<std::string>& options,
                                          const fs::path& simt,
                                          const fs::path& folder) {
  const fs::path compiled = folder / (compiler.is_clang() ? "headers.pch" : "cuda_runtime.h.gch");
  const fs::path stamp = folder / "stamp";
  const std::string wanted = stamp_of(compiler, options, simt);
  if (!fs::exists(stamp) || read_file(stamp) != wanted) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    if (!compile(compiler, options, folder, compiled)) return {};
    write_file(stamp, wanted);
  }
  // g++ looks for the compiled form of a header in each folder, before the header.
  if (compiler.is_clang()) return {"-include-pch", compiled.string()};
  return {"-I" + folder.string()};
}

}  // namespace kv::grader
