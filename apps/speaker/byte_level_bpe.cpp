#include "apps/speaker/byte_level_bpe.h"

#include <algorithm>
#include <stdexcept>

namespace kv {
namespace {

using nlohmann::json;

constexpr TokenId kMostIds = 1 << 24;

// The letter of a byte in a tokenizer.json: itself if it has a picture, or else the letter 256,
// 257, ... in the order of the bytes.
std::map<std::string, char> bytes_by_letter() {
  std::map<std::string, char> byte_of_letter;
  unsigned next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool has_picture = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte != 0xad);
    const unsigned code = has_picture ? byte : next++;
    std::string letter(1, static_cast<char>(code));
    if (code >= 0x80)
      letter = {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    byte_of_letter[letter] = static_cast<char>(byte);
  }
  return byte_of_letter;
}

// Nothing, if one of the letters stands for no byte: then no piece has such a token.
std::optional<std::string> bytes_of_written(const std::string& written) {
  static const std::map<std::string, char> kByteOfLetter = bytes_by_letter();
  std::string bytes;
  for (std::size_t i = 0; i < written.size();) {
    const std::size_t num_bytes = (static_cast<unsigned char>(written[i]) & 0x80) != 0 ? 2 : 1;
    const auto found = kByteOfLetter.find(written.substr(i, num_bytes));
    if (found == kByteOfLetter.end()) return std::nullopt;
    bytes += found->second;
    i += num_bytes;
  }
  return bytes;
}

// A merge is "a b" in older files, and ["a", "b"] in newer ones.
std::pair<std::string, std::string> sides_of_merge(const json& merge) {
  if (merge.is_array()) return {merge.at(0), merge.at(1)};
  const std::string text = merge;
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

bool is_set(const json& model, const char* name) {
  const json entry = model.value(name, json());
  return !(entry.is_null() || entry == false || entry == "" || entry == 0.0);
}

}  // namespace

ByteLevelBpe::ByteLevelBpe(const json& model) {
  read_options(model);
  ids_ = model.at("vocab").get<std::map<std::string, TokenId>>();
  for (const auto& [written, id] : ids_) {
    if (id < 0 || id > kMostIds) throw std::runtime_error("has a token with an id out of range");
    const std::optional<std::string> bytes = bytes_of_written(written);
    if (!bytes) continue;
    id_of_bytes_[*bytes] = id;
    if (bytes->size() == 1) id_of_byte_[static_cast<unsigned char>((*bytes)[0])] = id;
  }
  read_merges(model.at("merges"));
  if (is_set(model, "unk_token")) {
    const auto found = ids_.find(model.at("unk_token").get<std::string>());
    if (found == ids_.end()) throw std::runtime_error("has an unk_token that is no token");
    unk_ = found->second;
  }
}

void ByteLevelBpe::read_options(const json& model) {
  const json type = model.value("type", json("BPE"));
  if (type != "BPE")
    throw std::runtime_error("has a model of type " + type.dump() + "; BPE can be read");
  for (const char* name :
       {"byte_fallback", "dropout", "continuing_subword_prefix", "end_of_word_suffix"})
    if (is_set(model, name))
      throw std::runtime_error(std::string("has a model with ") + name +
                               ", which cannot be read exactly");
  fuses_unk_ = is_set(model, "fuse_unk");
  ignores_merges_ = is_set(model, "ignore_merges");
}

void ByteLevelBpe::read_merges(const json& merges) {
  std::size_t rank = 0;
  for (const json& merge : merges) {
    const auto [left, right] = sides_of_merge(merge);
    // Why assign: of equal merges, tokenizers takes the last one.
    merges_.insert_or_assign(std::pair(ids_.at(left), ids_.at(right)),
                             Merge{rank++, ids_.at(left + right)});
  }
}

std::vector<std::string> ByteLevelBpe::bytes_of_tokens() const {
  std::vector<std::string> bytes;
  for (const auto& [written, id] : ids_) {
    const auto index = static_cast<std::size_t>(id);
    bytes.resize(std::max(bytes.size(), index + 1));
    bytes[index] = bytes_of_written(written).value_or(written);
  }
  return bytes;
}

void ByteLevelBpe::encode(std::string_view piece, std::vector<TokenId>& token_ids) const {
  if (ignores_merges_) {
    const auto found = id_of_bytes_.find(std::string(piece));
    if (found != id_of_bytes_.end()) return token_ids.push_back(found->second);
  }
  MergedPiece merged(merges_);
  bool is_empty = true, is_behind_unk = false;
  for (const char byte : piece) {
    const std::optional<TokenId> known = id_of_byte_[static_cast<unsigned char>(byte)];
    const std::optional<TokenId> id = known ? known : unk_;
    if (id && (known || !is_behind_unk || !fuses_unk_)) {
      merged.append(*id);
      is_empty = false;
    }
    is_behind_unk = !known && unk_;
  }
  if (is_empty) return;  // Why: a piece of unknown bytes only, and no token for these.
  merged.merge();
  merged.copy_to(token_ids);
}

bool ByteLevelBpe::has_all_bytes() const {
  for (std::size_t byte = 0; byte < id_of_byte_.size(); ++byte) {
    const bool is_in_utf8 = byte < 0xf5 && byte != 0xc0 && byte != 0xc1;
    if (is_in_utf8 && !id_of_byte_[byte]) return false;
  }
  return true;
}

}  // namespace kv
