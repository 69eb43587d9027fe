// What simt does not have. Each part is compiled alone, with its macro. The compilation has to end
// in one sentence: the text after "refused:", for the line where it stands.

// Why: the comments have to stay at their lines.
// clang-format off
#if defined(CURAND)
#include <curand_kernel.h>  // refused: simt has no cuRAND (curand_kernel.h): draw the numbers on the host, or hash the index
#elif defined(CUBLAS)
#include <cublas_v2.h>  // refused: simt has no cuBLAS (cublas_v2.h): write a kernel, or compute on the host
#elif defined(CUB)
#include <cub/cub.cuh>  // refused: simt has no CUB (cub/cub.cuh): use cooperative_groups/reduce.h and scan.h
#elif defined(THRUST)
#include <thrust/device_vector.h>  // refused: simt has no Thrust (thrust/device_vector.h): use cudaMalloc and kernels of your own
#elif defined(ATOMIC_REF)
#include <cuda/atomic>  // refused: simt has no libcu++ beyond cuda/barrier and cuda/pipeline (cuda/atomic): use the functions of CUDA C++, such as atomicAdd
#endif
#include <cooperative_groups.h>
#include <cuda.h>

namespace cg = cooperative_groups;

#if defined(TEXTURE_OBJECT)
__global__ void k(float* out, cudaTextureObject_t in) {  // refused: simt has no textures (cudaTextureObject_t): read device memory by index
  out[0] = tex2D<float>(in, 0, 0);
}
#elif defined(TEXTURE_REFERENCE)
texture<float, 2> in;  // refused: simt has no textures (texture): read device memory by index
#elif defined(SURFACE)
template <typename T>
__global__ void k(T out) {
  surf2Dwrite(1.0f, out, 0, 0);  // refused: simt has no surfaces (surf2Dwrite): write device memory by index
}
template __global__ void k<int>(int);
#elif defined(ARRAY)
cudaArray_t array;  // refused: simt has no CUDA arrays (cudaArray_t): use cudaMalloc or cudaMallocPitch
#elif defined(VOLUME)
void copy() {
  cudaMemcpy3DParms parameters;  // refused: simt has no copies of three dimensions (cudaMemcpy3DParms): copy plane by plane with cudaMemcpy2D
}
#elif defined(PTX)
__global__ void k(float* out) {
  float x;
  asm volatile("red.global.add.f32 [%1], %0;" ::"f"(x), "l"(out));  // refused: simt has no inline PTX of rare kinds: write it in C++ under #ifdef KV_SIMT
}
#elif defined(WMMA)
#include <mma.h>
__device__ nvcuda::wmma::experimental::precision::u4* f;  // refused: simt has no wmma with elements of less than a byte (experimental): use signed char
#elif defined(TENSOR_MAP)
__global__ void k(const __grid_constant__ CUtensorMap map) {}  // refused: simt has no TMA (CUtensorMap): copy with cp.async or __pipeline_memcpy_async
#elif defined(DRIVER)
void start() {
  cuInit(0);  // refused: simt has no driver interface (cuInit): use the runtime's functions, such as cudaMalloc
}
#elif defined(DRIVER_ERROR)
void check(CUresult result, const char* what);  // refused: simt has no driver interface (CUresult): use the runtime's functions, such as cudaMalloc
#elif defined(DEVICE_PROPERTY)
unsigned mask_of(const cudaDeviceProp& device) {
  return device.luidDeviceNodeMask;  // refused: simt has no luidDeviceNodeMask
}
#elif defined(CLUSTER_DIMENSIONS)
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {}  // refused: simt has no thread block clusters (__cluster_dims__): share through device memory
#elif defined(CLUSTER)
__global__ void k() {
  cg::cluster_group cluster = cg::this_cluster();  // refused: simt has no thread block clusters (cluster_group): share through device memory
}
#elif defined(DYNAMIC)
__global__ void child() {}
__global__ void k() {
  child<<<1, 1>>>();  // refused: simt has no kernels that launch kernels (dynamic parallelism): launch from the host
}
#elif defined(MALLOC)
__global__ void k(int** out) {
  out[0] = (int*)malloc(4);  // refused: simt has no malloc in kernels: allocate with cudaMalloc before the launch
}
#elif defined(NEW)
__global__ void k(int** out) {
  out[0] = new int(3);  // refused: simt has no new in kernels: allocate with cudaMalloc before the launch
}
#elif defined(NEW_ARRAY)
__device__ int* make(int n) {
  return new int[n];  // refused: simt has no new in kernels: allocate with cudaMalloc before the launch
}
#elif defined(UNKNOWN_CALL)
void share() {
  cudaIpcMemHandle_t handle;  // refused: simt has no cudaIpcMemHandle_t
}
#elif defined(UNKNOWN_INTRINSIC)
__global__ void k(unsigned* out) {
  out[0] = __vabsdiffu4(out[1], out[2]);  // refused: simt has no __vabsdiffu4
}
#elif defined(UNKNOWN_GROUP)
__global__ void k() {
  cg::multi_grid_group all = cg::this_multi_grid();  // refused: simt has no multi_grid_group
}
#elif defined(OLD_SHUFFLE)
__global__ void k(int* out) {
  out[0] = __shfl(out[1], 0);  // refused: simt has no shuffles and votes without _sync, which CUDA has removed (__shfl): use __shfl_sync, __ballot_sync
}
#elif defined(FINE)
// What nothing calls does no harm.
__device__ __forceinline__ int lane() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
template <typename T>
__device__ T* make() {
  return new T();
}
__global__ void k(int* out) {
  asm volatile("" ::: "memory");
  register int three = 3;  // nvcc's default is an older standard
  new (out) int(three);
}
#endif

int main() {
  return 0;
}
