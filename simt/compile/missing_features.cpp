#include "simt/compile/missing_features.h"

#include <algorithm>
#include <array>
#include <regex>

namespace kv::simt {
namespace {

// The first that fits is told.
constexpr std::array kFeatures = {
    MissingFeature{"textures", "read device memory by index",
                   "tex[123]D\\w*|texCubemap\\w*|texture|cudaTex\\w+|cudaCreateTextureObject|"
                   "cudaDestroyTextureObject|cuda(Unb|B)indTexture\\w*|cudaResource(Desc|Type)\\w*|"
                   "cudaReadMode\\w+|cudaAddressMode\\w+|cudaFilterMode\\w+",
                   "texture_\\w+\\.h|cuda_texture_types\\.h"},
    MissingFeature{"surfaces", "write device memory by index",
                   "surf[123]D\\w*|surfCubemap\\w*|surface|cuda(Create|Destroy)?Surf\\w+",
                   "surface_\\w+\\.h"},
    MissingFeature{"CUDA arrays", "use cudaMalloc or cudaMallocPitch",
                   "cudaArray\\w*|cudaMallocArray|cudaMalloc3DArray|cudaFreeArray|"
                   "cudaMemcpy\\w*(To|From)Array\\w*|cudaChannelFormat\\w+|cudaCreateChannelDesc",
                   "channel_descriptor\\.h"},
    MissingFeature{"copies of three dimensions", "copy plane by plane with cudaMemcpy2D",
                   "cudaMalloc3D|cudaMem(cpy|set)3D\\w*|(make_)?cuda(Extent|PitchedPtr|Pos)", ""},
    MissingFeature{"wmma with elements of less than a byte", "use signed char",
                   "nvcuda::wmma::experimental|experimental|bmma_sync|bmma\\w+Op", ""},
    MissingFeature{"TMA", "copy with cp.async or __pipeline_memcpy_async",
                   "CUtensorMap\\w*|cuTensorMap\\w+|cp_async_bulk\\w*|barrier_\\w+_tx", ""},
    MissingFeature{"mbarrier instructions", "use cuda::barrier", "__mbarrier_\\w+|mbarrier_\\w+",
                   "cuda_awbarrier\\w*\\.h"},
    MissingFeature{
        "thread block clusters", "share through device memory",
        "__cluster_\\w+|cluster_group|this_cluster|cudaLaunchAttributeCluster\\w+|clusterDim\\w*|"
        "__clusterDim\\w*|clusterIdx",
        ""},
    MissingFeature{"kernels that launch kernels (dynamic parallelism)", "launch from the host",
                   "cudaStream(FireAndForget|TailLaunch)\\w*|cudaGetParameterBuffer\\w*|"
                   "cudaLimitDevRuntime\\w*",
                   ""},
    MissingFeature{"complex numbers", "use float2 or double2",
                   "cu(Float|Double)?Complex|make_cu\\w*Complex|cuC[a-z]+f?", "cuComplex\\.h"},
    MissingFeature{"cuRAND", "draw the numbers on the host, or hash the index", "curand\\w*",
                   "curand\\w*\\.h"},
    MissingFeature{"cuBLAS", "write a kernel, or compute on the host", "(cublas|CUBLAS)\\w*",
                   "cublas\\w*\\.h"},
    MissingFeature{"cuFFT", "compute on the host", "(cufft|CUFFT)\\w*", "cufft\\w*\\.h"},
    MissingFeature{"cuSPARSE", "write a kernel, or compute on the host", "(cusparse|CUSPARSE)\\w*",
                   "cusparse\\w*\\.h"},
    MissingFeature{"cuSOLVER", "compute on the host", "(cusolver|CUSOLVER)\\w*",
                   "cusolver\\w*\\.h"},
    MissingFeature{"cuDNN", "write a kernel", "(cudnn|CUDNN)\\w*", "cudnn\\w*\\.h"},
    MissingFeature{"NCCL", "use one device", "nccl\\w*", "nccl\\.h"},
    MissingFeature{"CUB", "use cooperative_groups/reduce.h and scan.h", "cub", "cub/.*"},
    MissingFeature{"Thrust", "use cudaMalloc and kernels of your own", "thrust", "thrust/.*"},
    MissingFeature{"CUTLASS", "use nvcuda::wmma or mma.sync", "cutlass|cute", "(cutlass|cute)/.*"},
    MissingFeature{"NVTX", "leave the marks out", "nvtx\\w*",
                   "(nvtx3/)?nvToolsExt\\w*\\.h|nvtx3/.*"},
    MissingFeature{"OpenGL and Direct3D", "write the picture to a file", "cudaG(L|raphics)\\w+",
                   "cuda_\\w*_interop\\.h|GL/.*"},
    MissingFeature{"runtime compilation (NVRTC)", "compile the kernel with the program",
                   "nvrtc\\w*", "nvrtc\\.h"},
    MissingFeature{"PyTorch", "call the kernel from a main function", "torch|at|c10",
                   "(torch|ATen|c10)/.*"},
    MissingFeature{"libcu++ beyond cuda/barrier and cuda/pipeline",
                   "install NVIDIA's headers, the package nvidia-cuda-cccl, and name its folder "
                   "cccl with -I; or use CUDA's own functions, such as atomicAdd",
                   "", "(cuda|nv)/.*"},
    MissingFeature{"shuffles and votes without _sync, which CUDA has removed",
                   "use __shfl_sync, __ballot_sync", "__shfl(_up|_down|_xor)?|__ballot|__any|__all",
                   ""},
    MissingFeature{"graphs that are made node by node", "capture the graph from a stream",
                   "cudaGraphAdd\\w+|cudaGraphCreate", ""},
    MissingFeature{"four-bit and six-bit floats", "use cuda_fp8.h", "__nv_fp[46]\\w*",
                   "cuda_fp[46]\\.h"},
    MissingFeature{"driver interface", "use the runtime's functions, such as cudaMalloc",
                   "cu[A-Z]\\w+|CU[a-z]\\w+|CUDA_(SUCCESS|ERROR)\\w*", ""},
};

// What device code says, and the linker misses: names of not_here.h and launch.h.
constexpr std::array kSymbols = {
    MissingFeature{"inline PTX of rare kinds", "write it in C++ under #ifdef KV_SIMT",
                   "not_here::inline_ptx", ""},
    MissingFeature{"malloc in kernels", "allocate with cudaMalloc before the launch",
                   "not_here::malloc", ""},
    MissingFeature{"free in kernels", "free with cudaFree after the launch", "not_here::free", ""},
    MissingFeature{"new in kernels", "allocate with cudaMalloc before the launch", "not_here::Heap",
                   ""},
    MissingFeature{"kernels that launch kernels (dynamic parallelism)", "launch from the host",
                   "::in_kernel_on(", ""},
    MissingFeature{"PTX through cuda::ptx", "write it as inline PTX", "__cuda_ptx_", ""},
};

bool fits(const std::string& name, const std::string& pattern) {
  return !pattern.empty() && std::regex_match(name, std::regex(pattern));
}

const MissingFeature* feature_with(const std::string& name, const char* MissingFeature::*pattern) {
  const auto found = std::ranges::find_if(
      kFeatures, [&](const MissingFeature& feature) { return fits(name, feature.*pattern); });
  return found == kFeatures.end() ? nullptr : &*found;
}

}  // namespace

std::string MissingFeature::sentence(const std::string& name) const {
  const std::string in_brackets = name.empty() ? "" : " (" + name + ")";
  return std::string("simt has no ") + what + in_brackets + ": " + instead;
}

const MissingFeature* missing_feature_of_symbol(const std::string& linker_line) {
  const auto* const found = std::ranges::find_if(kSymbols, [&](const MissingFeature& feature) {
    return linker_line.find(feature.names) != std::string::npos;
  });
  return found == kSymbols.end() ? nullptr : found;
}

const MissingFeature* missing_feature_of_name(const std::string& name) {
  return feature_with(name, &MissingFeature::names);
}

const MissingFeature* missing_feature_of_header(const std::string& header) {
  return feature_with(header, &MissingFeature::headers);
}

}  // namespace kv::simt
