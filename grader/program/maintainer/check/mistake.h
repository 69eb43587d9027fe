#pragma once
// A beginner's mistake in the solution of lab 01, and what the report says about it.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "grader/program/student/variations/scratch_build.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {

struct Mistake {
  const char* name;
  const char* old_text;
  const char* new_text;
  const char* test = "";  // the one that shows it
  std::array<std::string_view, 3> says = {};
};

inline constexpr const char* kFileOfMistakes = "free_kv_cache_block_queue.cpp";

Variation variation_of(const Mistake& mistake);

// Grades the solution with the mistake, and names lines as ./lab grade does.
LabResult graded(const Kit& kit, ScratchBuild& build, const LabSpec& lab, const Mistake& mistake);

// Which of the parts the text lacks, and the text; empty if it has all.
std::string missing_in(const std::string& text, const std::vector<std::string>& parts);

}  // namespace kv::grader
