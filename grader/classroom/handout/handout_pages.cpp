#include <algorithm>

#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/classroom/handout/handout.h"
#include "grader/engine/submission/stubs.h"

namespace kv::grader::handout {
namespace {

// KV_TODO lines in starter/ for which there are core points.
int num_core_stubs(const Kit& kit, const LabSpec& lab) {
  int count = 0;
  for (const std::string& file : lab.files) {
    for (const std::string& step :
         open_steps(read_file(kit.root / "starter" / lab.folder / file))) {
      count += lab.is_core(lab.step(step)) ? 1 : 0;
    }
  }
  return count;
}

// The sum of "2-3" and "4-6" is "6–9 hours".
std::string hours_of(const std::vector<const LabSpec*>& labs) {
  int least = 0, most = 0;
  for (const LabSpec* lab : labs) {
    least += std::stoi(lab->hours);
    most += std::stoi(lab->hours.substr(lab->hours.find('-') + 1));
  }
  return std::to_string(least) + "–" + std::to_string(most) + " hours";
}

// What README.md shows of the first `./lab grade`, and how long the labs take.
struct FirstReport {
  std::string stubs;  // "core stubs left: 55)"
  std::string total;  // "total 0/600 core, +0/199 extra"
  std::string hours;  // "30–45 hours"
};

FirstReport first_report(const Kit& kit, const std::vector<const LabSpec*>& labs) {
  FirstReport report;
  int core = 0, extra = 0, num_stubs = 0;
  for (const LabSpec* lab : labs) {
    num_stubs += num_core_stubs(kit, *lab);
    core += lab->max_points(true);
    extra += lab->max_points(false);
  }
  report.stubs = "core stubs left: " + std::to_string(num_stubs) + ")";
  report.total =
      "total 0/" + std::to_string(core) + " core, +0/" + std::to_string(extra) + " extra";
  report.hours = hours_of(labs);
  return report;
}

constexpr std::string_view kWholeKitOnly = "<!-- whole kit only -->";
constexpr std::string_view kEnd = "<!-- end -->";
constexpr std::string_view kHandoutOnly = "<!-- handout only";
constexpr std::string_view kEndOfComment = "-->";
constexpr std::string_view kFence = "```";

// Paths in the kit: of the handout's files, and of the folders that they are in. texts: of the
// pages among them.
std::set<fs::path> places_of(const std::map<std::string, fs::path>& copies,
                             const std::map<std::string, std::string>& texts) {
  std::set<fs::path> places;
  for (const auto& [name, place] : copies) {
    const auto text = texts.find(name);
    if (text != texts.end() && text->second.empty()) continue;
    for (fs::path path = name; !path.empty(); path = path.parent_path()) places.insert(path);
  }
  return places;
}

// Some lines of a page, up to one that ends them.
struct Part {
  std::string_view end = {};  // empty: the lines are for the kit and for each handout
  bool is_left_out = false;
};

// Leaves out the lines of a page that this handout does not have.
class Parts {
 public:
  Parts(const Kit& kit, const Terms& terms)
      : labs_(join(std::vector<std::string>(terms.labs.begin(), terms.labs.end()), ", ")) {
    begins_[std::string(kWholeKitOnly)] = {kEnd, true};
    begins_[std::string(kHandoutOnly)] = {kEndOfComment, false};
    for (const LabSpec& lab : kit.manifest.labs)
      begins_["<!-- lab " + lab.id + " only -->"] = {kEnd, !terms.has(lab)};
  }

  // name: of the page. Throws KitBroken: a part of it has no end.
  std::string of(const std::string& name, const std::string& text) const;

 private:
  std::string with_terms(const std::string& line) const;

  std::map<std::string, Part> begins_ = {};  // by the line that begins such a part
  std::string labs_;                         // "01, 02, 03"
};

std::string Parts::with_terms(const std::string& line) const {
  return replace_all(replace_all(line, "LABS", labs_), "SYSTEM", name_of_system());
}

std::string Parts::of(const std::string& name, const std::string& text) const {
  std::string own;
  Part part;
  bool is_after_gap = false;
  for (const std::string& line : split_lines(text)) {
    const auto begun = begins_.find(line);
    const bool is_begin = part.end.empty() && begun != begins_.end();
    const bool is_end = !part.end.empty() && line == part.end;
    is_after_gap |= part.is_left_out;
    if (is_begin || is_end) part = is_begin ? begun->second : Part{};
    if (is_begin || is_end || part.is_left_out) continue;
    const bool is_handouts = part.end == kEndOfComment;
    if (!is_after_gap || !line.empty()) own += (is_handouts ? with_terms(line) : line) + "\n";
    is_after_gap = false;
  }
  if (!part.end.empty())
    throw KitBroken(name + ": a part of the page does not end with \"" + std::string(part.end) +
                    "\"");
  return own;
}

class Pages {
 public:
  // places: of the handout's files, and of the folders that they are in.
  Pages(const Kit& kit, const Terms& terms, std::set<fs::path> places)
      : kit_(kit), places_(std::move(places)) {
    std::vector<const LabSpec*> labs;
    for (const LabSpec& lab : kit.manifest.labs) {
      if (terms.has(lab)) labs.push_back(&lab);
      if (!terms.has(lab)) absent_.push_back(lab.id);
    }
    all_ = first_report(kit, kit.manifest.chosen({}));
    own_ = first_report(kit, labs);
  }

  // name: of the page, as a path in the kit. text: its parts.
  std::string in_handout(const fs::path& name, const std::string& text) const {
    std::string own = with_links(name, without_absent_labs(name, text));
    own = replace_all(own, all_.stubs, own_.stubs);
    own = replace_all(own, all_.hours, own_.hours);
    return replace_all(own, all_.total, own_.total);
  }

 private:
  std::string without_absent_labs(const fs::path& page, const std::string& text) const;
  std::string with_links(const fs::path& page, const std::string& text) const;

  bool is_of_absent_lab(const std::string& text, const std::string& before) const;
  bool is_absent_row(const fs::path& page, const std::string& line) const;
  bool is_dead(const fs::path& page, const std::string& target) const;

  const Kit& kit_;
  std::set<fs::path> places_;
  std::vector<std::string> absent_ = {};  // ids
  FirstReport all_, own_;
};

// Does the text have the number of such a lab after these words?
bool Pages::is_of_absent_lab(const std::string& text, const std::string& before) const {
  return std::ranges::any_of(
      absent_, [&](const std::string& id) { return text.find(before + id) != std::string::npos; });
}

// A row of a table whose first cell names such a lab, or the definition of a link.
bool Pages::is_absent_row(const fs::path& page, const std::string& line) const {
  const std::string first_cell = line.substr(0, line.find('|', 1));
  if (line.starts_with("|"))
    return is_of_absent_lab(first_cell, "lab ") || is_of_absent_lab(first_cell, "| [");
  const std::size_t colon = line.find("]: ");
  return line.starts_with("[") && colon != std::string::npos &&
         is_dead(page, line.substr(colon + 3));
}

std::string Pages::without_absent_labs(const fs::path& page, const std::string& text) const {
  std::string own;
  bool is_code = false, is_report = false;  // is_report: that of such a lab, up to a blank line
  for (const std::string& line : split_lines(text)) {
    const bool is_fence = line.starts_with(kFence);
    if (is_fence) is_code = !is_code;
    is_report &= !is_fence;
    is_report |= is_code && line.starts_with("lab ") && is_of_absent_lab(line.substr(0, 6), "lab ");
    const bool is_command = is_code && line.starts_with("./lab") && is_of_absent_lab(line, "lab ");
    const bool is_row = !is_code && is_absent_row(page, line);
    if (!is_report && !is_command && !is_row) own += line + "\n";
    is_report &= !line.empty();
  }
  return own;
}

// A path that the kit has and the handout has not. Why not every other: code has "](", too.
bool Pages::is_dead(const fs::path& page, const std::string& target) const {
  const fs::path file = page.parent_path() / target.substr(0, target.find('#'));
  fs::path place = file.lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  return fs::exists(kit_.root / place) && !place.empty() && !places_.contains(place);
}

std::string Pages::with_links(const fs::path& page, const std::string& text) const {
  std::string own;
  std::size_t copied = 0;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const std::size_t close = text.find(')', at);
    const std::size_t open = text.rfind('[', at);
    if (close == std::string::npos || open == std::string::npos || open < copied) continue;
    if (!is_dead(page, text.substr(at + 2, close - at - 2))) continue;
    own += text.substr(copied, open - copied) + text.substr(open + 1, at - open - 1);
    copied = close + 1;
  }
  return own + text.substr(copied);
}

}  // namespace

std::map<std::string, std::string> pages_of(const Kit& kit,
                                            const Terms& terms,
                                            const std::map<std::string, fs::path>& copies) {
  const Parts parts(kit, terms);
  std::map<std::string, std::string> texts;
  for (const auto& [name, place] : copies) {
    if (fs::path(name).extension() == ".md") texts[name] = parts.of(name, read_file(place));
  }
  const Pages pages(kit, terms, places_of(copies, texts));
  for (auto& [name, text] : texts) text = pages.in_handout(name, text);
  return texts;
}

}  // namespace kv::grader::handout
