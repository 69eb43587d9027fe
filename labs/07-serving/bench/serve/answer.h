#pragma once
// One answer: from the tokens of a request to its text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "07-serving/bench/speaker/speaker.h"
#include "07-serving/given/sampled_token.h"
#include "07-serving/given/served_request.h"

namespace kv::serve {

// vLLM: IncrementalDetokenizer in vllm/v1/engine/detokenizer.py
class Answer {
 public:
  // Requires: both are there as long as the answer.
  Answer(const Speaker& speaker, const std::vector<std::string>& stop)
      : speaker_(&speaker), stop_(&stop) {}

  // The next tokens, until the answer ends: by the engine's reason, or by a text of `stop`, which
  // is not a part of it.
  void add(const std::vector<TokenId>& token_ids, std::optional<FinishReason> finish_reason);
  void add_sampled(const std::vector<SampledToken>& sampled);

  bool has_ended() const { return finish_reason_.has_value(); }
  std::optional<FinishReason> finish_reason() const { return finish_reason_; }
  std::size_t num_tokens() const { return num_tokens_; }
  const std::string& text() const { return text_; }
  std::size_t num_taken_bytes() const { return num_taken_; }
  const std::vector<SampledToken>& sampled() const { return sampled_; }

  // What is certain since the last call: whole letters, and nothing that may be the beginning of a
  // text of `stop`.
  std::string take_text();
  std::vector<SampledToken> take_sampled();  // since the last call

 private:
  void cut_at_stop(std::size_t first_new_byte);
  std::size_t num_certain_bytes() const;

  const Speaker* speaker_;
  const std::vector<std::string>* stop_;
  std::string text_ = {};
  std::size_t num_taken_ = 0;  // bytes
  std::size_t num_tokens_ = 0;
  std::vector<SampledToken> sampled_ = {};
  std::size_t num_sampled_taken_ = 0;
  std::optional<FinishReason> finish_reason_ = {};
};

}  // namespace kv::serve
