// Tiles of tensor cores: what simt/tiles.h declares.

#include <cstring>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/warp_calls.h"
#include "simt/runtime/hooks.h"
#include "simt/tiles.h"

namespace kv::simt {
namespace {

constexpr unsigned kAllLanes = 0xffffffff;
constexpr unsigned kRowBytes = 16;  // a leading dimension is a multiple of this many

void refuse(Kind kind, Site site, const std::string& what) {
  const PauseChecks pause;
  fail(cudaErrorMisalignedAddress, {.kind = kind, .site = site, .what = what});
}

// Waits for all lanes. They have to give the same address and leading dimension.
void begin(const TileInMemory& memory, Site site) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.first);
  warp_op_at(site, WarpOp::kTile, kAllLanes, address, static_cast<int>(memory.leading_dimension),
             32);
  const std::string call = memory.call;
  if (address % memory.alignment != 0) {
    refuse(Kind::kMisaligned, site,
           call + " needs an address that is a multiple of " + std::to_string(memory.alignment) +
               " for this fragment, and this one is " + std::to_string(address % memory.alignment) +
               " bytes beyond one");
  }
  const unsigned row_bytes = memory.leading_dimension * memory.element_bytes;
  if (row_bytes % kRowBytes == 0) return;
  refuse(Kind::kTileCall, site,
         call + " has a leading dimension of " + std::to_string(memory.leading_dimension) +
             " elements, which are " + std::to_string(row_bytes) +
             " bytes: it has to be a multiple of 16 bytes");
}

// Visits the pieces of memory that hold this lane's elements: the first element, address, elements.
template <typename Visit>
void for_each_piece(const TileInMemory& memory, Visit visit) {
  const Tile& tile = memory.tile;
  const int lane = static_cast<int>(self().lane);
  const int length = memory.has_whole_lines ? tile.run : 1;
  for (int i = 0; i < tile.elements_of_lane(); i += length) {
    const auto line = static_cast<std::size_t>(tile.line(lane, i));
    const auto place = static_cast<std::size_t>(tile.place_in_line(lane, i));
    const std::size_t element = memory.has_whole_lines ? line * memory.leading_dimension + place
                                                       : place * memory.leading_dimension + line;
    visit(static_cast<std::size_t>(i) * memory.element_bytes, element * memory.element_bytes,
          static_cast<unsigned>(length) * memory.element_bytes);
  }
}

}  // namespace

void load_tile(const TileInMemory& from, void* share) {
  const Site site = __builtin_return_address(0);
  begin(from, site);
  for_each_piece(from, [&](std::size_t to, std::size_t offset, unsigned bytes) {
    const auto* const piece = static_cast<const std::byte*>(from.first) + offset;
    access(piece, bytes, Access::kRead, site);
    std::memcpy(static_cast<std::byte*>(share) + to, piece, bytes);
  });
}

void store_tile(const TileInMemory& to, const void* share) {
  const Site site = __builtin_return_address(0);
  begin(to, site);
  for_each_piece(to, [&](std::size_t from, std::size_t offset, unsigned bytes) {
    auto* const piece = static_cast<std::byte*>(const_cast<void*>(to.first)) + offset;
    access(piece, bytes, Access::kWrite, site);
    std::memcpy(piece, static_cast<const std::byte*>(share) + from, bytes);
  });
}

void multiply_tiles(const TileProduct& product) {
  warp_op_at(__builtin_return_address(0), WarpOp::kTileProduct, kAllLanes,
             reinterpret_cast<std::uintptr_t>(&product), 0, 32);
}

void load_matrices(const void* row,
                   unsigned num_matrices,
                   bool is_transposed,
                   std::uint32_t* words) {
  const Site site = __builtin_return_address(0);
  MatrixRow mine = {{}, num_matrices, is_transposed, words};
  if (self().lane < 8 * num_matrices) {
    access(row, sizeof mine.elements, Access::kRead, site);
    std::memcpy(mine.elements.data(), row, sizeof mine.elements);
  }
  warp_op_at(site, WarpOp::kMatrixRows, kAllLanes, reinterpret_cast<std::uintptr_t>(&mine), 0, 32);
}

void report_unset_fragment(const char* what) {
  const PauseChecks pause;
  findings.add({.kind = Kind::kUninitialized,
                .site = __builtin_return_address(0),
                .what = "the fragment of " + std::string(what) +
                        " has no values: fill_fragment or load_matrix_sync has to come first"});
}

}  // namespace kv::simt
