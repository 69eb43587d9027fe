#pragma once
// A tensor of a model as its file has it. The numbers stay where they are, mapped and not copied,
// and are widened to 32 bits when they are used, which changes none of them.

#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace kv {

enum class NumberType { kF32, kF16, kBF16 };

constexpr std::size_t bytes_of(NumberType type) {
  return type == NumberType::kF32 ? 4 : 2;
}

struct Tensor {
  std::vector<std::size_t> shape;
  NumberType type;
  const std::byte* numbers;            // the last index of the shape counts fastest
  std::shared_ptr<const void> memory;  // in which they are

  std::size_t size() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies());
  }
};

inline Tensor tensor_of(std::vector<std::size_t> shape, std::vector<float> values) {
  auto memory = std::make_shared<const std::vector<float>>(std::move(values));
  const auto* numbers = reinterpret_cast<const std::byte*>(memory->data());
  return {std::move(shape), NumberType::kF32, numbers, std::move(memory)};
}

// The numbers of a tensor from `first` on, as many as out has.
void widen(std::span<float> out, const Tensor& tensor, std::size_t first);

}  // namespace kv
