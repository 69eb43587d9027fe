#pragma once
// Text that every student has, and that does not count: starter, solution and contracts.

#include <map>
#include <string>
#include <unordered_set>

#include "grader/program/base/kit/kit.h"
#include "grader/program/course/similar/fingerprints.h"

namespace kv::grader::similar {

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

}  // namespace kv::grader::similar
