#include "07-serving/given/tokenizer.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "07-serving/given/text_pieces.h"
#include "base/text/shallow_json.h"

namespace kv {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTokens = 1 << 24;

// In a tokenizer.json each byte stands as a letter that can be printed: itself, or if it has no
// picture, the letter 256, 257, ... in the order of the bytes.
std::map<char32_t, char> byte_letters() {
  std::map<char32_t, char> byte_of_letter;
  char32_t next = 256;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool has_picture = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte != 0xad);
    byte_of_letter[has_picture ? byte : next++] = static_cast<char>(byte);
  }
  return byte_of_letter;
}

// The letters of a UTF-8 text, of one or two bytes each: no other is in byte_letters().
std::string bytes_of_letters(const std::string& letters) {
  static const std::map<char32_t, char> kByteOfLetter = byte_letters();
  std::string bytes;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    char32_t letter = static_cast<unsigned char>(letters[i]);
    if (letter >= 0x80 && i + 1 < letters.size())
      letter = (letter & 0x1f) << 6 | (static_cast<unsigned char>(letters[++i]) & 0x3f);
    bytes += kByteOfLetter.at(letter);
  }
  return bytes;
}

// A merge is "a b" in older files, and ["a", "b"] in newer ones.
std::pair<std::string, std::string> sides_of(const json& merge) {
  if (merge.is_array()) return {merge.at(0), merge.at(1)};
  const std::string text = merge;
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

}  // namespace

Tokenizer::Tokenizer(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + " cannot be read");
  try {
    const json tokenizer = shallow_json(in);
    const auto ids = tokenizer.at("model").at("vocab").get<std::map<std::string, TokenId>>();
    bytes_.resize(ids.size());
    for (const json& added : tokenizer.at("added_tokens")) {
      const auto id = static_cast<std::size_t>(added.at("id").get<TokenId>());
      if (id > kMostTokens) throw std::out_of_range("id");
      bytes_.resize(std::max(bytes_.size(), id + 1));
      bytes_[id] = added.at("content");
    }
    for (const auto& [letters, id] : ids) {
      std::string& bytes = bytes_.at(static_cast<std::size_t>(id));
      if (bytes.empty()) bytes = bytes_of_letters(letters);
      if (bytes.size() == 1) token_of_byte_[static_cast<unsigned char>(bytes[0])] = id;
    }
    for (const std::string& bytes : bytes_) longest_token_ = std::max(longest_token_, bytes.size());
    std::size_t rank = 0;
    for (const json& merge : tokenizer.at("model").at("merges")) {
      const auto [left, right] = sides_of(merge);
      merges_.emplace(std::pair(ids.at(left), ids.at(right)), Merge{rank++, ids.at(left + right)});
    }
  } catch (const std::exception&) {
    throw std::runtime_error(file.string() + " is not a tokenizer of the kind byte-level BPE");
  }
}

std::vector<TokenId> Tokenizer::encode(std::string_view text) const {
  std::vector<TokenId> token_ids;
  while (!text.empty()) {
    const std::size_t length = length_of_piece(text);
    MergedPiece piece(merges_);
    for (const char byte : text.substr(0, length))
      piece.append(token_of_byte_[static_cast<unsigned char>(byte)]);
    piece.merge();
    piece.copy_to(token_ids);
    text.remove_prefix(length);
  }
  return token_ids;
}

std::size_t num_printable_bytes(std::string_view text) {
  // The last letter begins at most three bytes before the end.
  for (std::size_t back = 1; back <= 4 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;  // not the first byte of a letter
    const std::size_t length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length <= back ? text.size() : text.size() - back;
  }
  return text.size();
}

std::size_t num_letters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

}  // namespace kv
