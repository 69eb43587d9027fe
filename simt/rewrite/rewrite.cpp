#include "simt/rewrite/rewrite.h"

#include <algorithm>
#include <array>

#include "base/cpp_text/lexer.h"
#include "simt/rewrite/device_code.h"
#include "simt/rewrite/edited_source.h"

namespace kv::simt {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// "return ::k<<<" launches ::k; these words may come before an expression and are not part of it.
bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords = {"return", "else", "do", "throw"};
  return std::ranges::find(kWords, word) != kWords.end();
}

int num_closed(std::string_view symbol) {
  if (symbol == "<") return -1;
  if (symbol == ">>>") return 3;
  return symbol == ">" ? 1 : 0;
}

// From the ">" of template arguments back to their "<".
std::size_t template_begin(const EditedSource& code, std::size_t i) {
  int depth = 0;
  for (; i < code.size(); --i) {
    if (code.text(i) == ")" || code.text(i) == "]") {
      i = code.matching_bracket(i, -1);
      if (i == code.size()) break;
    }
    depth += num_closed(code.text(i));
    if (depth == 0) return i;
  }
  return kNone;
}

// The first token of the expression that ends at `last`: ns::kernel, kernel<T, 4>, kernels[i],
// (wide ? a : b). kNone if there is none.
std::size_t expression_begin(const EditedSource& code, std::size_t last) {
  std::size_t i = last;
  if (num_closed(code.text(i)) > 0) {
    i = template_begin(code, i) - 1;
  } else if (code.text(i) == ")" || code.text(i) == "]") {
    const std::size_t open = code.matching_bracket(i, -1);
    if (open == code.size()) return kNone;
    const bool continues = code.is_word(open - 1) || num_closed(code.text(open - 1)) > 0;
    if (!continues || is_keyword(code.text(open - 1))) return open;
    return expression_begin(code, open - 1);
  }
  if (!code.is_word(i) || is_keyword(code.text(i))) return kNone;
  const std::string_view joint = code.text(i - 1);
  if (joint != "::" && joint != "." && joint != "->") return i;
  const bool is_global = joint == "::" && !code.is_word(i - 2) && num_closed(code.text(i - 2)) == 0;
  const std::size_t outer = is_global ? kNone : expression_begin(code, i - 2);
  return outer == kNone ? i - 1 : outer;
}

// The ">>>" of the launch that opens at `open`. Why the last one before the end of the statement:
// "first<A<B<C>>>(n)" may be one of the arguments of <<< >>>, too.
std::size_t launch_end(const EditedSource& code, std::size_t open) {
  std::size_t end = kNone;
  for (std::size_t i = open + 1; i < code.size(); ++i) {
    const std::string_view text = code.text(i);
    if (text == ";" || text == "<<<" || text == ")" || text == "]" || text == "}") break;
    if (text == ">>>" && (end == kNone || code.text(i + 1) == "(")) end = i;
    if (text == "(" || text == "[" || text == "{") i = code.matching_bracket(i, 1);
  }
  return end;
}

void rewrite_launches(EditedSource& code, const DeviceCode& device) {
  for (std::size_t open = 0; open < code.size(); ++open) {
    if (code.text(open) != "<<<" || code.text(open - 1) == "operator") continue;
    const std::size_t begin = expression_begin(code, open - 1);
    if (begin == kNone) code.refuse(open, "there is no kernel before <<<; write kernel<<<...>>>()");
    const std::size_t end = launch_end(code, open);
    if (end == kNone) {
      code.refuse(open, "this <<< has no >>>; write kernel<<<blocks, threads>>>(arguments)");
    }
    if (end == open + 1) {
      code.refuse(open, "<<<>>> is empty; write how many blocks, and how many threads in each");
    }
    if (code.text(end + 1) != "(") {
      code.refuse(end, "no arguments follow >>>; write () if the kernel takes none");
    }
    code.insert_before(begin, "KV_SIMT_LAUNCH(");
    code.replace(open, device.has_token(open) ? ").in_kernel_on(" : ").on(");
    code.replace(end, ")");
  }
}

// cudaLaunchKernel((void*)kernel, ...): without the cast the types of its parameters are known.
void rewrite_untyped_launches(EditedSource& code) {
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const bool is_launch =
        code.text(i) == "cudaLaunchKernel" || code.text(i) == "cudaLaunchCooperativeKernel";
    if (!is_launch || code.text(i + 1) != "(") continue;
    std::size_t at = i + 2;
    if (code.text(at) == "reinterpret_cast" || code.text(at) == "static_cast") {
      while (at < code.size() && code.text(at) != ">") code.replace(at++, "");
      code.replace(at, "");
    } else if (code.text(at) == "(") {
      const std::size_t close = code.matching_bracket(at, 1);
      if (code.text(close - 1) != "*") continue;
      while (at <= close) code.replace(at++, "");
    }
  }
}

// CUDA's __noinline__ cannot be a macro: the standard library writes __attribute__((__noinline__)).
void rewrite_noinline(EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool is_argument = code.text(i - 1) == "(" || code.text(i - 1) == ",";
    if (code.text(i) == "__noinline__" && !is_argument) {
      code.replace(i, "__attribute__((noinline))");
    }
  }
}

bool is_asm(std::string_view word) {
  return word == "asm" || word == "__asm__" || word == "__asm";
}

// The host's asm is the host's. That of a macro is PTX if it reads as PTX, or device code uses it.
bool rewrite_asm_statements(EditedSource& code, const DeviceCode& device) {
  bool has_ptx = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.begins_directive(i) && code.text(i + 1) == "define") {
      const bool is_device = device.uses(code.text(i + 2));
      for (const std::size_t end = code.directive_end(i); i + 1 < end; ++i)
        if (is_asm(code.text(i))) has_ptx |= rewrite_asm(code, i, is_device);
    } else if (is_asm(code.text(i)) && device.has_token(i)) {
      has_ptx |= rewrite_asm(code, i, true);
    }
  }
  return has_ptx;
}

}  // namespace

std::string rewrite_cuda(std::string_view source, const std::string& file) {
  const std::string joined = join_launch_brackets(std::string(source));
  EditedSource edited(joined, file);
  const DeviceCode device(edited);
  rewrite_launches(edited, device);
  rewrite_dynamic_shared(edited);
  rewrite_attributes(edited);
  rewrite_device_variables(edited);
  rewrite_launch_bounds(edited);
  rewrite_untyped_launches(edited);
  rewrite_noinline(edited);
  rewrite_device_code(edited, device);
  const bool has_ptx = rewrite_asm_statements(edited, device);
  return std::string(has_ptx ? "#include \"simt/ptx.h\"\n" : "") + "#line 1 " + quoted(file) +
         "\n" + edited.edited();
}

namespace {

using grader::Token;

// The lexer makes one token of "<<", and two of ">>".
bool is_double(const std::vector<Token>& tokens, std::size_t last) {
  if (tokens[last].is("<<")) return true;
  return last > 0 && tokens[last].is(">") && tokens[last - 1].is(">") &&
         tokens[last - 1].end() == tokens[last].begin;
}

}  // namespace

std::string join_launch_brackets(std::string source) {
  const std::string original = source;
  const std::vector<Token> tokens = grader::tokenize(original, grader::Directives::kKeep);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const char bracket = tokens[i].text[0];
    const std::size_t end = tokens[i].end();
    const std::size_t third = tokens[i + 1].begin;
    if (!is_double(tokens, i) || !tokens[i + 1].is(std::string(1, bracket)) || end == third ||
        original.find_first_not_of(" \t", end) != third) {
      continue;
    }
    source.replace(end - 2, third - end + 3,
                   std::string(third - end, ' ') + std::string(3, bracket));
  }
  return source;
}

}  // namespace kv::simt
