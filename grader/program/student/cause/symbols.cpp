#include "grader/program/student/cause/symbols.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "grader/program/base/process/process.h"

namespace kv::grader::cause {
namespace {

std::string demangled(const std::string& linker_name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : "";
}

// "void kv::BlockPool::touch(std::span)" -> "BlockPool::touch". Empty for what is no function of
// namespace kv: a lambda in one, a table.
std::string function_of(const std::string& declaration) {
  const std::string plain = without_template_arguments(declaration);
  const std::size_t parameters = plain.find('(');
  const std::size_t close = plain.rfind(')');
  if (parameters == plain.npos || plain.find("::", close) != plain.npos) return "";
  if (plain.find(")::") != plain.npos) return "";
  std::string name = plain.substr(0, parameters);
  name.erase(0, name.find_last_of(" *&") + 1);
  name.erase(std::min(name.find('['), name.size()));  // [abi:cxx11]
  if (!name.starts_with("kv::")) return "";
  return replace_all(name.substr(4), std::string(kNamedNamespace) + "::", "");
}

}  // namespace

std::string without_template_arguments(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

std::vector<Symbol> symbols_of(const fs::path& library) {
  const Outcome listed = run({.argv = {"nm", "-D", "-P", "--defined-only", library.string()}});
  std::vector<Symbol> symbols;
  for (const std::string& line : split_lines(listed.output)) {
    const std::size_t end = line.find(' ');
    if (end == line.npos || end + 1 == line.size()) continue;
    const char kind = line[end + 1];
    if (kind != 'T' && kind != 'W') continue;
    std::string linker_name = line.substr(0, end);
    std::string function = function_of(demangled(linker_name));
    if (!function.empty()) symbols.push_back({std::move(linker_name), std::move(function)});
  }
  return symbols;
}

}  // namespace kv::grader::cause
