#include "simt/compile/missing_features.h"

#include <algorithm>
#include <array>
#include <regex>

namespace kv::simt {
namespace {

// The first that fits is told.
constexpr std::array kFeatures = {
    MissingFeature{"textures",
                   "tex[123]D\\w*|texCubemap\\w*|texture|cudaTex\\w+|cudaCreateTextureObject|"
                   "cudaDestroyTextureObject|cuda(Unb|B)indTexture\\w*|cudaResource(Desc|Type)\\w*|"
                   "cudaReadMode\\w+|cudaAddressMode\\w+|cudaFilterMode\\w+",
                   "texture_\\w+\\.h|cuda_texture_types\\.h"},
    MissingFeature{"surfaces",
                   "surf[123]D\\w*|surfCubemap\\w*|surface|cuda(Create|Destroy)?Surf\\w+",
                   "surface_\\w+\\.h"},
    MissingFeature{"CUDA arrays",
                   "cudaArray\\w*|cudaMallocArray|cudaMalloc3DArray|cudaFreeArray|"
                   "cudaMemcpy\\w*(To|From)Array\\w*|cudaChannelFormat\\w+|cudaCreateChannelDesc",
                   "channel_descriptor\\.h"},
    MissingFeature{"copies of three dimensions",
                   "cudaMalloc3D|cudaMem(cpy|set)3D\\w*|(make_)?cuda(Extent|PitchedPtr|Pos)", ""},
    MissingFeature{"wmma with elements of less than a byte",
                   "nvcuda::wmma::experimental|experimental|bmma_sync|bmma\\w+Op", ""},
    MissingFeature{"TMA", "CUtensorMap\\w*|cuTensorMap\\w+|cp_async_bulk\\w*|barrier_\\w+_tx", ""},
    MissingFeature{"mbarrier instructions", "__mbarrier_\\w+|mbarrier_\\w+",
                   "cuda_awbarrier\\w*\\.h"},
    MissingFeature{
        "thread block clusters",
        "__cluster_\\w+|cluster_group|this_cluster|cudaLaunchAttributeCluster\\w+|clusterDim\\w*|"
        "__clusterDim\\w*|clusterIdx",
        ""},
    MissingFeature{"kernels that launch kernels (dynamic parallelism)",
                   "cudaStream(FireAndForget|TailLaunch)\\w*|cudaGetParameterBuffer\\w*|"
                   "cudaLimitDevRuntime\\w*",
                   ""},
    MissingFeature{"complex numbers", "cu(Float|Double)?Complex|make_cu\\w*Complex|cuC[a-z]+f?",
                   "cuComplex\\.h"},
    MissingFeature{"cuRAND", "curand\\w*", "curand\\w*\\.h"},
    MissingFeature{"cuBLAS", "(cublas|CUBLAS)\\w*", "cublas\\w*\\.h"},
    MissingFeature{"cuFFT", "(cufft|CUFFT)\\w*", "cufft\\w*\\.h"},
    MissingFeature{"cuSPARSE", "(cusparse|CUSPARSE)\\w*", "cusparse\\w*\\.h"},
    MissingFeature{"cuSOLVER", "(cusolver|CUSOLVER)\\w*", "cusolver\\w*\\.h"},
    MissingFeature{"cuDNN", "(cudnn|CUDNN)\\w*", "cudnn\\w*\\.h"},
    MissingFeature{"NCCL", "nccl\\w*", "nccl\\.h"},
    MissingFeature{"CUB", "cub", "cub/.*"},
    MissingFeature{"Thrust", "thrust", "thrust/.*"},
    MissingFeature{"CUTLASS", "cutlass|cute", "(cutlass|cute)/.*"},
    MissingFeature{"NVTX", "nvtx\\w*", "(nvtx3/)?nvToolsExt\\w*\\.h|nvtx3/.*"},
    MissingFeature{"OpenGL and Direct3D", "cudaG(L|raphics)\\w+", "cuda_\\w*_interop\\.h|GL/.*"},
    MissingFeature{"runtime compilation (NVRTC)", "nvrtc\\w*", "nvrtc\\.h"},
    MissingFeature{"PyTorch", "torch|at|c10", "(torch|ATen|c10)/.*"},
    MissingFeature{"libcu++ beyond cuda/barrier and cuda/pipeline", "", "(cuda|nv)/.*"},
    MissingFeature{"shuffles and votes without _sync, which CUDA has removed",
                   "__shfl(_up|_down|_xor)?|__ballot|__any|__all", ""},
    MissingFeature{"graphs that are made node by node", "cudaGraphAdd\\w+|cudaGraphCreate", ""},
    MissingFeature{"four-bit and six-bit floats", "__nv_fp[46]\\w*", "cuda_fp[46]\\.h"},
    MissingFeature{"driver interface", "cu[A-Z]\\w+|CU[a-z]\\w+|CUDA_(SUCCESS|ERROR)\\w*", ""},
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

const MissingFeature* missing_feature_of_name(const std::string& name) {
  return feature_with(name, &MissingFeature::names);
}

const MissingFeature* missing_feature_of_header(const std::string& header) {
  return feature_with(header, &MissingFeature::headers);
}

}  // namespace kv::simt
