#include "simt/rewrite/device_variables.h"

namespace kv::simt {
namespace {

bool has_arguments(std::string_view word) {
  return word == "__align__" || word == "alignas" || word == "__attribute__" ||
         word == "decltype" || word == "__launch_bounds__";
}

// The token that says what the declaration with this keyword declares: "(" of a function, "=", "[",
// "{" or ";" of a variable.
std::size_t deciding_token(const EditedSource& code, std::size_t keyword) {
  for (std::size_t i = keyword + 1; i < code.size(); ++i) {
    const std::string_view text = code.text(i);
    if (has_arguments(text)) {
      i = code.matching_bracket(i + 1, 1);
    } else if (text == "(" || text == "=" || text == "[" || text == "{" || text == ";") {
      return i;
    }
  }
  return code.size();
}

bool declares_variable(const EditedSource& code, std::size_t keyword) {
  if (code.is_in_directive(keyword) || code.text(keyword - 1) == "]") return false;  // a lambda
  const std::size_t decides = deciding_token(code, keyword);
  if (decides == code.size() || !code.is_word(decides - 1)) {
    const std::string_view before = code.text(decides - 1);
    if (before != ">" || code.text(decides) != "(") return false;
  }
  for (std::size_t i = keyword; i < decides; ++i) {
    const std::string_view word = code.text(i);
    if (word == "operator" || word == "inline" || word == "__forceinline__" || word == "extern" ||
        word == "__host__" || word == "__global__") {
      return false;
    }
    if (word == "struct" && code.text(decides) == "{") return false;
  }
  const std::string_view behind = code.text(decides + 1);
  return code.text(decides) != "(" || behind == "*" || behind == "&";
}

std::string section(const char* kind, std::size_t token) {
  return std::string("KV_SIMT_SECTION(\"kv_simt_") + kind + "_" + std::to_string(token) + "\")";
}

}  // namespace

void rewrite_device_variables(EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool is_constant = code.text(i) == "__constant__";
    if (!is_constant && code.text(i) != "__device__") continue;
    const bool is_also_device = code.text(i + 1) == "__constant__";
    if (is_also_device || !declares_variable(code, i)) continue;
    const std::string_view decides = code.text(deciding_token(code, i));
    const bool is_pair = code.text(i - 1) == "__constant__";
    if (is_constant || is_pair) {
      std::size_t end = deciding_token(code, i);
      while (end < code.size() && code.text(end) == "[") end = code.matching_bracket(end, 1) + 1;
      if (code.text(end) == ";") code.replace(is_pair ? i - 1 : i, section("unset", i));
    } else if (decides != "(") {
      const bool is_managed =
          code.text(i - 1) == "__managed__" || code.text(i + 1) == "__managed__";
      code.replace(i, section(is_managed ? "managed" : "device", i));
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
