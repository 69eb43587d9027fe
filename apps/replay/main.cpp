// The program of `./lab replay`. Exit status: 0, 1 if the manager and the reference differ, 2 wrong
// use or a manager that breaks.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <new>

#include "apps/replay/events.h"
#include "apps/replay/progress.h"
#include "apps/replay/report.h"
#include "apps/replay/trace.h"
#include "kv/todo.h"

namespace kv::replay {
namespace {

std::size_t bytes_of(const std::vector<Prompt>& prompts) {
  std::size_t bytes = 0;
  for (const auto& [prompt, num_tokens] : prompts)
    bytes += sizeof prompt + prompt.token_ids.capacity() * sizeof(TokenId) +
             prompt.block_hashes.capacity() * sizeof(BlockHash) +
             prompt.block_extra_keys.capacity() * sizeof(ExtraKeys);
  return bytes;
}

// The result of the round with the median time. All rounds have the same hits.
CacheReplay median(std::vector<CacheReplay> rounds) {
  const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
  std::ranges::nth_element(rounds, middle, {}, &CacheReplay::seconds);
  return *middle;
}

HitRate compare(const std::vector<Prompt>& prompts,
                std::size_t capacity,
                Rules rules,
                int num_rounds,
                Progress& progress) {
  std::vector<CacheReplay> manager, reference, exact;
  for (int round = 0; round < num_rounds; ++round) {
    manager.push_back(replay_manager(prompts, capacity, rules, progress));
    reference.push_back(replay_oracle(prompts, capacity, false, progress));
    exact.push_back(replay_oracle(prompts, capacity, true, progress));
  }
  return {median(manager), median(reference), median(exact)};
}

void replay_capacities(const Trace& trace, const Options& options, Results& results) {
  const std::vector<Prompt> prompts = whole_prompts(trace, options.block_size, options.num_threads);
  results.prompt_bytes = bytes_of(prompts);
  const std::size_t num_replays =
      options.beside_reference ? 3 * static_cast<std::size_t>(options.rounds) : 1;
  Progress progress("hit rates", options.capacities.size() * prompts.size() * num_replays);
  results.hit_rates.resize(options.capacities.size());
  // Why one at a time beside the reference: two would share the memory's bandwidth and a cache.
  const std::size_t num_threads = options.beside_reference ? 1 : options.num_threads;
  in_parallel(options.capacities.size(), num_threads, [&](std::size_t i) {
    const std::size_t capacity = options.capacities[i];
    results.hit_rates[i] =
        options.beside_reference
            ? compare(prompts, capacity, options.rules, options.rounds, progress)
            : HitRate{replay_manager(prompts, capacity, options.rules, progress)};
  });
}

void serve_trace(const Trace& trace, const Options& options, Results& results) {
  const ServingOptions& serving = options.serving;
  if (serving.num_requests == 0) return;
  {
    Progress progress("memory in one piece", 3 * serving.num_requests);
    results.contiguous = reserve_in_one_piece(trace, serving, options.num_threads, progress);
  }
  Progress progress("paged memory", 2 * serving.num_requests);
  results.paged.resize(2);
  in_parallel(2, options.num_threads, [&](std::size_t i) {
    results.paged[i] = serve(trace, serving, options.block_size, i == 1, options.rules, progress);
  });
}

void write_json_file(const Trace& trace, const Options& options, const Results& results) {
  std::ofstream out(options.json_file);
  write_json(out, trace, options, results);
  if (!out.flush()) throw ReplayError("cannot write " + options.json_file);
}

int run(Options& options) {
  if (options.generate > 0) {
    generate_trace(std::cout, options.seed, options.generate);
    return 0;
  }
  const Trace trace =
      options.trace.empty() ? default_trace(options.read) : read_trace(options.trace, options.read);
  complete(options, trace);
  Results results;
  replay_capacities(trace, options, results);
  serve_trace(trace, options, results);
  if (!options.events_file.empty())
    results.num_events = write_events(
        trace, {options.events_file, options.events_blocks, options.block_size, options.rules});
  const bool prints_json = options.json_file == "-";
  if (prints_json) write_json(std::cout, trace, options, results);
  if (!prints_json) print_report(trace, options, results);
  if (!prints_json && !options.json_file.empty()) write_json_file(trace, options, results);
  const bool all_agree = std::ranges::all_of(results.hit_rates, &HitRate::agrees);
  if (!all_agree) std::cerr << "replay: the manager and the reference do not have the same hits\n";
  return all_agree ? 0 : 1;
}

}  // namespace
}  // namespace kv::replay

int main(int argc, char** argv) {
  using namespace kv::replay;
  Options options;
  if (const auto status = parse(argc, argv, options)) return *status;
  try {
    return run(options);
  } catch (const kv::NotImplemented& stub) {
    std::cerr << "replay: " << stub.what() << "; write it, ./lab grade 04 says how far it is\n";
  } catch (const std::bad_alloc&) {
    std::cerr << "replay: there is not enough memory; try fewer requests, with --first N\n";
  } catch (const ReplayError& error) {
    std::cerr << "replay: " << error.what() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "replay: the tree throws an exception: " << error.what()
              << "; ./lab grade 04 finds the call\n";
  } catch (...) {
    std::cerr
        << "replay: the tree throws what is no std::exception; ./lab grade 04 finds the call\n";
  }
  return 2;
}
