#include "apps/speaker/added_tokens.h"

#include <algorithm>
#include <stdexcept>

#include "apps/speaker/unicode_text.h"

namespace kv {
namespace {

using nlohmann::json;

AddedToken read_added_token(const json& entry) {
  AddedToken token = {.id = entry.at("id"),
                      .content = entry.at("content"),
                      .is_special = entry.at("special"),
                      .takes_space_before = entry.at("lstrip"),
                      .takes_space_behind = entry.at("rstrip"),
                      .is_normalized = entry.at("normalized")};
  if (entry.at("single_word"))
    throw std::runtime_error("has the added token " + entry.at("content").dump() +
                             " with single_word, which cannot be read exactly");
  return token;
}

// The library tokenizers gives an added token the id of the model's token of this name, or else
// the next free one, whatever the file says.
void require_id(const AddedToken& token, const std::map<std::string, TokenId>& ids, TokenId next) {
  const auto found = ids.find(token.content);
  const TokenId given = found == ids.end() ? next : found->second;
  if (given != token.id)
    throw std::runtime_error("has the added token " + json(token.content).dump() + " with the id " +
                             std::to_string(token.id) + ", to which tokenizers gives " +
                             std::to_string(given));
}

}  // namespace

AddedTokens::AddedTokens(const json& entry,
                         const std::map<std::string, TokenId>& ids,
                         bool has_normal_form) {
  for (const json& each : entry) {
    AddedToken token = read_added_token(each);
    if (token.content.empty()) continue;
    auto next = static_cast<TokenId>(ids.size());
    for (const AddedToken& before : tokens_) next = std::max(next, before.id + 1);
    require_id(token, ids, next);
    if (token.is_normalized && has_normal_form) token.content = composed(token.content);
    tokens_.push_back(std::move(token));
  }
  for (std::size_t i = 0; i < tokens_.size(); ++i) of_letter_[tokens_[i].content[0]].push_back(i);
  for (auto& [letter, indices] : of_letter_)
    std::ranges::stable_sort(indices, std::ranges::greater(),
                             [&](std::size_t i) { return tokens_[i].content.size(); });
}

const AddedToken* AddedTokens::match_at(std::string_view text, bool is_normalized) const {
  const auto found = of_letter_.find(text[0]);
  if (found == of_letter_.end()) return nullptr;
  for (const std::size_t i : found->second)
    if (tokens_[i].is_normalized == is_normalized && text.starts_with(tokens_[i].content))
      return &tokens_[i];
  return nullptr;
}

std::vector<TextPart> AddedTokens::parts_of(const std::string& text, bool is_normalized) const {
  const std::string_view view = text;
  std::vector<TextPart> parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = match_at(view.substr(at), is_normalized);
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at += token->content.size();
    if (token->takes_space_before)
      begin = std::max(begin - white_space_after(view.substr(0, begin)), done);
    if (token->takes_space_behind) end += white_space_before(view.substr(end));
    if (done < begin) parts.push_back({std::nullopt, text.substr(done, begin - done)});
    parts.push_back({token->id, ""});
    done = end;
  }
  if (done < text.size()) parts.push_back({std::nullopt, text.substr(done)});
  return parts;
}

bool AddedTokens::takes_space() const {
  return std::ranges::any_of(tokens_, [](const AddedToken& token) {
    return token.takes_space_before || token.takes_space_behind;
  });
}

}  // namespace kv
