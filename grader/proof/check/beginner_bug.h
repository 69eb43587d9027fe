#pragma once
// The solution of lab 01 with a bug that beginners write, and what the report says about it.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "grader/engine/variations/scratch_build.h"
#include "grader/engine/variations/variation.h"

namespace kv::grader {

struct BeginnerBug {
  const char* name;
  const char* old_text;
  const char* new_text;
  const char* test = "";  // the one that shows it
  std::array<std::string_view, 3> says = {};
};

inline constexpr const char* kFileOfBeginnerBugs = "free_kv_cache_block_queue.cpp";

Variation variation_of(const BeginnerBug& bug);

// Grades the solution with the bug, and names lines as ./lab grade does.
LabResult graded(const Kit& kit, ScratchBuild& build, const LabSpec& lab, const BeginnerBug& bug);

// Which of the parts the text lacks, and the text; empty if it has all.
std::string missing_in(const std::string& text, const std::vector<std::string>& parts);

}  // namespace kv::grader
