#pragma once
// The same requests under several settings, counted: the same numbers on every machine.

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "07-serving/bench/engine_run.h"
#include "grader/harness/bench_rows.h"

namespace kv::bench {

struct Setting {
  std::string name;
  EngineConfig config;
};

// Sixteen prompts of 56 to 116 tokens, which begin with the same 48.
inline std::vector<ServedRequest> counted_requests(std::size_t vocab_size) {
  std::vector<ServedRequest> requests;
  for (std::size_t i = 0; i < 16; ++i) {
    ServedRequest& request = requests.emplace_back();
    request.request_id = std::to_string(i);
    request.block_size = 16;
    request.sampling_params.max_tokens = 32;
    for (std::size_t position = 0; position < 56 + 4 * i; ++position) {
      const std::size_t number = position < 48 ? position : position * 31 + i * 977;
      request.token_ids.push_back(static_cast<TokenId>(number % vocab_size));
    }
  }
  return requests;
}

inline std::vector<Setting> settings() {
  const EngineConfig plenty = {
      .num_gpu_blocks = 257,
      .block_size = 16,
      .scheduler = {.max_num_batched_tokens = 512, .max_num_seqs = 16, .max_model_len = 160}};
  std::vector<Setting> all(5, {"plenty of blocks", plenty});
  all[1].name = "steps of 48 tokens";
  all[1].config.scheduler.max_num_batched_tokens = 48;
  all[2].name = "four at a time";
  all[2].config.scheduler.max_num_seqs = 4;
  all[3].name = "40 blocks";
  all[3].config.num_gpu_blocks = 41;
  all[4].name = "no prefix caching";
  all[4].config.enable_prefix_caching = false;
  return all;
}

// Prints a row for each setting, or writes it for ./lab bench.
inline void count_runs(const LlamaModel& model) {
  const std::string table = "16 requests that begin with the same 48 tokens, counted";
  if (!rows().are_read())
    std::printf("%s\n  %-26s%12s%12s%12s%12s\n", table.c_str(), "", "steps", "computed", "again",
                "longest gap");
  std::size_t num_least = 0;  // computed with plenty of blocks
  for (const Setting& setting : settings()) {
    if (!rows().is_wanted(table, setting.name, Role::kStep)) continue;
    rows().run(table, setting.name, [&] {
      EngineRun run(model, setting.config);
      for (const ServedRequest& request : counted_requests(model.config().vocab_size))
        run.add_request(request);
      while (run.has_requests()) run.step();

      if (num_least == 0) num_least = run.num_computed_tokens();
      const std::vector<std::pair<std::string, std::size_t>> counts = {
          {"steps", run.num_steps()},
          {"computed", run.num_computed_tokens()},
          {"again", run.num_computed_tokens() - num_least},
          {"longest gap", run.longest_gap()}};
      if (!rows().are_read()) std::printf("  %-26s", setting.name.c_str());
      for (const auto& [what, number] : counts) {
        rows().count(what, static_cast<double>(number));
        if (!rows().are_read()) std::printf("%12zu", number);
      }
      if (!rows().are_read()) std::printf("\n");
    });
  }
}

}  // namespace kv::bench
