#include "simt/runtime/memory/shared_memory.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/held_races.h"
#include "simt/runtime/core/map_memory.h"
#include "simt/runtime/memory/async_copies.h"
#include "simt/runtime/memory/padding.h"

namespace kv::simt {
namespace {

// What the host's libraries keep beside the static arrays: nothing else can lie so near. Before
// them there is less, and a large block of malloc may follow.
constexpr std::size_t kBytesBefore = 1024, kBytesAfter = 16 * 1024;

alignas(1024) std::byte dynamic_memory[kMaxSharedBytes];

[[noreturn]] void report_misaligned(const MemoryAccess& access) {
  const PauseChecks pause;
  fail(cudaErrorMisalignedAddress,
       finding_of(Kind::kMisaligned, access, "shared",
                  " of " + shared_memory.name_at(access.address) +
                      ", at an address that is not a multiple of " + std::to_string(access.bytes)));
}

// How many bytes are between an address and an array; 0: none.
std::size_t gap(const Symbol& array, std::uintptr_t address) {
  const std::uintptr_t end = array.address + array.bytes;
  return address < array.address ? array.address - address : address - std::min(address, end);
}

void report_uninitialized(const MemoryAccess& access) {
  const PauseChecks pause;
  findings.add(finding_of(Kind::kUninitialized, access, "shared",
                          " at " + shared_memory.name_at(access.address) +
                              ", which no thread of this block has written"));
}

// Checks a read that the cells call uninitialized.
void check_unwritten(const MemoryAccess& access) {
  if (machine.is_copying_padding) return;
  for (unsigned i = 0; i < access.bytes; ++i) {
    if (shared_memory.is_written(access.address + i)) continue;
    if (!is_padding_in_shared(access.address, access.bytes)) report_uninitialized(access);
    return;
  }
}

Finding race_of(const MemoryAccess& access, const Stamp& other, const char* what) {
  Finding race = finding_of(Kind::kSharedRace, access, "shared",
                            " at " + shared_memory.name_at(access.address));
  race.notes = {note_of(other, what)};
  race.is_of_barrier = access.is_of_barrier;
  return race;
}

bool races_with_write(const MemoryAccess& access, const Stamp& write) {
  const bool overlaps = write.block == machine.block_number && (write.bytes & access.cell_bytes());
  const bool are_atomic = access.is_atomic() && write.is_atomic;
  return overlaps && !are_atomic && !happens_before(write);
}

// Returns whether there is a race.
bool check_writer(const MemoryAccess& access, const Stamp& write) {
  if (!races_with_write(access, write)) return false;
  const PauseChecks pause;
  const char* const what = write.is_atomic ? "updates them here" : "writes them here";
  add_race(access, write, race_of(access, write, what));
  return true;
}

bool check_readers(const MemoryAccess& access, const Readers& readers) {
  // Which of the two bytes a reader read is not kept.
  if (!access.writes() || access.bytes < kCellBytes) return false;
  const std::optional<Stamp> reader = unordered_reader(readers);
  if (!reader) return false;
  const PauseChecks pause;
  Finding race = race_of(access, *reader, "reads them here");
  const bool is_harmless =
      access.kind == Access::kAtomic && begins_cas_loop(sites.site(reader->site));
  if (is_harmless) race.kind = Kind::kReadBeforeCas;
  findings.add(std::move(race));
  return true;
}

// Why both: a race of two writes may do no harm, and one with a reader does.
void check_cells(const MemoryAccess& access, std::span<const SharedCell> cells) {
  const bool has_race = std::ranges::any_of(
      cells, [&](const SharedCell& cell) { return check_writer(access, cell.write); });
  if (has_race && access.kind != Access::kWrite) return;
  std::ranges::any_of(cells,
                      [&](const SharedCell& cell) { return check_readers(access, cell.readers); });
}

void check_race(const MemoryAccess& access) {
  const std::span<SharedCell> cells = shared_memory.cells(access.address, access.bytes);
  check_cells(access, cells);
  const bool is_initialized = std::ranges::all_of(
      cells, [](const SharedCell& cell) { return cell.write.block == machine.block_number; });
  if (access.reads() && !is_initialized) check_unwritten(access);
  if (access.kind == Access::kAtomicRead) return;  // no atomic write races with it
  if (!access.writes()) {
    for (SharedCell& cell : cells) add_reader(cell.readers, access);
    return;
  }
  const Stamp now =
      stamp_now(access.site_number, access.cell_bytes(), access.is_atomic(), access.is_volatile);
  for (SharedCell& cell : cells) cell.write = now;
}

}  // namespace

SharedMemory shared_memory;

void* dynamic_shared() {
  return dynamic_memory;
}

void SharedMemory::start() {
  dynamic_ = {reinterpret_cast<std::uintptr_t>(dynamic_memory), kMaxSharedBytes};
  arrays_ = program_image().thread_locals();
  const std::size_t num_words = (dynamic_.bytes + arrays_.bytes) / kWordBytes + 1;
  const std::size_t num_cells = num_words * (kWordBytes / kCellBytes);
  cells_ = {reinterpret_cast<SharedCell*>(map_memory(num_cells * sizeof(SharedCell))), num_cells};
  words_ = {reinterpret_cast<SharedWord*>(map_memory(num_words * sizeof(SharedWord))), num_words};
  owners_.resize(arrays_.bytes);
  for (const Symbol& array : program_image().shared_arrays()) {
    const auto first = owners_.begin() + static_cast<std::ptrdiff_t>(array.address - arrays_.first);
    std::fill_n(first, array.bytes, &array);
  }
}

void SharedMemory::fill() {
  kv::simt::fill(dynamic_memory, machine.shape.shared_bytes);
  for (const Symbol& array : program_image().shared_arrays()) {
    if (!array.is_guard) kv::simt::fill(reinterpret_cast<void*>(array.address), array.bytes);
  }
}

void SharedMemory::save_host_values() {
  const auto* const first = reinterpret_cast<const std::byte*>(arrays_.first);
  host_values_.assign(first, first + arrays_.bytes);
}

void SharedMemory::restore_host_values() {
  std::memcpy(reinterpret_cast<void*>(arrays_.first), host_values_.data(), arrays_.bytes);
}

bool SharedMemory::is_written(std::uintptr_t address) {
  const auto is_recorded = [this](std::uintptr_t at) {
    return cells(at, 1).front().write.block == machine.block_number;
  };
  return is_recorded(address) || is_word_changed(address, true, is_recorded);
}

bool SharedMemory::is_used_since(std::uint32_t block_number, const Symbol& array) const {
  const auto is_written_since = [&](const auto& one) { return one.write.block >= block_number; };
  const std::size_t first = offset(array.address), after = first + array.bytes;
  const auto part = [&](const auto& all, unsigned bytes) {
    return all.subspan(first / bytes, after / bytes - first / bytes);
  };
  return !array.is_guard && (std::ranges::any_of(part(cells_, kCellBytes), is_written_since) ||
                             std::ranges::any_of(part(words_, kWordBytes), is_written_since));
}

std::size_t SharedMemory::bytes_used_since(std::uint32_t block_number) const {
  std::size_t bytes = 0;
  for (const Symbol& array : program_image().shared_arrays()) {
    if (is_used_since(block_number, array)) bytes += array.bytes;
  }
  return bytes;
}

std::string SharedMemory::name_at(std::uintptr_t address) const {
  if (is_dynamic(address)) {
    return "byte " + std::to_string(offset(address)) + " of dynamic shared memory";
  }
  const Symbol* const array = array_at(address);
  if (array == nullptr) return "shared memory";
  return "byte " + std::to_string(address - array->address) + " of shared array '" + array->name +
         "'";
}

const Symbol* SharedMemory::array_beside(std::uintptr_t address) const {
  const Range around{arrays_.first - kBytesBefore, kBytesBefore + arrays_.bytes + kBytesAfter};
  if (!around.contains(address)) return nullptr;
  const auto rank = [&](const Symbol& array) {
    const bool is_used = is_used_since(machine.block_number, array);
    return std::tuple(array.is_guard, !is_used, gap(array, address));
  };
  const std::vector<Symbol>& arrays = program_image().shared_arrays();
  const auto best = std::ranges::min_element(arrays, {}, rank);
  return best == arrays.end() || best->is_guard ? nullptr : &*best;
}

bool is_padding_in_shared(std::uintptr_t address, std::size_t bytes) {
  const Symbol* const array = shared_memory.array_at(address);
  if (array == nullptr && !shared_memory.is_dynamic(address)) return false;
  const Span all =
      array != nullptr
          ? Span{array->address, array->address + array->bytes}
          : Span{reinterpret_cast<std::uintptr_t>(dynamic_memory),
                 reinterpret_cast<std::uintptr_t>(dynamic_memory) + machine.shape.shared_bytes};
  return address + bytes <= all.end &&
         is_only_padding({address, address + bytes}, all,
                         [](std::size_t at) { return shared_memory.is_written(at); });
}

SharedContents SharedMemory::contents(std::size_t dynamic_bytes) {
  settle_all_words(dynamic_bytes);
  const auto* const arrays = reinterpret_cast<const std::byte*>(arrays_.first);
  const auto cells = cells_.begin();
  const auto first_of_arrays = cells + static_cast<std::ptrdiff_t>(dynamic_.bytes / kCellBytes);
  const auto num_dynamic = static_cast<std::ptrdiff_t>((dynamic_bytes + 1) / kCellBytes);
  return {{dynamic_memory, dynamic_memory + dynamic_bytes},
          {arrays, arrays + arrays_.bytes},
          {cells, cells + num_dynamic},
          {first_of_arrays, cells_.end()}};
}

void SharedMemory::set_contents(const SharedContents& contents) {
  settle_all_words(contents.dynamic.size());
  std::ranges::copy(contents.dynamic, dynamic_memory);
  std::ranges::copy(contents.arrays, reinterpret_cast<std::byte*>(arrays_.first));
  std::ranges::copy(contents.dynamic_cells, cells_.begin());
  std::ranges::copy(contents.array_cells,
                    cells_.begin() + static_cast<std::ptrdiff_t>(dynamic_.bytes / kCellBytes));
}

void report_out_of_shared(const MemoryAccess& access) {
  const PauseChecks pause;
  Finding finding = finding_of(Kind::kOutOfBounds, access, "shared", "");
  if (shared_memory.is_dynamic(access.address)) {
    finding.what += " at byte " + std::to_string(shared_memory.offset(access.address)) +
                    " of dynamic shared memory, and the launch asked for " +
                    std::to_string(machine.shape.shared_bytes) + " bytes";
  } else if (const Symbol* const array = shared_memory.array_beside(access.address)) {
    finding.what += " " + place_in({array->address, array->bytes}, access.address) +
                    "shared array '" + array->name + "' of " + std::to_string(array->bytes) +
                    " bytes";
  } else if (shared_memory.is_far_from_dynamic(access.address)) {
    finding.what +=
        " " + place_in(shared_memory.dynamic(), access.address) + "dynamic shared memory";
  }
  fail(cudaErrorIllegalAddress, std::move(finding));
}

void access_shared(const MemoryAccess& access) {
  if (!shared_memory.is_inside(access.address, access.bytes)) report_out_of_shared(access);
  if (!access.is_aligned()) report_misaligned(access);
  if (access.is_atomic()) order_by_atomic(access.address, access.reads(), access.writes());
  if (!is_unfinished(access)) check_race(access);
}

}  // namespace kv::simt
