// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `scheduler BLOCKS BLOCK_SIZE TOKENS REQUESTS` first; `today` in its place has
// the rules of vLLM 0.33, a watermark of a quarter and a threshold of 4 tokens.

#include <iostream>
#include <utility>

#include "02-block-pool/tests/pool_view.h"
#include "07-serving/tests/scheduler_view.h"
#include "grader/harness/predict_script.h"

namespace {

using namespace kv;
using namespace kv::grader;

// A line "running: A 4/6, B 0/5"; nothing follows the colon if there are no texts.
void print(const std::string& name, const Names& texts) {
  std::cout << name << ':' << (texts.empty() ? "" : " ") << joined(texts, ", ") << '\n';
}

class Script {
 public:
  explicit Script(const ScriptLine& first)
      : Script(first.numbers<std::size_t>(), first.call == "today") {}

  bool call(const ScriptLine& line) {
    if (line.call == "add") {
      add(line.words.at(0), line.numbers<TokenId>(1));
    } else if (line.call == "step") {
      step();
    } else if (line.call == "abort") {
      scheduler_.finish_requests(line.words);
    } else if (line.call == "fork") {
      fork(line.words.at(0), line.words.at(1), line.numbers<std::size_t>(2).at(0));
    } else {
      return false;
    }
    return true;
  }

  void finish() {
    print("waiting", progress_of(scheduler_.waiting()));
    print("running", progress_of(scheduler_.running()));
    for (const ServedRequest* request : scheduler_.running()) {
      const BlockTable& table = manager_.get_blocks(request->request_id);
      std::cout << answer_line("table " + request->request_id, ids_of(table.blocks()));
    }
    std::cout << pool_answer(manager_.block_pool());
  }

 private:
  Script(const std::vector<std::size_t>& sizes, bool is_today)
      : manager_(sizes.at(0),
                 sizes.at(1),
                 num_slots(sizes),
                 true,
                 is_today ? Rules::kVllm033 : Rules::kVllm022),
        scheduler_(manager_,
                   {.max_num_batched_tokens = sizes.at(2),
                    .max_num_seqs = sizes.at(3),
                    .max_model_len = num_slots(sizes),
                    .long_prefill_token_threshold = is_today ? 4u : 0u,
                    .watermark = is_today ? 0.25 : 0}) {}

  static std::size_t num_slots(const std::vector<std::size_t>& sizes) {
    return (sizes.at(0) - 1) * sizes.at(1);
  }

  // numbers: the length of the output, then the prompt.
  void add(const std::string& name, const std::vector<TokenId>& numbers) {
    const auto max_tokens = static_cast<std::size_t>(numbers.at(0));
    ServedRequest request{{.request_id = name,
                           .block_size = manager_.block_pool().block_size(),
                           .token_ids = {numbers.begin() + 1, numbers.end()}}};
    request.sampling_params.max_tokens = max_tokens;
    scheduler_.add_request(std::move(request));
  }

  void fork(const std::string& parent, const std::string& child, std::size_t max_tokens) {
    const bool is_forked = scheduler_.fork_request(parent, child, {.max_tokens = max_tokens});
    if (!is_forked) print("fork", {"no room"});
  }

  // The model of these scripts counts: after token 7 it samples 8.
  void step() {
    const SchedulerOutput output = scheduler_.schedule();
    std::vector<std::vector<TokenId>> sampled;
    for (const ScheduledRequest& scheduled : output.scheduled) {
      const auto& token_ids = scheduler_.request(scheduled.request_id).token_ids;
      const bool is_whole =
          scheduled.num_computed_tokens + scheduled.num_tokens == token_ids.size();
      sampled.push_back(is_whole ? std::vector{token_ids.back() + 1} : std::vector<TokenId>{});
    }
    print("step", scheduled_by(output));
    if (!output.blocks_to_copy.empty()) print("copies", copies_of(output));
    if (!output.preempted_req_ids.empty()) print("preempted", output.preempted_req_ids);

    Names ended;
    for (const EngineCoreOutput& request : scheduler_.update_from_output(output, sampled))
      if (request.finish_reason) ended.push_back(request.request_id);
    if (!ended.empty()) print("ended", ended);
  }

  KVCacheManager manager_;
  Scheduler scheduler_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_script<Script>(argc, argv);
}
