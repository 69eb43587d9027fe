#include <algorithm>

#include "apps/chat/chat.h"

namespace kv::chat {
namespace {

std::vector<Message> with_system(const std::string& system, std::vector<Message> messages) {
  if (!system.empty()) messages.insert(messages.begin(), {"system", system});
  return messages;
}

}  // namespace

void Chat::require_conversation(const Speaker& speaker, const std::string& system) {
  if (!speaker.chat_template && !system.empty())
    throw InputError("this model has learned no conversations, so it takes no system message");
  try {
    speaker.text_of({{"user", "?"}});
  } catch (const ConversationRefused& refused) {
    throw InputError("a conversation " + std::string(refused.what()) +
                     "; ./lab generate goes on with a text");
  }
  try {
    speaker.text_of(with_system(system, {{"user", "?"}}));
  } catch (const ConversationRefused& refused) {
    throw InputError("a conversation with a system message " + std::string(refused.what()));
  }
}

void Chat::forget_text() {
  text_ = speaker_->beginning();
  messages_.clear();
  is_begun_ = false;
}

void Chat::set_system(const std::string& text) {
  require_conversation(*speaker_, text);
  options_.system = text;
  forget_text();
}

std::vector<Message> Chat::messages_with(const std::string& prompt) const {
  std::vector<Message> messages = with_system(options_.system, messages_);
  messages.push_back({"user", prompt});
  return messages;
}

std::vector<TokenId> Chat::tokens_with(const std::string& prompt) const {
  if (!is_conversation()) {
    std::vector<TokenId> token_ids = text_;
    const std::string line = (is_begun_ ? "\n" : "") + prompt;
    std::ranges::copy(speaker_->tokenizer.encode(line), std::back_inserter(token_ids));
    return token_ids;
  }
  try {
    return speaker_->tokens_of_conversation(speaker_->text_of(messages_with(prompt)));
  } catch (const ConversationRefused& refused) {
    throw InputError("the conversation " + std::string(refused.what()));
  }
}

// Why from the tokens: the answer's text is without letters that a terminal must not get.
void Chat::go_on_from(const Answer& answer) {
  std::string said;
  for (std::size_t i = answer.num_prompt_tokens; i < answer.token_ids.size(); ++i)
    said += speaker_->text_of(answer.token_ids[i]);
  text_ = answer.token_ids;
  is_begun_ = true;
  if (without_space_before(said).empty()) return;  // Why: some models have learned no such turn
  messages_.push_back({"user", answer.prompt});
  messages_.push_back({"assistant", std::move(said)});
}

}  // namespace kv::chat
