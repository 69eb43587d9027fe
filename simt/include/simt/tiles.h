#pragma once
// Tiles of matrices that the lanes of a warp share, as tensor cores multiply them.

#include <cstdint>

#include "simt/sync.h"

namespace kv::simt {

// A tile is lines of elements: rows of A and of the accumulator, columns of B. CUDA does not say
// which lane has which element. Here it is as in mma.sync of sm_80: in each block of 8 lines, four
// lanes share a line, and each has `run` neighbors of it.
struct Tile {
  int num_lines, line_length;
  int run;

  constexpr int elements_of_lane() const { return num_lines * line_length / 32; }
  constexpr int line(int lane, int element) const {
    return element / run % (num_lines / 8) * 8 + lane / 4;
  }
  constexpr int place_in_line(int lane, int element) const {
    return (element / run / (num_lines / 8) * 4 + lane % 4) * run + element % run;
  }
};

// Where a tile is in memory. The elements of a line are side by side, or else those of all lines
// with the same place; the others are `leading_dimension` elements apart.
struct TileInMemory {
  const char* call;  // "load_matrix_sync"
  Tile tile;
  const void* first;
  unsigned leading_dimension;
  bool has_whole_lines;
  unsigned element_bytes;
  unsigned alignment;  // that the address needs
};

// Each lane copies its elements. `share` is an array of them.
KV_SIMT_CONVERGENT void load_tile(const TileInMemory& from, void* share);
KV_SIMT_CONVERGENT void store_tile(const TileInMemory& to, const void* share);

// The shares of one lane in c += a * b. Why double: products of halves, of tf32 and of bytes are
// exact in it, and a sum is rounded once, to the type of the accumulator.
struct TileProduct {
  Tile a, b, c;
  const double *a_share, *b_share;
  double* c_share;
};
KV_SIMT_CONVERGENT void multiply_tiles(const TileProduct& product);

// Matrices of 8 rows of 16 bytes in shared memory: lane 8i + j gives the address of row j of matrix
// i. Of each matrix lane 4j + k gets the elements 2k and 2k + 1 of row j, or of column j if it is
// transposed, in a word.
KV_SIMT_CONVERGENT void load_matrices(const void* row,
                                      unsigned num_matrices,
                                      bool is_transposed,
                                      std::uint32_t* words);

// A fragment is used that was never filled.
void report_unset_fragment(const char* what);

}  // namespace kv::simt
