#include "simt/compile/program_text.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <tuple>

#include "base/cpp_text/lexer.h"
#include "base/text/text.h"
#include "simt/compile/missing_features.h"
#include "simt/rewrite/rewrite.h"

namespace kv::simt {
namespace {

struct Include {
  std::string name;  // empty: the line includes nothing
  bool is_quoted;    // and is looked for beside the file, too
};

Include included_in(const std::string& line) {
  static const std::regex include("^\\s*#\\s*include\\s*([\"<])([^\">]+)[\">].*");
  std::smatch found;
  if (!std::regex_match(line, found, include)) return {"", false};
  return {found[2].str(), found[1] == "\""};
}

// The names that a file of one unit sees, of those of the whole program. Why not all: the host may
// have a function of its own, static or of another library, with the name of one of CUDA's.
DeclaredNames seen_in_unit(DeclaredNames unit, const DeclaredNames& all) {
  unit.kernels = all.kernels;
  unit.device_functions = all.device_functions;
  std::ranges::set_intersection(all.host_functions, unit.prototypes,
                                std::inserter(unit.host_functions, unit.host_functions.end()));
  return unit;
}

// Is it a word that defines a class, the name of one in CUDA's headers, or a part of such a name?
bool is_of_a_class(const grader::Token& token) {
  static const std::regex word(
      "struct|class|union|pair|tuple|array|optional|variant|bitset|thrust|cub|nvcuda|barrier|"
      "(make_)?(u?(char|short|int|long|longlong)|float|double)[1-4](_\\w+)?|"
      ".*(half|bfloat16|fp8|fp4|[cC]omplex|curand).*");
  return token.kind == grader::TokenKind::kWord &&
         std::regex_match(token.text.begin(), token.text.end(), word);
}

// "template <class T>" defines no class.
bool names_a_parameter(const std::vector<grader::Token>& tokens, std::size_t i) {
  return i > 0 && tokens[i].is("class") && (tokens[i - 1].is("<") || tokens[i - 1].is(","));
}

// Does a program read its input here? Why not each `cin`: it is a usual name for channels.
bool reads_input_at(const std::vector<grader::Token>& tokens, std::size_t i) {
  static const std::regex word("stdin|w?scanf|vw?scanf|getw?char|STDIN_FILENO");
  const auto is_at = [&](std::size_t at, const char* text) {
    return at < tokens.size() && tokens[at].is(text);
  };
  const grader::Token& token = tokens[i];
  if (token.is("cin") || token.is("wcin"))
    return is_at(i + 1, ">>") || is_at(i + 1, ".") || (i > 0 && is_at(i - 1, "::"));
  if (token.is("read")) return is_at(i + 1, "(") && is_at(i + 2, "0");
  return token.kind == grader::TokenKind::kWord &&
         std::regex_match(token.text.begin(), token.text.end(), word);
}

}  // namespace

bool ProgramText::may_return_structs() const {
  return std::ranges::any_of(sources_, [](const auto& source) {
    const auto tokens = grader::tokenize(source.second, grader::Directives::kKeep);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (is_of_a_class(tokens[i]) && !names_a_parameter(tokens, i)) return true;
    }
    return false;
  });
}

bool ProgramText::reads_input() const {
  return std::ranges::any_of(sources_, [](const auto& source) {
    const auto tokens = grader::tokenize(source.second, grader::Directives::kKeep);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (reads_input_at(tokens, i)) return true;
    return false;
  });
}

void ProgramText::add(const fs::path& file) {
  Unit unit;
  add(file, unit);
  units_.push_back(std::move(unit));
}

void ProgramText::add(const fs::path& file, Unit& unit) {
  static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  if (!fs::is_regular_file(file) || !unit.insert(file).second) return;
  const std::string& source = sources_[file] = join_launch_brackets(grader::read_file(file));
  for (const std::string& line : grader::split_lines(source)) {
    std::smatch found;
    if (std::regex_search(line, found, include)) add(file.parent_path() / found[1].str(), unit);
  }
}

void ProgramText::for_each_refusal(
    const std::function<void(const fs::path&, const Refusal&)>& call) const {
  DeclaredNames all;
  for (const auto& [file, source] : sources_) collect_names(source, all);
  std::set<std::tuple<fs::path, std::size_t, std::string>> told;  // a header is in several units
  for (const Unit& unit : units_) {
    DeclaredNames own;
    for (const fs::path& file : unit) collect_names(sources_.at(file), own);
    const DeclaredNames seen = seen_in_unit(std::move(own), all);
    for (const fs::path& file : unit) {
      for (const Refusal& each : find_refusals(sources_.at(file), seen)) {
        if (told.emplace(file, each.line, each.kind).second) call(file, each);
      }
    }
  }
}

void RewrittenTree::add(const fs::path& file) {
  if (!done_.insert(file).second) return;
  const std::string rewritten = rewrite_cuda(grader::read_file(file), file.string());
  std::string text;
  for (const std::string& line : grader::split_lines(rewritten)) {
    text += with_include(line, file.parent_path()) + "\n";
  }
  grader::write_file(place_of(file), text);
}

// CUB and Thrust of NVIDIA's library are kernels of its own, which nothing rewrites.
bool RewrittenTree::has_header(const std::string& name) const {
  const bool is_libcuxx = name.starts_with("cuda/") || name.starts_with("nv/");
  return fs::exists(cuda_headers_ / name) ||
         (is_libcuxx && !cccl_.empty() && fs::exists(cccl_ / name));
}

// Why #error: it counts only where no #if removes it. A toolkit may have these headers, but they
// need NVIDIA's compiler.
std::string RewrittenTree::with_include(const std::string& line, const fs::path& from) {
  const auto [name, is_quoted] = included_in(line);
  if (name.empty()) return line;
  std::vector<fs::path> folders = include_folders_;
  if (is_quoted) folders.insert(folders.begin(), from);
  for (const fs::path& folder : folders) {
    const fs::path file = (folder / name).lexically_normal();
    if (!fs::is_regular_file(file)) continue;
    add(file);
    return line;
  }
  const MissingFeature* const feature = missing_feature_of_header(name);
  if (feature == nullptr || has_header(name)) return line;
  return "#error " + feature->sentence(name);
}

}  // namespace kv::simt
