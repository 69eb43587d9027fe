#include <algorithm>

#include "base/cpp_text/declaration.h"
#include "simt/rewrite/device_code.h"

namespace kv::simt {
namespace {

bool is_alignment(std::string_view word) {
  return word == "__align__" || word == "alignas" || word == "__attribute__";
}

// The words that are removed from a declaration of dynamic shared memory, which begins at an
// aligned address.
bool is_removed(std::string_view word) {
  return word == "extern" || word == "__shared__" || is_alignment(word);
}

// Whether [[maybe_unused]], say, begins here.
bool begins_attribute(const EditedSource& code, std::size_t i) {
  return code.text(i) == "[" && code.text(i + 1) == "[";
}

// The last token of the specifier at `i`: int, alignas(16), [[maybe_unused]].
std::size_t specifier_end(const EditedSource& code, std::size_t i) {
  if (begins_attribute(code, i)) return code.matching_bracket(i, 1);
  return grader::takes_arguments(code.text(i)) ? code.matching_bracket(i + 1, 1) : i;
}

// The "[", or the end, of the declaration that has the specifier `i`.
std::size_t declarator_end(const EditedSource& code, std::size_t i) {
  const auto ends = [&] {
    const std::string_view text = code.text(i);
    return text == ";" || text == "{" || text == "(" || (text == "[" && !begins_attribute(code, i));
  };
  while (i < code.size() && !ends()) i = specifier_end(code, i) + 1;
  return i;
}

// The first specifier of the declaration that has the specifier `i`: in any order they are right.
std::size_t declaration_begin(const EditedSource& code, std::size_t i) {
  while (i > 0 && !code.is_in_directive(i - 1)) {
    std::size_t before = i - 1;
    if (code.text(before) == "]" || code.text(before) == ")") {
      before = code.matching_bracket(before, -1);
      if (code.text(before) == "(") --before;
      if (specifier_end(code, before) != i - 1) break;
    } else if (!code.is_word(before) && code.text(before) != "::") {
      break;
    }
    i = before;
  }
  return i;
}

// Removes what is_removed, and returns the first token of the type.
std::size_t remove_specifiers(EditedSource& code, std::size_t first, std::size_t end) {
  std::size_t type = end;
  for (std::size_t i = first; i < end; ++i) {
    const std::size_t last = specifier_end(code, i);
    if (is_removed(code.text(i)) || begins_attribute(code, i)) {
      for (; i <= last; ++i) code.replace(i, "");
      i = last;
    } else if (code.text(i) != "volatile") {
      type = std::min(type, i);
    }
  }
  return type;
}

void rewrite_declaration(EditedSource& code, std::size_t first, std::size_t open) {
  if (code.text(open) != "[" || !code.is_word(open - 1)) {
    code.refuse(first, "extern __shared__ declares an array of unknown size; write name[]");
  }
  const std::size_t close = code.matching_bracket(open, 1);
  std::size_t end = close + 1;
  while (code.text(end) == "[") end = code.matching_bracket(end, 1) + 1;
  if (code.text(end) != ";") {
    code.refuse(first, "extern __shared__ declares one array here; give each its own line");
  }
  const std::size_t type = remove_specifiers(code, first, open - 1);
  if (type == open - 1) {
    code.refuse(first, "extern __shared__ needs a type; write extern __shared__ float name[]");
  }
  code.insert_before(type, "auto* const " + std::string(code.text(open - 1)) + " = static_cast<");
  code.replace(open - 1, end == close + 1 ? "*" : "(*)");
  for (std::size_t i = open; i <= close; ++i) code.replace(i, "");
  code.insert_before(end, ">(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(" +
                              std::string(code.text(open - 1)) + ")");
}

bool has_word(const EditedSource& code, std::size_t i, std::size_t end, std::string_view word) {
  while (i < end && code.text(i) != word) ++i;
  return i < end;
}

}  // namespace

void rewrite_dynamic_shared(EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) != "extern") continue;
    const std::size_t first = declaration_begin(code, i);
    const std::size_t open = declarator_end(code, i);
    if (has_word(code, first, open, "__shared__")) rewrite_declaration(code, first, open);
  }
}

void rewrite_attributes(EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) != "__shared__" && code.text(i) != "__global__") continue;
    const std::size_t first = declaration_begin(code, i);
    const std::size_t end = declarator_end(code, i);
    const bool is_dynamic = code.text(i) == "__shared__" && has_word(code, first, end, "extern");
    std::string attributes;
    for (std::size_t k = first; k < end && !is_dynamic; ++k) {
      const std::size_t last = specifier_end(code, k);
      const bool is_attribute = code.text(k) == "alignas" || begins_attribute(code, k);
      for (; is_attribute && k <= last; ++k) {
        attributes += std::string(code.text(k));
        code.replace(k, "");
      }
      k = last;
    }
    if (!attributes.empty()) code.insert_before(first, attributes + " ");
  }
}

}  // namespace kv::simt
