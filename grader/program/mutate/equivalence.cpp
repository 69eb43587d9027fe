#include "grader/program/mutate/equivalence.h"

#include <algorithm>
#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/base/json.h"
#include "grader/program/base/parallel.h"

namespace kv::grader::mutate {
namespace {

// The text of a student file, unchanged or with one place changed.
struct Text {
  std::string file;
  std::string source;
};

// How CMake compiles the file, up to the file's name.
std::string compile_command(const BuildTree& built, const std::string& file) {
  const fs::path database = built.folder() / "compile_commands.json";
  for (const Json& entry : Json::parse(read_file(database))) {
    const std::string command = entry.at("command");
    if (!entry.at("file").get<std::string>().ends_with("-stage/" + file)) continue;
    return "cd \"$0\" && " + command.substr(0, command.rfind(" -c "));
  }
  throw KitBroken(database.string() + " has no command that compiles " + file);
}

std::string compile(const Kit& kit, const BuildTree& built, const Text& text, std::size_t number) {
  // Why a folder each: an object names its source file, so that name has to be the same.
  const fs::path folder = kit.build / "mutant-objects" / std::to_string(number);
  const fs::path source = folder / fs::path(text.file).filename();
  const fs::path object = folder / "object.o";
  write_file(source, text.source);
  const std::string command = compile_command(built, text.file) +
                              " -include cstdint -include ranges -O2 -g0 -w -o \"$1\" -c \"$2\"";
  const Outcome compiled = run(
      {.argv = {"sh", "-c", command, built.folder().string(), object.string(), source.string()}});
  if (!compiled.ok()) {
    throw KitBroken("a mutant of " + text.file + " does not compile at -O2:\n" +
                    first_error(compiled.output));
  }
  return read_file(object);
}

// The object code of each text, in order.
std::vector<std::string> objects_of(const Kit& kit,
                                    const BuildTree& built,
                                    const std::vector<Text>& texts) {
  std::vector<std::string> objects(texts.size());
  in_parallel(texts.size(), [&](std::size_t i) { objects[i] = compile(kit, built, texts[i], i); });
  return objects;
}

}  // namespace

std::vector<SameProgram> distinct_programs(const std::vector<Mutant>& mutants,
                                           const Kit& kit,
                                           const BuildTree& built,
                                           const fs::path& tree) {
  std::vector<Text> texts;
  std::map<std::string, std::size_t> originals;  // file -> index of its unchanged text in `texts`
  for (const Mutant& mutant : mutants) {
    texts.push_back({mutant.file, mutant.in(read_file(tree / mutant.file))});
    originals[mutant.file] = 0;
  }
  for (auto& [file, index] : originals) {
    index = texts.size();
    texts.push_back({file, read_file(tree / file)});
  }
  const std::vector<std::string> objects = objects_of(kit, built, texts);
  std::map<std::string, SameProgram> by_object;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const bool is_solution = objects[i] == objects[originals[mutants[i].file]];
    if (!is_solution) by_object[objects[i]].push_back(mutants[i]);
  }
  std::vector<SameProgram> programs;
  for (auto& [object, program] : by_object) programs.push_back(std::move(program));
  std::ranges::sort(programs, {}, [](const SameProgram& program) { return program.front().id; });
  return programs;
}

}  // namespace kv::grader::mutate
