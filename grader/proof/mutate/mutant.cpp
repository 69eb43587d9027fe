#include "grader/proof/mutate/mutant.h"

#include <algorithm>

#include "grader/proof/mutate/operators.h"

namespace kv::grader::mutate {
namespace {

std::vector<std::string> lines_without_margin(std::string_view text) {
  std::vector<std::string> lines = split_lines(text);
  for (std::string& line : lines) line.erase(0, line.find_first_not_of(' '));
  std::erase(lines, "");
  return lines;
}

// A hint to the machine changes no result, so no test can notice that it is missing.
bool is_hint(const Mutant& mutant) {
  const std::string& line = mutant.original.front();
  return mutant.original.size() == 1 &&
         (line.find("reserve(") != line.npos || line.find("prefetch(") != line.npos ||
          line.find("guess(") != line.npos);
}

Mutant make_mutant(const FunctionBody& body, const Edit& edit) {
  const std::string_view source = body.source;
  const std::size_t begin = source.rfind('\n', edit.begin) + 1;
  const std::size_t end = source.find('\n', edit.end);
  const auto changed = [&](std::size_t from, std::size_t to) {
    return std::string(source.substr(from, edit.begin - from)) + edit.replacement +
           std::string(source.substr(edit.end, to - edit.end));
  };
  const auto num_lines_before = std::ranges::count(source.substr(0, begin), '\n');
  return {.id = 0,
          .file = {},
          .function = body.function,
          .op = {},
          .line = static_cast<std::size_t>(num_lines_before) + 1,
          .original = lines_without_margin(source.substr(begin, end - begin)),
          .mutated = lines_without_margin(changed(begin, end)),
          .body_begin = body.begin,
          .body_end = body.end,
          .body = changed(body.begin, body.end)};
}

void add_mutants(const FunctionBody& body,
                 const Edits& edits,
                 const Operator& op,
                 const std::string& file,
                 std::vector<Mutant>& mutants) {
  for (const Edit& edit : edits) {
    Mutant mutant = make_mutant(body, edit);
    if (is_hint(mutant)) continue;
    mutant.id = static_cast<int>(mutants.size()) + 1;
    mutant.file = file;
    mutant.op = op.name;
    mutants.push_back(std::move(mutant));
  }
}

}  // namespace

bool is_header(const std::string& file) {
  return file.ends_with(".h");
}

std::vector<std::string> mutated_files(const LabSpec& lab, const fs::path& tree) {
  std::vector<std::string> files;
  for (const std::string& file : lab.files) files.push_back(lab.folder + "/" + file);
  for (const std::string& header : lab.headers) {
    const std::string file = lab.folder + "/" + header;
    if (fs::is_regular_file(tree / file)) files.push_back(file);
  }
  return files;
}

std::string Mutant::in(const std::string& source) const {
  return source.substr(0, body_begin) + body + source.substr(body_end);
}

std::vector<Mutant> mutants_of(const LabSpec& lab, const fs::path& tree) {
  std::vector<Mutant> mutants;
  for (const std::string& file : mutated_files(lab, tree)) {
    const bool is_given = is_header(file);
    const std::string source = read_file(tree / file);
    for (const FunctionBody& body : function_bodies(source)) {
      for (const Operator& op : kOperators) {
        if (is_given && op.find != refusal) continue;
        Edits edits;
        op.find(body, edits);
        add_mutants(body, edits, op, file, mutants);
      }
    }
  }
  return mutants;
}

}  // namespace kv::grader::mutate
