#include "simt/runtime/core/warp_calls.h"
#include "simt/tiles.h"

namespace kv::simt {
namespace {

constexpr std::size_t kMaxLines = 32, kMaxLength = 32;
using Matrix = std::array<std::array<double, kMaxLength>, kMaxLines>;

const TileProduct& product_of(const WarpCall& call, unsigned lane) {
  return *reinterpret_cast<const TileProduct*>(call.values[lane]);
}

template <typename Share, typename Visit>
void for_each_element(const WarpCall& call, Tile TileProduct::*tile, Share share, Visit visit) {
  for_each_lane(call.arrived, [&](unsigned lane) {
    const TileProduct& product = product_of(call, lane);
    const Tile& shape = product.*tile;
    for (int i = 0; i < shape.elements_of_lane(); ++i) {
      const auto line = static_cast<std::size_t>(shape.line(static_cast<int>(lane), i));
      const auto place = static_cast<std::size_t>(shape.place_in_line(static_cast<int>(lane), i));
      visit((product.*share)[i], line, place);
    }
  });
}

template <typename Share>
Matrix gather(const WarpCall& call, Tile TileProduct::*tile, Share share) {
  Matrix matrix = {};
  for_each_element(call, tile, share, [&](double value, std::size_t line, std::size_t place) {
    matrix[line][place] = value;
  });
  return matrix;
}

}  // namespace

void multiply_shares(const WarpCall& call) {
  const Matrix a = gather(call, &TileProduct::a, &TileProduct::a_share);
  const Matrix b = gather(call, &TileProduct::b, &TileProduct::b_share);
  for_each_element(call, &TileProduct::c, &TileProduct::c_share,
                   [&](double& sum, std::size_t row, std::size_t column) {
                     for (std::size_t i = 0; i < kMaxLength; ++i) sum += a[row][i] * b[column][i];
                   });
}

void hand_out_rows(const WarpCall& call) {
  const auto element = [&](unsigned lane, unsigned place) -> std::uint32_t {
    const bool has_come = (call.arrived >> lane & 1) != 0;
    return has_come ? reinterpret_cast<MatrixRow*>(call.values[lane])->elements[place] : 0;
  };
  for_each_lane(call.arrived, [&](unsigned lane) {
    const MatrixRow& mine = *reinterpret_cast<MatrixRow*>(call.values[lane]);
    const unsigned line = lane / 4, place = lane % 4 * 2;
    for (unsigned i = 0; i < mine.num_matrices; ++i) {
      const unsigned first_row = 8 * i;
      mine.words[i] =
          mine.is_transposed
              ? element(first_row + place, line) | element(first_row + place + 1, line) << 16
              : element(first_row + line, place) | element(first_row + line, place + 1) << 16;
    }
  });
}

}  // namespace kv::simt
