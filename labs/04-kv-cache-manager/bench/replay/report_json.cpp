#include <cmath>
#include <nlohmann/json.hpp>

#include "04-kv-cache-manager/bench/replay/report.h"

namespace kv::replay {
namespace {

using Json = nlohmann::ordered_json;

Json replay_json(const CacheReplay& replay) {
  return {{"num_hits", replay.num_hits},
          {"num_evictions", replay.num_evictions},
          {"num_unfit", replay.num_unfit},
          {"seconds", replay.seconds}};
}

Json hit_rate_json(const HitRate& row) {
  Json result = {{"capacity", row.manager.capacity},
                 {"num_blocks", row.manager.num_blocks},
                 {"hit_rate", row.manager.hit_rate()}};
  result.update(replay_json(row.manager));
  if (row.reference) result["reference"] = replay_json(*row.reference);
  if (row.exact_reference) result["exact_reference"] = replay_json(*row.exact_reference);
  return result;
}

// null: no request has waited for memory.
Json share(double value) {
  return std::isnan(value) ? Json(nullptr) : Json(value);
}

Json scheme_json(const Scheme& scheme) {
  return {{"name", scheme.name},
          {"held_of_pool", share(scheme.use.of_pool())},
          {"held_of_reserved", share(scheme.use.of_reserved())},
          {"mean_running", share(scheme.use.mean_running())},
          {"num_steps", scheme.num_steps},
          {"num_preemptions", scheme.num_preemptions}};
}

Json serving_json(const Serving& serving) {
  Json result = scheme_json(serving.scheme);
  result.update({{"num_prompt_tokens", serving.num_prompt_tokens},
                 {"num_hit_tokens", serving.num_hit_tokens},
                 {"num_usable_blocks", serving.num_usable_blocks},
                 {"mean_blocks", serving.mean_blocks},
                 {"peak_blocks", serving.peak_blocks},
                 {"seconds", serving.seconds}});
  return result;
}

}  // namespace

void write_json(std::ostream& out,
                const Trace& trace,
                const Options& options,
                const Results& results) {
  Json hit_rates = Json::array(), memory = Json::array();
  for (const HitRate& row : results.hit_rates) hit_rates.push_back(hit_rate_json(row));
  for (const Scheme& scheme : results.contiguous) memory.push_back(scheme_json(scheme));
  for (const Serving& serving : results.paged) memory.push_back(serving_json(serving));
  const Json report = {{"format", 1},
                       {"trace", trace.name},
                       {"num_requests", trace.requests.size()},
                       {"num_bad_lines", trace.num_bad_lines},
                       {"num_distinct_ids", trace.num_distinct_ids},
                       {"block_size", options.block_size},
                       {"hit_rates", hit_rates},
                       {"serving",
                        {{"num_requests", options.serving.num_requests},
                         {"pool_tokens", options.serving.pool_tokens},
                         {"max_model_len", options.serving.max_model_len},
                         {"max_num_batched_tokens", options.serving.max_num_batched_tokens},
                         {"max_num_seqs", options.serving.max_num_seqs},
                         {"schemes", memory}}},
                       {"prompt_bytes", results.prompt_bytes},
                       {"peak_memory_bytes", peak_memory_bytes()}};
  // Why replaced: the name of a file need not be UTF-8.
  out << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace kv::replay
