#include <map>
#include <span>

#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

// A fenced block "console" of a page: "$ ./lab simt ...", and what that printed.
struct Transcript {
  std::string command;
  std::vector<std::string> shown;
};

std::vector<Transcript> transcripts(const std::string& page) {
  const std::string prompt = "$ ./lab ";
  std::vector<Transcript> found;
  bool is_inside = false;
  for (const std::string& line : split_lines(page)) {
    if (line.starts_with("```")) {
      is_inside = line == "```console";
    } else if (is_inside && line.starts_with(prompt)) {
      found.push_back({line.substr(prompt.size()), {}});
    } else if (is_inside && !found.empty()) {
      found.back().shown.push_back(line);
    }
  }
  return found;
}

// A line "..." stands for any number of lines.
bool shows(std::span<const std::string> shown, std::span<const std::string> printed) {
  if (shown.empty()) return printed.empty();
  if (shown.front() == "..." && shows(shown.subspan(1), printed)) return true;
  if (printed.empty()) return false;
  if (shown.front() == "...") return shows(shown, printed.subspan(1));
  return shown.front() == printed.front() && shows(shown.subspan(1), printed.subspan(1));
}

// Runs each command once, however many blocks show a part of its output.
class Shell {
 public:
  explicit Shell(const Kit& kit) : kit_(kit) {}

  const Outcome& outcome_of(const std::string& arguments) {
    const auto known = outcomes_.find(arguments);
    if (known != outcomes_.end()) return known->second;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < arguments.size();) {
      const std::size_t end = std::min(arguments.find(' ', at), arguments.size());
      words.push_back(arguments.substr(at, end - at));
      at = end + 1;
    }
    return outcomes_.emplace(arguments, run_lab(kit_, words)).first->second;
  }

 private:
  const Kit& kit_;
  std::map<std::string, Outcome> outcomes_;
};

void check_page(const fs::path& page, Shell& shell, Checks& checks) {
  int num_blocks = 0;
  std::string wrong;
  for (const Transcript& transcript : transcripts(read_file(page))) {
    const Outcome& outcome = shell.outcome_of(transcript.command);
    ++num_blocks;
    if (shows(transcript.shown, split_lines(outcome.output))) continue;
    wrong += "$ ./lab " + transcript.command + "\n" + outcome.output;
  }
  checks.expect(num_blocks > 0 && wrong.empty(),
                "docs/" + page.filename().string() + " shows what " + std::to_string(num_blocks) +
                    " commands print",
                wrong);
}

}  // namespace

void check_simt_docs(const Kit& kit, Checks& checks) {
  fs::current_path(kit.root);  // the folder in which a reader runs the commands
  Shell shell(kit);
  for (const std::string page : {"simt.md", "simt-reference.md", "cuda-in-an-hour.md"}) {
    check_page(kit.root / "docs" / page, shell, checks);
  }
  for (const std::string folder : {"docs/examples", "docs/examples/broken"}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".cu") continue;
      const bool is_broken = folder.ends_with("broken");
      const Outcome& outcome = shell.outcome_of("simt " + entry.path().string());
      checks.expect(outcome.exit_code == (is_broken ? 1 : 0),
                    entry.path().string() + (is_broken ? " has findings" : " is clean"),
                    outcome.output);
    }
  }
}

}  // namespace kv::grader
