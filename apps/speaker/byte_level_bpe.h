#pragma once
// BPE over bytes: each byte of a text has a letter in the file.

#include <array>
#include <optional>

#include "apps/speaker/bpe.h"

namespace kv {

class ByteLevelBpe : public Bpe {
 public:
  explicit ByteLevelBpe(const nlohmann::json& model);

  std::string bytes_of(const std::string& written) const override;
  bool has_all_bytes() const override;

 protected:
  std::vector<TokenId> symbols_of(std::string_view piece) const override;

 private:
  std::array<std::optional<TokenId>, 256> id_of_byte_ = {};
  std::optional<TokenId> unk_;
  bool fuses_unk_ = false;
};

}  // namespace kv
