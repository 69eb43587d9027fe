#pragma once
// Names for arrays on the device: a finding says "key_cache (slot 17, KV head 0, dimension 4: after
// the last token of sequence 0)", and not "allocation 2 of 16384 bytes".

#include <functional>
#include <string>
#include <vector>

#include "06-cuda-kernel/given/device_array.h"
#include "grader/harness/draw.h"
#include "simt/session.h"

namespace kv::grader {

// place: what the number with this index is.
template <class Number>
void name_array(const DeviceArray<Number>& array,
                const std::string& name,
                std::function<std::string(std::size_t index)> place) {
  simt::name_memory(array.data(), name,
                    [place](std::size_t byte) { return place(byte / sizeof(Number)); });
}

// "sequence 1, query head 2": of an array [num_seqs, num_heads].
inline std::string draw_head(std::size_t index, std::size_t num_heads) {
  return "sequence " + draw(index / num_heads) + ", query head " + draw(index % num_heads);
}

// The slots of a cache, and whose tokens they have.
struct NamedSlots {
  std::size_t first_slot;  // slot at which the memory begins
  std::size_t num_kv_heads, head_size, block_size;
  std::size_t max_num_blocks;  // entries in a row of tables
  std::vector<int> tables;     // [num_seqs, max_num_blocks]
  std::vector<int> seq_lens;

  // "slot 17, KV head 0, dimension 4: token 1 of sequence 0"
  std::string place(std::size_t index) const {
    const std::size_t slot = first_slot + index / (num_kv_heads * head_size);
    return "slot " + draw(slot) + ", KV head " + draw(index / head_size % num_kv_heads) +
           ", dimension " + draw(index % head_size) + ": " + token_in(slot);
  }

 private:
  std::string token_in(std::size_t slot) const {
    for (std::size_t entry = 0; entry < tables.size(); ++entry) {
      if (tables[entry] != static_cast<int>(slot / block_size)) continue;
      const std::size_t seq = entry / max_num_blocks;
      const std::size_t token = entry % max_num_blocks * block_size + slot % block_size;
      const bool is_token = token < static_cast<std::size_t>(seq_lens[seq]);
      return (is_token ? "token " + draw(token) : "after the last token") + " of sequence " +
             draw(seq);
    }
    return "in no block of a table";
  }
};

}  // namespace kv::grader
