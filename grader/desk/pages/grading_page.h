#pragma once
// The report of a grading as a page: the scoreboard, and every failure as a player of its story.

#include "grader/engine/report/report.h"

namespace kv::grader::pages {

// How much of what failing tests did a page can have: with more, it would be slow to open. Each lab
// has its share; what has no room is left out, and the page says so.
inline constexpr std::size_t kMaxStoryBytes = 800'000;

void write_page(const Kit& kit, const Report& report, const fs::path& path);  // MachineFailed

}  // namespace kv::grader::pages
