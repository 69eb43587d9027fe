#include "apps/replay/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cstdio>
#include <thread>

#include "04-kv-cache-manager/given/rules.h"
#include "apps/replay/trace.h"

namespace kv::replay {
namespace {

const CLI::Range kAtLeastOne(std::size_t{1}, std::size_t{1} << 40);

void declare_input(CLI::App& app, Options& options) {
  app.add_option("TRACE", options.trace, "JSON lines or CSV; - is the standard input");
  app.add_flag("--skip-bad", options.read.skip_bad, "leave malformed lines out, and count them");
  app.add_option("--first", options.read.max_requests, "replay the first N requests only")
      ->check(kAtLeastOne);
  app.add_option("--generate", options.generate, "write a synthetic trace of N requests, and end")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seed", options.seed, "of --generate");
}

void declare_hit_rates(CLI::App& app, Options& options) {
  app.add_option("--block-size", options.block_size, "tokens in a block: 1, 2, 4 ... 512")
      ->check([](const std::string& text) -> std::string {
        const bool is_one = std::ranges::any_of(std::vector{1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
                                                [&](int n) { return text == std::to_string(n); });
        return is_one ? "" : "a block has 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 tokens";
      });
  app.add_option_function<std::string>(
         "--rules", [&](const std::string& name) { options.rules = rules_named(name).value(); },
         "whose decisions: vllm_0_22 or vllm_0_33")
      ->check(CLI::IsMember({"vllm_0_22", "vllm_0_33"}));
  app.add_option("--capacities", options.capacities, "blocks of the cache, one or several")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  app.add_flag("--beside-reference", options.beside_reference,
               "the same through a list and a map of the standard library: hits and time");
  app.add_option("--rounds", options.rounds, "how often each of them is timed, in turns")
      ->check(CLI::Range(1, 99));
}

void declare_serving(CLI::App& app, ServingOptions& serving) {
  app.add_option("--serve", serving.num_requests, "requests that are served; 0: none");
  app.add_option("--pool-tokens", serving.pool_tokens, "tokens that the memory can hold")
      ->check(kAtLeastOne);
  app.add_option("--max-model-len", serving.max_model_len, "tokens that a request can have")
      ->check(kAtLeastOne);
  app.add_option("--max-num-batched-tokens", serving.max_num_batched_tokens,
                 "tokens that a step computes")
      ->check(kAtLeastOne);
  app.add_option("--max-num-seqs", serving.max_num_seqs, "requests that run at the same time")
      ->check(kAtLeastOne);
  app.add_option("--watermark", serving.watermark,
                 "share of the blocks that an admission leaves free while others run")
      ->check([](const std::string& text) -> std::string {
        double share = 0;
        const bool is_share = CLI::detail::lexical_cast(text, share) && share >= 0 && share < 1;
        return is_share ? "" : "it is " + text + ", but it has to be from 0 to less than 1";
      });
}

void declare_output(CLI::App& app, Options& options) {
  app.add_option("--json", options.json_file, "all results as JSON; - prints them, without tables");
  app.add_option("--events", options.events_file, "calls and states for a page that plays them");
  app.add_option("--events-blocks", options.events_blocks, "blocks of that manager")
      ->check(CLI::Range(2, 4096));
  app.add_option("--threads", options.num_threads, "how many capacities are replayed at a time")
      ->check(CLI::Range(1, 1024));
}

// The whole text once, then smaller and smaller shares of it.
std::vector<std::size_t> usual_capacities(std::size_t num_distinct_blocks) {
  std::vector<std::size_t> capacities;
  for (const unsigned divisor : {1u, 2u, 4u, 10u, 25u, 100u})
    capacities.push_back(std::max<std::size_t>(1, num_distinct_blocks / divisor));
  return capacities;
}

std::size_t longest_request(const Trace& trace, std::size_t num_requests) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < num_requests; ++i)
    longest = std::max(longest, trace.requests[i].num_tokens());
  return longest;
}

void complete(ServingOptions& serving, const Trace& trace) {
  serving.num_requests = std::min(serving.num_requests, trace.requests.size());
  if (serving.num_requests == 0) return;
  const std::size_t longest = longest_request(trace, serving.num_requests);
  if (serving.max_model_len == 0) serving.max_model_len = std::bit_ceil(longest);
  if (serving.max_model_len < longest)
    throw ReplayError("a request of the trace has " + std::to_string(longest) +
                      " tokens, so --max-model-len has to be at least that");
  constexpr std::size_t kRequests = 16;  // requests of the maximum length, side by side
  if (serving.pool_tokens == 0)
    serving.pool_tokens = kRequests * std::bit_ceil(serving.max_model_len);
  if (std::bit_floor(serving.pool_tokens) < std::bit_ceil(serving.max_model_len))
    throw ReplayError("--pool-tokens has to be at least " +
                      std::to_string(std::bit_ceil(serving.max_model_len)) +
                      ": a request of the maximum length has to fit");
}

}  // namespace

std::optional<int> parse(int argc, char** argv, Options& options) {
  CLI::App app{"Replays a trace of requests through lab 04's KV cache manager.", "./lab replay"};
  options.seed = kDefaultSeed;
  options.serving = {.num_requests = 6000,
                     .pool_tokens = 0,
                     .max_model_len = 0,
                     .max_num_batched_tokens = 8192,
                     .max_num_seqs = 1024,
                     .watermark = 0};
  declare_input(app, options);
  declare_hit_rates(app, options);
  declare_serving(app, options.serving);
  declare_output(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::fprintf(stderr, "replay: %s; run ./lab replay --help\n", error.what());
    return 2;
  }
  if (options.num_threads == 0)
    options.num_threads = std::max(1u, std::thread::hardware_concurrency());
  return std::nullopt;
}

void complete(Options& options, const Trace& trace) {
  if (options.capacities.empty())
    options.capacities =
        usual_capacities(trace.num_distinct_ids * kTraceBlock / options.block_size);
  complete(options.serving, trace);
}

}  // namespace kv::replay
