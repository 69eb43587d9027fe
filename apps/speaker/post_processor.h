#pragma once
// What a tokenizer puts before each text: the entry "post_processor" of a tokenizer.json says so,
// not the bos_token_id of a config.json.

#include <nlohmann/json.hpp>
#include <vector>

#include "kv/types.h"

namespace kv {

// The special tokens before a single text, as `encode` of Hugging Face's tokenizers puts them.
// Throws std::runtime_error, with the second half of a sentence that begins with the file, for a
// kind of post-processor that is not read here, and for one that puts tokens after a text: a model
// that has to continue the text would begin after its end.
std::vector<TokenId> tokens_before_a_text(const nlohmann::json& tokenizer);

}  // namespace kv
