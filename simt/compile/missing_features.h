#pragma once
// The parts of CUDA and of its libraries that simt does not have.

#include <string>

namespace kv::simt {

struct MissingFeature {
  const char* what;     // "simt has no ..."
  const char* instead;  // the way round
  const char* names;    // its functions, types and namespaces: a regular expression
  const char* headers;  // as well

  // "simt has no textures (tex2D): read device memory by index"
  std::string sentence(const std::string& name) const;
};

// nullptr: none has this name.
const MissingFeature* missing_feature_of_name(const std::string& name);
const MissingFeature* missing_feature_of_header(const std::string& header);
// "undefined reference to `kv::simt::not_here::malloc(unsigned long)'"
const MissingFeature* missing_feature_of_symbol(const std::string& linker_line);

}  // namespace kv::simt
