#include "grader/program/maintainer/check/small_checkpoint.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "common/text.h"

namespace kv::grader {
namespace {

constexpr std::size_t kVocab = 257, kHidden = 16, kInner = 24, kQueryRows = 16, kKeyRows = 8;

// Eighths from -1 to 1 for a matrix, about 1 for a vector: F16 and BF16 have them too.
float number_at(const std::string& name, std::size_t i, bool is_vector) {
  std::size_t salt = 0;
  for (const char c : name) salt = salt * 31 + static_cast<unsigned char>(c);
  const auto eighths = static_cast<float>((i * i * 7 + i * 37 + salt) % 17) - 8;
  return is_vector ? 1 + eighths / 16 : eighths / 8;
}

// The exponent moves from 127 to 15; the numbers above have neither more digits nor other
// exponents.
std::uint16_t half_of(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  if (number == 0) return 0;
  const std::uint32_t exponent = (bits >> 23 & 0xff) - 127 + 15;
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff));
}

std::string bytes_of(float number, const std::string& dtype) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const auto upper = static_cast<std::uint16_t>(bits >> 16);
  const std::uint16_t half = dtype == "F16" ? half_of(number) : upper;
  std::string bytes(dtype == "F16" || dtype == "BF16" ? sizeof half : sizeof bits, '\0');
  std::memcpy(bytes.data(), bytes.size() == sizeof half ? static_cast<const void*>(&half) : &bits,
              bytes.size());
  return bytes;
}

std::string safetensors(const SmallCheckpoint& checkpoint) {
  Json header;
  std::string numbers;
  for (const auto& [name, shape] : checkpoint.shapes) {
    const std::size_t begin = numbers.size();
    const std::size_t size = shape.size() == 1 ? shape[0] : shape[0] * shape[1];
    // The same numbers for both, as in a model whose output matrix is its embedding.
    const std::string& like = name == "lm_head.weight" ? "model.embed_tokens.weight" : name;
    for (std::size_t i = 0; i < size; ++i)
      numbers += bytes_of(number_at(like, i, shape.size() == 1), checkpoint.dtype);
    header[name] = {
        {"dtype", checkpoint.dtype}, {"shape", shape}, {"data_offsets", {begin, numbers.size()}}};
  }
  const std::string text = header.dump();
  const std::uint64_t size = text.size();
  std::string file(sizeof size, '\0');
  std::memcpy(file.data(), &size, sizeof size);
  return file + text + numbers;
}

// A letter of a tokenizer.json for each byte (labs/07-serving/given/tokenizer.cpp).
Json byte_vocabulary() {
  Json vocabulary = {{"<|endoftext|>", 0}};
  int next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const bool has_picture = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte != 0xad);
    const int letter = has_picture ? byte : next++;
    const std::string utf8 = letter < 0x80 ? std::string(1, static_cast<char>(letter))
                                           : std::string{static_cast<char>(0xc0 | letter >> 6),
                                                         static_cast<char>(0x80 | (letter & 0x3f))};
    vocabulary[utf8] = byte + 1;
  }
  return vocabulary;
}

}  // namespace

SmallCheckpoint::SmallCheckpoint() {
  config = {
      {"model_type", "llama"},         {"vocab_size", kVocab},        {"hidden_size", kHidden},
      {"intermediate_size", kInner},   {"num_hidden_layers", 2},      {"num_attention_heads", 2},
      {"num_key_value_heads", 1},      {"head_dim", kKeyRows},        {"rms_norm_eps", 1e-5},
      {"max_position_embeddings", 64}, {"tie_word_embeddings", true}, {"bos_token_id", 0}};
  shapes = {{"model.embed_tokens.weight", {kVocab, kHidden}}, {"model.norm.weight", {kHidden}}};
  for (const std::string number : {"0", "1"}) {
    const std::string layer = "model.layers." + number + ".";
    shapes[layer + "input_layernorm.weight"] = {kHidden};
    shapes[layer + "self_attn.q_proj.weight"] = {kQueryRows, kHidden};
    shapes[layer + "self_attn.k_proj.weight"] = {kKeyRows, kHidden};
    shapes[layer + "self_attn.v_proj.weight"] = {kKeyRows, kHidden};
    shapes[layer + "self_attn.o_proj.weight"] = {kHidden, kQueryRows};
    shapes[layer + "post_attention_layernorm.weight"] = {kHidden};
    shapes[layer + "mlp.gate_proj.weight"] = {kInner, kHidden};
    shapes[layer + "mlp.up_proj.weight"] = {kInner, kHidden};
    shapes[layer + "mlp.down_proj.weight"] = {kHidden, kInner};
  }
}

void SmallCheckpoint::write(const fs::path& folder) const {
  const Json tokenizer = {
      {"added_tokens", {{{"id", 0}, {"content", "<|endoftext|>"}}}},
      {"model", {{"type", "BPE"}, {"vocab", byte_vocabulary()}, {"merges", Json::array()}}}};
  write_file(folder / "config.json", config.dump());
  write_file(folder / "model.safetensors", safetensors(*this));
  write_file(folder / "tokenizer.json", tokenizer.dump());
}

}  // namespace kv::grader
