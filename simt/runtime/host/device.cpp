#include "simt/runtime/host/device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/signals.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/memory/stream_order.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

// After a failed launch nothing can be freed.
void report_leaks() {
  if (device.sticky_error() != cudaSuccess) return;
  for (const Allocation& allocation : arena.allocations()) {
    if (allocation.freed_at != nullptr || allocation.is_pinned) continue;
    findings.add({.kind = Kind::kLeak,
                  .site = allocation.allocated_at,
                  .what = "the " + std::to_string(allocation.bytes) +
                          " bytes that were allocated here are never freed"});
  }
}

using Attributes = std::map<cudaDeviceAttr, std::size_t>;

// Numbers, sizes and speeds.
Attributes sizes_of(const cudaDeviceProp& all) {
  return {{cudaDevAttrMaxThreadsPerBlock, all.maxThreadsPerBlock},
          {cudaDevAttrMaxBlockDimX, all.maxThreadsDim[0]},
          {cudaDevAttrMaxBlockDimY, all.maxThreadsDim[1]},
          {cudaDevAttrMaxBlockDimZ, all.maxThreadsDim[2]},
          {cudaDevAttrMaxGridDimX, all.maxGridSize[0]},
          {cudaDevAttrMaxGridDimY, all.maxGridSize[1]},
          {cudaDevAttrMaxGridDimZ, all.maxGridSize[2]},
          {cudaDevAttrMaxSharedMemoryPerBlock, all.sharedMemPerBlock},
          {cudaDevAttrMaxSharedMemoryPerBlockOptin, all.sharedMemPerBlockOptin},
          {cudaDevAttrMaxSharedMemoryPerMultiprocessor, all.sharedMemPerMultiprocessor},
          {cudaDevAttrTotalConstantMemory, all.totalConstMem},
          {cudaDevAttrWarpSize, all.warpSize},
          {cudaDevAttrMaxRegistersPerBlock, all.regsPerBlock},
          {cudaDevAttrClockRate, all.clockRate},
          {cudaDevAttrMultiProcessorCount, all.multiProcessorCount},
          {cudaDevAttrMemoryClockRate, all.memoryClockRate},
          {cudaDevAttrGlobalMemoryBusWidth, all.memoryBusWidth},
          {cudaDevAttrL2CacheSize, all.l2CacheSize},
          {cudaDevAttrMaxPersistingL2CacheSize, all.persistingL2CacheMaxSize},
          {cudaDevAttrMaxAccessPolicyWindowSize, all.accessPolicyMaxWindowSize},
          {cudaDevAttrMaxThreadsPerMultiProcessor, all.maxThreadsPerMultiProcessor},
          {cudaDevAttrMaxPitch, all.memPitch},
          {cudaDevAttrMaxRegistersPerMultiprocessor, all.regsPerMultiprocessor},
          {cudaDevAttrMaxBlocksPerMultiprocessor, all.maxBlocksPerMultiProcessor},
          {cudaDevAttrReservedSharedMemoryPerBlock, kReservedSharedBytes}};
}

// What this device can do.
Attributes abilities_of(const cudaDeviceProp& all) {
  return {{cudaDevAttrIntegrated, all.integrated},
          {cudaDevAttrComputeMode, all.computeMode},
          {cudaDevAttrConcurrentKernels, all.concurrentKernels},
          {cudaDevAttrComputeCapabilityMajor, all.major},
          {cudaDevAttrComputeCapabilityMinor, all.minor},
          {cudaDevAttrManagedMemory, all.managedMemory},
          {cudaDevAttrConcurrentManagedAccess, all.concurrentManagedAccess},
          {cudaDevAttrCooperativeLaunch, all.cooperativeLaunch},
          {cudaDevAttrTextureAlignment, all.textureAlignment},
          {cudaDevAttrGpuOverlap, all.asyncEngineCount},
          {cudaDevAttrCanMapHostMemory, all.canMapHostMemory},
          {cudaDevAttrAsyncEngineCount, all.asyncEngineCount},
          {cudaDevAttrUnifiedAddressing, all.unifiedAddressing},
          {cudaDevAttrStreamPrioritiesSupported, all.streamPrioritiesSupported},
          {cudaDevAttrSingleToDoublePrecisionPerfRatio, all.singleToDoublePrecisionPerfRatio},
          {cudaDevAttrHostRegisterSupported, 1},
          {cudaDevAttrMemoryPoolsSupported, 1}};
}

// What it has not.
Attributes inabilities_of(const cudaDeviceProp& all) {
  return {{cudaDevAttrKernelExecTimeout, 0},
          {cudaDevAttrEccEnabled, all.ECCEnabled},
          {cudaDevAttrPciBusId, all.pciBusID},
          {cudaDevAttrPciDeviceId, all.pciDeviceID},
          {cudaDevAttrPciDomainId, all.pciDomainID},
          {cudaDevAttrTccDriver, all.tccDriver},
          {cudaDevAttrGlobalL1CacheSupported, all.globalL1CacheSupported},
          {cudaDevAttrLocalL1CacheSupported, all.localL1CacheSupported},
          {cudaDevAttrHostNativeAtomicSupported, all.hostNativeAtomicSupported},
          {cudaDevAttrPageableMemoryAccess, all.pageableMemoryAccess},
          {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
          {cudaDevAttrDirectManagedMemAccessFromHost, all.directManagedMemAccessFromHost},
          {cudaDevAttrComputePreemptionSupported, all.computePreemptionSupported},
          {cudaDevAttrClusterLaunch, 0}};
}

// The attributes that cudaDeviceGetAttribute gives.
Attributes attributes_of(const cudaDeviceProp& all) {
  Attributes attributes = sizes_of(all);
  attributes.merge(abilities_of(all));
  attributes.merge(inabilities_of(all));
  return attributes;
}

// Why refused: the runs of one program have to be the same, and which thread comes first is not.
[[noreturn]] void refuse_thread() {
  const std::string sentence =
      "this program uses CUDA in two threads of the host, and simt runs one, because each run has "
      "to "
      "be the same; make all calls in one thread, with a stream for each of the others";
  if (machine.options.report_file.empty()) std::fprintf(stderr, "simt: %s\n", sentence.c_str());
  write_refusal(sentence);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

Device device;

void Device::start() {
  const std::lock_guard lock(starting_);
  if (is_started_) return is_other_thread() ? refuse_thread() : void();
  is_started_ = true;
  machine.owner = pthread_self();
  machine.options = options_from_environment();
  shared_memory.start();
  for (const Symbol& kernel : program_image().functions_with_more_shared(kSharedBytes)) {
    findings.add({.kind = Kind::kSharedMemorySize,
                  .site = reinterpret_cast<Site>(kernel.address + 1),
                  .what = kernel.name + " has " + std::to_string(kernel.bytes) +
                          " bytes of static shared memory"});
  }
  install_signal_handlers();
  install_timer();
  std::atexit([] {
    report_leaks();
    write_report();
  });
}

cudaError_t Device::set_error(cudaError_t error) {
  if (error != cudaSuccess) last_error_ = error;
  return error;
}

cudaError_t Device::set_sticky_error(cudaError_t error) {
  sticky_error_ = error;
  return set_error(error);
}

cudaError_t Device::refuse(cudaError_t error,
                           Site site,
                           std::string what,
                           std::vector<Note> notes) {
  start();
  findings.add(
      {.kind = Kind::kBadCall, .site = site, .what = std::move(what), .notes = std::move(notes)});
  return set_error(error);
}

cudaError_t Device::take_error() {
  const cudaError_t error = last_error_;
  last_error_ = sticky_error_;
  return error;
}

cudaError_t Device::synchronize() {
  synchronized_launch_ = machine.launch_number;
  pending_copies_.clear();
  return sticky_error_;
}

void Device::add_pending_copy(const void* to, std::size_t bytes, Site site) {
  const Allocation* const owner = owner_of(to);
  const bool is_pinned = (owner != nullptr && owner->is_pinned) || is_registered(to);
  if (is_pinned) pending_copies_.push_back({{reinterpret_cast<std::uintptr_t>(to), bytes}, site});
}

Site Device::pending_copy_at(std::uintptr_t address) const {
  for (const PendingCopy& copy : pending_copies_) {
    if (copy.to.contains(address)) return copy.site;
  }
  return nullptr;
}

void Device::reset() {
  synchronize();
  last_error_ = sticky_error_ = cudaSuccess;
  for (Allocation& allocation : arena.allocations()) {
    if (allocation.freed_at == nullptr) arena.free(allocation, __builtin_return_address(0));
  }
}

std::size_t Device::max_shared_bytes(const void* kernel) const {
  const auto known = max_shared_bytes_.find(kernel);
  return known == max_shared_bytes_.end() ? kSharedBytes : known->second;
}

void Device::set_max_shared_bytes(const void* kernel, std::size_t bytes) {
  max_shared_bytes_[kernel] = bytes;
}

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > kMaxSharedBytes) {
    return device.refuse(cudaErrorInvalidValue, __builtin_return_address(0),
                         "a block may have at most " + std::to_string(kMaxSharedBytes) +
                             " bytes of dynamic shared memory, not " + std::to_string(value));
  }
  device.set_max_shared_bytes(function, static_cast<std::size_t>(value));
  return cudaSuccess;
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaDeviceSynchronize() {
  stream_order.host_waits_for_all();
  return device.synchronize();
}

cudaError_t cudaDeviceReset() {
  device.reset();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int number) {
  return device.set_error(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

// The one with 40 GB.
static void set_numbers_of_a100(cudaDeviceProp& properties) {
  properties.major = 8;
  properties.minor = 0;
  properties.clockRate = 1'410'000;
  properties.memoryClockRate = 1'215'000;
  properties.memoryBusWidth = 5120;
  properties.l2CacheSize = 40 << 20;
  properties.persistingL2CacheMaxSize = 25 << 20;
  properties.accessPolicyMaxWindowSize = (128 << 20) - 4096;
  properties.singleToDoublePrecisionPerfRatio = 2;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (number != 0) return device.set_error(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "PagedLab SIMT checker (runs on the CPU)");
  properties->totalGlobalMem = arena.bytes_told();
  properties->sharedMemPerBlock = kSharedBytes;
  properties->sharedMemPerBlockOptin = kMaxSharedBytes;
  properties->sharedMemPerMultiprocessor = kMaxSharedBytes + 1024;  // for a block's own use
  properties->totalConstMem = 64 * 1024;
  properties->memPitch = 0x7fffffff;
  properties->textureAlignment = 512;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = kMaxThreads;
  properties->maxThreadsPerMultiProcessor = 2048;
  const int largest_block[] = {1024, 1024, 64};
  const int largest_grid[] = {0x7fffffff, 65535, 65535};
  std::memcpy(properties->maxThreadsDim, largest_block, sizeof largest_block);
  std::memcpy(properties->maxGridSize, largest_grid, sizeof largest_grid);
  properties->multiProcessorCount = 1;  // one block at a time
  set_numbers_of_a100(*properties);
  properties->cooperativeLaunch = properties->managedMemory = 1;
  properties->concurrentManagedAccess = 1;
  properties->unifiedAddressing = properties->canMapHostMemory = 1;
  properties->concurrentKernels = properties->deviceOverlap = properties->asyncEngineCount = 1;
  properties->streamPrioritiesSupported = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, number) != cudaSuccess) return cudaErrorInvalidDevice;
  const std::map<cudaDeviceAttr, std::size_t> values = attributes_of(properties);
  const auto known = values.find(attribute);
  if (known == values.end()) return device.set_error(cudaErrorInvalidValue);
  *value = static_cast<int>(known->second);
  return cudaSuccess;
}
