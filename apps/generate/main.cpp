// The program of `./lab generate`.

#include <chrono>
#include <cstdio>

#include "07-serving/bench/engine_run.h"
#include "apps/generate/answers.h"
#include "apps/generate/options.h"
#include "apps/generate/requests.h"
#include "apps/generate/text_printer.h"
#include "apps/speaker/run_program.h"
#include "apps/speaker/step_limit.h"

namespace kv::generate {
namespace {

using Clock = std::chrono::steady_clock;

void print_counts(EngineRun& run, double seconds) {
  std::printf("\n%zu steps, %.0f tokens a second, %zu tokens of prefix hits, ", run.num_steps(),
              static_cast<double>(run.num_output_tokens()) / seconds, run.num_hit_tokens());
  if (run.num_shared_tokens() > 0)
    std::printf("%zu tokens shared by answers, %zu blocks copied, ", run.num_shared_tokens(),
                run.engine().num_copied_blocks());
  std::printf("%zu preemptions, logits %016llx\n", run.num_preemptions(),
              static_cast<unsigned long long>(run.logits_hash()));
}

void generate(const Options& options) {
  const Speaker speaker = load_speaker(options.model, options.num_threads);
  const LlamaConfig& llama = speaker.model.config();
  const std::vector<ServedRequest> requests = requests_of(options, speaker);
  const EngineConfig config = engine_config(options, llama, requests);

  EngineRun run(speaker.model, config);
  Answers answers(requests, options.num_answers, run);
  TextPrinter printer(speaker, options.prompts);
  const StepLimit limit("generate", "./lab grade 07",
                        seconds_for_a_step(llama, config.scheduler.max_num_batched_tokens));
  const auto start = Clock::now();
  while (run.has_requests()) {
    limit.restart();
    for (const EngineCoreOutput& output : run.step()) {
      printer.print(output);
      answers.fork_after(output);
    }
  }
  print_counts(run, std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace
}  // namespace kv::generate

int main(int argc, char** argv) {
  return kv::run_program("generate", "./lab grade 07", [&] {
    kv::generate::generate(kv::generate::read_options(kv::read_pairs(argc, argv)));
  });
}
