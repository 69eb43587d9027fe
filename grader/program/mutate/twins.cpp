#include "grader/program/mutate/twins.h"

#include <algorithm>
#include <map>

#include "grader/program/mutate/objects.h"

namespace kv::grader::mutate {

std::vector<Twins> twins_of(const std::vector<Mutant>& mutants,
                            const Kit& kit,
                            const BuildTree& built,
                            const fs::path& tree) {
  std::vector<Text> texts;
  std::map<std::string, std::size_t>
      originals;  // file -> where its text as it is stands in `texts`
  for (const Mutant& mutant : mutants) {
    texts.push_back({mutant.file, mutant.in(read_file(tree / mutant.file))});
    originals[mutant.file] = 0;
  }
  for (auto& [file, place] : originals) {
    place = texts.size();
    texts.push_back({file, read_file(tree / file)});
  }
  const std::vector<std::string> objects = objects_of(kit, built, texts);
  std::map<std::string, Twins> by_object;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const bool is_solution = objects[i] == objects[originals[mutants[i].file]];
    if (!is_solution) by_object[objects[i]].push_back(mutants[i]);
  }
  std::vector<Twins> all;
  for (auto& [object, twins] : by_object) all.push_back(std::move(twins));
  std::ranges::sort(all, {}, [](const Twins& twins) { return twins.front().id; });
  return all;
}

}  // namespace kv::grader::mutate
