#pragma once
// The text of one CUDA program, and a copy of it that is rewritten to C++.

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simt/rewrite/refusals.h"

namespace kv::simt {

namespace fs = std::filesystem;

// The files of one CUDA program, and what they include by a relative name.
class ProgramText {
 public:
  void add(const fs::path& file);

  // What nvcc refuses in these files.
  void for_each_refusal(const std::function<void(const fs::path&, const Refusal&)>& call) const;

  // Whether a function may return a struct: the texts define a class, or name one that kernels use,
  // such as float4 and __half. False only where none of them can.
  bool may_return_structs() const;

  // Whether a line of the program reads its standard input.
  bool reads_input() const;

  const std::map<fs::path, std::string>& sources() const { return sources_; }

 private:
  using Unit = std::set<fs::path>;  // a source, and what it includes

  void add(const fs::path& file, Unit& unit);

  std::map<fs::path, std::string> sources_;
  std::vector<Unit> units_;
};

// Copies of CUDA sources and of what they include, rewritten to C++.
//
// A file /a/b.cu becomes FOLDER/a/b.cu. Why the whole path: then "../c.h" is found from there, too.
class RewrittenTree {
 public:
  // cuda_headers: those of simt. cccl: NVIDIA's C++ library; empty: it is not here.
  RewrittenTree(fs::path folder,
                std::vector<fs::path> include_folders,
                fs::path cuda_headers,
                fs::path cccl = {})
      : folder_(std::move(folder)),
        include_folders_(std::move(include_folders)),
        cuda_headers_(std::move(cuda_headers)),
        cccl_(std::move(cccl)) {}

  fs::path place_of(const fs::path& file) const { return folder_ / file.relative_path(); }

  // The file and all that it includes from its own folder or an include folder. Throws
  // MalformedCuda.
  void add(const fs::path& file);

 private:
  bool has_header(const std::string& name) const;
  // The line of a file in the folder `from`, and adds the file that it includes.
  std::string with_include(const std::string& line, const fs::path& from);

  fs::path folder_;
  std::vector<fs::path> include_folders_;
  fs::path cuda_headers_, cccl_;
  std::set<fs::path> done_ = {};
};

}  // namespace kv::simt
