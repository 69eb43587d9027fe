// The program of `./lab vllm`: makes the calls that arrive, a line each, and answers with a line.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "apps/vllm/program/objects.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv::vllm {
namespace {

constexpr rlim_t kMemory = rlim_t{2} << 30;  // bytes; a test needs a hundredth of it
constexpr int kWrongUse = 2;

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
  } catch (...) {
    return {{"threw", "something that is no std::exception"}};
  }
}

// False at the end of all lines.
bool read_line(std::FILE* from, std::string& line) {
  line.clear();
  int next = std::fgetc(from);
  for (; next != EOF && next != '\n'; next = std::fgetc(from))
    line.push_back(static_cast<char>(next));
  return next != EOF;
}

void answer_calls(std::FILE* from, std::FILE* to) {
  const Calls calls = all_calls();
  Objects objects;
  for (std::string line; read_line(from, line);) {
    const Json answer = answer_to(Json::parse(line), calls, objects);
    const std::string text = answer.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    std::fputs(text.c_str(), to);
    std::fflush(to);
  }
}

// Code that allocates without end gets a std::bad_alloc before the machine is short of memory, and
// code that crashes leaves no core in the folder of the release.
void set_limits() {
  const rlimit memory = {.rlim_cur = kMemory, .rlim_max = kMemory};
  const rlimit core = {.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &core);
}

}  // namespace
}  // namespace kv::vllm

// Why a socket of the caller's, not the standard streams: a student's code may print.
int main(int argc, char** argv) {
  const int socket = argc == 2 ? std::atoi(argv[1]) : -1;
  std::FILE* from = ::fdopen(socket, "r");
  std::FILE* to = ::fdopen(::dup(socket), "w");
  if (from == nullptr || to == nullptr) return kv::vllm::kWrongUse;
  kv::vllm::set_limits();
  kv::vllm::answer_calls(from, to);
}
