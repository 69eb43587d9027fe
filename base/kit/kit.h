#pragma once
// The folders of the kit, its score sheet, and what identifies the content of files.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/kit/manifest.h"
#include "base/text/text.h"

namespace kv::grader {

// The folders of the kit, and its score sheet.

// What is built and graded with, below the root. starter/ is the student's own in a clone.
inline constexpr std::array kBuildParts = {"CMakeLists.txt", "VERSION",  "apps",   "base",
                                           "cmake",          "grader",   "labs",   "reference",
                                           "simt",           "solution", "starter"};

struct Kit {
  fs::path root;     // the folder of the clone
  fs::path build;    // build/lab in the clone, or LAB_BUILD_DIR
  fs::path program;  // the running program
  Manifest manifest;

  fs::path lab_folder(const LabSpec& lab) const { return root / "labs" / lab.folder; }
  fs::path case_folder(const LabSpec& lab) const {
    return root / "grader" / "proof" / "cases" / lab.folder;
  }
  std::string solution_text(const LabSpec& lab, const std::string& file) const;
};

// load: load_manifest; nullptr in a program that grades nothing, and so needs no score sheet.
Kit find_kit(const char* program,
             Manifest (*load)(const fs::path& labs));  // throws UsageError, KitBroken

// SHA-256 over manifest.json and every lab.json: identifies the score sheet of a report.
std::string score_sheet_digest(const Kit& kit);

// Held while a folder is in use: a build folder, or one in it. A second process waits, and prints
// for which command it waits unless the wait is short.
class Lock {
 public:
  enum class Wait { kLong, kShort };
  explicit Lock(const fs::path& folder,
                Wait wait = Wait::kLong);  // throws UsageError: the folder cannot be written
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int fd_;
};

// SHA-256 of files, by name, in hexadecimal. Why by `cmake -E sha256sum`: it is on every system
// that can build the kit.
std::map<std::string, std::string> sha256(
    const fs::path& folder,
    const std::vector<std::string>& files);  // throws UsageError

// One digest of many: of the lines "digest  file", which are written to the file `list`.
std::string digest_over(const std::map<std::string, std::string>& digests, const fs::path& list);

}  // namespace kv::grader
