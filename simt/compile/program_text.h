#pragma once
// The text of one CUDA program: its files and what they include by a relative name.

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "simt/rewrite/refusals.h"

namespace kv::simt {

namespace fs = std::filesystem;

class ProgramText {
 public:
  void add(const fs::path& file);

  // What nvcc refuses in these files.
  void for_each_refusal(const std::function<void(const fs::path&, const Refusal&)>& call) const;

  const std::map<fs::path, std::string>& sources() const { return sources_; }

 private:
  std::map<fs::path, std::string> sources_;
};

}  // namespace kv::simt
