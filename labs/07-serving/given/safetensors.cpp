#include "07-serving/given/safetensors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/text/shallow_json.h"

namespace kv {
namespace {

// What a file is refused for: one sentence.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The bytes of a file, which stay in the file until they are read.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file) {
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    const bool is_file = opened >= 0 && ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
    size_ = is_file ? static_cast<std::size_t>(status.st_size) : 0;
    if (size_ > 0) memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, opened, 0);
    if (opened >= 0) ::close(opened);
    if (!is_file) throw Refused("cannot be read");
    if (memory_ == MAP_FAILED) throw Refused("cannot be mapped into memory");
  }
  ~MappedFile() {
    if (memory_ != nullptr) ::munmap(memory_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(memory_), size_};
  }

 private:
  std::size_t size_ = 0;
  void* memory_ = nullptr;
};

// What a file begins with: how long its header is, and the header.
std::string_view header_of(std::span<const std::byte> bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) throw Refused("is too short for its header");
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes = bytes.subspan(sizeof size);
  if (size > bytes.size()) throw Refused("is too short for its header");
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size)};
}

// What a file says, for a terminal: other bytes than letters are written as JSON writes them.
std::string in_letters(const std::string& text) {
  using nlohmann::json;
  const std::string quoted = json(text).dump(-1, ' ', true, json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::size_t size_of(const nlohmann::json& number) {
  if (!number.is_number_unsigned()) throw Refused("has a size or a place that is no whole number");
  return number;
}

NumberType type_of(const std::string& dtype) {
  if (dtype == "F32") return NumberType::kF32;
  if (dtype == "F16") return NumberType::kF16;
  if (dtype == "BF16") return NumberType::kBF16;
  throw Refused("has numbers of type " + in_letters(dtype) + "; F32, F16 and BF16 can be read");
}

// The product of all; none if it is more than `most`.
std::optional<std::size_t> product_up_to(std::size_t most, const std::vector<std::size_t>& shape) {
  std::size_t product = 1;
  for (const std::size_t extent : shape) {
    if (extent != 0 && product > most / extent) return std::nullopt;
    product *= extent;
  }
  return product;
}

// numbers: what follows the header.
Tensor stored_tensor(const std::string& name,
                     const nlohmann::json& entry,
                     std::span<const std::byte> numbers,
                     const std::shared_ptr<const void>& memory) {
  std::vector<std::size_t> shape;
  for (const nlohmann::json& extent : entry.at("shape")) shape.push_back(size_of(extent));
  const NumberType type = type_of(entry.at("dtype"));
  const std::size_t begin = size_of(entry.at("data_offsets").at(0));
  const std::size_t end = size_of(entry.at("data_offsets").at(1));
  if (begin > end || end > numbers.size()) throw Refused("ends before its last number");

  const std::size_t size = (end - begin) / bytes_of(type);
  if (product_up_to(size, shape) != size || size * bytes_of(type) != end - begin)
    throw Refused("has another number of values for " + in_letters(name) + " than its shape says");
  return {shape, type, numbers.data() + begin, memory};
}

std::map<std::string, Tensor> tensors_of(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  const std::string_view header_text = header_of(mapped->bytes());
  const auto numbers = mapped->bytes().subspan(sizeof(std::uint64_t) + header_text.size());

  std::map<std::string, Tensor> tensors;
  const auto header = shallow_json(std::string(header_text));
  for (const auto& [name, entry] : header.items()) {
    if (name != "__metadata__") tensors.emplace(name, stored_tensor(name, entry, numbers, mapped));
  }
  return tensors;
}

}  // namespace

std::map<std::string, Tensor> read_safetensors(const std::filesystem::path& file) {
  try {
    return tensors_of(file);
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(file.string() + " has a header that is not what safetensors says");
  } catch (const Refused& refused) {
    throw std::runtime_error(file.string() + " " + refused.what());
  }
}

}  // namespace kv
