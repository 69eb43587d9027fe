// A program of two sources, for the options of the command line. Its bugs are numbered in the order
// of the report: launch by launch. Only the reverse order of threads shows the second one, and only
// clang++ sees the last.

#ifdef __STRICT_ANSI__
#error "-std=gnu++20 is an option of this program"
#endif

void run_kernels(int* numbers);

__global__ void fill(int* out) {
  int last = 0;
  if (threadIdx.x == 0) last = out[0];  // finding 1
  out[threadIdx.x] = last;
}

int main() {
  int* numbers;
  cudaMalloc(&numbers, THREADS * sizeof(int));
  fill<<<1, THREADS>>>(numbers);
  run_kernels(numbers);
  cudaFree(numbers);
  return 0;
}
