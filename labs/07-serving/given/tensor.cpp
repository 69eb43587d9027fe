#include "07-serving/given/tensor.h"

#include <array>

#include "07-serving/given/lanes.h"

namespace kv {
namespace {

template <NumberType type>
void widen_from(std::span<float> out, const std::byte* numbers) {
  while (out.size() >= kLanes) {
    const Lanes lanes = load_lanes<type>(numbers);
    std::memcpy(out.data(), &lanes, sizeof lanes);
    out = out.subspan(kLanes);
    numbers += kLanes * bytes_of(type);
  }
  if (out.empty()) return;

  std::array<std::byte, sizeof(Lanes)> last = {};
  std::memcpy(last.data(), numbers, out.size() * bytes_of(type));
  const Lanes lanes = load_lanes<type>(last.data());
  std::memcpy(out.data(), &lanes, out.size_bytes());
}

}  // namespace

void widen(std::span<float> out, const Tensor& tensor, std::size_t first) {
  const std::byte* numbers = tensor.numbers + first * bytes_of(tensor.type);
  with_type(tensor.type, [&]<NumberType type> { widen_from<type>(out, numbers); });
}

}  // namespace kv
