// --call 'solve(float[1000], float[1000], 1000)': a file without a main function gets one.

#include <algorithm>
#include <regex>

#include "base/cpp_text/functions.h"
#include "base/text/errors.h"
#include "simt/cli/simt_build.h"

namespace kv::grader {
namespace {

[[noreturn]] void refuse_call(const std::string& call) {
  throw UsageError("--call \"" + call +
                   "\" is no call: write it as \"solve(float[1000], float[1000], 1000)\" or "
                   "\"add<<<4, 256>>>(float[1000], 1000)\"");
}

// At commas outside of brackets.
std::vector<std::string> arguments_in(const std::string& text) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      arguments.emplace_back();
    } else if (c != ' ' || !arguments.back().empty()) {
      arguments.back() += c;
    }
  }
  if (arguments.size() == 1 && arguments.front().empty()) arguments.clear();
  return arguments;
}

// The offset of the parenthesis that the last character closes.
std::size_t opening_of(const std::string& call) {
  int depth = 0;
  for (std::size_t i = call.size(); i-- > 0;) {
    if (call[i] == ')') ++depth;
    if (call[i] == '(' && --depth == 0) return i;
  }
  refuse_call(call);
}

// The main function. Why #line: the compiler's errors are about what stands after --call.
std::string main_function(const std::string& call) {
  static const std::regex array("(?:const )?(.+?) ?\\*? ?\\[(.+)\\] *");
  if (!call.ends_with(')')) refuse_call(call);
  const std::size_t open = opening_of(call);
  if (open == 0) refuse_call(call);
  std::string before, passed, after;
  const std::vector<std::string> arguments =
      arguments_in(call.substr(open + 1, call.size() - open - 2));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    std::smatch found;
    const bool is_array = std::regex_match(arguments[i], found, array);
    passed += (i == 0 ? "" : ", ") + (is_array ? "argument_" + number + ".data()" : arguments[i]);
    if (!is_array) continue;
    before += " ::kv::simt::CallArray<" + found[1].str() + "> argument_" + number + "(" +
              found[2].str() + ", " + number + ");";
    after += " argument_" + number + ".show(" + number + ");";
  }
  return "#line 1 \"--call\"\nint main() {" + before + " " + call.substr(0, open) + "(" + passed +
         "); const int code = ::kv::simt::end_call();" + after + " return code; }\n";
}

}  // namespace

fs::path write_caller(const fs::path& file, const std::string& call, const fs::path& folder) {
  if (!fs::is_regular_file(file)) throw UsageError("no file \"" + file.string() + "\"");
  const std::vector<FunctionText> functions = all_functions(read_file(file));
  if (std::ranges::count(functions, "main", &FunctionText::name) > 0)
    throw UsageError(file.string() + " has a main function: run it without --call");
  const fs::path caller = folder / "caller.cu";
  const std::string name = fs::absolute(file).lexically_relative(folder).string();
  write_file(caller, "#include \"" + name + "\"\n#include \"simt/call.h\"\n" + main_function(call));
  return caller;
}

}  // namespace kv::grader
