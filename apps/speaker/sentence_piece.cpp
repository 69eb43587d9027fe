#include "apps/speaker/sentence_piece.h"

#include <cstdio>
#include <stdexcept>

#include "apps/speaker/unicode_text.h"

namespace kv {
namespace {

using nlohmann::json;

constexpr const char* kMark = "\u2581";

std::string name_of_byte(unsigned byte) {
  std::array<char, 8> name;
  std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
  return name.data();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Those of a Sequence, or the one; none of null.
std::vector<json> steps_of(const json& entry, const char* name) {
  if (entry.is_null()) return {};
  if (entry.at("type") != "Sequence") return {entry};
  return entry.at(name).get<std::vector<json>>();
}

json replacing(const char* from, const char* to) {
  return {{"type", "Replace"}, {"pattern", {{"String", from}}}, {"content", to}};
}

[[noreturn]] void refuse(const std::string& what, const json& entry) {
  throw std::runtime_error("has a model with byte_fallback, and a " + what + " " + entry.dump() +
                           ", which cannot be read exactly");
}

}  // namespace

SentencePieceBpe::SentencePieceBpe(const json& model) : Bpe(model) {
  for (unsigned byte = 0; byte < id_of_byte_.size(); ++byte) {
    const auto found = ids().find(name_of_byte(byte));
    if (found == ids().end())
      throw std::runtime_error("has a model with byte_fallback that lacks " + name_of_byte(byte));
    id_of_byte_[byte] = found->second;
    byte_of_name_[found->first] = static_cast<char>(byte);
  }
  for (const auto& [written, id] : ids()) id_of_piece_[written] = id;
}

std::string SentencePieceBpe::bytes_of(const std::string& written) const {
  const auto byte = byte_of_name_.find(written);
  return byte == byte_of_name_.end() ? replaced(written, kMark, " ") : std::string(1, byte->second);
}

std::vector<TokenId> SentencePieceBpe::symbols_of(std::string_view piece) const {
  std::vector<TokenId> symbols;
  while (!piece.empty()) {
    const std::string letter(piece.substr(0, num_bytes_of_letter(piece)));
    const auto found = id_of_piece_.find(letter);
    if (found != id_of_piece_.end())
      symbols.push_back(found->second);
    else
      for (const char byte : letter)
        symbols.push_back(id_of_byte_[static_cast<unsigned char>(byte)]);
    piece.remove_prefix(letter.size());
  }
  return symbols;
}

BlankMark::BlankMark(const json& tokenizer) {
  const json normalizer = tokenizer.value("normalizer", json());
  const json pre_tokenizer = tokenizer.value("pre_tokenizer", json());
  if (!normalizer.is_null()) read_normalizer(normalizer);
  if (!pre_tokenizer.is_null() && is_normalizer_) refuse("pre_tokenizer", pre_tokenizer);
  if (!is_normalizer_) read_pre_tokenizer(pre_tokenizer);
}

void BlankMark::read_normalizer(const json& entry) {
  const std::vector<json> steps = steps_of(entry, "normalizers");
  const json prepend = {{"type", "Prepend"}, {"prepend", kMark}};
  const json replace = replacing(" ", kMark);
  is_normalizer_ = marks_twice_ = true;
  if (steps == std::vector<json>{prepend, replace})
    where_ = Where::kBeforeEach;
  else if (steps != std::vector<json>{replace})
    refuse("normalizer", entry);
}

void BlankMark::read_pre_tokenizer(const json& entry) {
  const bool is_read = !entry.is_null() && entry.at("type") == "Metaspace" &&
                       entry.at("replacement") == kMark && entry.value("split", true) == false;
  if (!is_read) refuse("pre_tokenizer", entry);
  const json scheme = entry.value("prepend_scheme", json("always"));
  if (scheme == "always" || scheme == "first")
    where_ = scheme == "first" ? Where::kBeforeFirst : Where::kBeforeEach;
  else if (scheme != "never")
    refuse("pre_tokenizer", entry);
}

std::string BlankMark::marked(const std::string& part, bool is_first) const {
  const std::string text = replaced(part, " ", kMark);
  const bool is_asked = where_ == Where::kBeforeEach || (where_ == Where::kBeforeFirst && is_first);
  const bool is_marked = text.starts_with(kMark) && !marks_twice_;
  return is_asked && !is_marked ? kMark + text : text;
}

void require_sentence_piece_decoder(const json& decoder) {
  std::vector<json> steps = steps_of(decoder, "decoders");
  const json strip = {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}};
  if (!steps.empty() && steps.back() == strip) steps.pop_back();
  const std::vector<json> expected = {
      replacing(kMark, " "), {{"type", "ByteFallback"}}, {{"type", "Fuse"}}};
  if (steps != expected) refuse("decoder", decoder);
}

}  // namespace kv
