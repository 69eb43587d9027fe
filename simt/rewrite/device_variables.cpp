#include "simt/rewrite/device_code.h"

namespace kv::simt {
namespace {

bool has_arguments(std::string_view word) {
  return word == "__align__" || word == "alignas" || word == "__attribute__" ||
         word == "decltype" || word == "__launch_bounds__";
}

// Where the declaration with this keyword ends at the latest: a macro's text ends with its line.
std::size_t limit_of(const EditedSource& code, std::size_t keyword) {
  return code.is_in_directive(keyword) ? code.directive_end(keyword) : code.size();
}

// The token that says what the declaration with this keyword declares: "(" of a function, "=", "[",
// "{" or ";" of a variable. In a macro it may be the end of the line.
std::size_t deciding_token(const EditedSource& code, std::size_t keyword) {
  const std::size_t limit = limit_of(code, keyword);
  for (std::size_t i = keyword + 1; i < limit; ++i) {
    const std::string_view text = code.text(i);
    if (has_arguments(text)) {
      i = code.matching_bracket(i + 1, 1);
    } else if (text == "(" || text == "=" || text == "[" || text == "{" || text == ";") {
      return i;
    }
  }
  return limit;
}

// "#define COUNTER(name) __device__ int name" declares a variable when it is used with a ";".
bool ends_with_parameter(const EditedSource& code, std::size_t keyword, std::size_t end) {
  if (!code.is_in_directive(keyword)) return false;
  const std::size_t open = code.directive_begin(keyword) + 3;
  if (code.text(open) != "(" || end < keyword + 3) return false;
  for (std::size_t i = open + 1; code.text(i) != ")" && i < keyword; ++i) {
    if (code.text(i) == code.text(end - 1)) return true;
  }
  return false;
}

bool is_excluded(std::string_view word, bool may_be_function) {
  return word == "operator" || word == "extern" || word == "__host__" || word == "__global__" ||
         (may_be_function && (word == "inline" || word == "__forceinline__"));
}

bool declares_variable(const EditedSource& code, std::size_t keyword) {
  if (code.text(keyword - 1) == "]") return false;  // a lambda
  const std::size_t decides = deciding_token(code, keyword);
  if (decides == limit_of(code, keyword)) return ends_with_parameter(code, keyword, decides);
  const bool may_be_function = code.text(decides) == "(";
  const bool is_template = may_be_function && code.text(decides - 1) == ">";
  if (!code.is_word(decides - 1) && !is_template) return false;
  for (std::size_t i = keyword; i < decides; ++i) {
    const std::string_view word = code.text(i);
    if (is_excluded(word, may_be_function)) return false;
    if (word == "struct" && code.text(decides) == "{") return false;
  }
  const std::string_view next = code.text(decides + 1);
  return !may_be_function || next == "*" || next == "&";
}

// Writes it in place of the keyword, or after the macro that stands for it.
void write_section(EditedSource& code, std::size_t i, const char* kind) {
  const bool is_macro = code.text(i) != "__device__" && code.text(i) != "__constant__";
  const std::string section = std::string("KV_SIMT_SECTION(\"kv_simt_") + kind + "\")";
  is_macro ? code.insert_before(i + 1, section + " ") : code.replace(i, section);
}

// "__managed__ int total;", which is the device's without __device__, too.
bool is_only_managed(const EditedSource& code, std::size_t i) {
  return code.text(i) == "__managed__" && code.text(i - 1) != "__device__" &&
         code.text(i + 1) != "__device__";
}

void rewrite_constant(EditedSource& code, std::size_t keyword) {
  std::size_t end = deciding_token(code, keyword);
  while (end < code.size() && code.text(end) == "[") end = code.matching_bracket(end, 1) + 1;
  const bool is_pair = code.text(keyword - 1) == "__constant__";  // __constant__ __device__
  if (code.text(end) == ";") write_section(code, is_pair ? keyword - 1 : keyword, "unset");
}

}  // namespace

void rewrite_device_variables(EditedSource& code) {
  const Qualifiers qualifiers(code);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool is_constant = code.text(i) == "__constant__";
    if (!is_constant && !is_only_managed(code, i) && qualifiers.side_of(code.text(i)) != kDevice)
      continue;
    const bool is_also_device = code.text(i + 1) == "__constant__";
    if (is_also_device || !declares_variable(code, i)) continue;
    if (is_constant || code.text(i - 1) == "__constant__") {
      rewrite_constant(code, i);
    } else if (code.text(deciding_token(code, i)) != "(") {
      const bool is_managed = code.text(i - 1) == "__managed__" || code.text(i) == "__managed__" ||
                              code.text(i + 1) == "__managed__";
      write_section(code, i, is_managed ? "managed" : "device");
    }
  }
}

void rewrite_launch_bounds(EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) != "__launch_bounds__" || code.text(i + 1) != "(") continue;
    if (code.is_in_directive(i)) continue;
    const std::size_t close = code.matching_bracket(i + 1, 1);
    std::string max_threads;
    for (std::size_t k = i + 2; k < close && code.text(k) != ","; ++k) {
      if (code.text(k) == "(") {
        const std::size_t end = code.matching_bracket(k, 1);
        for (; k < end; ++k) max_threads += std::string(code.text(k)) + " ";
      }
      max_threads += std::string(code.text(k)) + " ";
    }
    std::size_t body = close + 1;
    while (body < code.size() && code.text(body) != "{" && code.text(body) != ";") {
      body = code.text(body) == "(" ? code.matching_bracket(body, 1) + 1 : body + 1;
    }
    if (code.text(body) != "{") continue;
    code.insert_before(body + 1, "::kv::simt::check_launch_bounds(" + max_threads + "); ");
  }
}

}  // namespace kv::simt
