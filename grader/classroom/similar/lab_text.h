#pragma once
// What a submission has written for one lab, as tokens and fingerprints; and the text that does not
// count in it.

#include <functional>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/kit/kit.h"
#include "base/text/text.h"
#include "grader/classroom/similar/fingerprints.h"

namespace kv::grader::similar {

// Text that every student has, and that does not count: starter, solution and contracts.
class BaseCode {
 public:
  // Has the code of all labs, because code of one lab can be used again in another.
  explicit BaseCode(const Kit& kit);

  bool has_gram(std::uint64_t hash) const { return grams_.contains(hash); }
  const KeptNames& kept_names() const { return kept_names_; }

  // "solution/01-free-queue/compact_free_queue.cpp" -> its text.
  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  std::map<std::string, std::string> files_ = {};
  KeptNames kept_names_ = {};
  std::unordered_set<std::uint64_t> grams_ = {};
};

struct SourceText {
  std::string path;  // "01-free-queue/compact_free_queue.cpp"
  std::string text;
  std::size_t first_token;  // in LabText::tokens
  std::size_t num_tokens;

  std::size_t end_token() const { return first_token + num_tokens; }
};

struct LabText {
  std::size_t submission;                 // an index
  std::vector<SourceText> files = {};     // in the order of their paths
  std::vector<NormalToken> tokens = {};   // the tokens of all files
  std::vector<std::uint64_t> grams = {};  // hash of the k-gram at a token; 0: none begins there
  std::vector<bool> is_excluded = {};     // a token that does not count
  std::vector<Fingerprint> prints = {};   // those that count

  const SourceText& file_of(std::size_t token) const;
};

// Excludes what is in the base code.
LabText lab_text(std::size_t submission,
                 const std::map<std::string, fs::path>& files,
                 const BaseCode& base);

// Excludes the k-grams of some fingerprints. A fingerprint counts as long as half of its tokens do.
void exclude(LabText& lab, const std::function<bool(const Fingerprint&)>& is_meant);

}  // namespace kv::grader::similar
