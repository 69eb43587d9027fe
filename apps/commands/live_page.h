#pragma once
// The page of ./lab serve as files that need no server: the engine runs in the reader's browser.

#include <string>

#include "base/kit/kit.h"

namespace kv::grader {

// Writes index.html and engine.js into a folder. tree: whose labs compute; one that is not done is
// the solution's, and the page says so. Throws UsageError without Emscripten, and for what ./lab
// serve refuses.
void write_live_page(const Kit& kit, const std::string& tree, const fs::path& folder);

}  // namespace kv::grader
