#include "grader/engine/submission/public_interface.h"

#include <algorithm>

#include "base/cpp_text/declarations.h"

namespace kv::grader {
namespace {

using Declarations = std::vector<PublicDeclaration>;

bool contains(const Declarations& declarations,
              const std::string& value,
              std::string PublicDeclaration::*part) {
  return std::ranges::find(declarations, value, part) != declarations.end();
}

// Those of `some` that are not among `others`.
Declarations difference(const Declarations& some, const Declarations& others) {
  Declarations rest = some;
  std::erase_if(rest, [&](const PublicDeclaration& declaration) {
    return contains(others, declaration.form, &PublicDeclaration::form);
  });
  return rest;
}

std::string two_lines(const std::string& contract, const std::string& own) {
  return "  contract: " + contract + "\n  yours:    " + own;
}

}  // namespace

std::optional<std::string> changed_declaration(const std::string& contract,
                                               const std::string& own) {
  const Declarations ours = public_declarations(contract);
  const Declarations theirs = public_declarations(own);
  const Declarations added = difference(theirs, ours);
  for (const PublicDeclaration& missing : difference(ours, theirs)) {
    const auto same_name = std::ranges::find(added, missing.name, &PublicDeclaration::name);
    return two_lines(missing.source, same_name == added.end() ? "(none)" : same_name->source);
  }
  for (const PublicDeclaration& declaration : added) {
    const bool is_of_own_type =
        !declaration.type.empty() && !contains(ours, declaration.type, &PublicDeclaration::type);
    if (!is_of_own_type) return two_lines("(none)", declaration.source);
  }
  return std::nullopt;
}

std::optional<std::string> changed_public_interface(const Kit& kit,
                                                    const Submission& submission,
                                                    const LabSpec& lab) {
  for (const std::string& header : lab.headers) {
    const fs::path own = submission.stage / lab.folder / header;
    if (!fs::exists(own)) continue;
    const auto changed =
        changed_declaration(read_file(kit.lab_folder(lab) / header), read_file(own));
    if (!changed) continue;
    return "your copy of " + lab.folder + "/" + header +
           " changes the public part of the contract; it may change private members only\n" +
           *changed;
  }
  return std::nullopt;
}

}  // namespace kv::grader
