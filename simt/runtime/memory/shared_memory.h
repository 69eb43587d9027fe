#pragma once
// The shared memory of a block, and the checks of an access to it: for those of a write, who has
// read a cell before.

#include <optional>
#include <span>
#include <vector>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/memory/access.h"
#include "simt/runtime/memory/program_image.h"
#include "simt/runtime/memory/shared_words.h"

namespace kv::simt {

// The threads that have read a cell in the current epoch: lanes of one warp, and one thread of
// another warp. A write needs no more to find a thread that may still be reading. To name the place
// where that thread read, the lanes of one place are kept, and one lane of another place.
struct Readers {
  std::uint32_t block;
  std::uint16_t epoch, warp;
  std::uint32_t lanes, lanes_at_site;
  std::uint16_t clock;  // the oldest
  std::uint16_t site;   // the first
  Stamp elsewhere;      // a lane that read at another place; block 0: none
  Stamp other;          // block 0: none
};

inline bool are_current(const Readers& readers) {
  return readers.block == machine.block_number && readers.epoch == machine.epoch;
}

void add_reader(Readers& readers, const MemoryAccess& access);

// A thread that may still be reading.
std::optional<Stamp> unordered_reader(const Readers& readers);

inline constexpr std::size_t kMaxSharedBytes = 163 * 1024;  // the most in a block, as on an A100
inline constexpr std::size_t kReservedSharedBytes = 1024;   // that CUDA takes of each block
inline constexpr std::size_t kSharedBytes = 48 * 1024;      // unless the kernel asks for more

struct SharedCell {
  Stamp write;
  Readers readers;
};

// The shared memory of a block that waits for others.
struct SharedContents {
  std::vector<std::byte> dynamic, arrays;
  std::vector<SharedCell> dynamic_cells, array_cells;
};

class SharedMemory {
 public:
  void start();  // before the first launch

  bool contains(std::uintptr_t address) const {
    return arrays_.contains(address) || dynamic_.contains(address);
  }
  bool is_dynamic(std::uintptr_t address) const { return dynamic_.contains(address); }
  Range dynamic() const { return {dynamic_.first, machine.shape.shared_bytes}; }
  // Whether an index that nothing has written leads from dynamic memory to this address.
  bool is_far_from_dynamic(std::uintptr_t address) const {
    return machine.shape.shared_bytes > 0 && is_at_pattern(dynamic_.first, address);
  }
  // The offset of an address, counted through both parts.
  std::size_t offset(std::uintptr_t address) const {
    return dynamic_.contains(address) ? address - dynamic_.first
                                      : dynamic_.bytes + (address - arrays_.first);
  }
  // The address that PTX has, see simt/address_spaces.h. Why from a multiple of 1024: programs
  // change single bits of it.
  std::uint64_t offset_in_window(std::uintptr_t address) const {
    return dynamic_.contains(address) ? address - dynamic_.first
                                      : dynamic_.bytes + (address - arrays_.first / 1024 * 1024);
  }
  std::uintptr_t address_in_window(std::uint64_t offset) const {
    return offset < dynamic_.bytes ? dynamic_.first + offset
                                   : arrays_.first / 1024 * 1024 + (offset - dynamic_.bytes);
  }
  SharedWord* word(std::uintptr_t address) { return &words_[offset(address) / kWordBytes]; }
  // The cells of these bytes; what their words have is moved there.
  std::span<SharedCell> cells(std::uintptr_t address, unsigned bytes);
  // The __shared__ array at this address; nullptr: none.
  const Symbol* array_at(std::uintptr_t address) const {
    return arrays_.contains(address) ? owners_[address - arrays_.first] : nullptr;
  }
  // Whether all of these bytes are in one array, or in the launch's dynamic memory.
  bool is_inside(std::uintptr_t address, unsigned bytes) const {
    if (is_dynamic(address)) return offset(address) + bytes <= machine.shape.shared_bytes;
    const Symbol* const array = array_at(address);
    return array != nullptr && !array->is_guard && address + bytes <= array->address + array->bytes;
  }
  // The array nearest to an address beside all arrays or between two; one that this block has
  // written, if there are any. nullptr: it is far away.
  const Symbol* array_beside(std::uintptr_t address) const;
  // A variable that g++ adds, see Symbol: no access of the kernel's own.
  bool is_guard(std::uintptr_t address) const {
    const Symbol* const array = array_at(address);
    return array != nullptr && array->is_guard;
  }
  // A block begins: nothing is written.
  void fill();
  // The block's launch begins, and has ended: thread_local variables of the host keep their values.
  void save_host_values();
  void restore_host_values();
  // By a thread of this block.
  bool is_written(std::uintptr_t address);

  // The bytes of all arrays that blocks have written to, from this block on.
  std::size_t bytes_used_since(std::uint32_t block_number) const;

  // "shared array 'tile'", "dynamic shared memory"
  std::string name_at(std::uintptr_t address) const;

  SharedContents contents(std::size_t dynamic_bytes);
  void set_contents(const SharedContents& contents);

 private:
  // Blocks have written to the array, from this one on.
  bool is_used_since(std::uint32_t block_number, const Symbol& array) const;
  void settle_words(std::size_t first, std::size_t after);
  void settle_all_words(std::size_t dynamic_bytes);

  Range arrays_, dynamic_;
  std::span<SharedCell> cells_;  // zeros at first: no thread has read or written
  std::span<SharedWord> words_;
  std::vector<const Symbol*> owners_;  // the array that has each byte of arrays_
  std::vector<std::byte> host_values_;
};

// Whether a struct at this address is written except for its padding.
bool is_padding_in_shared(std::uintptr_t address, std::size_t bytes);

extern SharedMemory shared_memory;

// Checks an access: is it in bounds, aligned, initialized, and ordered after other accesses to the
// same bytes?
void access_shared(const MemoryAccess& access);

// Whether that is plain: nobody but this thread has written the bytes since the last barrier, and
// if it writes, nobody else has read them. Then this is all that access_shared does.
bool is_plain_in_shared(const MemoryAccess& access);
// The same for an aligned access to whole words, if they can say what happened. Most accesses are
// of this kind, and this is what each of them costs.
bool are_plain_words(std::uintptr_t address, unsigned bytes, bool writes, std::uint16_t site);
[[gnu::always_inline]] inline bool is_plain_in_words(std::uintptr_t address,
                                                     unsigned bytes,
                                                     bool writes,
                                                     std::uint16_t site) {
  if (bytes != kWordBytes) return are_plain_words(address, bytes, writes, site);
  const bool is_word = ((address | shared_memory.offset(address)) & (kWordBytes - 1)) == 0;
  SharedWord& word = *shared_memory.word(address);
  if (!is_word || !is_current(word)) return are_plain_words(address, bytes, writes, site);
  return writes ? is_plain_write(word, site) : is_plain_read(word, site);
}

// An access that shared memory does not allow, or one beside its arrays.
[[noreturn]] void report_out_of_shared(const MemoryAccess& access);

}  // namespace kv::simt
