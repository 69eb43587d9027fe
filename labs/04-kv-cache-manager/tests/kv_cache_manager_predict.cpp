// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `manager N` first.

#include <iostream>
#include <map>

#include "02-block-pool/tests/pool_view.h"
#include "04-kv-cache-manager/kv_cache_manager.h"
#include "grader/harness/predict_script.h"

namespace {

using namespace kv;
using namespace kv::grader;

class Script {
 public:
  explicit Script(const ScriptLine& first)
      : manager_(first.numbers<std::size_t>().at(0), /*block_size=*/4, /*max_model_len=*/1000) {}

  bool call(const ScriptLine& line) {
    const std::string name = line.words.empty() ? "" : line.words[0];
    if (line.call == "request") {
      admit(name, line.numbers<TokenId>(1));
    } else if (line.call == "start") {
      start(name, requests_.at(name));
    } else if (line.call == "decode") {
      append_output_token_ids(requests_.at(name), line.numbers<TokenId>(1));
      decode(name, requests_.at(name));
    } else if (line.call == "free") {
      manager_.free(requests_.at(name));
    } else if (line.call == "preempt") {
      manager_.preempt(requests_.at(name));
    } else if (line.call == "slots") {
      const auto range = line.numbers<std::size_t>(1);
      const BlockTable& table = manager_.get_blocks(name);
      std::cout << answer_line("slots " + name, table.slot_mapping(range.at(0), range.at(1)));
    } else if (line.call == "fork") {
      const std::string& child = line.words.at(1);
      requests_.insert_or_assign(child, manager_.fork(requests_.at(name), child));
    } else if (line.call == "accept") {
      manager_.accept(requests_.at(name), requests_.at(line.words.at(1)));
    } else {
      return false;
    }
    return true;
  }

  void finish() {
    for (const auto& [name, request] : requests_) {
      const auto blocks = manager_.get_blocks(name).blocks();
      if (!blocks.empty()) std::cout << answer_line("table " + name, ids_of(blocks));
    }
    std::cout << pool_answer(manager_.block_pool());
  }

 private:
  void admit(const std::string& name, std::vector<TokenId> token_ids) {
    Request request{.request_id = name, .block_size = 4, .token_ids = std::move(token_ids)};
    update_block_hashes(request);
    requests_.insert_or_assign(name, std::move(request));
  }

  // What is found, what is new; then all of it is computed.
  void start(const std::string& name, Request& request) {
    const ComputedBlocks found = manager_.get_computed_blocks(request);
    std::cout << answer_line("found " + name, ids_of(found.blocks));
    const std::size_t num_new = request.token_ids.size() - found.num_tokens;
    const auto allocated = manager_.allocate_slots(request, num_new, {found.blocks});
    if (print("new " + name, allocated)) request.num_computed_tokens = request.token_ids.size();
  }
  void decode(const std::string& name, Request& request) {
    const std::size_t num_new = request.token_ids.size() - request.num_computed_tokens;
    if (print("new " + name, manager_.allocate_slots(request, num_new)))
      request.num_computed_tokens = request.token_ids.size();
  }

  static bool print(const std::string& what, const std::optional<AllocatedSlots>& allocated) {
    if (!allocated) {
      std::cout << what << ": none\n";
      return false;
    }
    std::cout << answer_line(what, ids_of(allocated->new_blocks));
    for (const BlockCopy& copy : allocated->copies) {
      std::cout << "copy: " << copy.num_slots << " slots of " << copy.source << " to "
                << copy.destination << '\n';
    }
    return true;
  }

  KVCacheManager manager_;
  std::map<std::string, Request> requests_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_script<Script>(argc, argv);
}
