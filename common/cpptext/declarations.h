#pragma once
// The declarations of a header that its users can see.

#include <string>
#include <string_view>
#include <vector>

namespace kv::grader {

struct PublicDeclaration {
  std::string name;    // with its scopes: "kv::BlockPool::touch"
  std::string form;    // its normal form, in its scope: equal for two spellings of one declaration
  std::string source;  // as it is written, without a body or comments
  std::string type;    // the outermost type that it declares or is a member of; empty: none
};

// All public declarations, in order, and macros. Left out: private and protected members, friends,
// types declared ahead, includes, an include guard, and members defined outside of their class.
std::vector<PublicDeclaration> public_declarations(std::string_view header);

}  // namespace kv::grader
