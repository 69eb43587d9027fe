#include "grader/program/simt/simt_features.h"

#include <algorithm>
#include <array>
#include <regex>

namespace kv::grader {
namespace {

// The first that fits is told.
constexpr std::array kFeatures = {
    SimtFeature{"textures",
                "tex[123]D\\w*|texCubemap\\w*|texture|cudaTex\\w+|cudaCreateTextureObject|"
                "cudaDestroyTextureObject|cuda(Unb|B)indTexture\\w*|cudaResource(Desc|Type)\\w*|"
                "cudaReadMode\\w+|cudaAddressMode\\w+|cudaFilterMode\\w+",
                "texture_\\w+\\.h|cuda_texture_types\\.h"},
    SimtFeature{"surfaces", "surf[123]D\\w*|surfCubemap\\w*|surface|cuda(Create|Destroy)?Surf\\w+",
                "surface_\\w+\\.h"},
    SimtFeature{"CUDA arrays",
                "cudaArray\\w*|cudaMallocArray|cudaMalloc3DArray|cudaFreeArray|"
                "cudaMemcpy\\w*(To|From)Array\\w*|cudaChannelFormat\\w+|cudaCreateChannelDesc",
                "channel_descriptor\\.h"},
    SimtFeature{"copies of three dimensions",
                "cudaMalloc3D|cudaMem(cpy|set)3D\\w*|(make_)?cuda(Extent|PitchedPtr|Pos)", ""},
    SimtFeature{"tensor cores (wmma, mma)", "wmma|nvcuda|__w?mma_\\w+", "mma\\.h"},
    SimtFeature{"TMA", "CUtensorMap\\w*|cuTensorMap\\w+|cp_async_bulk\\w*|barrier_\\w+_tx", ""},
    SimtFeature{"mbarrier instructions", "__mbarrier_\\w+|mbarrier_\\w+", "cuda_awbarrier\\w*\\.h"},
    SimtFeature{
        "thread block clusters",
        "__cluster_\\w+|cluster_group|this_cluster|cudaLaunchAttributeCluster\\w+|clusterDim\\w*|"
        "__clusterDim\\w*|clusterIdx",
        ""},
    SimtFeature{"kernels that launch kernels (dynamic parallelism)",
                "cudaStream(FireAndForget|TailLaunch)\\w*|cudaGetParameterBuffer\\w*",
                "cuda_device_runtime_api\\.h"},
    SimtFeature{"complex numbers", "cu(Float|Double)?Complex|make_cu\\w*Complex|cuC[a-z]+f?",
                "cuComplex\\.h"},
    SimtFeature{"cuRAND", "curand\\w*", "curand\\w*\\.h"},
    SimtFeature{"cuBLAS", "(cublas|CUBLAS)\\w*", "cublas\\w*\\.h"},
    SimtFeature{"cuFFT", "(cufft|CUFFT)\\w*", "cufft\\w*\\.h"},
    SimtFeature{"cuSPARSE", "(cusparse|CUSPARSE)\\w*", "cusparse\\w*\\.h"},
    SimtFeature{"cuSOLVER", "(cusolver|CUSOLVER)\\w*", "cusolver\\w*\\.h"},
    SimtFeature{"cuDNN", "(cudnn|CUDNN)\\w*", "cudnn\\w*\\.h"},
    SimtFeature{"NCCL", "nccl\\w*", "nccl\\.h"},
    SimtFeature{"CUB", "cub", "cub/.*"},
    SimtFeature{"Thrust", "thrust", "thrust/.*"},
    SimtFeature{"CUTLASS", "cutlass|cute", "(cutlass|cute)/.*"},
    SimtFeature{"NVTX", "nvtx\\w*", "(nvtx3/)?nvToolsExt\\w*\\.h|nvtx3/.*"},
    SimtFeature{"OpenGL and Direct3D", "cudaG(L|raphics)\\w+", "cuda_\\w*_interop\\.h|GL/.*"},
    SimtFeature{"runtime compilation (NVRTC)", "nvrtc\\w*", "nvrtc\\.h"},
    SimtFeature{"PyTorch", "torch|at|c10", "(torch|ATen|c10)/.*"},
    SimtFeature{"libcu++ beyond cuda/barrier and cuda/pipeline", "", "(cuda|nv)/.*"},
    SimtFeature{"shuffles and votes without _sync, which CUDA has removed",
                "__shfl(_up|_down|_xor)?|__ballot|__any|__all", ""},
    SimtFeature{"graphs that are made node by node", "cudaGraphAdd\\w+|cudaGraphCreate", ""},
    SimtFeature{"four-bit and six-bit floats", "__nv_fp[46]\\w*", "cuda_fp[46]\\.h"},
    SimtFeature{"driver interface", "cu[A-Z]\\w+|CU[a-z]\\w+|CUDA_(SUCCESS|ERROR)\\w*", ""},
};

bool fits(const std::string& name, const std::string& pattern) {
  return !pattern.empty() && std::regex_match(name, std::regex(pattern));
}

const SimtFeature* feature_with(const std::string& name, const char* SimtFeature::*pattern) {
  const auto found = std::ranges::find_if(
      kFeatures, [&](const SimtFeature& feature) { return fits(name, feature.*pattern); });
  return found == kFeatures.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> simt_feature_names() {
  std::vector<std::string> names;
  for (const SimtFeature& feature : kFeatures) names.push_back(feature.what);
  return names;
}

const SimtFeature* feature_of_name(const std::string& name) {
  return feature_with(name, &SimtFeature::names);
}

const SimtFeature* feature_of_header(const std::string& header) {
  return feature_with(header, &SimtFeature::headers);
}

}  // namespace kv::grader
