#include "07-serving/given/safetensors.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/text/shallow_json.h"

namespace kv {
namespace {

float float_of_half(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f;
  const int fraction = half & 0x3ff;
  const float sign = half >> 15 != 0 ? -1.0f : 1.0f;
  if (exponent == 0x1f)
    return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
}

float float_of_bfloat16(std::uint16_t upper) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16);
}

template <class Stored>
Stored stored_at(const std::string& bytes, std::size_t begin, std::size_t i) {
  Stored value;
  std::memcpy(&value, bytes.data() + begin + i * sizeof(Stored), sizeof(Stored));
  return value;
}

// What a file is refused for: one sentence.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<float> values_of(const std::string& bytes,
                             const std::string& dtype,
                             std::size_t begin,
                             std::size_t end) {
  const std::size_t value_size = dtype == "F32" ? 4 : 2;
  if (dtype != "F32" && dtype != "F16" && dtype != "BF16")
    throw Refused("has numbers of type " + dtype + "; F32, F16 and BF16 can be read");
  if (begin > end || end > bytes.size()) throw Refused("ends before its last number");

  std::vector<float> values((end - begin) / value_size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (dtype == "F32") values[i] = stored_at<float>(bytes, begin, i);
    if (dtype == "F16") values[i] = float_of_half(stored_at<std::uint16_t>(bytes, begin, i));
    if (dtype == "BF16") values[i] = float_of_bfloat16(stored_at<std::uint16_t>(bytes, begin, i));
  }
  return values;
}

std::map<std::string, Tensor> tensors_of(const std::string& bytes) {
  if (bytes.size() < sizeof(std::uint64_t)) throw Refused("is too short for its header");
  const auto header_size = stored_at<std::uint64_t>(bytes, 0, 0);
  const std::size_t begin = sizeof(std::uint64_t);
  if (header_size > bytes.size() - begin) throw Refused("is too short for its header");
  const std::string header_text = bytes.substr(begin, header_size);
  const std::string numbers = bytes.substr(begin + header_size);

  const auto header = shallow_json(header_text);
  std::map<std::string, Tensor> tensors;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    Tensor tensor{entry.at("shape").get<std::vector<std::size_t>>(), {}};
    tensor.values = values_of(numbers, entry.at("dtype"), entry.at("data_offsets").at(0),
                              entry.at("data_offsets").at(1));
    const std::size_t size = std::accumulate(tensor.shape.begin(), tensor.shape.end(),
                                             std::size_t{1}, std::multiplies());
    if (size != tensor.values.size())
      throw Refused("has another number of values for " + name + " than its shape says");
    tensors.emplace(name, std::move(tensor));
  }
  return tensors;
}

}  // namespace

std::map<std::string, Tensor> read_safetensors(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + " cannot be read");
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  try {
    return tensors_of(bytes);
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(file.string() + " has a header that is not what safetensors says");
  } catch (const Refused& refused) {
    throw std::runtime_error(file.string() + " " + refused.what());
  }
}

}  // namespace kv
