#include "grader/program/submission/flags.h"

#include <algorithm>
#include <array>
#include <optional>

#include "grader/program/process/process.h"

namespace kv::grader {
namespace {

// Ways to end the test process, to copy it, to read its environment or to change its behavior.
constexpr std::array<std::string_view, 22> kSuspiciousReferences = {
    "exit",   "_exit",  "_Exit",  "quick_exit",    "atexit", "at_quick_exit", "abort", "raise",
    "fork",   "vfork",  "kill",   "execve",        "system", "popen",         "dlsym", "dlopen",
    "getenv", "setenv", "ptrace", "secure_getenv", "write",  "signal"};
constexpr std::array<std::string_view, 3> kSuspiciousPrefixes = {
    "testing::", "kv::grader::", "operator new"};

struct Symbol {
  char kind;         // as nm prints it: U undefined, T defined, ...
  std::string name;  // without parameters and version
};

std::optional<Symbol> parse_symbol(const std::string& line) {
  constexpr std::size_t kKindColumn = 17;  // after the address
  if (line.size() < kKindColumn + 3) return std::nullopt;
  const std::string name = line.substr(kKindColumn + 2);
  return Symbol{line[kKindColumn], name.substr(0, name.find_first_of("(@"))};
}

bool is_suspicious(const Symbol& symbol) {
  if (symbol.kind == 'U') {
    return std::ranges::count(kSuspiciousReferences, symbol.name) > 0 ||
           symbol.name.starts_with(kSuspiciousPrefixes[0]) ||
           symbol.name.starts_with(kSuspiciousPrefixes[1]);
  }
  if (symbol.kind != 'T') return false;
  const auto begins = [&](std::string_view prefix) { return symbol.name.starts_with(prefix); };
  return symbol.name == "main" || std::ranges::any_of(kSuspiciousPrefixes, begins);
}

void add_flags(const fs::path& object, std::vector<std::string>& flags) {
  const std::string file = object.stem().string();
  bool has_iostream = false;
  const std::string symbols = printable(run({.argv = {"nm", "-C", object.string()}}).output);
  for (const std::string& line : split_lines(symbols)) {
    const std::optional<Symbol> symbol = parse_symbol(line);
    if (!symbol) continue;
    has_iostream |= symbol->name.starts_with("std::ios_base::Init");
    if (is_suspicious(*symbol)) {
      flags.push_back(file + (symbol->kind == 'U' ? " refers to " : " defines ") + symbol->name);
    }
  }
  // Why without this one: -fsanitize=thread puts it into each file for the simulator.
  const std::string sections = replace_all(run({.argv = {"objdump", "-h", object.string()}}).output,
                                           ".init_array.00099", "");
  for (const std::string_view section : {".init_array", ".preinit_array", ".ctors"}) {
    if (sections.find(section) == std::string::npos) continue;
    flags.push_back(file + " runs code before main" + (has_iostream ? " (<iostream> does)" : ""));
    break;
  }
}

}  // namespace

std::vector<std::string> flags_of(const fs::path& objects_folder) {
  std::vector<std::string> flags;
  if (!fs::is_directory(objects_folder)) return flags;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(objects_folder)) {
    if (entry.path().extension() == ".o") add_flags(entry.path(), flags);
  }
  std::ranges::sort(flags);
  return flags;
}

}  // namespace kv::grader
