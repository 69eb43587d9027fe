#pragma once
// One answer: from the tokens of a request to its text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "07-serving/given/sampled_token.h"
#include "07-serving/given/served_request.h"
#include "apps/speaker/speaker.h"

namespace kv::serve {

// A token in the lists of logprobs.
struct ListedToken {
  TokenId token_id;
  std::size_t text_offset;             // letters of the text before it
  std::optional<SampledToken> likely;  // none: the first token of a prompt follows nothing
};

// vLLM: IncrementalDetokenizer in vllm/v1/engine/detokenizer.py
class Answer {
 public:
  // Requires: both are there as long as the answer.
  Answer(const Speaker& speaker, const std::vector<std::string>& stop)
      : speaker_(&speaker), stop_(&stop) {}

  // The prompt, with which the text begins. likely: of its tokens but for the first.
  void begin_with(const std::vector<TokenId>& prompt, std::vector<SampledToken> likely);
  // The next tokens, until the answer ends: by the engine's reason, or by a text of `stop`, which
  // is not a part of it.
  void add(const std::vector<SampledToken>& sampled, std::optional<FinishReason> finish_reason);

  bool has_ended() const { return finish_reason_.has_value(); }
  std::optional<FinishReason> finish_reason() const { return finish_reason_; }
  std::size_t num_tokens() const { return num_tokens_; }
  const std::string& text() const { return text_; }
  const std::vector<ListedToken>& listed() const { return listed_; }

  // What is certain since the last call: whole letters, and nothing that may be the beginning of a
  // text of `stop`.
  std::string take_text();
  std::vector<ListedToken> take_listed();  // since the last call

 private:
  void append(TokenId token_id, std::optional<SampledToken> likely);
  void cut_at_stop(std::size_t first_new_byte);
  std::size_t num_certain_bytes() const;

  const Speaker* speaker_;
  const std::vector<std::string>* stop_;
  std::string text_ = {};
  bool is_at_blank_ = false;  // the first token of a prompt may have a blank that is not its own
  std::size_t num_prompt_bytes_ = 0;
  std::size_t num_taken_ = 0;  // bytes
  std::size_t num_tokens_ = 0;
  std::vector<ListedToken> listed_ = {};
  std::size_t num_listed_taken_ = 0;
  std::size_t num_letters_ = 0;  // letters of all listed tokens, those after a text of `stop`, too
  std::optional<FinishReason> finish_reason_ = {};
};

}  // namespace kv::serve
