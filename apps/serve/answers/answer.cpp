#include "apps/serve/answers/answer.h"

#include <algorithm>

#include "apps/speaker/unicode_text.h"

namespace kv::serve {

void Answer::add(const std::vector<SampledToken>& sampled,
                 std::optional<FinishReason> finish_reason) {
  const std::size_t num_old_bytes = text_.size();
  num_tokens_ += sampled.size();
  for (const SampledToken& token : sampled) append(token.chosen.token_id, token);
  finish_reason_ = finish_reason;
  cut_at_stop(num_old_bytes);
}

void Answer::begin_with(const std::vector<TokenId>& prompt, std::vector<SampledToken> likely) {
  is_at_blank_ = speaker_->tokenizer.adds_blank();
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    const bool is_listed = i > 0 && i <= likely.size();
    append(prompt[i], is_listed ? std::optional(std::move(likely[i - 1])) : std::nullopt);
  }
  is_at_blank_ = false;
  num_prompt_bytes_ = text_.size();
}

void Answer::append(TokenId token_id, std::optional<SampledToken> likely) {
  std::string text = speaker_->text_of(token_id);
  if (is_at_blank_ && text.starts_with(' ')) text.erase(0, 1);
  is_at_blank_ = is_at_blank_ && text.empty();
  listed_.push_back({token_id, num_letters_, std::move(likely)});
  num_letters_ += num_letters(text);
  text_ += text;
}

// The first place at which one of them is, which may begin in the old bytes, but not in the prompt.
void Answer::cut_at_stop(std::size_t first_new_byte) {
  std::size_t cut = std::string::npos;
  for (const std::string& stop : *stop_) {
    const std::size_t num_old_bytes = first_new_byte - num_prompt_bytes_;
    const std::size_t from = first_new_byte - std::min(num_old_bytes, stop.size() - 1);
    cut = std::min(cut, text_.find(stop, from));
  }
  if (cut == std::string::npos) return;
  text_.resize(cut);
  finish_reason_ = FinishReason::kStop;
}

std::size_t Answer::num_certain_bytes() const {
  if (has_ended()) return text_.size();
  std::size_t num_held_back = 0;
  for (const std::string& stop : *stop_) {
    std::size_t length = std::min(stop.size() - 1, text_.size() - num_prompt_bytes_);
    while (!text_.ends_with(std::string_view(stop).substr(0, length))) --length;
    num_held_back = std::max(num_held_back, length);
  }
  return num_printable_bytes(std::string_view(text_).substr(0, text_.size() - num_held_back));
}

std::string Answer::take_text() {
  const std::size_t num_certain = std::max(num_taken_, num_certain_bytes());
  std::string text = text_.substr(num_taken_, num_certain - num_taken_);
  num_taken_ = num_certain;
  return text;
}

std::vector<ListedToken> Answer::take_listed() {
  const auto first = listed_.begin() + static_cast<std::ptrdiff_t>(num_listed_taken_);
  num_listed_taken_ = listed_.size();
  return {first, listed_.end()};
}

}  // namespace kv::serve
