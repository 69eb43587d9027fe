#include <algorithm>

#include "apps/chat/chat.h"
#include "apps/chat/pool_view.h"
#include "apps/speaker/unicode_text.h"

namespace kv::chat {
namespace {

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what;
}

const char* color_of(char cell) {
  switch (cell) {
    case 'A':
      return "32";  // green
    case 'B':
      return "36";  // cyan
    case '+':
      return "33";  // yellow
    default:
      return "2";  // dim
  }
}

}  // namespace

std::string Chat::cells() {
  std::vector<std::string> request_ids;
  for (const Answer& answer : answers_) request_ids.push_back(answer.request_id);
  return pool_cells(run_->engine().kv_cache_manager(), request_ids);
}

std::vector<std::string> Chat::status_lines() {
  const double seconds = std::max(time_of_steps_.count(), 1e-9);
  const auto per_second = static_cast<std::size_t>(static_cast<double>(num_tokens_) / seconds);
  const std::string all = cells();
  const std::size_t num_cached = num_cells(all, 'c');
  const std::size_t num_used = all.size() - num_cached - num_cells(all, '.');

  std::size_t num_prompt_tokens = 0;
  for (const Answer& answer : answers_) num_prompt_tokens += answer.num_prompt_tokens;

  const std::string of_answer = count(num_tokens_, "tokens, ") +
                                count(per_second, "a second, prompt: ") +
                                count(num_prompt_tokens, "tokens, ") +
                                count(run_->num_hit_tokens() - num_hits_before_, "of prefix hits");
  const std::string of_pool = "blocks: " + count(num_used, "in use, ") +
                              count(num_cached, "cached; ") +
                              count(run_->num_preemptions(), "preemptions, ") +
                              count(run_->engine().scheduler().waiting().size(), "waiting");
  if (of_answer.size() + of_pool.size() + 2 < terminal_.width())
    return {of_answer + "; " + of_pool};
  return {of_answer, of_pool};
}

std::vector<std::string> Chat::block_lines() {
  const std::string all = cells();
  const std::size_t width = std::min<std::size_t>((terminal_.width() - 1) / 16 * 16, 64);
  std::vector<std::string> lines;
  for (std::size_t first = 0; first < all.size(); first += width) {
    std::string& line = lines.emplace_back();
    for (const char cell : all.substr(first, width))
      line += terminal_.colored(std::string(1, cell), color_of(cell));
  }
  lines.push_back("A, B one answer   + several   c cached, free   . free");
  return lines;
}

std::string Chat::letter_of(const Answer& answer) const {
  return std::string(1, static_cast<char>('A' + (&answer - answers_.data())));
}

// The end of what it says, in one line, from the beginning of a word on.
std::string Chat::last_words(const Answer& answer) const {
  const std::string_view whole = answer.text;
  std::string text = valid_utf8(whole.substr(0, num_printable_bytes(whole)));
  std::ranges::replace(text, '\n', ' ');
  const std::size_t room = terminal_.width() - 4;
  std::size_t first = text.size() - std::min(text.size(), room);
  const std::size_t space = first == 0 ? text.npos : text.find(' ', first);
  if (space != text.npos) first = space + 1;
  while (first < text.size() && (static_cast<unsigned char>(text[first]) & 0xc0) == 0x80) ++first;
  return letter_of(answer) + ": " + text.substr(first);
}

}  // namespace kv::chat
