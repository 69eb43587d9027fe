// The program of `./lab vllm`: makes the calls that arrive, a line each, and answers with a line.

#include <iostream>

#include "apps/vllm/program/objects.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv::vllm {
namespace {

Calls all_calls() {
  Calls calls;
  add_queue_calls(calls);
  add_hash_calls(calls);
  add_pool_calls(calls);
  add_manager_calls(calls);
  add_scheduler_calls(calls);
  return calls;
}

// {"gave": ...}, or one of {"unwritten", "refused", "threw"} with a sentence.
Json answer_to(const Json& call, const Calls& calls, Objects& objects) {
  try {
    return {{"gave", calls.at(call[0].get<std::string>())(objects, call)}};
  } catch (const NotImplemented& stub) {
    return {{"unwritten", stub.what()}};
  } catch (const ContractViolation& refused) {
    return {{"refused", refused.what()}};
  } catch (const std::exception& error) {
    return {{"threw", error.what()}};
  }
}

void answer_calls() {
  const Calls calls = all_calls();
  Objects objects;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer_to(Json::parse(line), calls, objects).dump() << std::endl;
}

}  // namespace
}  // namespace kv::vllm

int main() {
  kv::vllm::answer_calls();
}
