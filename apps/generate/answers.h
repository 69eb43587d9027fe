#pragma once
// Several answers to each prompt: the first one computes the prompt, and the others are forks of
// it.

#include <set>
#include <string>
#include <vector>

#include "07-serving/bench/engine_run.h"
#include "07-serving/given/schedule.h"

namespace kv::generate {

class Answers {
 public:
  // requests: those of the first prompt, then those of the second one, num_answers of each, with
  // the ids "1", "2" and so on. Adds the first one of each prompt.
  Answers(std::vector<ServedRequest> requests, std::size_t num_answers, EngineRun& run);

  // After the first token of such a request, the others of its prompt share its blocks. Why not
  // later: they would begin with its text. One that cannot be a fork is a request like others, with
  // the same text.
  void fork_after(const EngineCoreOutput& output);

 private:
  bool fork(const std::string& parent_id, const ServedRequest& child);

  std::vector<ServedRequest> requests_;
  std::size_t num_answers_;
  EngineRun& run_;
  std::set<std::string> without_token_;  // first requests of their prompts
};

}  // namespace kv::generate
