#include "apps/speaker/byte_level_bpe.h"

#include <stdexcept>

namespace kv {
namespace {

using nlohmann::json;

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

}  // namespace

ByteLevelBpe::ByteLevelBpe(const json& model) : Bpe(model), fuses_unk_(is_set(model, "fuse_unk")) {
  for (const auto& [written, id] : ids()) {
    const std::optional<std::string> bytes = bytes_of_written(written);
    if (!bytes) continue;
    id_of_piece_[*bytes] = id;
    if (bytes->size() == 1) id_of_byte_[static_cast<unsigned char>((*bytes)[0])] = id;
  }
  if (!is_set(model, "unk_token")) return;
  const auto found = ids().find(model.at("unk_token").get<std::string>());
  if (found == ids().end()) throw std::runtime_error("has an unk_token that is no token");
  unk_ = found->second;
}

std::string ByteLevelBpe::bytes_of(const std::string& written) const {
  return bytes_of_written(written).value_or(written);
}

std::vector<TokenId> ByteLevelBpe::symbols_of(std::string_view piece) const {
  std::vector<TokenId> symbols;
  bool is_behind_unk = false;
  for (const char byte : piece) {
    const std::optional<TokenId> known = id_of_byte_[static_cast<unsigned char>(byte)];
    const std::optional<TokenId> id = known ? known : unk_;
    if (id && (known || !is_behind_unk || !fuses_unk_)) symbols.push_back(*id);
    is_behind_unk = !known && unk_;
  }
  return symbols;
}

bool ByteLevelBpe::has_all_bytes() const {
  for (std::size_t byte = 0; byte < id_of_byte_.size(); ++byte) {
    const bool is_in_utf8 = byte < 0xf5 && byte != 0xc0 && byte != 0xc1;
    if (is_in_utf8 && !id_of_byte_[byte]) return false;
  }
  return true;
}

}  // namespace kv
