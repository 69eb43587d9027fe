#include "07-serving/bench/serve/answer.h"

#include <algorithm>

namespace kv::serve {

void Answer::add(const std::vector<TokenId>& token_ids, std::optional<FinishReason> finish_reason) {
  const std::size_t num_old_bytes = text_.size();
  num_tokens_ += token_ids.size();
  for (const TokenId token : token_ids) text_ += speaker_->text_of(token);
  finish_reason_ = finish_reason;
  cut_at_stop(num_old_bytes);
}

void Answer::add_sampled(const std::vector<SampledToken>& sampled) {
  sampled_.insert(sampled_.end(), sampled.begin(), sampled.end());
}

// The first place at which one of them is, which may begin in the old bytes.
void Answer::cut_at_stop(std::size_t first_new_byte) {
  std::size_t cut = std::string::npos;
  for (const std::string& stop : *stop_) {
    const std::size_t from = first_new_byte - std::min(first_new_byte, stop.size() - 1);
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
    std::size_t length = std::min(stop.size() - 1, text_.size());
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

std::vector<SampledToken> Answer::take_sampled() {
  const auto first = sampled_.begin() + static_cast<std::ptrdiff_t>(num_sampled_taken_);
  num_sampled_taken_ = sampled_.size();
  return {first, sampled_.end()};
}

}  // namespace kv::serve
