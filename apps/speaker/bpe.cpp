#include "apps/speaker/bpe.h"

#include <algorithm>
#include <stdexcept>

namespace kv {
namespace {

using nlohmann::json;

constexpr TokenId kMostIds = 1 << 24;

// A merge is "a b" in older files, and ["a", "b"] in newer ones.
std::pair<std::string, std::string> sides_of_merge(const json& merge) {
  if (merge.is_array()) return {merge.at(0), merge.at(1)};
  const std::string text = merge;
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

void require_readable(const json& model) {
  const json type = model.value("type", json("BPE"));
  if (type != "BPE")
    throw std::runtime_error("has a model of type " + type.dump() + "; BPE can be read");
  for (const char* name : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
    if (is_set(model, name))
      throw std::runtime_error(std::string("has a model with ") + name +
                               ", which cannot be read exactly");
}

}  // namespace

bool is_set(const json& model, const char* name) {
  const json entry = model.value(name, json());
  return !(entry.is_null() || entry == false || entry == "" || entry == 0.0);
}

Bpe::Bpe(const json& model) {
  require_readable(model);
  ignores_merges_ = is_set(model, "ignore_merges");
  ids_ = model.at("vocab").get<std::map<std::string, TokenId>>();
  for (const auto& [written, id] : ids_)
    if (id < 0 || id > kMostIds) throw std::runtime_error("has a token with an id out of range");
  read_merges(model.at("merges"));
}

void Bpe::read_merges(const json& merges) {
  std::size_t rank = 0;
  for (const json& merge : merges) {
    const auto [left, right] = sides_of_merge(merge);
    // Why assign: of equal merges, tokenizers takes the last one.
    merges_.insert_or_assign(std::pair(ids_.at(left), ids_.at(right)),
                             Merge{rank++, ids_.at(left + right)});
  }
}

void Bpe::encode(std::string_view piece, std::vector<TokenId>& token_ids) const {
  if (ignores_merges_) {
    const auto found = id_of_piece_.find(std::string(piece));
    if (found != id_of_piece_.end()) return token_ids.push_back(found->second);
  }
  const std::vector<TokenId> symbols = symbols_of(piece);
  if (symbols.empty()) return;  // Why: a piece of unknown bytes only, and no token for these.
  MergedPiece merged(merges_);
  for (const TokenId symbol : symbols) merged.append(symbol);
  merged.merge();
  merged.copy_to(token_ids);
}

std::vector<std::string> Bpe::bytes_of_tokens() const {
  std::vector<std::string> bytes;
  for (const auto& [written, id] : ids_) {
    const auto index = static_cast<std::size_t>(id);
    bytes.resize(std::max(bytes.size(), index + 1));
    bytes[index] = bytes_of(written);
  }
  return bytes;
}

}  // namespace kv
