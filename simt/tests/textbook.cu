// Access patterns whose cost every textbook gives. The comment after an access says what the
// profiler has to count for it, exactly; `./lab test` compares. One warp runs all of it.
//
// A sector is a piece of 32 bytes that a request touches. A wavefront is one pass over the 32 banks
// of 4 bytes; 8-byte accesses are made by half warps, 16-byte accesses by quarters.
#include <cstdio>

__global__ void global_loads(const float* a,
                             const float2* a2,
                             const float4* a4,
                             const double* a8,
                             const unsigned short* a16,
                             const unsigned char* bytes,
                             const int* scattered,
                             float* out) {
  const int lane = threadIdx.x;
  float sum = 0;
  sum += a[lane];                          // read global: 1 request, 32 lanes, 4 sectors
  sum += a[lane + 33];                     // read global: 1 request, 32 lanes, 5 sectors
  sum += a[95 - lane];                     // read global: 1 request, 32 lanes, 4 sectors
  sum += a[2 * lane];                      // read global: 1 request, 32 lanes, 8 sectors
  sum += a[8 * lane];                      // read global: 1 request, 32 lanes, 32 sectors
  sum += a[32 * lane];                     // read global: 1 request, 32 lanes, 32 sectors
  sum += a[lane / 4];                      // read global: 1 request, 32 lanes, 1 sector
  sum += a[7];                             // read global: 1 request, 32 lanes, 1 sector
  const int where = scattered[lane];       // read global: 1 request, 32 lanes, 4 sectors
  sum += a[where];                         // read global: 1 request, 32 lanes, 32 sectors
  const float2 two = a2[lane];             // read global: 1 request, 32 lanes, 8 sectors
  const float4 four = a4[lane];            // read global: 1 request, 32 lanes, 16 sectors
  const float4 apart = a4[8 * lane];       // read global: 1 request, 32 lanes, 32 sectors
  const double wide = a8[lane];            // read global: 1 request, 32 lanes, 8 sectors
  const unsigned short half = a16[lane];   // read global: 1 request, 32 lanes, 2 sectors
  const unsigned char byte = bytes[lane];  // read global: 1 request, 32 lanes, 1 sector
  sum += two.x + two.y + four.x + four.y + four.z + four.w + float(half) + float(byte);
  sum += apart.x + apart.y + apart.z + apart.w + float(wide);
  out[lane] = sum;           // write global: 1 request, 32 lanes, 4 sectors
  out[64 + 3 * lane] = sum;  // write global: 1 request, 32 lanes, 12 sectors
}

__global__ void shared_memory(float* out) {
  __shared__ float plain[32][32];
  __shared__ float padded[32][33];
  __shared__ float2 pairs[32];
  __shared__ float4 quads[32 * 8];
  const int lane = threadIdx.x;
  for (int row = 0; row < 32; ++row) {
    plain[row][lane] = float(row);    // write shared: 32 requests, 1024 lanes, 32 wavefronts
    padded[row][lane] = float(lane);  // write shared: 32 requests, 1024 lanes, 32 wavefronts
  }
  pairs[lane] = make_float2(1, 2);  // write shared: 1 request, 32 lanes, 2 wavefronts
  for (int i = lane; i < 32 * 8; i += 32) {
    quads[i] = make_float4(1, 2, 3, 4);  // write shared: 8 requests, 256 lanes, 32 wavefronts
  }
  __syncwarp();
  float sum = 0;
  sum += plain[0][lane];                     // read shared: 1 request, 32 lanes, 1 wavefront
  sum += plain[lane][0];                     // read shared: 1 request, 32 lanes, 32 wavefronts
  sum += padded[lane][0];                    // read shared: 1 request, 32 lanes, 1 wavefront
  sum += plain[3][3];                        // read shared: 1 request, 32 lanes, 1 wavefront
  sum += plain[lane % 2][2 * (lane / 2)];    // read shared: 1 request, 32 lanes, 2 wavefronts
  sum += plain[1][lane / 8];                 // read shared: 1 request, 32 lanes, 1 wavefront
  sum += plain[lane / 16][2 * (lane % 16)];  // read shared: 1 request, 32 lanes, 2 wavefronts
  const float2 two = pairs[lane];            // read shared: 1 request, 32 lanes, 2 wavefronts
  const float4 four = quads[lane];           // read shared: 1 request, 32 lanes, 4 wavefronts
  const float4 column = quads[8 * lane];     // read shared: 1 request, 32 lanes, 32 wavefronts
  sum += two.x + two.y + four.x + four.y + four.z + four.w;
  sum += column.x + column.y + column.z + column.w;
  out[lane] = sum;  // write global: 1 request, 32 lanes, 4 sectors
}

__global__ void divergence(const float* a, float* out) {
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    if ((i + lane) % 2 == 1) {
      sum += a[32 * i + lane];  // read global: 8 requests, 128 lanes, 32 sectors
    }
  }
#pragma unroll 1  // Why: nvcc would let lanes of different counts read different numbers at once.
  for (int i = 0; i < lane; ++i) {
    sum += a[i];  // read global: 31 requests, 496 lanes, 31 sectors
  }
  if (lane < 8) {
    sum += a[lane];  // read global: 1 request, 8 lanes, 1 sector
  } else {
    sum -= a[lane + 32];  // read global: 1 request, 24 lanes, 3 sectors
  }
  out[lane] = sum;  // write global: 1 request, 32 lanes, 4 sectors
}

int main() {
  constexpr int kNumBytes = 32 * 1024;
  void* in;
  int* scattered;
  float* out;
  cudaMalloc(&in, kNumBytes);
  cudaMalloc(&scattered, 32 * sizeof(int));
  cudaMalloc(&out, kNumBytes);
  cudaMemset(in, 0, kNumBytes);
  int places[32];
  for (int lane = 0; lane < 32; ++lane) places[lane] = lane * 7 % 32 * 40;
  cudaMemcpy(scattered, places, sizeof(places), cudaMemcpyHostToDevice);

  const auto* floats = static_cast<const float*>(in);
  global_loads<<<1, 32>>>(floats, static_cast<const float2*>(in), static_cast<const float4*>(in),
                          static_cast<const double*>(in), static_cast<const unsigned short*>(in),
                          static_cast<const unsigned char*>(in), scattered, out);
  shared_memory<<<1, 32>>>(out);
  divergence<<<1, 32>>>(floats, out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("textbook: %s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(scattered);
  cudaFree(out);
  return error == cudaSuccess ? 0 : 1;
}
