#include "grader/program/student/steps/shown_path.h"

namespace kv::grader::desk {
namespace {

bool is_inside(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

std::string shown_path(const Kit& kit, const fs::path& file) {
  const fs::path root = fs::weakly_canonical(kit.root);
  const fs::path here = fs::current_path();
  const fs::path there = fs::weakly_canonical(file);
  const bool is_near = is_inside(here, root) && is_inside(there, root);
  return printable((is_near ? there.lexically_relative(here) : there).string());
}

}  // namespace kv::grader::desk
