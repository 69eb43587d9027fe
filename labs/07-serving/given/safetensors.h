#pragma once
// Reads a model's weights from a file in the format safetensors: eight bytes with the length of a
// JSON header, the header, and the numbers of all tensors.
// https://github.com/huggingface/safetensors

#include <filesystem>
#include <map>
#include <string>

#include "07-serving/given/tensor.h"

namespace kv {

// All tensors of the file, by name; their numbers stay in the file, which is mapped.
// Requires: nobody makes the file shorter while a tensor is there.
// Throws std::runtime_error, with a sentence that names the file, if it is not in this format or
// has numbers other than F16, BF16 and F32.
std::map<std::string, Tensor> read_safetensors(const std::filesystem::path& file);

}  // namespace kv
