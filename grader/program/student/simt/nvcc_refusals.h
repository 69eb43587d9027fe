#pragma once
// What nvcc does not compile, and the host's compiler does, as findings.

#include <string>
#include <vector>

#include "common/text.h"
#include "grader/program/base/kit/json.h"
#include "simt/compile/program_text.h"

namespace kv::grader {

class NvccRefusals {
 public:
  explicit NvccRefusals(const std::vector<fs::path>& files);

  // The compiler warns of each array whose length is not a constant.
  void read_warnings(const std::string& output);

  const Json& findings() const { return findings_; }

 private:
  void add(const fs::path& file, const simt::Refusal& refusal);

  simt::ProgramText text_;
  Json findings_ = Json::array();
};

}  // namespace kv::grader
