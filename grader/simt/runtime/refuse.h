#pragma once
// A call of the host interface that cannot be done.

#include <string>
#include <vector>

#include "grader/simt/runtime/findings.h"
#include "simt/host_types.h"

namespace kv::simt {

// Reports it, and gives the error that the call returns.
cudaError_t refuse(cudaError_t error, Site site, std::string what, std::vector<Note> notes = {});

}  // namespace kv::simt
