#pragma once
// What a report was made with, so that somebody else can make it again.

#include <string>

#include "base/kit/kit.h"

namespace kv::grader {

struct Provenance {
  std::string kit_version;  // what the file VERSION says
  // The name that git gives it, followed by ", changed" if a file that can change a score differs
  // from it. Empty: the kit is in no repository, or git is not installed.
  std::string kit_commit;
  std::string score_sheet_digest;
  std::string compiler;          // "GNU 14.2.0"
  std::string compiler_options;  // options for the student's files, without warnings and folders
  std::string date;              // when it began, in UTC: "2026-03-09T17:30:00Z"
};

std::string now_in_utc();  // "2026-03-09T17:30:00Z"

// build_folder: of a BuildTree that is configured.
Provenance provenance_of(const Kit& kit, const fs::path& build_folder);

}  // namespace kv::grader
