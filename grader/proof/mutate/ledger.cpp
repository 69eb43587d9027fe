#include "grader/proof/mutate/ledger.h"

#include "base/text/errors.h"

namespace kv::grader::mutate {
namespace {

std::string place_of(const Mutant& mutant) {
  return mutant.file + " | " + mutant.function + " | " + mutant.op;
}

void add_line(const std::string& line, LedgerEntry& entry) {
  if (line.starts_with("- ")) {
    entry.original.push_back(line.substr(2));
  } else if (line.starts_with("+ ")) {
    entry.mutated.push_back(line.substr(2));
  } else {
    entry.reason += (entry.reason.empty() ? "" : " ") + line;
  }
}

}  // namespace

bool LedgerEntry::explains(const Mutant& mutant) const {
  return place == place_of(mutant) && original == mutant.original && mutated == mutant.mutated;
}

bool LedgerEntry::excludes(const Mutant& mutant) const {
  return original.empty() &&
         place == mutant.file.substr(0, mutant.file.find('/')) + " | " + mutant.op;
}

fs::path equivalent_mutants_file(const Kit& kit, const LabSpec& lab) {
  return kit.case_folder(lab) / "equivalent_mutants.txt";
}

std::vector<LedgerEntry> load_ledger(const fs::path& path) {
  std::vector<LedgerEntry> entries;
  for (const Paragraph& paragraph : paragraphs_in(read_file(path))) {
    entries.push_back({.place = paragraph.lines.front(),
                       .original = {},
                       .mutated = {},
                       .reason = {},
                       .line = paragraph.line});
    for (std::size_t i = 1; i < paragraph.lines.size(); ++i)
      add_line(paragraph.lines[i], entries.back());
  }
  for (const LedgerEntry& entry : entries) {
    const bool is_of_a_lab = entry.place.find(" | ") == entry.place.rfind(" | ") &&
                             entry.place.find(" | ") != std::string::npos;
    if (is_of_a_lab == entry.original.empty() && !entry.reason.empty()) continue;
    throw KitBroken(path.string() + ":" + std::to_string(entry.line) +
                    ": an entry needs a line that begins with \"- \" and a reason; see "
                    "docs/dev/mutants.md");
  }
  return entries;
}

std::string ledger_lines(const Mutant& mutant) {
  std::string text = place_of(mutant) + "\n";
  for (const std::string& line : mutant.original) text += "- " + line + "\n";
  for (const std::string& line : mutant.mutated) text += "+ " + line + "\n";
  return text;
}

}  // namespace kv::grader::mutate
