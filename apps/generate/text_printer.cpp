#include "apps/generate/text_printer.h"

#include <cstdio>

#include "apps/speaker/unicode_text.h"

namespace kv::generate {
namespace {

// text: whole letters, or bytes that no later one makes a letter.
void show(std::string_view text) {
  std::fputs(printable(valid_utf8(text)).c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

TextPrinter::TextPrinter(const Speaker& speaker, const std::vector<std::string>& prompts)
    : speaker_(speaker), texts_(prompts) {
  if (texts_.size() == 1) show(std::exchange(texts_[0], ""));
}

void TextPrinter::print(const EngineCoreOutput& output) {
  std::string& text = texts_.at(std::stoull(output.request_id) - 1);
  for (const TokenId token : output.new_token_ids) text += speaker_.text_of(token);

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
