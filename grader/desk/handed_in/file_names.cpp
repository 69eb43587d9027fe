#include "grader/desk/handed_in/file_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <utility>

#include "base/text/text.h"

namespace kv::grader {
namespace {

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// ".cc" is ".cpp", and so is what has no extension.
std::string usual_extension(const std::string& extension) {
  static const std::map<std::string, std::string> usual = {
      {"", ".cpp"},   {".cc", ".cpp"}, {".cxx", ".cpp"}, {".c++", ".cpp"},
      {".c", ".cpp"}, {".hh", ".h"},   {".hpp", ".h"},   {".hxx", ".h"}};
  const auto found = usual.find(extension);
  return found == usual.end() ? extension : found->second;
}

// What was added at the end of a name: "_final2", " (1)", "-2", " - Copy", in a few languages.
std::string without_addition(const std::string& stem) {
  static const std::regex addition(
      "(.+?)[-_ .]*(\\(\\d+\\)|[-_ ]\\d{1,2}|[-_ ](v|version ?)\\d"
      "|[-_ ](final|copy|copie|copia|kopie|new|fixed|done)\\d?)");
  std::smatch found;
  return std::regex_match(stem, found, addition) ? found[1].str() : stem;
}

// "block-pool" and "block pool" are "block_pool".
std::string with_underscores(std::string stem) {
  std::ranges::replace_if(
      stem, [](char c) { return c == '-' || c == ' '; }, '_');
  return stem;
}

bool is_separator(char c) {
  return c == '_' || c == '-' || c == ' ';
}

}  // namespace

KnownFiles known_files(const Manifest& manifest) {
  KnownFiles known;
  for (const LabSpec& lab : manifest.labs) {
    for (const auto& names : {lab.files, lab.headers}) {
      for (const std::string& name : names)
        known.emplace(fs::path(name).filename().string(), lab.folder + "/" + name);
    }
  }
  return known;
}

std::string known_name(const KnownFiles& known, const std::string& file) {
  if (known.contains(file)) return file;
  fs::path name = in_small_letters(file);
  for (const char* added : {".txt", ".download"})
    if (name.extension() == added) name = name.stem();
  const std::string extension = usual_extension(name.extension().string());
  std::string stem = name.stem().string();
  while (!known.contains(with_underscores(stem) + extension)) {
    const std::string shorter = without_addition(stem);
    if (shorter == std::exchange(stem, shorter)) return "";
  }
  return with_underscores(stem) + extension;
}

NameWithFront known_name_at_end(const KnownFiles& known, const std::string& file) {
  if (const std::string name = known_name(known, file); !name.empty()) return {"", name};
  for (std::size_t at = 0; at < file.size(); ++at) {
    if (!is_separator(file[at])) continue;
    const std::string name = known_name(known, file.substr(at + 1));
    if (name.empty()) continue;
    const std::size_t end = file.find_last_not_of("_- ", at);
    return {file.substr(0, end == file.npos ? 0 : end + 1), name};
  }
  return {};
}

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 8> kExtensions = {".cpp", ".cc",  ".cxx", ".c",
                                                           ".cu",  ".cuh", ".h",   ".hpp"};
  return std::ranges::count(kExtensions, path.extension().string()) > 0;
}

bool is_in_kit(const fs::path& path) {
  constexpr std::array<std::string_view, 12> kFolders = {
      "solution", "labs", "grader", "reference", "simt",     "build",
      "apps",     "base", "docs",   "tests",     "findings", "LICENSES"};
  return std::ranges::any_of(kFolders, [&](std::string_view name) {
    return std::ranges::count(path, fs::path(name)) > 0;
  });
}

bool is_of_the_system(const std::string& name) {
  constexpr std::array<std::string_view, 4> kNames = {".DS_Store", "__MACOSX", "Thumbs.db",
                                                      "desktop.ini"};
  return std::ranges::count(kNames, name) > 0 || name.starts_with("._");
}

}  // namespace kv::grader
