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

// What was added at the end of a name: "_final", " (1)", "-2", " - Copy".
std::string without_addition(const std::string& stem) {
  static const std::regex addition(
      "(.+?)[-_ .]*(\\(\\d+\\)|[-_ ]\\d{1,2}|[-_ ](final|copy|new|fixed|done|v\\d|version ?\\d))");
  std::smatch found;
  return std::regex_match(stem, found, addition) ? found[1].str() : stem;
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
  while (!known.contains(stem + extension)) {
    const std::string shorter = without_addition(stem);
    if (shorter == std::exchange(stem, shorter)) return "";
  }
  return stem + extension;
}

bool is_of_the_system(const std::string& name) {
  constexpr std::array<std::string_view, 4> kNames = {".DS_Store", "__MACOSX", "Thumbs.db",
                                                      "desktop.ini"};
  return std::ranges::count(kNames, name) > 0 || name.starts_with("._");
}

}  // namespace kv::grader
