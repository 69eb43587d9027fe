#include "base/builds/diagnostics.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text/text.h"

namespace kv::grader {
namespace {

using Kind = Diagnostic::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 5> kMarks = {
    {{": fatal error: ", Kind::kError},
     {": error: ", Kind::kError},
     {": Error: ", Kind::kError},  // an assembler writes it so
     {": warning: ", Kind::kWarning},
     {": note: ", Kind::kNote}}};

bool is_in_library(const std::string& path) {
  constexpr std::array<std::string_view, 6> kParts = {
      "/include/c++/", "/lib/gcc/", "/fetched/", "/usr/include/", "/Toolchains/", "/simt/include/"};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return path.find(part) != std::string::npos; });
}

// "FILE:36:5" or "FILE:36" at the start of a line, up to a colon.
struct Place {
  std::string text;
  std::string file;
  int line = 0;
};

// The number after the last colon; 0 if there is none.
int last_number(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return 0;
  const bool is_number =
      std::ranges::all_of(text.begin() + static_cast<std::ptrdiff_t>(colon) + 1, text.end(),
                          [](unsigned char c) { return std::isdigit(c) != 0; });
  return is_number ? std::atoi(text.c_str() + colon + 1) : 0;
}

std::optional<Place> place_of(const std::string& text) {
  if (last_number(text) == 0) return std::nullopt;
  const std::string shorter = text.substr(0, text.rfind(':'));
  const std::string with_line = last_number(shorter) == 0 ? text : shorter;
  return Place{text, with_line.substr(0, with_line.rfind(':')), last_number(with_line)};
}

// "cc1plus: fatal error: /root/.bashrc: Permission denied": g++ gives no place where a source asks
// for a file that it must not read while it is graded.
std::optional<Diagnostic> unreadable_file_in(const std::string& line) {
  constexpr std::string_view kBegin = "cc1plus: fatal error: ", kEnd = ": Permission denied";
  if (!line.starts_with(kBegin) || !line.ends_with(kEnd)) return std::nullopt;
  const std::string file = line.substr(kBegin.size(), line.size() - kBegin.size() - kEnd.size());
  return Diagnostic{Kind::kError, file, 0, file,
                    "a source asks for this file, and must not read it here"};
}

std::optional<Diagnostic> diagnostic_in(const std::string& line) {
  if (auto unreadable = unreadable_file_in(line)) return unreadable;
  for (const auto& [mark, kind] : kMarks) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    const auto place = place_of(line.substr(0, at));
    if (!place) continue;
    std::string text = line.substr(at + mark.size());
    text.erase(0, text.find_first_not_of(' '));
    return Diagnostic{kind, place->file, place->line, place->text, text};
  }
  return std::nullopt;
}

void set_place(const Place& place, Diagnostic& diagnostic) {
  diagnostic.place = place.text;
  diagnostic.file = place.file;
  diagnostic.line = place.line;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// A note as g++ 16 lists it below its error: "    • candidate expects 1 argument, 2 provided". Its
// place is in the next line, if it is not the one of what is above.
std::optional<Diagnostic> listed_note(const std::vector<std::string>& lines,
                                      std::size_t i,
                                      const std::vector<Diagnostic>& above) {
  constexpr std::string_view kBullet = "• ";
  const std::string item = trimmed(lines[i]);
  if (above.empty() || !item.starts_with(kBullet)) return std::nullopt;
  Diagnostic note{Kind::kNote, above.back().file, above.back().line, above.back().place,
                  trimmed(item.substr(kBullet.size()))};
  const std::string next = i + 1 < lines.size() ? trimmed(lines[i + 1]) : "";
  const auto place = next.ends_with(':') ? place_of(next.substr(0, next.size() - 1)) : std::nullopt;
  if (place) set_place(*place, note);
  return note;
}

// The file that this line of a build compiles: "g++ ... -o queue.o -c /stage/queue.cpp".
std::string compiled_in(const std::string& line) {
  constexpr std::string_view kOption = " -c ";
  const std::size_t at = line.rfind(kOption);
  return at == std::string::npos ? "" : line.substr(at + kOption.size());
}

// An assembler's place is in a temporary file. `compiled`: what the compiler made it from; may be
// empty.
void leave_temporary_file(const std::string& compiled, Diagnostic& diagnostic) {
  const std::string name = fs::path(diagnostic.file).filename().string();
  if (!name.starts_with("cc") || !name.ends_with(".s")) return;
  diagnostic.file = compiled;
  diagnostic.line = 0;
  diagnostic.place = compiled.empty() ? "an asm statement" : compiled;
}

// "FILE:62:24:   required from here"
std::optional<Place> required_from(const std::string& line) {
  const std::size_t at = line.find(":   required from");
  return at == std::string::npos ? std::nullopt : place_of(line.substr(0, at));
}

// The line of source and its caret end here.
bool ends_source(const std::string& line) {
  constexpr std::array<std::string_view, 8> kStarts = {
      "[", "ninja:", "make", "gmake", "FAILED:", "In file", "cc1plus", "                 from "};
  const auto begins = [&](std::string_view start) { return line.starts_with(start); };
  return std::ranges::any_of(kStarts, begins) || line.ends_with(" generated.") ||
         line.find(": In ") != std::string::npos || line.ends_with(": At global scope:") ||
         required_from(line).has_value();
}

// The place outside the libraries from which a note says that it came.
void take_place(const Diagnostic& note, Diagnostic& error) {
  const bool leads_there = note.text.starts_with("in instantiation of") ||
                           note.text.starts_with("in expansion of macro") ||
                           note.text.find("requested here") != std::string::npos;
  if (!leads_there || is_in_library(note.file) || !is_in_library(error.file)) return;
  error.place = note.place;
  error.file = note.file;
  error.line = note.line;
  error.below = note.below;
}

// The diagnostic that the note `i` belongs to; the first one if there is none.
std::size_t last_error(const std::vector<Diagnostic>& all, std::size_t i) {
  while (i > 0 && all[i].kind == Kind::kNote) --i;
  return i;
}

// How much a note says of the reason; 0: nothing.
int weight(const Diagnostic& diagnostic) {
  const std::string& note = diagnostic.text;
  constexpr std::array<std::string_view, 10> kReasons = {
      "deduced conflicting", "couldn't deduce",     "couldn’t deduce", "mismatched types",
      "no known conversion", "does not satisfy",    "evaluated to",    "could not match",
      "is const qualified",  "is defined in header"};
  constexpr std::array<std::string_view, 14> kHelp = {
      "candidate expects",     "requires",           "candidate is:",
      "initializing argument", "passing argument",   "declared const",
      "suggested alternative", "previous",           "to match this",
      "declared here",         "explicitly capture", "candidate function not viable",
      "first defined",         "in call to"};
  const auto is_in = [&](std::string_view part) { return note.find(part) != std::string::npos; };
  if (std::ranges::any_of(kReasons, is_in)) return 2;
  if (is_in_library(diagnostic.file) && is_in("declared here")) return 0;
  return std::ranges::any_of(kHelp, is_in) ? 1 : 0;
}

// Without the values of template parameters, and cut between two characters.
std::string shortened(std::string text) {
  constexpr std::size_t kMaxBytes = 300;
  if (text.find("evaluated to") == std::string::npos) text = text.substr(0, text.find(" [with "));
  if (text.size() <= kMaxBytes) return text;
  std::size_t end = kMaxBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + " ...";
}

std::string note_text(const std::vector<Diagnostic>& all, std::size_t i) {
  std::string text = all[i].text;
  // "suggested alternatives:"
  if (text.ends_with(':') && i + 1 < all.size()) text += " " + all[i + 1].text;
  const bool is_ours = !is_in_library(all[i].file) && text.find("expects") == std::string::npos;
  return (is_ours ? all[i].place + ": note: " : "note: ") + shortened(text);
}

std::string drawn(const std::vector<Diagnostic>& all, std::size_t i) {
  constexpr std::size_t kMaxSourceLines = 4;
  const Diagnostic& error = all[i];
  std::string text = is_in_library(error.file) ? "error: " : error.place + ": error: ";
  text += shortened(error.text);
  for (std::size_t k = 0; k < std::min(error.below.size(), kMaxSourceLines); ++k) {
    text += "\n" + error.below[k];
  }
  std::size_t best = i;
  for (std::size_t k = i + 1; k < all.size() && all[k].kind == Kind::kNote; ++k) {
    const int to_beat = best == i ? 0 : weight(all[best]);
    if (weight(all[k]) > to_beat) best = k;
  }
  if (best != i) return text + "\n" + note_text(all, best);
  const bool is_nested = error.text.starts_with("qualified-id in declaration") ||
                         error.text.find("definition is not allowed here") != std::string::npos;
  return is_nested ? text + "\nnote: does the function before it lack its closing brace?" : text;
}

// "/usr/bin/ld: queue.o: in function `f': /stage/queue.cpp:45: undefined reference to `g'". A newer
// linker has the section, too: "/stage/queue.cpp:45:(.text+0x20): undefined reference to `g'".
std::optional<std::string> link_error(const std::string& output) {
  constexpr std::array<std::string_view, 3> kLinkMarks = {
      "multiple definition of", "undefined reference to", "duplicate symbol"};
  for (const std::string& line : split_lines(output)) {
    for (const std::string_view mark : kLinkMarks) {
      const std::size_t at = line.find(mark);
      if (at == std::string::npos) continue;
      const std::string text = line.substr(at, line.find("; ", at) - at);
      const std::size_t stage = line.rfind("stage/");
      if (stage == std::string::npos) return "error: " + text;
      std::size_t first = line.rfind(':', stage);
      first = first == std::string::npos ? 0 : line.find_first_not_of(": ", first);
      const std::size_t end = std::min(line.find(":(", stage), line.find(": ", stage));
      return line.substr(first, end - first) + ": error: " + text;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Diagnostic> diagnostics_in(const std::string& output) {
  std::vector<Diagnostic> all;
  std::optional<Place> led_here;
  std::string compiled;
  bool is_source = false;
  const std::vector<std::string> lines = split_lines(output);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (const std::string file = compiled_in(line); !file.empty()) compiled = file;
    if (auto diagnostic = diagnostic_in(line)) {
      leave_temporary_file(compiled, *diagnostic);
      if (led_here && is_in_library(diagnostic->file) && diagnostic->kind != Kind::kNote)
        set_place(*led_here, *diagnostic);
      led_here.reset();
      all.push_back(std::move(*diagnostic));
      is_source = true;
      continue;
    }
    if (auto note = listed_note(lines, i, all)) all.push_back(std::move(*note));
    const auto from = required_from(line);
    if (from && !is_in_library(from->file)) led_here = from;
    is_source = is_source && !ends_source(line);
    if (is_source) all.back().below.push_back(line);
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].kind == Kind::kNote) take_place(all[i], all[last_error(all, i)]);
  }
  return all;
}

std::string first_error(const std::string& output) {
  std::vector<Diagnostic> all = diagnostics_in(output);
  const auto error = std::ranges::find(all, Kind::kError, &Diagnostic::kind);
  if (error == all.end()) return link_error(output).value_or(output.substr(0, 2000));
  return drawn(all, static_cast<std::size_t>(error - all.begin()));
}

}  // namespace kv::grader
