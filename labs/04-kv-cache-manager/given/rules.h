#pragma once
// Whose decisions a manager, and a scheduler over it, make: those of which release of vLLM.
//
//                                kVllm022                     kVllm033
//   the next free block          the one freed first (2.4)    before it, one without a hash (2.6)
//   the blocks that all begin
//   with (4.9)                   are counted                  0: nothing uses the number any more
//   a prompt without company     has the threshold            has none (7.19)
//   a request that is its own
//   victim                       ends the running ones        is skipped (7.20)

#include <optional>
#include <string_view>

namespace kv {

enum class Rules { kVllm022, kVllm033 };

// The rules that a user calls vllm_0_22 or vllm_0_33. Exhaustion: nullopt for another word.
inline std::optional<Rules> rules_named(std::string_view name) {
  if (name == "vllm_0_22") return Rules::kVllm022;
  if (name == "vllm_0_33") return Rules::kVllm033;
  return std::nullopt;
}

}  // namespace kv
