#pragma once
// Why a CUDA program does not compile here: it needs a part of CUDA that simt does not have.

#include <string>

#include "common/text.h"

namespace kv::grader {

// One sentence with the line, from what the compiler says: "a.cu:12: simt has no
// textures (tex2D); what it has: docs/simt.md". Empty if the program itself is wrong.
std::string simt_refusal(const std::string& compiler_output);

}  // namespace kv::grader
