#include "grader/proof/check/joint_tree.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "grader/proof/mutate/function_body.h"
#include "grader/proof/mutate/schemata.h"

namespace kv::grader {
namespace {

using mutate::FunctionBody;
using mutate::Mutant;

std::string_view body(const FunctionBody& code) {
  return code.source.substr(code.begin, code.end - code.begin);
}

// The text before the body, from the end of the one before.
std::string_view text_before(const std::vector<FunctionBody>& codes, std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : codes[i - 1].end;
  return codes[i].source.substr(begin, codes[i].begin - begin);
}

// The bodies of `changed` that differ from those of `source`; none if anything else differs.
std::optional<std::vector<Mutant>> changed_bodies(const std::string& source,
                                                  const std::string& changed) {
  if (source == changed) return std::vector<Mutant>();
  const std::vector<FunctionBody> before = mutate::function_bodies(source);
  const std::vector<FunctionBody> after = mutate::function_bodies(changed);
  if (before.empty() || before.size() != after.size() ||
      source.substr(before.back().end) != changed.substr(after.back().end)) {
    return std::nullopt;
  }
  std::vector<Mutant> bodies;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (text_before(before, i) != text_before(after, i)) return std::nullopt;
    if (body(before[i]) == body(after[i])) continue;
    Mutant changed_one{};
    changed_one.body_begin = before[i].begin;
    changed_one.body_end = before[i].end;
    changed_one.body = body(after[i]);
    bodies.push_back(std::move(changed_one));
  }
  return bodies;
}

}  // namespace

bool JointTree::add(int variant,
                    const std::string& file,
                    const std::string& text,
                    const std::string& includes) {
  auto bodies = changed_bodies(kit_.solution_text(lab_, file), text);
  if (!bodies) return false;
  for (Mutant& changed : *bodies) {
    changed.id = variant;
    changed.file = file;
  }
  std::ranges::move(*bodies, std::back_inserter(bodies_));
  includes_[file].insert(includes);
  return true;
}

void JointTree::write(const fs::path& tree) const {
  for (const std::string& file : lab_.files) {
    const auto found = includes_.find(file);
    const std::string includes =
        found == includes_.end() ? "" : join({found->second.begin(), found->second.end()}, "");
    write_file(tree / lab_.folder / file,
               includes + mutate::schemata(kit_.solution_text(lab_, file), file, bodies_));
  }
}

void JointTree::choose(int variant, RunOptions& options) {
  options.environment["KV_MUTANT"] = std::to_string(variant);
}

}  // namespace kv::grader
