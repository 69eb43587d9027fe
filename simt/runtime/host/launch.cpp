// A launch: is it allowed, then its blocks one after the other, then its error.

#include <cstdlib>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/host/signals.h"
#include "simt/runtime/host/streams.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/program_image.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/profile/profile.h"
#include "simt/runtime/report/places.h"
#include "simt/status/run_status.h"

namespace kv::simt {
namespace {

constexpr unsigned kMaxGridY = 65535;

struct Refused {
  std::string why;  // empty: the launch is allowed
  cudaError_t error = cudaErrorInvalidConfiguration;
};

Refused refused(const LaunchShape& shape, const void* kernel) {
  const auto [grid, block, shared_bytes, stream, is_cooperative] = shape;
  const auto num_threads = std::uint64_t{block.x} * block.y * block.z;
  if (num_threads == 0) return {"a block of " + text(block) + " threads is empty"};
  if (num_threads > kMaxThreads) {
    return {"a block of " + text(block) + " threads has " + std::to_string(num_threads) +
            ", and 1024 are allowed"};
  }
  if (block.z > 64)
    return {"a block may have at most 64 threads in z, not " + std::to_string(block.z)};
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return {"a grid of " + text(grid) + " blocks is empty"};
  if (grid.y > kMaxGridY || grid.z > kMaxGridY || grid.x > 0x7fffffffu)
    return {"a grid of " + text(grid) + " blocks is too large"};
  const bool has_room = num_threads * grid.x * grid.y * grid.z <= kMaxCooperativeThreads;
  if (is_cooperative && !has_room) {
    return {"a cooperative launch may have at most " + std::to_string(kMaxCooperativeThreads) +
                " threads here, because they are all there at once",
            cudaErrorCooperativeLaunchTooLarge};
  }
  const std::size_t most_shared = device.max_shared_bytes(kernel);
  if (shared_bytes <= most_shared) return {};
  return {"it asks for " + std::to_string(shared_bytes) +
              " bytes of dynamic shared memory; above " + std::to_string(most_shared) +
              ", set cudaFuncAttributeMaxDynamicSharedMemorySize (at most " +
              std::to_string(kMaxSharedBytes) + ")",
          cudaErrorInvalidValue};
}

void begin_launch(const LaunchShape& shape, const KernelCall& call, Site site) {
  device.start();
  machine.shape = shape;
  machine.call = &call;
  machine.launch_site = site;
  machine.kernel_name = call.name.function != nullptr
                            ? program_image().function_at(call.name.function)
                            : call.name.text;
  ++machine.launch_number;
  machine.first_block = machine.block_number + 1;
  machine.exception = nullptr;
  machine.failure = cudaSuccess;
  progress.begin_launch();
  hang_watch.begin_launch();
  begin_global_races();
  profile.begin_launch(machine.kernel_name);
}

// In the file of KV_SIMT_STATUS; without one, nobody looks at it.
RunStatus& run_status() {
  static RunStatus unseen = {};
  static const char* const file = std::getenv("KV_SIMT_STATUS");
  static RunStatus* const seen = file == nullptr ? nullptr : open_status(file);
  return seen == nullptr ? unseen : *seen;
}

void show_launch(const dim3& grid) {
  RunStatus& status = run_status();
  const std::string name = name_of_kernel(machine.kernel_name);
  status.kernel[name.copy(status.kernel, sizeof status.kernel - 1)] = '\0';
  status.num_done = 0;
  status.began = seconds_now();
  status.num_blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  ++status.num_launches;
}

void run_blocks(const dim3& grid) {
  const std::uint64_t num_blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const bool forward = machine.options.schedule == Schedule::kForward;
  for (std::uint64_t i = 0; i < num_blocks && !is_dropped(); ++i) {
    shared_memory.fill();
    profile.begin_block(i, num_blocks);
    const std::uint64_t number = forward ? i : num_blocks - 1 - i;
    run_block({static_cast<unsigned>(number % grid.x),
               static_cast<unsigned>(number / grid.x % grid.y),
               static_cast<unsigned>(number / grid.x / grid.y)});
    ++run_status().num_done;
  }
}

// The arrays of the kernel and of the functions that it called. Device::start looks at the kernel's
// own ones.
void check_static_shared(const void* kernel) {
  if (program_image().thread_locals().bytes <= kSharedBytes) return;
  const auto address = reinterpret_cast<std::uintptr_t>(kernel);
  const std::size_t bytes = shared_memory.bytes_used_since(machine.first_block);
  if (bytes <= kSharedBytes || program_image().shared_bytes_of(address) > kSharedBytes) return;
  findings.add({.kind = Kind::kSharedMemorySize,
                .site = reinterpret_cast<Site>(address + 1),
                .what = machine.kernel_name + " and the functions that it calls have " +
                        std::to_string(bytes) + " bytes of static shared memory"});
}

cudaError_t execute_now(const LaunchShape& shape, const KernelCall& call, Site site) {
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (const auto [why, error] = refused(shape, call.name.function); !why.empty()) {
    findings.add(
        {.kind = Kind::kBadLaunch, .site = site, .what = "this launch is refused: " + why});
    return device.set_error(error);
  }
  begin_launch(shape, call, site);
  show_launch(shape.grid);
  shared_memory.save_host_values();
  start_timer();
  shape.is_cooperative ? run_cooperative_grid() : run_blocks(shape.grid);
  stop_timer();
  run_status().num_blocks = 0;
  shared_memory.restore_host_values();
  profile.settle();
  check_static_shared(call.name.function);
  if (machine.exception) std::rethrow_exception(machine.exception);
  if (machine.failure == cudaErrorInvalidConfiguration) return device.set_error(machine.failure);
  if (machine.failure != cudaSuccess) return device.set_sticky_error(machine.failure);
  return cudaSuccess;
}

}  // namespace

void check_launch_bounds(unsigned max_threads) {
  if (machine.num_threads <= max_threads) return;
  const PauseChecks pause;
  fail(
      cudaErrorInvalidConfiguration,
      {.kind = Kind::kBadLaunch,
       .site = machine.launch_site,
       .what = "this launch is refused: a block of " + text(machine.shape.block) + " threads has " +
               std::to_string(machine.num_threads) + ", and __launch_bounds__ of the kernel " +
               "allows " + std::to_string(max_threads)});
}

cudaError_t execute(const LaunchShape& shape, const KernelCall& call) {
  const Site site = __builtin_return_address(0);
  if (machine.current != nullptr) {
    const PauseChecks pause;
    fail(cudaErrorNotSupported,
         {.kind = Kind::kBadLaunch, .site = site, .what = "kernels cannot launch kernels here"});
  }
  const bool is_recorded = is_recording(shape.stream);
  const KernelCall* const kept = is_recorded ? call.copy(call) : &call;
  return submit(
      shape.stream, [=] { return execute_now(shape, *kept, site); }, site);
}

// Why the program ends: a GPU would go on without the kernel, and here its body would run.
void check_host_enters(Site function, Site caller) {
  if (!device.is_started() ||
      !program_image().is_in_kernel(reinterpret_cast<std::uintptr_t>(function)))
    return;
  const void* const kernel = program_image().function_of(function);
  findings.add(
      {.kind = Kind::kBadLaunch,
       .site = caller,
       .what = name_of_kernel(program_image().function_at(kernel)) +
               " is called like a function: kernel<<<blocks, threads>>>(...) launches it"});
  device.set_sticky_error(cudaErrorLaunchFailure);
  std::exit(EXIT_FAILURE);
}

}  // namespace kv::simt
