#include "apps/serve/page/pool_call.h"

#include "apps/serve/calls/fields.h"

namespace kv::serve {
namespace {

constexpr std::size_t kMostBlocks = 100'000;
constexpr std::size_t kMostTokensOfBlock = 256;

Rules read_rules(const nlohmann::json& given, Rules otherwise) {
  if (given.is_null()) return otherwise;
  const auto rules = given.is_string() ? rules_named(given.get<std::string>()) : std::nullopt;
  if (!rules) Fields::refuse("rules", "has to be vllm_0_22 or vllm_0_33");
  return *rules;
}

}  // namespace

EngineConfig read_pool_call(const std::string& body,
                            const EngineConfig& now,
                            const Speaker& speaker) {
  const nlohmann::json given = parsed(body);
  Fields fields(given);
  const std::size_t num_blocks = fields.count("blocks", now.num_gpu_blocks - 1, 1, kMostBlocks);
  const std::size_t block_size = fields.count("block_size", now.block_size, 1, kMostTokensOfBlock);
  const Rules rules = read_rules(fields.value("rules"), now.rules);
  fields.refuse_others();
  try {
    return conversation_config(num_blocks, block_size, now.scheduler.max_num_seqs, rules,
                               speaker.model.config());
  } catch (const InputError& error) {
    throw ApiError(400, error.what(), "blocks");
  }
}

nlohmann::json json_of(const EngineConfig& config) {
  return {{"blocks", config.num_gpu_blocks - 1},
          {"block_size", config.block_size},
          {"rules", name_of(config.rules)}};
}

std::string name_of(Rules rules) {
  return rules == Rules::kVllm022 ? "vllm_0_22" : "vllm_0_33";
}

}  // namespace kv::serve
