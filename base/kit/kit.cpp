#include "base/kit/kit.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "base/process/process.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

// "grade 06", as ./lab was called; empty if this program was started without it.
std::string command_of_lab() {
  const char* command = std::getenv("LAB_COMMAND");
  return command == nullptr ? "" : command;
}

std::string holder_in(const fs::path& lock_file) {
  const std::string command = read_file(lock_file);
  if (command.empty()) return "another program, which writes to the same folder";
  return "./lab " + printable(command) + ", which is running in this clone";
}

}  // namespace

Kit find_kit(const char* program, Manifest (*load)(const fs::path& labs)) {
  const char* root = std::getenv("LAB_ROOT");
  if (root == nullptr) throw UsageError("start this program with ./lab, which sets LAB_ROOT");
  const char* build = std::getenv("LAB_BUILD_DIR");
  return {.root = root,
          .build = build != nullptr ? fs::absolute(build) : fs::path(root) / "build" / "lab",
          .program = fs::absolute(program),
          .manifest = load == nullptr ? Manifest() : load(fs::path(root) / "labs")};
}

std::string Kit::solution_text(const LabSpec& lab, const std::string& file) const {
  return read_file(root / "solution" / lab.folder / file);
}

std::string score_sheet_digest(const Kit& kit) {
  std::vector<std::string> files{"manifest.json"};
  for (const LabSpec& lab : kit.manifest.labs) files.push_back(lab.folder + "/lab.json");
  return digest_over(sha256(kit.root / "labs", files), kit.build / "score-sheet");
}

Lock::Lock(const fs::path& folder, Wait wait) {
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string path = (folder / "lock").string();
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    throw UsageError("cannot write to " + folder.string() +
                     "; name a folder that can be written: LAB_BUILD_DIR=/tmp/pagedlab ./lab ...");
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    if (wait == Wait::kLong) std::cerr << "waiting for " << holder_in(path) << " ...\n";
    ::flock(fd_, LOCK_EX);
  }
  // Why not if it fails: the name is for the message above, and the lock holds without it.
  std::ofstream(path) << command_of_lab();
}

Lock::~Lock() {
  ::close(fd_);
}

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
