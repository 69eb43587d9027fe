#pragma once

#include <string>
#include <vector>

#include "base/kit/json.h"
#include "base/text/text.h"
#include "simt/compile/program_text.h"

namespace kv::grader {

// What nvcc does not compile, and the host's compiler does, as findings.
class NvccRefusals {
 public:
  NvccRefusals(const std::vector<fs::path>& files, bool has_extended_lambda);

  // The compiler warns of each array whose length is not a constant.
  void read_warnings(const std::string& output);

  const Json& findings() const { return findings_; }
  const simt::ProgramText& text() const { return text_; }

 private:
  void add(const fs::path& file, const simt::Refusal& refusal);

  simt::ProgramText text_;
  Json findings_ = Json::array();
};

}  // namespace kv::grader
