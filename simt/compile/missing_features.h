#pragma once
// The parts of CUDA and of its libraries that simt does not have.

#include <string>

namespace kv::simt {

struct MissingFeature {
  const char* what;     // "simt has no ..."
  const char* names;    // of its functions, types and namespaces: a regular expression
  const char* headers;  // as well
};

// nullptr: none has this name.
const MissingFeature* missing_feature_of_name(const std::string& name);
const MissingFeature* missing_feature_of_header(const std::string& header);

}  // namespace kv::simt
