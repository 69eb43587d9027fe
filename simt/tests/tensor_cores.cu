// nvcuda::wmma: products of all shapes, types and layouts, compared with plain loops. nvcc compiles
// this file too.

#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++num_wrong;
  std::printf("not so: %s\n", what);
}

template <typename T>
T* to_device(const std::vector<T>& values) {
  T* device;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <typename T>
std::vector<T> to_host(T* device, std::size_t size) {
  std::vector<T> values(size);
  cudaMemcpy(values.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return values;
}

// What a matrix of T has at (row, column): small integers, so that every sum is exact.
template <typename T>
int number_at(int row, int column, int seed) {
  const int least = std::is_unsigned_v<T> ? 0 : -2;
  return (row * 7 + column * 3 + row * column + seed) % 5 + least;
}

// A matrix of these rows and columns in memory, with `ldm` elements from line to line.
template <typename T>
std::vector<T> matrix(int rows, int columns, int ldm, bool is_row_major, int seed) {
  std::vector<T> values(static_cast<std::size_t>(ldm) * (is_row_major ? rows : columns), T(0.0f));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int at = is_row_major ? row * ldm + column : column * ldm + row;
      values[at] = T(static_cast<float>(number_at<T>(row, column, seed)));
    }
  }
  return values;
}

template <int m,
          int n,
          int k,
          typename T,
          typename Stored,
          typename Sum,
          typename LayoutA,
          typename LayoutB>
__global__ void multiply(
    const Stored* a, const Stored* b, Sum* c, int lda, int ldb, int ldc, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> a_part;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> b_part;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  wmma::load_matrix_sync(a_part, a, lda);
  wmma::load_matrix_sync(b_part, b, ldb);
  wmma::load_matrix_sync(sum, c, ldc, layout);
  for (int i = 0; i < 2; ++i) wmma::mma_sync(sum, a_part, b_part, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * Sum(0.5f * 2) + Sum(1.0f);
  wmma::store_matrix_sync(c, sum, ldc, layout);
}

template <int m, int n, int k, typename T, typename Stored, typename Sum, bool a_rows, bool b_rows>
void check_product(const char* what, wmma::layout_t layout) {
  using LayoutA = std::conditional_t<a_rows, wmma::row_major, wmma::col_major>;
  using LayoutB = std::conditional_t<b_rows, wmma::row_major, wmma::col_major>;
  const bool c_rows = layout == wmma::mem_row_major;
  const int lda = 48, ldb = 64, ldc = 40;
  Stored* const a = to_device(matrix<Stored>(m, k, lda, a_rows, 0));
  Stored* const b = to_device(matrix<Stored>(k, n, ldb, b_rows, 1));
  const std::vector<Sum> before = matrix<Sum>(m, n, ldc, c_rows, 2);
  Sum* const c = to_device(before);
  multiply<m, n, k, T, Stored, Sum, LayoutA, LayoutB><<<1, 32>>>(a, b, c, lda, ldb, ldc, layout);
  const std::vector<Sum> after = to_host(c, before.size());
  cudaFree(a);
  cudaFree(b);
  bool is_right = true;
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      int sum = number_at<Sum>(row, column, 2) + 1;
      for (int i = 0; i < k; ++i) {
        sum += 2 * number_at<Stored>(row, i, 0) * number_at<Stored>(i, column, 1);
      }
      const int at = c_rows ? row * ldc + column : column * ldc + row;
      is_right = is_right && static_cast<float>(after[at]) == static_cast<float>(sum);
    }
  }
  expect(is_right, what);
}

template <int m, int n, int k, typename T, typename Stored, typename Sum>
void check_shape(const char* what) {
  check_product<m, n, k, T, Stored, Sum, true, true>(what, wmma::mem_row_major);
  check_product<m, n, k, T, Stored, Sum, true, false>(what, wmma::mem_col_major);
  check_product<m, n, k, T, Stored, Sum, false, true>(what, wmma::mem_row_major);
  check_product<m, n, k, T, Stored, Sum, false, false>(what, wmma::mem_col_major);
}

template <typename T, typename Sum>
void check_large_shapes(const char* what) {
  check_shape<16, 16, 16, T, T, Sum>(what);
  check_shape<32, 8, 16, T, T, Sum>(what);
  check_shape<8, 32, 16, T, T, Sum>(what);
}

// --- through shared memory: two warps, a half of the columns for each

__global__ void multiply_staged(const __half* a, const __half* b, float* c, int k) {
  __shared__ __align__(32) __half a_tile[16 * 16], b_tile[16 * 32];
  __shared__ __align__(32) float sums[2][16 * 16];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b_part;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int first = 0; first < k; first += 16) {
    for (int i = t; i < 16 * 16; i += 64) a_tile[i] = a[i / 16 * k + first + i % 16];
    for (int i = t; i < 16 * 32; i += 64) b_tile[i] = b[first * 32 + i];
    __syncthreads();
    wmma::load_matrix_sync(a_part, a_tile, 16);
    wmma::load_matrix_sync(b_part, b_tile + 16 * warp, 32);
    wmma::mma_sync(sum, a_part, b_part, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(sums[warp], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) c[i / 16 * 32 + 16 * warp + i % 16] = 2 * sums[warp][i];
}

void check_staged() {
  const int k = 64;
  __half* const a = to_device(matrix<__half>(16, k, k, true, 0));
  __half* const b = to_device(matrix<__half>(k, 32, 32, true, 1));
  float* const c = to_device(std::vector<float>(16 * 32));
  multiply_staged<<<1, 64>>>(a, b, c, k);
  const std::vector<float> after = to_host(c, 16 * 32);
  bool is_right = true;
  for (int i = 0; i < 16 * 32; ++i) {
    int sum = 0;
    for (int j = 0; j < k; ++j) {
      sum += 2 * number_at<__half>(i / 32, j, 0) * number_at<__half>(j, i % 32, 1);
    }
    is_right = is_right && after[i] == static_cast<float>(sum);
  }
  expect(is_right, "two warps through shared memory");
  cudaFree(a);
  cudaFree(b);
}

// --- rounding

__global__ void round_products(float* out,
                               const float* in,
                               int* wrapped,
                               const signed char* bytes) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(a, in, 8);
  for (int i = 0; i < a.num_elements; ++i) a.x[i] = wmma::__float_to_tf32(a.x[i]);
  wmma::fill_fragment(b, 1.0f);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);

  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> many;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> grays;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> total;
  wmma::load_matrix_sync(many, bytes, 16);
  wmma::fill_fragment(grays, -45);
  wmma::fill_fragment(total, 2147483647);
  wmma::mma_sync(total, many, grays, total, true);
  wmma::store_matrix_sync(wrapped, total, 16, wmma::mem_row_major);
}

void check_rounding() {
  // 1 + 2^-11 is half way between two values of tf32, and goes up; the second is below it.
  std::vector<float> in(16 * 8, 0.0f);
  in[0] = 1.00048828125f;
  in[8] = 1.0004f;
  float* const device_in = to_device(in);
  float* const out = to_device(std::vector<float>(256));
  signed char* const bytes = to_device(std::vector<signed char>(256, -45));
  int* const wrapped = to_device(std::vector<int>(256));
  round_products<<<1, 32>>>(out, device_in, wrapped, bytes);
  const std::vector<float> sums = to_host(out, 256);
  expect(sums[0] == 1.0009765625f && sums[16] == 1.0f, "tf32 has 10 bits after the point");
  expect(to_host(wrapped, 256)[17] == 2147483647, "satf stops at the largest int");
  cudaFree(device_in);
  cudaFree(bytes);
}

int main() {
  check_large_shapes<__half, float>("half, sum in float");
  check_large_shapes<__half, __half>("half, sum in half");
  check_large_shapes<__nv_bfloat16, float>("bfloat16");
  check_large_shapes<signed char, int>("signed bytes");
  check_large_shapes<unsigned char, int>("unsigned bytes");
  check_shape<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
  check_shape<8, 8, 4, double, double, double>("double");
  check_staged();
  check_rounding();
  if (num_wrong == 0) std::puts("all as the guide says");
  return num_wrong;
}
