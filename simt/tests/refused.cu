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
#include <cuda/atomic>  // refused: simt has no libcu++ beyond cuda/barrier and cuda/pipeline (cuda/atomic): install NVIDIA's headers, the package nvidia-cuda-cccl, and name its folder cccl with -I; or use CUDA's own functions, such as atomicAdd
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
__global__ void k(double* out) {
  out[0] = __fma_rz(2.0, 3.0, out[1]);  // refused: simt has no __fma_rz
}
#elif defined(UNKNOWN_GROUP)
__global__ void k() {
  cg::multi_grid_group all = cg::this_multi_grid();  // refused: simt has no multi_grid_group
}
#elif defined(OLD_SHUFFLE)
__global__ void k(int* out) {
  out[0] = __shfl(out[1], 0);  // refused: simt has no shuffles and votes without _sync, which CUDA has removed (__shfl): use __shfl_sync, __ballot_sync
}
#elif defined(ATOMIC_OF_SIZE_T)
__global__ void k(size_t* out) {
  atomicAdd(out, 1);  // refused: CUDA has atomicAdd for int, unsigned, unsigned long long (cast a size_t*), float, double and halves, and not for these arguments
}
#elif defined(ATOMIC_OF_BYTES)
__global__ void k(unsigned char* out) {
  atomicMax(out, 1);  // refused: CUDA has atomicMax for int, unsigned, long long and unsigned long long (cast a size_t*), and not for these arguments
}
#elif defined(SHUFFLED_STRUCT)
__global__ void k(int2* out) {
  out[0] = __shfl_sync(~0u, out[1], 0);  // refused: CUDA has __shfl_sync for int, unsigned, long, long long, float, double and halves, and not for these arguments
}
#elif defined(TWO_TYPES)
__global__ void k(int* out) {
  extern __shared__ int scratch[];
  out[0] = scratch[0];
}
__global__ void j(float* out) {
  extern __shared__ float scratch[];  // refused: nvcc refuses this: the extern __shared__ array 'scratch' has two types in one file; give each its own name
  out[0] = scratch[0];
}
#elif defined(ARCHITECTURE)
__device__ int architecture() {
  return __CUDA_ARCH__;  // refused: nvcc refuses this: its pass for the host has no __CUDA_ARCH__; write the line under #ifdef __CUDA_ARCH__
}
#elif defined(MANY_PARAMETERS)
struct Large {
  char bytes[40000];
};
__global__ void k(Large) {}
void start() {
  k<<<1, 1>>>(Large{});  // refused: nvcc refuses this: the parameters of a kernel have at most 32,764 bytes
}
#elif defined(HOST_LAMBDA)
template <typename F>
__global__ void k(F f) {}
void start() {
  k<<<1, 1>>>([](int x) { return x; });  // refused: nvcc refuses this: a kernel gets no lambda of the host. Give it a struct with a __device__ operator(), or a __device__ lambda and the option --extended-lambda
}
#elif defined(FEW_ARGUMENTS)
__global__ void k(int, int) {}
void start() {
  k<<<1, 1>>>(3);  // refused: nvcc refuses this: this launch gives its kernel too few arguments
}
#elif defined(REMOVED_PROPERTY)
int clock_of(const cudaDeviceProp& device) {
  return device.clockRate;  // refused: CUDA 13 has no clockRate as CUDA 12 had it: ask cudaDeviceGetAttribute for cudaDevAttrClockRate; with --cuda 12 the old form compiles
}
#elif defined(REMOVED_CALL)
void wait() {
  cudaThreadSynchronize();  // refused: CUDA 13 has no cudaThreadSynchronize as CUDA 12 had it: call cudaDeviceSynchronize; with --cuda 12 the old form compiles
}
#elif defined(REMOVED_FORM)
void advise(int* memory) {
  cudaMemAdvise(memory, 4, cudaMemAdviseSetReadMostly, 0);  // refused: CUDA 13 has no cudaMemAdvise as CUDA 12 had it: give {cudaMemLocationTypeDevice, 0} in place of the device; with --cuda 12 the old form compiles
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
