#include "07-serving/engine.h"

#include "kv/todo.h"

namespace kv {

std::vector<EngineCoreOutput> Engine::step() {
  propose_drafts();
  const SchedulerOutput output = scheduler_.schedule();
  const ModelInput input = prepare_inputs(output, scheduler_, kv_cache_manager_);
  const std::vector<float> hidden = execute_model(output, input);

  const std::size_t hidden_size = model_.config().hidden_size;
  std::vector<std::vector<TokenId>> sampled_token_ids(input.num_reqs());
  for (std::size_t req = 0; req < input.num_reqs(); ++req) {
    const ScheduledRequest& scheduled = output.scheduled[req];
    const ServedRequest& request = scheduler_.request(scheduled.request_id);
    if (input.seq_lens[req] < request.token_ids.size()) continue;

    const std::size_t first_row = input.query_start_loc[req];
    const auto hidden_states =
        std::span(hidden).subspan(first_row * hidden_size, scheduled.num_tokens * hidden_size);
    sampled_token_ids[req] = sample(scheduled, hidden_states);
  }
  return scheduler_.update_from_output(output, sampled_token_ids);
}

}  // namespace kv
