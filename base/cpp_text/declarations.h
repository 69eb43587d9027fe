#pragma once
// The public declarations of a header in a normal form, in which two of them can be compared.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpp_text/declaration.h"

namespace kv::grader {

// The declarations of a header that its users can see.
struct PublicDeclaration {
  std::string name;    // with its scopes: "kv::BlockPool::touch"
  std::string form;    // its normal form, in its scope: equal for two spellings of one declaration
  std::string source;  // as it is written, without a body or comments
  std::string type;    // the outermost type that it declares or is a member of; empty: none
};

// All public declarations, in order, and macros. Left out: private and protected members, friends,
// types declared ahead, includes, an include guard, and members defined outside of their class.
std::vector<PublicDeclaration> public_declarations(std::string_view header);

// The normal form of a declaration: what its users depend on. Two spellings of one declaration have
// one normal form: names of parameters, bodies, initializers, attributes, `inline`, `constexpr` of
// a function, `noexcept` and the place of `const` make no difference. Types, `const` and default
// arguments do.

// The names of template parameters, and what the normal form has in their place.
using TemplateNames = std::map<std::string, std::string, std::less<>>;

// "template <class Real>" at the beginning of `declaration`, if it is there; adds its names.
std::string template_form(Tokens declaration, TemplateNames& names);

// A function, without the template header. parameters: where its parameter list opens.
std::string function_form(Tokens function, std::size_t parameters, const TemplateNames& names);

// A variable or a data member. The value belongs to the form when it is a compile-time constant.
std::string variable_form(Tokens variable, const TemplateNames& names);

// Any other declaration: a type's head, an alias, an enumeration.
std::string plain_form(Tokens declaration, const TemplateNames& names);

// The index at which a function's signature ends: after its parameters, const, = delete.
std::size_t end_of_signature(Tokens function, std::size_t parameters);

// The index of the initializer of a variable: its "=", "{" or "("; variable.size() if none.
std::size_t initializer_of(Tokens variable);

}  // namespace kv::grader
