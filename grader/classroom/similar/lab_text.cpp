#include "grader/classroom/similar/lab_text.h"

#include <algorithm>

#include "grader/classroom/similar/fingerprints.h"

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

namespace {

void exclude_gram(LabText& lab, std::size_t first) {
  std::fill_n(lab.is_excluded.begin() + static_cast<std::ptrdiff_t>(first), kGramTokens, true);
}

// Why half: many right answers differ from the base code in a few tokens, and by chance in the
// same ones.
bool counts(const LabText& lab, const Fingerprint& print) {
  const auto first = lab.is_excluded.begin() + static_cast<std::ptrdiff_t>(print.first);
  return std::count(first, first + kGramTokens, false) * 2 >= std::ptrdiff_t{kGramTokens};
}

void forget_what_is_excluded(LabText& lab) {
  std::erase_if(lab.prints, [&](const Fingerprint& print) { return !counts(lab, print); });
  std::size_t num_counted = 0;  // tokens that count among the last kGramTokens
  for (std::size_t i = 0; i < lab.tokens.size(); ++i) {
    num_counted += lab.is_excluded[i] ? 0 : 1;
    if (i >= kGramTokens) num_counted -= lab.is_excluded[i - kGramTokens] ? 0 : 1;
    if (i + 1 >= kGramTokens && num_counted == 0) lab.grams[i + 1 - kGramTokens] = 0;
  }
}

void add_file(LabText& lab, const std::string& path, const fs::path& file, const BaseCode& base) {
  SourceText source{path, read_file(file), lab.tokens.size(), 0};
  const std::vector<NormalToken> tokens = normal_tokens(source.text, base.kept_names());
  const std::vector<std::uint64_t> grams = gram_hashes(tokens);
  source.num_tokens = tokens.size();
  lab.tokens.insert(lab.tokens.end(), tokens.begin(), tokens.end());
  lab.grams.insert(lab.grams.end(), grams.begin(), grams.end());
  lab.grams.resize(lab.tokens.size());
  lab.is_excluded.resize(lab.tokens.size());
  for (std::size_t i = 0; i < grams.size(); ++i) {
    if (base.has_gram(grams[i])) exclude_gram(lab, source.first_token + i);
  }
  for (const Fingerprint& print : winnow(grams))
    lab.prints.push_back({print.hash, source.first_token + print.first});
  lab.files.push_back(std::move(source));
}

}  // namespace

const SourceText& LabText::file_of(std::size_t token) const {
  return *std::ranges::find_if(files, [&](const auto& file) { return token < file.end_token(); });
}

LabText lab_text(std::size_t submission,
                 const std::map<std::string, fs::path>& files,
                 const BaseCode& base) {
  LabText lab{.submission = submission};
  for (const auto& [path, file] : files) add_file(lab, path, file, base);
  forget_what_is_excluded(lab);
  return lab;
}

void exclude(LabText& lab, const std::function<bool(const Fingerprint&)>& is_meant) {
  for (const Fingerprint& print : lab.prints) {
    if (is_meant(print)) exclude_gram(lab, print.first);
  }
  forget_what_is_excluded(lab);
}

}  // namespace kv::grader::similar
