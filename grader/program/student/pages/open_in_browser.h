#pragma once

#include "common/text.h"

namespace kv::grader::pages {

// Opens the page in the reader's browser, which goes on when this program ends. false: no display
// is there, or no program that opens files.
bool open_in_browser(const fs::path& page);

}  // namespace kv::grader::pages
