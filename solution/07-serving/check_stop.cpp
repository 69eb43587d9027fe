#include <algorithm>

#include "07-serving/scheduler.h"
#include "kv/todo.h"

namespace kv {

std::optional<FinishReason> check_stop(const ServedRequest& request, std::size_t max_model_len) {
  const SamplingParams& params = request.sampling_params;
  const TokenId last = request.token_ids.back();
  const auto& stops = params.stop_token_ids;
  if (request.num_output_tokens() < params.min_tokens) return std::nullopt;

  if (last == params.eos_token_id || std::ranges::find(stops, last) != stops.end())
    return FinishReason::kStop;

  const bool is_full = request.token_ids.size() >= max_model_len;
  if (is_full || request.num_output_tokens() >= params.max_tokens) return FinishReason::kLength;
  return std::nullopt;
}

}  // namespace kv
