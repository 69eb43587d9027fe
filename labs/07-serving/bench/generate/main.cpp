// The program of `./lab generate`. Exit status: 0, or 2 for input that cannot be used, and for
// student's files that break.

#include <chrono>
#include <cstdio>
#include <new>

#include "07-serving/bench/engine_run.h"
#include "07-serving/bench/generate/options.h"
#include "07-serving/bench/generate/requests.h"
#include "07-serving/bench/generate/step_limit.h"
#include "07-serving/bench/generate/text_printer.h"
#include "kv/todo.h"

namespace kv::generate {
namespace {

using Clock = std::chrono::steady_clock;

// Ten seconds and a hundred times what the largest step of the model needs.
long seconds_for_a_step(const LlamaConfig& llama, const SchedulerConfig& scheduler) {
  const std::size_t of_layer =
      4 * llama.hidden_size * llama.hidden_size + 3 * llama.hidden_size * llama.intermediate_size;
  const std::size_t of_token =
      llama.num_hidden_layers * of_layer + llama.vocab_size * llama.hidden_size;
  constexpr double kPerSecond = 2e8;  // products of two numbers, a hundredth of what one core does
  return 10 + static_cast<long>(static_cast<double>(of_token) / kPerSecond *
                                static_cast<double>(scheduler.max_num_batched_tokens));
}

void print_counts(const EngineRun& run, double seconds) {
  std::printf(
      "\n%zu steps, %.0f tokens a second, %zu tokens of prefix hits, %zu preemptions, "
      "logits %016llx\n",
      run.num_steps(), static_cast<double>(run.num_output_tokens()) / seconds, run.num_hit_tokens(),
      run.num_preemptions(), static_cast<unsigned long long>(run.logits_hash()));
}

void generate(const Options& options) {
  const Speaker speaker = load_speaker(options.model);
  const LlamaConfig& llama = speaker.model.config();
  const std::vector<ServedRequest> requests = requests_of(options, speaker);
  const EngineConfig config = engine_config(options, llama, requests);

  EngineRun run(speaker.model, config);
  for (const ServedRequest& request : requests) run.add_request(request);
  TextPrinter printer(speaker.tokenizer, options.prompts, llama.eos_token_id);
  const StepLimit limit(seconds_for_a_step(llama, config.scheduler));
  const auto start = Clock::now();
  while (run.has_requests()) {
    limit.restart();
    for (const EngineCoreOutput& output : run.step()) printer.print(output);
  }
  print_counts(run, std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace
}  // namespace kv::generate

int main(int argc, char** argv) {
  try {
    kv::generate::generate(kv::generate::read_options(argc, argv));
    return 0;
  } catch (const kv::generate::InputError& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
  } catch (const kv::NotImplemented& stub) {
    std::fprintf(stderr, "generate: %s; write it, ./lab grade 07 says how far it is\n",
                 stub.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "generate: there is not enough memory for this model\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "\ngenerate: the tree throws an exception: %s; ./lab grade 07 finds the call\n",
                 error.what());
  } catch (...) {
    std::fprintf(
        stderr,
        "\ngenerate: the tree throws what is no std::exception; ./lab grade 07 finds the call\n");
  }
  return 2;
}
