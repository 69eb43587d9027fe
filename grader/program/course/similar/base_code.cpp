#include "grader/program/course/similar/base_code.h"

#include "grader/program/course/similar/fingerprints.h"

namespace kv::grader::similar {
namespace {

bool is_header(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cuh";
}

void add_file(const Kit& kit, const fs::path& path, std::map<std::string, std::string>& files) {
  const fs::path file = kit.root / path;
  if (fs::is_regular_file(file)) files[path.generic_string()] = read_file(file);
}

// Also the headers that are no contract, as those in a lab's given/.
void add_headers(const Kit& kit, std::map<std::string, std::string>& files) {
  for (const auto& entry : fs::recursive_directory_iterator(kit.root / "labs")) {
    if (is_header(entry.path())) add_file(kit, entry.path().lexically_relative(kit.root), files);
  }
}

}  // namespace

BaseCode::BaseCode(const Kit& kit) {
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const std::string& file : lab.files) {
      for (const char* tree : {"starter", "solution"})
        add_file(kit, fs::path(tree) / lab.folder / file, files_);
    }
  }
  add_headers(kit, files_);
  for (const auto& [path, text] : files_) add_kept_names(text, kept_names_);
  for (const auto& [path, text] : files_) {
    const std::vector<std::uint64_t> grams = gram_hashes(normal_tokens(text, kept_names_));
    grams_.insert(grams.begin(), grams.end());
  }
}

}  // namespace kv::grader::similar
