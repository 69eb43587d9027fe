#pragma once
// The page of ./lab serve as files that need no server: the engine runs in the reader's browser.

#include <string>

#include "base/kit/kit.h"
#include "base/page/page.h"

namespace kv::grader {

// The page of a pool at work. script: what computes. labs: which ones manage its memory, as the end
// of a sentence. course: the address where a reader begins to write; empty if there is none.
pages::PageContent pool_page(const char* script,
                             const std::string& labs,
                             const std::string& course);

// Writes index.html and engine.js into a folder. tree: whose labs compute; one that is not done is
// the solution's, and the page says so. course: as in pool_page. Throws UsageError without
// Emscripten, and for what ./lab serve refuses.
void write_live_page(const Kit& kit,
                     const std::string& tree,
                     const fs::path& folder,
                     const std::string& course);

}  // namespace kv::grader
