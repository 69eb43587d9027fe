// The engine, by counting and by time: requests together against one by one, and paged memory
// against memory in one piece.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "05-paged-attention/bench/interleaved_bench.h"
#include "07-serving/bench/contiguous.h"
#include "07-serving/bench/counted_runs.h"
#include "07-serving/bench/random_llama.h"
#include "07-serving/engine.h"

namespace kv::bench {
namespace {

constexpr std::size_t kNumRequests = 8;

struct Options {
  std::size_t rounds = 7;
  bool peers = false;
};

struct Workload {
  std::string title;
  LlamaConfig config;
  std::size_t num_prompt_tokens;
  std::size_t num_output_tokens;

  std::size_t max_len() const { return num_prompt_tokens + num_output_tokens; }
  std::size_t num_all_output_tokens() const { return kNumRequests * num_output_tokens; }
};

// The tokens of all requests after their prompts: what a competitor writes.
using Answers = std::vector<float>;

TokenId prompt_token(std::size_t request, std::size_t position, const LlamaConfig& config) {
  return static_cast<TokenId>((request * 977 + position * 31 + 1) % config.vocab_size);
}

std::vector<TokenId> prompt_of(std::size_t request, const Workload& workload) {
  std::vector<TokenId> prompt;
  for (std::size_t position = 0; position < workload.num_prompt_tokens; ++position)
    prompt.push_back(prompt_token(request, position, workload.config));
  return prompt;
}

void serve(const LlamaModel& model,
           const Workload& workload,
           std::size_t max_num_seqs,
           Answers& answers) {
  constexpr std::size_t kBlockSize = 16;
  const std::size_t num_blocks = kNumRequests * (workload.max_len() / kBlockSize + 1) + 1;
  Engine engine(model, {.num_gpu_blocks = num_blocks,
                        .block_size = kBlockSize,
                        .scheduler = {.max_num_batched_tokens = 512,
                                      .max_num_seqs = max_num_seqs,
                                      .max_model_len = workload.max_len()}});
  for (std::size_t i = 0; i < kNumRequests; ++i) {
    ServedRequest request;
    request.request_id = std::to_string(i);
    request.block_size = kBlockSize;
    request.token_ids = prompt_of(i, workload);
    request.sampling_params.max_tokens = workload.num_output_tokens;
    engine.scheduler().add_request(request);
  }
  std::vector<std::size_t> num_tokens(kNumRequests);
  while (engine.has_requests()) {
    for (const EngineCoreOutput& output : engine.step()) {
      const std::size_t request = std::stoull(output.request_id);
      answers.at(request * workload.num_output_tokens + num_tokens.at(request)++) =
          static_cast<float>(output.new_token_ids.at(0));
    }
  }
}

void serve_contiguous(const LlamaModel& model, const Workload& workload, Answers& answers) {
  ContiguousBatch batch(model, kNumRequests, workload.max_len());
  std::vector<std::vector<TokenId>> requests;
  for (std::size_t i = 0; i < kNumRequests; ++i) requests.push_back(prompt_of(i, workload));

  std::size_t start = 0;
  for (std::size_t token = 0; token < workload.num_output_tokens; ++token) {
    const std::vector<TokenId> next = batch.step(requests, start);
    start = requests[0].size();
    for (std::size_t i = 0; i < kNumRequests; ++i) {
      requests[i].push_back(next[i]);
      answers[i * workload.num_output_tokens + token] = static_cast<float>(next[i]);
    }
  }
}

void print(const std::vector<Competitor>& competitors, const Workload& workload) {
  std::printf("\n%s\n", workload.title.c_str());
  for (const Competitor& each : competitors)
    std::printf("  %-30s %9.1f ms %9.0f tokens a second\n", each.name.c_str(), each.median() * 1e3,
                static_cast<double>(workload.num_all_output_tokens()) / each.median());
  const double contiguous = competitors[0].median();
  const double together = competitors[1].median();
  const double one_by_one = competitors[2].median();
  std::printf("  together over one by one: %.2f x tokens a second (goal of the larger model: 3)\n",
              one_by_one / together);
  std::printf("  paged over contiguous: %.2f x the time (goal: 1.10)\n", together / contiguous);
}

void measure_workload(const Workload& workload, const Options& options) {
  const LlamaModel model = random_llama(workload.config);
  Answers answers(workload.num_all_output_tokens());
  std::vector<Competitor> competitors = {
      {"contiguous, no scheduler", [&] { serve_contiguous(model, workload, answers); },
       Role::kLimit, answers},
      {"together (7.11)", [&] { serve(model, workload, kNumRequests, answers); }, Role::kStep,
       answers},
      {"one by one (7.11)", [&] { serve(model, workload, 1, answers); }, Role::kStep, answers}};
  measure(workload.title, competitors, 1, options.rounds);
  if (!rows().are_read()) print(competitors, workload);
}

// PyTorch and llama.cpp, in their own process, which prints which of them is not installed.
void run_peers(const Workload& workload) {
  const auto script = std::filesystem::path(__FILE__).parent_path() / "serving_peers.py";
  const LlamaConfig& config = workload.config;
  std::string command = "python3 \"" + script.string() + "\"";
  for (const std::size_t number :
       {config.vocab_size, config.hidden_size, config.intermediate_size, config.num_hidden_layers,
        config.num_attention_heads, config.num_key_value_heads, config.head_dim, kNumRequests,
        workload.num_prompt_tokens, workload.num_output_tokens})
    command += " " + std::to_string(number);
  std::fflush(stdout);
  if (std::system(command.c_str()) != 0) std::puts("  no python3, or it failed: no peers");
}

int main(int argc, char** argv) {
  Options options;
  if (rows().are_read()) options.rounds = 1;
  CLI::App app("The engine: together against one by one, paged against contiguous");
  app.add_option("--rounds", options.rounds, "measurements of each competitor");
  app.add_flag("--peers", options.peers, "the same models in PyTorch and llama.cpp too");
  CLI11_PARSE(app, argc, argv);

  count_runs(random_llama(small_config()));
  for (const Workload& workload :
       {Workload{"8 requests, a model that fits into the cache", small_config(), 32, 64},
        Workload{"8 requests, a model of 236 MB", large_config(), 16, 32}}) {
    measure_workload(workload, options);
    if (options.peers) run_peers(workload);
  }
  return 0;
}

}  // namespace
}  // namespace kv::bench

int main(int argc, char** argv) {
  return kv::bench::main(argc, argv);
}
