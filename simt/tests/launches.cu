// Kernels named in every way that CUDA allows: each has to run, with its arguments converted as in
// a call.

#include <cstdio>

namespace ops {
__global__ void set(int* out) {
  out[threadIdx.x] = 1;
}
}  // namespace ops

template <int kNumber>
__global__ void set_constant(int* out) {
  out[threadIdx.x] = kNumber;
}

template <typename T>
__global__ void set_value(T* out, T value, size_t num_threads) {
  if (threadIdx.x < num_threads) out[threadIdx.x] = value;
}

template <typename T, int kTimes>
__global__ void set_product(T* out, T value) {
  out[threadIdx.x] = kTimes * value;
}

__global__ void set_overloaded(int* out, int value) {
  out[threadIdx.x] = value;
}
__global__ void set_overloaded(int* out, float value) {
  out[threadIdx.x] = int(10 * value);
}

struct Plan {
  void (*kernel)(int*);
  void (*steps[2])(int*);
};

template <typename T>
int launch_in_a_template(T* out, T value) {
  set_value<<<1, 32>>>(out, value, 32);
  return value;
}

#define RUN(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  bool ok = true;
  const auto expect = [&](const char* what, int value) {
    int host[32];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (const int number : host) {
      if (number == value) continue;
      std::printf("%s: %d, not %d\n", what, number, value);
      ok = false;
      return;
    }
  };
  ops::set<<<1, 32>>>(out), expect("a name", 1);
  set_constant<2><<<1, 32>>>(out), expect("a template's instance", 2);
  set_value<<<1, 32>>>(out, 3, 32), expect("deduced", 3);
  set_value<int><<<1, 32>>>(out, 4.5, 32), expect("converted", 4);
  set_product<int, 5><<<1, 32>>>(out, 2), expect("two arguments", 10);
  set_overloaded<<<1, 32>>>(out, 6), expect("overloaded, int", 6);
  set_overloaded<<<1, 32>>>(out, 0.7f), expect("overloaded, float", 7);
  RUN(set_value, out, 8, 32), expect("deduced in a macro", 8);
  expect("deduced in a template", launch_in_a_template(out, 9));
  const Plan plan = {set_constant<10>, {set_constant<11>, set_constant<12>}};
  plan.kernel<<<1, 32>>>(out), expect("a member", 10);
  plan.steps[1]<<<1, 32>>>(out), expect("of an array", 12);
  (ok ? plan.steps[0] : plan.kernel)<<<1, 32>>>(out), expect("a choice", 11);
  cudaFree(out);
  if (ok) std::printf("all have run\n");
  return ok ? 0 : 1;
}
