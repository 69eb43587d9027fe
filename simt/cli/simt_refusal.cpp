#include <algorithm>
#include <array>
#include <regex>

#include "base/builds/diagnostics.h"
#include "base/cpp_text/functions.h"
#include "simt/cli/simt_build.h"
#include "simt/compile/missing_features.h"
#include "simt/compile/refused_by_cuda.h"

namespace kv::grader {
namespace {

// "cuda..." and "__..." are names of CUDA.
bool is_cuda_name(const std::string& name) {
  static const std::regex form("cuda[A-Z]\\w*|__[a-z0-9]\\w*|make_\\w+\\d|atomic[A-Z]\\w*");
  return std::regex_match(name, form);
}

std::string sentence(const Diagnostic& error, const std::string& what) {
  const fs::path shorter = fs::path(error.file).lexically_proximate(fs::current_path());
  const std::string file = shorter.string().starts_with("..") ? error.file : shorter.string();
  return file + ":" + std::to_string(error.line) + ": " + what;
}

// #error simt has no CUB (cub/cub.cuh): use ... RewrittenTree writes that for a header.
std::string from_header(const Diagnostic& error) {
  const std::size_t at = error.text.find("simt has no ");
  return at == std::string::npos ? "" : sentence(error, error.text.substr(at));
}

// The names in quotation marks, which are the compiler's, and in some languages not ASCII. A member
// comes before its struct.
std::vector<std::string> quoted_names(const std::string& text) {
  static const std::regex quoted("(?:'|\xe2\x80\x98)(?:struct )?(?:::)?([A-Za-z_]\\w*)");
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it) {
    names.push_back((*it)[1]);
  }
  const bool is_struct_first = text.find("has no member named") != std::string::npos;
  if (is_struct_first) std::ranges::reverse(names);
  return names;
}

bool says_unknown(const Diagnostic& error) {
  constexpr std::array<std::string_view, 10> kSigns = {
      "was not declared", "has not been declared", "does not name a type", "is not a member of",
      "undeclared",       "unknown type name",     "no member named",      "no template named",
      "no type named",    "has no member named"};
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return error.text.find(sign) != std::string::npos; });
}

std::string from_name(const Diagnostic& error) {
  const std::vector<std::string> names = quoted_names(error.text);
  for (const std::string& name : names) {
    if (const simt::MissingFeature* const feature = simt::missing_feature_of_name(name)) {
      return sentence(error, feature->sentence(name));
    }
  }
  if (names.empty() || !says_unknown(error)) return "";
  const std::string line = error.below.empty() ? "" : error.below.front();
  const bool is_of_cuda =
      std::regex_search(line, std::regex("\\b(cg|cooperative_groups|cuda)::" + names.front())) ||
      error.text.find("cudaDeviceProp") != std::string::npos;
  if (!is_cuda_name(names.front()) && !is_of_cuda) return "";
  return sentence(error, "simt has no " + names.front());
}

// An error without a name: __cluster_dims__(2) is bad grammar for a C++ compiler.
std::string from_line(const Diagnostic& error) {
  static const std::regex word("[A-Za-z_]\\w*");
  const std::string line = error.below.empty() ? "" : error.below.front();
  for (std::sregex_iterator it(line.begin(), line.end(), word), end; it != end; ++it) {
    const bool is_ours = it->str().starts_with("__");  // else it can be the program's own name
    const simt::MissingFeature* const feature =
        is_ours ? simt::missing_feature_of_name(it->str()) : nullptr;
    if (feature == nullptr) continue;
    return sentence(error, feature->sentence(it->str()));
  }
  return "";
}

// "a.cu:12: undefined reference to `kv::simt::not_here::inline_ptx()'"; a newer linker has the
// section, too: "a.cu:12:(.text+0x20): undefined ..."
std::vector<Diagnostic> undefined_references(const std::string& output) {
  static const std::regex reference(
      R"re((?:.*: )?(/[^:]*|[^/: ][^:]*):(\d+):(?:\([^)]*\):)? undefined reference to .(.*).)re");
  std::vector<Diagnostic> all;
  for (const std::string& line : split_lines(output)) {
    std::smatch found;
    if (std::regex_match(line, found, reference))
      all.push_back({Diagnostic::Kind::kError, found[1], std::stoi(found[2]), "", found[3]});
  }
  return all;
}

std::string from_linker(const std::string& output) {
  for (const Diagnostic& error : undefined_references(output)) {
    const simt::MissingFeature* const feature = simt::missing_feature_of_symbol(error.text);
    if (feature != nullptr) return sentence(error, feature->sentence(""));
  }
  return "";
}

// What nvcc would not compile either. Why the words of the line: of a call with wrong arguments, a
// compiler may name their types alone.
std::string from_cuda(const Diagnostic& error, bool is_cuda_13) {
  static const std::regex call("\\b(cuda[A-Z]\\w+|atomic[A-Z]\\w+|__[a-z_]+_sync)(?=\\()");
  std::vector<std::string> names = quoted_names(error.text);
  names.resize(std::max<std::size_t>(names.size(), 1));
  const std::string line = error.below.empty() ? "" : error.below.front();
  for (std::sregex_iterator it(line.begin(), line.end(), call), end; it != end; ++it)
    names.push_back(it->str());
  for (const std::string& name : names) {
    const std::string refused = simt::refused_by_cuda(error.text, name, is_cuda_13);
    if (!refused.empty()) return sentence(error, refused);
  }
  return "";
}

std::string from_error(const Diagnostic& error, bool is_cuda_13) {
  if (const std::string found = from_cuda(error, is_cuda_13); !found.empty()) return found;
  for (const auto& reason : {from_header, from_name, from_line}) {
    if (const std::string found = reason(error); !found.empty()) return found;
  }
  return "";
}

}  // namespace

// Why all errors of the line: of "void check(CUresult r)" g++ first says that a variable is void.
std::string simt_refusal(const std::string& compiler_output, bool is_cuda_13) {
  const std::vector<Diagnostic> all = diagnostics_in(compiler_output);
  const auto error = std::ranges::find(all, Diagnostic::Kind::kError, &Diagnostic::kind);
  if (error == all.end()) return from_linker(compiler_output);
  for (const Diagnostic& each : all) {
    const bool is_of_first_line = each.kind == Diagnostic::Kind::kError &&
                                  each.file == error->file && each.line == error->line;
    const std::string found = is_of_first_line ? from_error(each, is_cuda_13) : "";
    if (!found.empty()) return found;
  }
  return "";
}

// Why the files beside it: most programs of several files are in one folder.
std::string missing_function(const std::string& linker_output, const std::vector<fs::path>& files) {
  const std::vector<Diagnostic> all = undefined_references(linker_output);
  if (all.empty()) return "";
  const std::string& function = all.front().text;
  const std::string name = function.substr(0, function.find_first_of("<("));
  std::string where = "if it is in another file, name that file, too";
  for (const auto& entry : fs::directory_iterator(files.front().parent_path())) {
    const fs::path& file = entry.path();
    const bool is_source = file.extension() == ".cu" || file.extension() == ".cpp";
    const bool is_given = std::ranges::find(files, file.lexically_normal()) != files.end();
    if (is_source && !is_given && find_function(read_file(file), name))
      where = "it is in " + file.filename().string() + ": name that file, too";
  }
  return sentence(all.front(), "nothing here defines " + function + "; " + where);
}

}  // namespace kv::grader
