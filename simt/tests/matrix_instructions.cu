// mma, ldmatrix and cp.async as inline PTX: products of all shapes and types, and a product in
// tiles with two stages in flight, compared with plain loops. nvcc compiles this file too.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <vector>

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++num_wrong;
  std::printf("not so: %s\n", what);
}

template <typename T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : size_(values.size()) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(data_); }
  operator T*() const { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> values(size_);
    cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  std::size_t size_;
  T* data_;
};

// Small integers, so that every sum is exact.
template <typename T>
std::vector<T> numbers(int count, int seed) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) values.push_back(T(float((i * 7 + i / 5 + seed) % 5)));
  return values;
}

// Row i of A times row j of B, plus C.
template <typename T, typename Sum>
bool is_product(const std::vector<T>& a,
                const std::vector<T>& b,
                const std::vector<Sum>& c,
                const std::vector<Sum>& d,
                int m,
                int n,
                int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = double(float(c[i * n + j]));
      for (int l = 0; l < k; ++l) sum += double(float(a[i * k + l])) * double(float(b[j * k + l]));
      if (!(double(float(d[i * n + j])) == sum)) return false;
    }
  }
  return true;
}

// The register of a lane that holds the elements from this one on.
template <typename Register, typename T>
__device__ Register at(const T* element) {
  return *reinterpret_cast<const Register*>(element);
}

// The manual's figures: lane 4g + t has the elements of row g, or g + 8, from column t * E on, or
// 4E further, where a register holds E elements.
template <typename Mma, typename T, typename Sum>
__global__ void multiply(const T* a, const T* b, const Sum* c, Sum* d) {
  using Register = typename Mma::Register;
  constexpr int kElements = sizeof(Register) / sizeof(T), kNumSums = Mma::m / 4, n = 8;
  constexpr int kNumA = Mma::m * Mma::k / 32 / kElements, kNumB = n * Mma::k / 32 / kElements;
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  Register a_part[kNumA], b_part[kNumB];
  for (int i = 0; i < kNumA; ++i) {
    const int row = g + i % (Mma::m / 8) * 8;
    const int column = i / (Mma::m / 8) * 4 * kElements + t * kElements;
    a_part[i] = at<Register>(a + row * Mma::k + column);
  }
  for (int i = 0; i < kNumB; ++i) {
    b_part[i] = at<Register>(b + g * Mma::k + i * 4 * kElements + t * kElements);
  }
  Sum sums[kNumSums];
  for (int i = 0; i < kNumSums; ++i) sums[i] = c[(g + i / 2 * 8) * n + 2 * t + i % 2];
  Mma::run(sums, a_part, b_part);
  for (int i = 0; i < kNumSums; ++i) d[(g + i / 2 * 8) * n + 2 * t + i % 2] = sums[i];
}

struct Half16 {
  using Register = uint32_t;
  static constexpr int m = 16, k = 16;
  __device__ static void run(float (&s)[4], const Register (&a)[4], const Register (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Bfloat16 {
  using Register = uint32_t;
  static constexpr int m = 16, k = 16;
  __device__ static void run(float (&s)[4], const Register (&a)[4], const Register (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Half8 {
  using Register = uint32_t;
  static constexpr int m = 16, k = 8;
  __device__ static void run(float (&s)[4], const Register (&a)[2], const Register (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\n"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};

struct Tf32 {
  using Register = uint32_t;
  static constexpr int m = 16, k = 8;
  __device__ static void run(float (&s)[4], const Register (&a)[4], const Register (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Tf32Of4 {
  using Register = uint32_t;
  static constexpr int m = 16, k = 4;
  __device__ static void run(float (&s)[4], const Register (&a)[2], const Register (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\n"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};

struct Bytes32 {
  using Register = uint32_t;
  static constexpr int m = 16, k = 32;
  __device__ static void run(int (&s)[4], const Register (&a)[4], const Register (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct UnsignedBytes {
  using Register = uint32_t;
  static constexpr int m = 16, k = 16;
  __device__ static void run(int (&s)[4], const Register (&a)[2], const Register (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\n"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};

struct SmallBytes {
  using Register = uint32_t;
  static constexpr int m = 8, k = 16;
  __device__ static void run(int (&s)[2], const Register (&a)[1], const Register (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 "
        "{%0, %1}, {%2}, {%3}, {%0, %1};\n"
        : "+r"(s[0]), "+r"(s[1])
        : "r"(a[0]), "r"(b[0]));
  }
};

struct Double {
  using Register = double;
  static constexpr int m = 8, k = 4;
  __device__ static void run(double (&s)[2], const Register (&a)[1], const Register (&b)[1]) {
    asm volatile(
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1}, {%2}, {%3}, {%0, %1};\n"
        : "+d"(s[0]), "+d"(s[1])
        : "d"(a[0]), "d"(b[0]));
  }
};

template <typename Mma, typename T, typename Sum>
void check_product(const char* what) {
  const auto a = numbers<T>(Mma::m * Mma::k, 1), b = numbers<T>(8 * Mma::k, 2);
  const auto c = numbers<Sum>(Mma::m * 8, 3);
  const Device<T> device_a(a), device_b(b);
  const Device<Sum> sums(c);
  multiply<Mma, T, Sum><<<1, 32>>>(device_a, device_b, sums, sums);
  expect(cudaDeviceSynchronize() == cudaSuccess, what);
  expect(is_product(a, b, c, sums.to_host(), Mma::m, 8, Mma::k), what);
}

// 16 x 8 numbers of C from tiles of 16 columns of A and 16 rows of B, which arrive in two stages.
constexpr int kTile = 16, kWide = 8, kTiles = 5;

__device__ void copy_16_bytes(void* to, const void* from, bool is_wanted) {
  const uint32_t place = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile(
      "{ .reg .pred p;\n"
      "  setp.ne.b32 p, %2, 0;\n"
      "  @p cp.async.cg.shared.global.L2::128B [%0], [%1], 16; }\n" ::"r"(place),
      "l"(from), "r"((int)is_wanted));
}

// A has 16 rows of `length`; B has `length` rows of 8, so its tile is transposed on the way.
__global__ void multiply_in_tiles(const __half* a, const __half* b, float* c, int length) {
  __shared__ __align__(128) __half a_tile[2][kTile][kTile], b_tile[2][kTile][kWide];
  const int lane = threadIdx.x;
  const auto start = [&](int tile) {
    const int first = tile * kTile, row = lane / 2, column = lane % 2 * 8, stage = tile % 2;
    copy_16_bytes(&a_tile[stage][row][column], a + row * length + first + column, tile < kTiles);
    const bool has_row_of_b = tile < kTiles && lane < kTile;
    copy_16_bytes(b_tile[stage][lane % kTile], b + (first + lane % kTile) * kWide, has_row_of_b);
    asm volatile("cp.async.commit_group;\n" ::);
  };
  float sums[4] = {};
  start(0);
  for (int tile = 0; tile < kTiles; ++tile) {
    start(tile + 1);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
    __syncthreads();
    uint32_t a_part[4], b_part[2], address;
    asm("{ .reg .u64 whole; cvta.to.shared.u64 whole, %1; cvt.u32.u64 %0, whole; }"
        : "=r"(address)
        : "l"(&a_tile[tile % 2][lane % 16][lane / 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(a_part[0]), "=r"(a_part[1]), "=r"(a_part[2]), "=r"(a_part[3])
                 : "r"(address));
    address = static_cast<uint32_t>(__cvta_generic_to_shared(b_tile[tile % 2][lane % 16]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(b_part[0]), "=r"(b_part[1])
                 : "r"(address));
    Half16::run(sums, a_part, b_part);
    __syncthreads();
  }
  const int row = lane / 4, column = lane % 4 * 2;
  for (int i = 0; i < 4; ++i) c[(row + i / 2 * 8) * kWide + column + i % 2] = sums[i];
}

void check_tiles() {
  constexpr int kLength = kTiles * kTile;
  const auto a = numbers<__half>(kTile * kLength, 4), b = numbers<__half>(kLength * kWide, 5);
  std::vector<__half> columns_of_b(b.size());
  for (int i = 0; i < kLength * kWide; ++i) columns_of_b[i % kWide * kLength + i / kWide] = b[i];
  const Device<__half> device_a(a), device_b(b);
  const Device<float> c(std::vector<float>(kTile * kWide));
  multiply_in_tiles<<<1, 32>>>(device_a, device_b, c, kLength);
  expect(cudaDeviceSynchronize() == cudaSuccess, "tiles");
  expect(is_product(a, columns_of_b, std::vector<float>(kTile * kWide), c.to_host(), kTile, kWide,
                    kLength),
         "a product in tiles");
}

int main() {
  check_product<Half16, __half, float>("halves");
  check_product<Bfloat16, __nv_bfloat16, float>("bfloat16");
  check_product<Half8, __half, float>("halves, 8 at a time");
  check_product<Tf32, float, float>("tf32");
  check_product<Tf32Of4, float, float>("tf32, 4 at a time");
  check_product<Bytes32, signed char, int>("bytes");
  check_product<UnsignedBytes, unsigned char, int>("unsigned bytes");
  check_product<SmallBytes, signed char, int>("bytes, 8 rows");
  check_product<Double, double, double>("doubles");
  check_tiles();
  std::puts(num_wrong == 0 ? "all as the manual of PTX says" : "wrong");
  return num_wrong;
}
