#include "grader/engine/variations/variation.h"

#include <algorithm>
#include <stdexcept>

#include "base/text/errors.h"

namespace kv::grader {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t num = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++num;
  return num;
}

using ReadField = void (*)(const std::string& value, Variation& variation);

const std::map<std::string, ReadField> kFields = {
    {"include",
     [](const std::string& line, Variation& variation) { variation.includes += line + "\n"; }},
    {"only_by",
     [](const std::string& test, Variation& variation) { variation.only_by.push_back(test); }},
    {"shrinks_to",
     [](const std::string& num, Variation& variation) { variation.shrinks_to = std::stoul(num); }},
    {"varies", [](const std::string&, Variation& variation) { variation.varies = true; }},
    {"core_only", [](const std::string&, Variation& variation) { variation.is_core_only = true; }},
    {"flag", [](const std::string& part, Variation& variation) { variation.flag = part; }},
    {"expected",
     [](const std::string& value, Variation& variation) {
       const auto [test, status] = divided(value, " ");
       variation.expected[test] = status;
     }},
    {"says", [](const std::string& value, Variation& variation) {
       const auto [test, part] = divided(value, " ");
       variation.says[test].push_back(replace_all(part, "\\n", "\n"));
     }}};

// "only_by Suite.Test"
void add_field(const std::string& field, Variation& variation) {
  const auto [name, value] = divided(field, " ");
  const auto known = kFields.find(name);
  if (known == kFields.end()) throw KitBroken("\"@ " + field + "\" is no field");
  try {
    known->second(value, variation);
  } catch (const std::logic_error&) {
    throw KitBroken("\"@ " + field + "\" needs a number");
  }
}

// A line of a diff: one of the solution has two blanks before it, or "- " if it is taken out, and
// "+ " is before one that is added. A sign alone is an empty line. Other lines are the sentence.
void add_line(const std::string& line, Variation& variation) {
  const bool has_sign = line.size() == 1 || line[1] == ' ';
  const char sign = has_sign ? line[0] : '\0';
  const std::string rest = line.substr(std::min<std::size_t>(2, line.size()));

  if (sign == '@') return add_field(rest, variation);
  if (sign == '-' || sign == ' ') variation.old_text += rest + "\n";
  if (sign == '+' || sign == ' ') variation.new_text += rest + "\n";
  if (sign == '-' || sign == '+' || sign == ' ') return;
  variation.sentence += (variation.sentence.empty() ? "" : " ") + line;
}

// "name | file". After that, a known bug has the test that has to fail, a near miss "like bug".
Variation variation_of_heading(const std::string& heading) {
  constexpr std::string_view kBar = " | ", kLike = "like ";
  const auto [name, rest] = divided(heading, kBar);
  const auto [file, shows] = divided(rest, kBar);
  if (file.empty()) throw KitBroken("an entry begins with \"name | file\"");

  Variation variation{.name = name, .file = file};
  if (shows.starts_with(kLike)) {
    variation.like = shows.substr(kLike.size());
  } else {
    variation.killed_by = shows;
  }
  return variation;
}

Variation variation_of(const Paragraph& entry) {
  Variation variation = variation_of_heading(entry.lines.front());
  for (std::size_t i = 1; i < entry.lines.size(); ++i) add_line(entry.lines[i], variation);
  if (variation.sentence.empty() || variation.old_text.empty())
    throw KitBroken("an entry needs a sentence, and lines of the solution");
  return variation;
}

}  // namespace

std::vector<Variation> load_variations(const Kit& kit,
                                       const LabSpec& lab,
                                       const std::string& kind) {
  const fs::path path = kit.case_folder(lab) / (kind + ".txt");
  std::vector<Variation> variations;
  if (!fs::exists(path)) return variations;
  for (const Paragraph& entry : paragraphs_in(read_file(path))) {
    try {
      variations.push_back(variation_of(entry));
    } catch (const KitBroken& error) {
      throw KitBroken(path.string() + ":" + std::to_string(entry.line) + ": " + error.what() +
                      "; see grader/proof/docs/cases.md");
    }
  }
  return variations;
}

Variation known_bug(const Kit& kit, const LabSpec& lab, const std::string& name) {
  for (const Variation& bug : load_variations(kit, lab, "known_bugs")) {
    if (bug.name == name) return bug;
  }
  throw KitBroken("known_bugs.txt of lab " + lab.id + " lacks \"" + name + "\"");
}

LabSpec narrowed(const LabSpec& lab, const Variation& variation) {
  return lab.with_tests(
      [&](const TestSpec& test) { return variation.expected.contains(test.name); });
}

std::string varied(const std::string& source, const Variation& variation) {
  if (count(source, variation.old_text) != 1) {
    throw KitBroken(variation.name + " no longer applies: its old text is in " + variation.file +
                    " " + std::to_string(count(source, variation.old_text)) + " times, not once");
  }
  return replace_all(source, variation.old_text, variation.new_text);
}

std::string varied_text(const Kit& kit, const LabSpec& lab, const Variation& variation) {
  return varied(kit.solution_text(lab, variation.file), variation);
}

fs::path write_variation(const Kit& kit, const LabSpec& lab, const Variation& variation) {
  return write_variations(kit, lab, {variation});
}

fs::path write_variations(const Kit& kit,
                          const LabSpec& lab,
                          const std::vector<Variation>& variations) {
  const fs::path tree = kit.build / "variation";
  for (const std::string& file : lab.files) {
    std::string text = kit.solution_text(lab, file);
    for (const Variation& variation : variations) {
      if (variation.file == file) text = variation.includes + varied(text, variation);
    }
    write_file(tree / lab.folder / file, text);
  }
  for (const std::string& header : lab.headers) {
    fs::remove(tree / lab.folder / header);
    for (const Variation& variation : variations) {
      if (variation.file != header) continue;
      const std::string text = varied(read_file(kit.lab_folder(lab) / header), variation);
      write_file(tree / lab.folder / header, variation.includes + text);
    }
  }
  return tree;
}

}  // namespace kv::grader
