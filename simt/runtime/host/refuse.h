#pragma once
// A call of the host interface that cannot be done.

#include <string>
#include <vector>

#include "simt/host_types.h"
#include "simt/runtime/report/findings.h"

namespace kv::simt {

// Reports it, and gives the error that the call returns.
cudaError_t refuse(cudaError_t error, Site site, std::string what, std::vector<Note> notes = {});

}  // namespace kv::simt
