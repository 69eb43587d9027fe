#include "apps/chat/chat.h"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "apps/speaker/failure.h"
#include "apps/speaker/step_limit.h"
#include "apps/speaker/unicode_text.h"

namespace kv::chat {
namespace {

constexpr std::size_t kMostRunning = 8;

}  // namespace

Chat::Chat(Options options, Terminal& terminal)
    : options_(std::move(options)), terminal_(terminal) {
  load_model(options_.model);
}

void Chat::load_model(const std::filesystem::path& folder) {
  auto speaker = std::make_unique<Speaker>(load_speaker(folder, options_.num_threads));
  require_conversation(*speaker, options_.system);
  run_ = std::make_unique<EngineRun>(
      speaker->model, conversation_config(options_.num_blocks, options_.block_size, kMostRunning,
                                          options_.rules, speaker->model.config()));
  speaker_ = std::move(speaker);
  answers_.clear();
  forget_text();
}

void Chat::run() {
  terminal_.note(std::string(is_conversation() ? "The model answers" : "The model goes on with") +
                 " what you write. /help lists what else there is.");
  while (const auto line = terminal_.read_line("> ")) {
    try {
      take(*line);
    } catch (const InputError& error) {
      if (!terminal_.is_interactive()) throw;
      run_->abort_all();
      terminal_.write_line(error.what());
    }
  }
  if (terminal_.is_interactive()) terminal_.write_line("");  // after the last prompt
}

void Chat::take(const std::string& line) {
  if (line.starts_with('/')) return obey(line);
  if (line.find_first_not_of(" \t") != std::string::npos) answer({line});
}

void Chat::answer(const std::vector<std::string>& prompts) {
  answers_.clear();
  num_tokens_ = 0;
  time_of_steps_ = {};
  num_hits_before_ = run_->num_hit_tokens();
  for (const std::string& prompt : prompts) add_request(prompt);

  const StepLimit limit("chat", kGrade,
                        seconds_for_a_step(speaker_->model.config(), kTokensOfStep));
  take_interrupt();  // forgets an old one
  while (run_->has_requests()) {
    limit.restart();
    take_step();
    show_progress();
    ::usleep(step_pause_us_);  // Ctrl-C ends it
    if (take_interrupt()) run_->abort_all();
  }
  end_answers();
}

InputError Chat::too_long(const std::string& num_tokens) {
  const std::size_t max_model_len = run_->engine().scheduler().config().max_model_len;
  return InputError("this prompt has " + num_tokens + " tokens, and there is room for " +
                    std::to_string(max_model_len) + " with the answer; shorten it");
}

// The text with one more prompt. A text that is full makes room for a new one.
std::vector<TokenId> Chat::with_prompt(const std::string& prompt) {
  const std::size_t max_model_len = run_->engine().scheduler().config().max_model_len;
  const std::size_t num_least = speaker_->tokenizer.least_num_tokens(prompt);
  if (num_least >= max_model_len) throw too_long("at least " + std::to_string(num_least));

  std::vector<TokenId> token_ids = tokens_with(prompt);
  if (token_ids.size() < max_model_len) return token_ids;

  if (!is_begun_) throw too_long(std::to_string(token_ids.size()));

  terminal_.note("The text is full, so a new one begins.");
  forget_text();
  return with_prompt(prompt);
}

void Chat::add_request(const std::string& prompt) {
  const std::string request_id = std::to_string(++num_requests_);
  const std::vector<TokenId> token_ids = with_prompt(prompt);
  ServedRequest request;
  request.request_id = request_id;
  request.block_size = options_.block_size;
  request.token_ids = token_ids;
  request.sampling_params = {.max_tokens = options_.max_tokens,
                             .eos_token_id = speaker_->model.config().eos_token_id,
                             .stop_token_ids = speaker_->ends_of_answer,
                             .temperature = options_.temperature,
                             .top_p = options_.top_p,
                             .seed = options_.seed};
  run_->add_request(std::move(request));
  answers_.push_back({.request_id = request_id,
                      .prompt = prompt,
                      .token_ids = token_ids,
                      .num_prompt_tokens = token_ids.size()});
}

void Chat::take_step() {
  const auto started = Clock::now();
  const std::vector<EngineCoreOutput> outputs = run_->step();
  time_of_steps_ += Clock::now() - started;

  for (const EngineCoreOutput& output : outputs) {
    const auto answer = std::ranges::find(answers_, output.request_id, &Answer::request_id);
    if (answer == answers_.end())
      throw std::runtime_error("request " + output.request_id + " has ended and gets a token");
    num_tokens_ += output.new_token_ids.size();
    for (const TokenId token : output.new_token_ids) {
      answer->token_ids.push_back(token);
      answer->text += printable(speaker_->text_of(token));
    }
  }
}

void Chat::show_progress() {
  std::vector<std::string> lines;
  if (answers_.size() == 1) {
    show_text(answers_.front(), false);
  } else {
    for (const Answer& answer : answers_) lines.push_back(last_words(answer));
  }
  if (shows_blocks_) std::ranges::move(block_lines(), std::back_inserter(lines));
  std::ranges::move(status_lines(), std::back_inserter(lines));
  terminal_.draw_below(lines);
}

// What the answer says since the last call, in whole letters; at its end, all of it.
void Chat::show_text(Answer& answer, bool is_over) {
  const std::string_view rest = std::string_view(answer.text).substr(answer.num_shown);
  const std::string_view text = is_over ? rest : rest.substr(0, num_printable_bytes(rest));
  terminal_.write(valid_utf8(text));
  answer.num_shown += text.size();
}

void Chat::end_answers() {
  terminal_.clear_below();
  for (Answer& answer : answers_) {
    if (answers_.size() > 1)
      terminal_.write(letter_of(answer) + (answer.text.starts_with(' ') ? ":" : ": "));
    show_text(answer, true);
    terminal_.end_text();
  }
  for (const std::string& line : status_lines()) terminal_.note(line);
  go_on_from(answers_.front());
}

}  // namespace kv::chat
