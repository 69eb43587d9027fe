#pragma once
// What has happened in an aligned word of shared memory, in little memory. It can say this: the
// block has written the word as a whole, and since the last barrier lanes of one warp have read it,
// each for the first time at the same place, and perhaps one thread of another warp. As soon as it
// cannot say what happened, the cells of the word get what is here, and have the rest.

#include "simt/runtime/core/happens_before.h"

namespace kv::simt {

struct SharedWord {
  Stamp write;          // block 0: the cells have it all
  std::uint32_t lanes;  // 0: nobody has read it
  std::uint16_t epoch, warp, clock, site;
  std::uint16_t other : 10;  // the thread of another warp
  std::uint16_t is_other_volatile : 1;
  std::uint16_t other_clock, other_site;  // site 0: none
};

static_assert(sizeof(SharedWord) == 32);
inline constexpr unsigned kWordBytes = 4;

// The block that runs has written the word, and all that it did to it is here.
inline bool is_current(const SharedWord& word) {
  return word.write.block == machine.block_number;
}

inline bool has_readers(const SharedWord& word) {
  return word.lanes != 0 && word.epoch == machine.epoch;
}

inline void set_other_reader(SharedWord& word, std::uint16_t site) {
  word.other = self().number & 0x3ff;
  word.is_other_volatile = machine.is_volatile;
  word.other_clock = clock_now();
  word.other_site = site;
}

inline void begin_readers(SharedWord& word, std::uint16_t site) {
  word.lanes = 1u << self().lane;
  word.epoch = machine.epoch;
  word.warp = static_cast<std::uint16_t>(self().warp);
  word.clock = clock_now();
  word.site = site;
  word.other_site = 0;
}

// Adds a reader to a current word. false: it cannot, or a read is not all that there is to say.
[[gnu::always_inline]] inline bool is_plain_read(SharedWord& word, std::uint16_t site) {
  if (!is_ordered_by_barriers(word.write)) return false;
  const Thread& me = self();
  const std::uint32_t lane = 1u << me.lane;
  if (!has_readers(word)) {
    begin_readers(word, site);
  } else if (word.warp != me.warp) {
    set_other_reader(word, site);
  } else {
    const bool is_known = word.site == site || (word.lanes & lane) != 0;
    if (!is_known || word.clock != clock_now()) return false;
    word.lanes |= lane;
  }
  return true;
}

// Whether nobody but this thread has used a current word since the last barrier.
inline bool is_own(const SharedWord& word) {
  const Thread& me = self();
  const bool is_read_by_me =
      word.warp == me.warp && word.lanes == 1u << me.lane && word.other_site == 0;
  return is_ordered_by_barriers(word.write) && (!has_readers(word) || is_read_by_me);
}

// The same for a write.
[[gnu::always_inline]] inline bool is_plain_write(SharedWord& word, std::uint16_t site) {
  if (!is_own(word)) return false;
  word.write = stamp_now(site, 3, false, machine.is_volatile);
  return true;
}

}  // namespace kv::simt
