// Paged attention against a plain read of the same bytes: how close does it come to the speed of
// memory?

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "05-paged-attention/bench/baselines.h"
#include "05-paged-attention/bench/interleaved_bench.h"

namespace kv::bench {
namespace {

struct Options {
  std::vector<std::size_t> batches = {1, 8, 32};
  std::vector<std::size_t> lengths = {1024, 4096, 16384};
  std::vector<std::size_t> threads = {1, 2};
  std::size_t rounds = 11;
  bool peers = false;
};

template <class Stored>
std::string title(const char* type, const Workload<Stored>& workload, std::size_t num_threads) {
  return std::string(type) + ", batch " + std::to_string(workload.num_seqs()) + " x " +
         std::to_string(workload.seq_lens[0]) + " tokens, " +
         std::to_string(workload.memory.num_bytes() >> 20) + " MB of keys and values, " +
         std::to_string(num_threads) + (num_threads == 1 ? " thread" : " threads");
}

void measure_and_print(const std::string& title,
                       std::vector<Competitor>& competitors,
                       std::size_t num_threads,
                       std::size_t num_rounds,
                       std::size_t num_bytes,
                       double least_percent) {
  measure(title, competitors, num_threads, num_rounds);
  if (rows().are_read()) return;
  std::printf("\n%s\n", title.c_str());
  print(competitors, num_bytes, least_percent);
}

// The plain read takes bfloat16 as half as many floats: only the number of bytes counts.
template <class Stored>
std::vector<Competitor> read_and_tiled(Workload<Stored>& workload, std::size_t num_threads) {
  const std::span<const float> bytes(
      reinterpret_cast<const float*>(workload.memory.numbers().data()),
      workload.memory.num_bytes() / sizeof(float));
  const std::size_t num_splits = workload.num_seqs() < num_threads ? num_threads : 1;
  const auto attend = [=, &workload] {
    paged_attention_tiled<Stored>(workload.out, workload.query, workload.tiled(), workload.tables,
                                  workload.seq_lens, kScale, {num_threads, num_splits});
  };
  return {{"read", [=] { read_all(bytes, num_threads); }, Role::kLimit},
          {"tiles (5.13)", attend, Role::kStep, workload.out}};
}

template <auto* kAttend>
void one_by_one(Workload<float>& workload) {
  for (std::size_t seq = 0; seq < workload.num_seqs(); ++seq) {
    kAttend(workload.out_of(seq), workload.query_of(seq), workload.plain(), workload.table(seq),
            workload.seq_lens[seq], kScale);
  }
}

void run_float(std::size_t batch, std::size_t length, const Options& options) {
  Workload<float> workload(batch, length);
  for (const std::size_t num_threads : options.threads) {
    std::vector<Competitor> competitors = read_and_tiled(workload, num_threads);
    const auto add = [&](const char* name, auto run, Role role = Role::kOther) {
      competitors.push_back({name, run, role, workload.out});
    };
    add("Eigen, two passes for each head", [&] { eigen_two_passes(workload, num_threads); });
    add("gathered, then Eigen's GEMM", [&] { gather_then_multiply(workload, num_threads); });
    if (num_threads == 1) {
      add(
          "two passes (5.4)", [&] { one_by_one<&paged_attention<float>>(workload); }, Role::kStep);
      add(
          "streaming (5.9)", [&] { one_by_one<&paged_attention_streaming<float>>(workload); },
          Role::kStep);
    }
    measure_and_print(title("fp32", workload, num_threads), competitors, num_threads,
                      options.rounds, workload.memory.num_bytes(), 80);
  }
}

void run_bfloat16(std::size_t batch, std::size_t length, const Options& options) {
  Workload<BFloat16> workload(batch, length);
  for (const std::size_t num_threads : options.threads) {
    std::vector<Competitor> competitors = read_and_tiled(workload, num_threads);
    measure_and_print(title("bf16", workload, num_threads), competitors, num_threads,
                      options.rounds, workload.memory.num_bytes(), 65);
  }
}

// numpy and PyTorch, in their own process, which prints which of them is not installed.
void run_peers(std::size_t batch, std::size_t length) {
  const auto script = std::filesystem::path(__FILE__).parent_path() / "attention_peers.py";
  const std::string command =
      "python3 \"" + script.string() + "\" " + std::to_string(batch) + " " + std::to_string(length);
  std::fflush(stdout);
  if (std::system(command.c_str()) != 0) std::puts("  no python3, or it failed: no peers");
}

int main(int argc, char** argv) {
  Options options;
  if (rows().are_read()) options = {.batches = {8}, .lengths = {4096}, .threads = {1}, .rounds = 5};
  CLI::App app("Paged attention against a plain read of the same bytes");
  app.add_option("--batch", options.batches, "numbers of sequences");
  app.add_option("--length", options.lengths, "tokens of each, a multiple of 16");
  app.add_option("--threads", options.threads, "numbers of threads");
  app.add_option("--rounds", options.rounds, "measurements of each competitor");
  app.add_flag("--peers", options.peers, "numpy and PyTorch too");
  CLI11_PARSE(app, argc, argv);
  for (const std::size_t batch : options.batches) {
    for (const std::size_t length : options.lengths) {
      run_float(batch, length, options);
      if (options.peers) run_peers(batch, length);
      run_bfloat16(batch, length, options);
    }
  }
  return 0;
}

}  // namespace
}  // namespace kv::bench

int main(int argc, char** argv) {
  return kv::bench::main(argc, argv);
}
