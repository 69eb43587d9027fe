#include "grader/program/mutate/objects.h"

#include "grader/program/base/errors.h"
#include "grader/program/base/json.h"
#include "grader/program/base/parallel.h"

namespace kv::grader::mutate {
namespace {

// How CMake compiles the file, up to the file's name.
std::string compile_command(const BuildTree& built, const std::string& file) {
  const fs::path database = built.folder() / "compile_commands.json";
  for (const Json& entry : Json::parse(read_file(database))) {
    const std::string command = entry.at("command");
    if (!entry.at("file").get<std::string>().ends_with("-stage/" + file)) continue;
    return "cd \"$0\" && " + command.substr(0, command.rfind(" -c "));
  }
  throw KitBroken(database.string() + " does not say how " + file + " is compiled");
}

std::string compile(const Kit& kit, const BuildTree& built, const Text& text, std::size_t number) {
  // Why a folder each: an object names its source file, so that name has to be the same.
  const fs::path folder = kit.build / "mutant-objects" / std::to_string(number);
  const fs::path source = folder / fs::path(text.file).filename();
  const fs::path object = folder / "object.o";
  write_file(source, text.source);
  const std::string command =
      compile_command(built, text.file) + " -include ranges -O2 -g0 -w -o \"$1\" -c \"$2\"";
  const Outcome compiled = run(
      {.argv = {"sh", "-c", command, built.folder().string(), object.string(), source.string()}});
  if (!compiled.ok()) {
    throw KitBroken("a mutant of " + text.file + " does not compile at -O2:\n" +
                    first_error(compiled.output));
  }
  return read_file(object);
}

}  // namespace

std::vector<std::string> objects_of(const Kit& kit,
                                    const BuildTree& built,
                                    const std::vector<Text>& texts) {
  std::vector<std::string> objects(texts.size());
  in_parallel(texts.size(), [&](std::size_t i) { objects[i] = compile(kit, built, texts[i], i); });
  return objects;
}

}  // namespace kv::grader::mutate
