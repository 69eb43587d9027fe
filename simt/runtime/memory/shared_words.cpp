#include "simt/runtime/memory/shared_words.h"

#include <algorithm>

#include "simt/runtime/memory/async_copies.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {
namespace {

constexpr unsigned kCellsOfWord = kWordBytes / kCellBytes;

Stamp other_reader_of(const SharedWord& word) {
  if (word.other_site == 0) return {};
  return {.block = word.write.block,
          .thread = word.other,
          .bytes = 3,
          .is_atomic = false,
          .is_volatile = word.is_other_volatile,
          .epoch = word.epoch,
          .clock = word.other_clock,
          .site = word.other_site};
}

Readers readers_of(const SharedWord& word) {
  if (word.lanes == 0) return {};
  return {.block = word.write.block,
          .epoch = word.epoch,
          .warp = word.warp,
          .lanes = word.lanes,
          .lanes_at_site = word.lanes,
          .clock = word.clock,
          .site = word.site,
          .elsewhere = {},
          .other = other_reader_of(word)};
}

// What the cells say no longer matters to what comes: the word can have it all.
bool are_over(std::span<const SharedCell> cells) {
  return std::ranges::all_of(cells, [](const SharedCell& cell) {
    const bool is_of_block = cell.write.block == machine.block_number;
    return (!is_of_block || is_ordered_by_barriers(cell.write)) && !are_current(cell.readers);
  });
}

bool may_write(const SharedWord& word, std::uintptr_t address) {
  if (is_current(word)) return is_own(word);
  return word.write.block != 0 || are_over(shared_memory.cells(address, kWordBytes));
}

bool are_plain_writes(std::span<SharedWord> words, std::uintptr_t address, std::uint16_t site) {
  for (const SharedWord& word : words) {
    if (!may_write(word, address)) return false;
    address += kWordBytes;
  }
  const Stamp now = stamp_now(site, 3, false, machine.is_volatile);
  for (SharedWord& word : words) {
    if (!is_current(word)) word.lanes = 0;
    word.write = now;
  }
  return true;
}

}  // namespace

bool are_plain_words(std::uintptr_t address, unsigned bytes, bool writes, std::uint16_t site) {
  const bool are_whole = bytes >= kWordBytes && (address & (bytes - 1)) == 0 &&
                         shared_memory.offset(address) % kWordBytes == 0;
  if (!are_whole || !shared_memory.is_inside(address, bytes)) return false;
  const std::span<SharedWord> words{shared_memory.word(address), bytes / kWordBytes};
  if (writes) return are_plain_writes(words, address, site);
  return std::ranges::all_of(
      words, [&](SharedWord& word) { return is_current(word) && is_plain_read(word, site); });
}

std::span<SharedCell> SharedMemory::cells(std::uintptr_t address, unsigned bytes) {
  const std::size_t first = offset(address), last = first + bytes - 1;
  settle_words(first / kWordBytes, last / kWordBytes + 1);
  return cells_.subspan(first / kCellBytes, last / kCellBytes - first / kCellBytes + 1);
}

void SharedMemory::settle_words(std::size_t first, std::size_t after) {
  for (std::size_t i = first; i < after; ++i) {
    SharedWord& word = words_[i];
    if (word.write.block == 0) continue;
    std::ranges::fill(cells_.subspan(i * kCellsOfWord, kCellsOfWord),
                      SharedCell{word.write, readers_of(word)});
    word.write.block = 0;
  }
}

void SharedMemory::settle_all_words(std::size_t dynamic_bytes) {
  settle_words(0, dynamic_bytes / kWordBytes + 1);
  settle_words(dynamic_.bytes / kWordBytes, words_.size());
}

}  // namespace kv::simt
