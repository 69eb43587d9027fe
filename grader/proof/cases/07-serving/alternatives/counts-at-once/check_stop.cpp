#include "07-serving/scheduler.h"
#include "kv/todo.h"

namespace kv {

std::optional<FinishReason> check_stop(const ServedRequest& request, std::size_t max_model_len) {
  const SamplingParams& params = request.sampling_params;
  const std::size_t num_tokens = request.num_output_tokens();
  if (num_tokens >= params.min_tokens) {
    const TokenId last = request.token_ids.back();
    if (params.eos_token_id.has_value() && *params.eos_token_id == last) return FinishReason::kStop;
    for (const TokenId stop : params.stop_token_ids)
      if (stop == last) return FinishReason::kStop;
    if (num_tokens >= params.max_tokens) return FinishReason::kLength;
    if (request.token_ids.size() >= max_model_len) return FinishReason::kLength;
  }
  return {};
}

}  // namespace kv
