#include "07-serving/bench/generate/text_printer.h"

#include <cstdio>

namespace kv::generate {
namespace {

// Without characters that move the cursor or change colors, which another model may have learned.
void show(std::string_view text) {
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    const bool is_control = (code < ' ' && byte != '\n' && byte != '\t') || code == 0x7f;
    if (!is_control) std::putchar(byte);
  }
  std::fflush(stdout);
}

}  // namespace

TextPrinter::TextPrinter(const Tokenizer& tokenizer,
                         const std::vector<std::string>& prompts,
                         std::optional<TokenId> eos_token_id)
    : tokenizer_(tokenizer), eos_token_id_(eos_token_id), texts_(prompts) {
  if (texts_.size() == 1) show(std::exchange(texts_[0], ""));
}

void TextPrinter::print(const EngineCoreOutput& output) {
  std::string& text = texts_.at(std::stoull(output.request_id) - 1);
  for (const TokenId token : output.new_token_ids) {
    // A model can have more tokens than its tokenizer, to make a round number.
    const bool has_text =
        token != eos_token_id_ && static_cast<std::size_t>(token) < tokenizer_.vocab_size();
    if (has_text) text += tokenizer_.bytes_of(token);
  }

  const bool is_over = output.finish_reason.has_value();
  if (texts_.size() == 1) {
    const std::size_t num_printable = is_over ? text.size() : num_printable_bytes(text);
    show(text.substr(0, num_printable));
    text.erase(0, num_printable);
    if (is_over) show("\n");
  } else if (is_over) {
    show("[" + output.request_id + "] " + text + "\n\n");
  }
}

}  // namespace kv::generate
