#include "grader/proof/mutate/equivalence.h"

#include <algorithm>
#include <map>

#include "base/kit/json.h"
#include "base/process/parallel.h"
#include "base/text/errors.h"

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

void run_compiler(const std::string& command,
                  const BuildTree& built,
                  const fs::path& source,
                  const fs::path& result) {
  const Outcome compiled =
      run({.argv = {"sh", "-c", command + " -O2 -g0 -w -o \"$1\" -c \"$2\"",
                    built.folder().string(), result.string(), source.string()}});
  if (!compiled.ok()) {
    throw KitBroken(source.string() + " does not compile at -O2:\n" + first_error(compiled.output));
  }
}

// The headers that the file includes and those that mutants need, compiled once: they take most of
// the time of a compilation. The result has the name under which a compiler looks for it.
fs::path precompile_headers(const Kit& kit, const BuildTree& built, const Text& text) {
  const fs::path headers = kit.build / "mutant-objects" / (text.file + ".headers.h");
  std::string includes = "#pragma once\n#include <cstdint>\n#include <ranges>\n";
  for (const std::string& line : split_lines(text.source))
    if (line.starts_with("#include")) includes += line + "\n";
  write_file(headers, includes);
  run_compiler(compile_command(built, text.file) + " -x c++-header", built, headers,
               headers.string() + ".gch");
  return headers;
}

std::string compile(const Kit& kit,
                    const BuildTree& built,
                    const Text& text,
                    const fs::path& headers,
                    std::size_t number) {
  // Why a folder each: an object names its source file, so that name has to be the same.
  const fs::path folder = kit.build / "mutant-objects" / std::to_string(number);
  const fs::path source = folder / fs::path(text.file).filename();
  write_file(source, text.source);
  const fs::path object = folder / "object.o";
  run_compiler(compile_command(built, text.file) + " -include \"" + headers.string() + "\"", built,
               source, object);
  return read_file(object);
}

// The object code of each text, in order. headers: by file.
std::vector<std::string> objects_of(const Kit& kit,
                                    const BuildTree& built,
                                    const std::vector<Text>& texts,
                                    const std::map<std::string, fs::path>& headers) {
  std::vector<std::string> objects(texts.size());
  in_parallel(texts.size(), [&](std::size_t i) {
    objects[i] = compile(kit, built, texts[i], headers.at(texts[i].file), i);
  });
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
  std::map<std::string, fs::path> headers;
  for (auto& [file, index] : originals) {
    index = texts.size();
    texts.push_back({file, read_file(tree / file)});
    headers[file] = precompile_headers(kit, built, texts.back());
  }
  const std::vector<std::string> objects = objects_of(kit, built, texts, headers);
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
