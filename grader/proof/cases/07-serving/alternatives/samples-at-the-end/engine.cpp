// Finds the requests with next tokens first, and samples after that, the last request first.
#include "07-serving/engine.h"

#include "kv/todo.h"

namespace kv {

std::vector<EngineCoreOutput> Engine::step() {
  propose_drafts();
  const SchedulerOutput output = scheduler_.schedule();
  const ModelInput input = prepare_inputs(output, scheduler_, kv_cache_manager_);

  // The requests that get tokens.
  std::vector<std::size_t> ready;
  for (std::size_t req = 0; req < output.scheduled.size(); ++req) {
    const ScheduledRequest& scheduled = output.scheduled[req];
    const std::size_t num_known = scheduler_.request(scheduled.request_id).token_ids.size();
    if (scheduled.num_computed_tokens + scheduled.num_tokens >= num_known) ready.push_back(req);
  }

  const std::vector<float> hidden = execute_model(output, input);
  const std::size_t hidden_size = model_.config().hidden_size;
  std::vector<std::vector<TokenId>> sampled_token_ids(output.scheduled.size());
  for (auto req = ready.rbegin(); req != ready.rend(); ++req) {
    const std::size_t end_row = input.query_start_loc[*req + 1];
    const std::size_t num_rows = end_row - input.query_start_loc[*req];
    sampled_token_ids[*req] =
        sample(output.scheduled[*req],
               {hidden.data() + (end_row - num_rows) * hidden_size, num_rows * hidden_size});
  }
  return scheduler_.update_from_output(output, sampled_token_ids);
}

}  // namespace kv
