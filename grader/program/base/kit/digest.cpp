#include "grader/program/base/kit/digest.h"

#include "common/errors.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {

std::map<std::string, std::string> sha256(const fs::path& folder,
                                          const std::vector<std::string>& files) {
  std::map<std::string, std::string> digests;
  if (files.empty()) return digests;
  Command command{.argv = {"cmake", "-E", "sha256sum"}};
  for (const std::string& file : files) command.argv.push_back((folder / file).string());
  const std::vector<std::string> lines = split_lines(run(command).output);
  if (lines.size() != files.size())
    throw UsageError("cmake -E sha256sum printed no digests; check that cmake is installed");
  for (std::size_t i = 0; i < files.size(); ++i) digests[files[i]] = lines[i].substr(0, 64);
  return digests;
}

std::string digest_over(const std::map<std::string, std::string>& digests, const fs::path& list) {
  std::string lines;
  for (const auto& [file, digest] : digests) lines += digest + "  " + file + "\n";
  write_file(list, lines);
  const std::string name = list.filename().string();
  return sha256(list.parent_path(), {name})[name];
}

}  // namespace kv::grader
