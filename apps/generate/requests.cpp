#include "apps/generate/requests.h"

#include <algorithm>

namespace kv::generate {
namespace {

// at_least: "at least " if it is not known how many more it has.
void require_room(const std::string& prompt_number,
                  const std::string& at_least,
                  std::size_t num_tokens,
                  const LlamaConfig& llama) {
  if (num_tokens < llama.max_position_embeddings) return;
  throw InputError("prompt " + prompt_number + " has " + at_least + std::to_string(num_tokens) +
                   " tokens, and the model has room for " +
                   std::to_string(llama.max_position_embeddings) + " with the answer; shorten it");
}

}  // namespace

std::vector<ServedRequest> requests_of(const Options& options, const Speaker& speaker) {
  const LlamaConfig& llama = speaker.model.config();
  std::vector<ServedRequest> requests;
  for (const std::string& prompt : options.prompts) {
    ServedRequest& request = requests.emplace_back();
    request.request_id = std::to_string(requests.size());
    request.block_size = options.block_size;
    require_room(request.request_id, "at least ", speaker.tokenizer.least_num_tokens(prompt),
                 llama);
    request.token_ids = speaker.tokens_of(prompt);
    request.sampling_params = {.max_tokens = options.max_tokens,
                               .eos_token_id = llama.eos_token_id,
                               .stop_token_ids = speaker.ends,
                               .temperature = options.temperature,
                               .top_p = options.top_p,
                               .seed = options.seed};
    require_room(request.request_id, "", request.token_ids.size(), llama);
  }
  return requests;
}

EngineConfig engine_config(const Options& options,
                           const LlamaConfig& llama,
                           const std::vector<ServedRequest>& requests) {
  std::size_t longest_prompt = 0;
  for (const ServedRequest& request : requests)
    longest_prompt = std::max(longest_prompt, request.token_ids.size());
  const std::size_t max_model_len =
      std::min(longest_prompt + options.max_tokens, llama.max_position_embeddings);
  const std::size_t num_needed = (max_model_len + options.block_size - 1) / options.block_size;
  if (num_needed > options.num_blocks)
    throw InputError("a request of " + std::to_string(max_model_len) + " tokens needs " +
                     std::to_string(num_needed) + " blocks; give --blocks " +
                     std::to_string(num_needed) + ", or fewer --max-tokens");
  require_memory(options.num_blocks, options.block_size, llama);

  return {.num_gpu_blocks = options.num_blocks + 1,
          .block_size = options.block_size,
          .rules = options.rules,
          .scheduler = {.max_num_batched_tokens = 512,
                        .max_num_seqs = 256,
                        .max_model_len = max_model_len},
          .speculative = {.num_speculative_tokens = options.num_drafts}};
}

}  // namespace kv::generate
