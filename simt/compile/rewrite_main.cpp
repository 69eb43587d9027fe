// simt_rewriter SOURCE.cu RESULT.cpp: makes C++ of a CUDA source, for a build system. What nvcc
// would refuse is an error here, too, in the form of a compiler's.

#include <cstdio>
#include <fstream>
#include <sstream>

#include "simt/rewrite/refusals.h"
#include "simt/rewrite/rewrite.h"

namespace {

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(path + ": error: cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool is_refused(const std::string& source, const std::string& path) {
  kv::simt::DeclaredNames names;
  kv::simt::collect_names(source, names);
  const auto refusals = kv::simt::find_refusals(source, names);
  for (const kv::simt::Refusal& each : refusals) {
    std::fprintf(stderr, "%s:%zu:1: error: %s; %s\n", path.c_str(), each.line, each.what.c_str(),
                 each.means.c_str());
  }
  return !refusals.empty();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const std::string path = argv[1];
  const std::string source = read_file(path);
  if (is_refused(source, path)) return 1;
  std::ofstream(argv[2], std::ios::binary) << kv::simt::rewrite_cuda(source, path);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
