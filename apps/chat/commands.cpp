#include <charconv>
#include <cstdint>

#include "apps/chat/chat.h"

namespace kv::chat {
namespace {

constexpr const char* kHelp =
    R"(/blocks         draw the blocks of the pool, and while the model answers; again: no more
/pace N         N steps a second, to watch; /pace 0: as fast as it can
/two            ask two prompts, which are answered beside each other
/reset          begin a new text
/system TEXT    tell the model something, and begin a new conversation
/temperature X  0: always the most likely token; the larger, the wilder
/seed N         another number, another answer
/model FOLDER   another model
Ctrl-C stops an answer, Ctrl-D ends the chat.)";

[[noreturn]] void refuse(const std::string& word, const std::string& example) {
  throw InputError("\"" + word + "\" is not what this command takes; as " + example);
}

// The word as a number. Throws InputError with an example of the command.
template <typename Number>
Number number_in(const std::string& word, Number most, const std::string& example) {
  Number number = {};
  const char* end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number > most) refuse(word, example);
  return number;
}

// The same with decimals. Why not from_chars: libc++ has none for them before version 20.
double decimal_in(const std::string& word, double most, const std::string& example) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  const bool fits = !word.empty() && *end == '\0' && number >= 0 && number <= most;
  if (!fits) refuse(word, example);
  return number;
}

}  // namespace

void Chat::obey(const std::string& line) {
  const std::size_t blank = line.find(' ');
  const std::string command = line.substr(0, blank);
  const std::string word = blank == std::string::npos ? "" : line.substr(blank + 1);
  if (command == "/help") return terminal_.note(kHelp);
  if (command == "/blocks") return toggle_blocks();
  if (command == "/two") return ask_two();
  if (command == "/reset") return forget_text();
  if (command == "/model") return load_model(word);
  if (command == "/system") return set_system(word);
  if (command == "/pace") return set_pace(number_in<useconds_t>(word, 1000, "/pace 20"));
  if (command == "/temperature") {
    options_.temperature = decimal_in(word, 100, "/temperature 0.8");
  } else if (command == "/seed") {
    options_.seed = number_in<std::uint64_t>(word, UINT64_MAX, "/seed 7");
  } else {
    throw InputError("there is no command " + command + "; /help lists them");
  }
}

void Chat::toggle_blocks() {
  shows_blocks_ = !shows_blocks_;
  for (const std::string& row : block_lines()) terminal_.write_line(row);
}

void Chat::ask_two() {
  const auto first = terminal_.read_line("A> ");
  const auto second = first ? terminal_.read_line("B> ") : std::nullopt;
  if (!second) throw InputError("/two needs a prompt in each of the next two lines");
  answer({*first, *second});
}

void Chat::set_pace(useconds_t steps_a_second) {
  step_pause_us_ = steps_a_second == 0 ? 0 : 1'000'000 / steps_a_second;
}

}  // namespace kv::chat
