// Which folder of the program may include which (grader/README.md, "The rooms").

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {
namespace {

// A file includes files of its own wing and of those before it.
constexpr std::array kWings = {
    "common",
    "simt",
    "grader/harness",
    "grader/program/base",
    "grader/program/student",
    "grader/program/course",
    "grader/program/maintainer",
    "grader/program/programs",
};

constexpr const char* kProgram = "grader/program/";

// The place of a folder's wing in kWings; their number if it is in none.
std::size_t wing_of(const std::string& folder) {
  const auto found = std::ranges::find_if(kWings, [&](const std::string wing) {
    return folder == wing || folder.starts_with(wing + "/");
  });
  return static_cast<std::size_t>(found - kWings.begin());
}

// From a room to those that its files include, each with one of the lines that do it.
using Arrows = std::map<std::string, std::map<std::string, std::string>>;

void add_arrows_of(const Kit& kit, const fs::path& file, Arrows& arrows) {
  static const std::regex kInclude("#include \"((?:common|simt|grader)/.*)/[^/]*\"");
  const std::string path = file.lexically_relative(kit.root).string();
  const std::string room = fs::path(path).parent_path().string();
  for (const std::string& line : split_lines(read_file(file))) {
    std::smatch found;
    if (!std::regex_match(line, found, kInclude)) continue;
    if (found[1] != room) arrows[room][found[1]] = path + ": " + line;
  }
}

std::vector<fs::path> sources_of(const Kit& kit) {
  std::vector<fs::path> sources;
  for (const std::string wing : kWings) {
    for (const auto& entry : fs::recursive_directory_iterator(kit.root / wing)) {
      const std::string kind = entry.path().extension().string();
      if (kind == ".h" || kind == ".cpp") sources.push_back(entry.path());
    }
  }
  return sources;
}

std::string arrows_up(const Arrows& arrows) {
  std::string text;
  for (const auto& [room, others] : arrows) {
    for (const auto& [other, line] : others)
      if (wing_of(other) > wing_of(room)) text += line + "\n";
  }
  return text;
}

// Is there an arrow from this room, and one to it?
bool may_be_in_circle(const Arrows& arrows, const std::string& room) {
  const auto leads_on = [&](const auto& arrow) { return arrows.contains(arrow.first); };
  const auto leads_here = [&](const auto& other) { return other.second.contains(room); };
  return std::ranges::any_of(arrows.at(room), leads_on) && std::ranges::any_of(arrows, leads_here);
}

// Rooms that can be in no circle are taken away, until each one that is left can.
std::string circles_in_program(Arrows arrows) {
  std::erase_if(arrows, [](const auto& room) { return !room.first.starts_with(kProgram); });
  const auto is_outside = [&](const auto& room) { return !may_be_in_circle(arrows, room.first); };
  for (auto room = arrows.begin(); room != arrows.end();) {
    room = std::ranges::find_if(arrows, is_outside);
    if (room != arrows.end()) arrows.erase(room);
  }
  std::string text;
  for (const auto& [room, others] : arrows) {
    for (const auto& [other, line] : others)
      if (arrows.contains(other)) text += line + "\n";
  }
  return text;
}

std::string names_used_twice(const std::vector<fs::path>& sources) {
  std::set<std::string> names;
  std::string twice;
  for (const fs::path& source : sources) {
    const bool is_of_program = source.string().find(kProgram) != std::string::npos;
    const std::string name = source.filename().string();
    if (is_of_program && !names.insert(name).second) twice += name + "\n";
  }
  return twice;
}

}  // namespace

void check_rooms(const Kit& kit, Checks& checks) {
  const std::vector<fs::path> sources = sources_of(kit);
  Arrows arrows;
  for (const fs::path& source : sources) add_arrows_of(kit, source, arrows);
  const std::string up = arrows_up(arrows);
  checks.expect(up.empty(), "no file includes one of a later wing", up);
  const std::string circle = circles_in_program(arrows);
  checks.expect(circle.empty(), "no circle of includes between rooms", circle);
  const std::string twice = names_used_twice(sources);
  checks.expect(twice.empty(), "each name of a file is there once in grader/program", twice);
}

}  // namespace kv::grader
