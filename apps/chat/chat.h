#pragma once
// A text that a person and a model write in turns, through the student's engine.

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "07-serving/bench/engine_run.h"
#include "apps/chat/options.h"
#include "apps/chat/terminal.h"
#include "apps/speaker/speaker.h"

namespace kv::chat {

class Chat {
 public:
  // Throws InputError for a model that cannot be read, and for too few or too many blocks.
  Chat(Options options, Terminal& terminal);

  // Until the input ends. Input that cannot be used ends it only where nobody is at a terminal: it
  // throws InputError then.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  // A request, with what it has said.
  struct Answer {
    std::string request_id;
    std::string prompt;
    std::vector<TokenId> token_ids;  // the text before it, its prompt, and what it says
    std::size_t num_prompt_tokens;   // those before what it says
    std::string text = {};           // what it says, as it can be printed
    std::size_t num_shown = 0;       // bytes of the text
  };

  void take(const std::string& line);

  // Answers one prompt, or two beside each other. The text then goes on from the first.
  void answer(const std::vector<std::string>& prompts);
  InputError too_long(const std::string& num_tokens);
  std::vector<TokenId> with_prompt(const std::string& prompt);
  void add_request(const std::string& prompt);
  void take_step();
  void show_progress();
  void show_text(Answer& answer, bool is_over);
  void end_answers();
  void load_model(const std::filesystem::path& folder);

  // What has been said, and what the model is asked next. Bodies in conversation.cpp.
  // Throws InputError for a model that cannot have a conversation, or none with this system
  // message.
  static void require_conversation(const Speaker& speaker, const std::string& system);
  bool is_conversation() const { return speaker_->chat_template.has_value(); }
  void set_system(const std::string& text);
  std::vector<Message> messages_with(const std::string& prompt) const;
  std::vector<TokenId> tokens_with(const std::string& prompt) const;  // however many they are
  void go_on_from(const Answer& answer);
  void forget_text();

  // A command, which begins with '/'. Throws InputError. Bodies in commands.cpp.
  void obey(const std::string& line);
  void toggle_blocks();
  void set_pace(useconds_t steps_a_second);  // 0: as fast as it can
  void ask_two();

  // How the engine stands, in lines that fit the terminal. Bodies in status.cpp.
  std::vector<std::string> status_lines();
  std::vector<std::string> block_lines();
  std::string last_words(const Answer& answer) const;
  std::string letter_of(const Answer& answer) const;  // A, B
  std::string cells();                                // a cell for each block; see pool_view.h

  Options options_;
  Terminal& terminal_;
  std::unique_ptr<Speaker> speaker_;
  std::unique_ptr<EngineRun> run_;
  // Prompts and answers so far. A model that has learned conversations gets the messages, written
  // in its way; another one gets a text that it goes on with.
  std::vector<TokenId> text_;
  std::vector<Message> messages_;  // without the system message
  bool is_begun_ = false;          // there is a prompt
  std::vector<Answer> answers_;
  std::size_t num_requests_ = 0;
  std::size_t num_tokens_ = 0;                        // tokens of the current answers
  std::size_t num_hits_before_ = 0;                   // hits of the answers before the current ones
  std::chrono::duration<double> time_of_steps_ = {};  // steps that made the current answers
  useconds_t step_pause_us_ = 0;                      // after each step, for people who watch
  bool shows_blocks_ = false;                         // while the model answers
};

}  // namespace kv::chat
