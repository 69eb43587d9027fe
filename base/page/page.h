#pragma once
// A page that needs no other file and no network: a script, styles and data in one text.

#include <string>

#include "base/kit/json.h"
#include "base/text/text.h"

namespace kv::grader::pages {

struct PageContent {
  const char* script;  // "simt/page/main.js": a module that calls drawPage of frame.js
  std::string title;
  Json data;                // for the script; "kind" says what is shown
  std::string log = {};     // an event log, an object a line
  std::string plain = {};   // what a reader without JavaScript sees
  bool has_server = false;  // that its script may call
  bool has_engine = false;  // WebAssembly in a worker, from scripts beside the page
};

// root: the folder in which the script is named.
std::string page_text(const fs::path& root, const PageContent& content);

// A page that names above all else whose work it is; what it named before is replaced.
std::string with_owner(const std::string& page, const std::string& owner);

// The form in which data is in a page: no text in it ends a script element.
std::string embedded(const Json& data);

}  // namespace kv::grader::pages
