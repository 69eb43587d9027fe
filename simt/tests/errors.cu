// What CUDA says of each error. The toolkit's own library prints the same.

#include <cstdio>

int main() {
  for (int number = 0; number < 1000; ++number) {
    const auto error = static_cast<cudaError_t>(number);
    std::printf("%d %s: %s\n", number, cudaGetErrorName(error), cudaGetErrorString(error));
  }
}
