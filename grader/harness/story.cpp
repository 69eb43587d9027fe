#include "grader/harness/story.h"

#include <algorithm>
#include <cstring>

namespace kv::grader {
namespace {

// The part [first, first + size) of `all`; less if `all` ends before it.
template <class Item>
std::span<const Item> part_of(std::span<const Item> all, std::size_t first, std::size_t size) {
  first = std::min(first, all.size());
  return all.subspan(first, std::min(size, all.size() - first));
}

// Takes the bytes of an object off the front.
bool take(std::span<const std::byte>& bytes, void* object, std::size_t size) {
  if (bytes.size() < size) return false;
  if (size > 0) std::memcpy(object, bytes.data(), size);
  bytes = bytes.subspan(size);
  return true;
}

bool is_text(const StoryField& field) {
  return field.kind == ValueKind::kText || field.kind == ValueKind::kTexts;
}

}  // namespace

void StoryRecord::begin(std::uint64_t number) {
  sizes_ = {.number = number};
}

StoryField& StoryRecord::add_field(StoryPart part, ValueKind kind, std::string_view name) {
  if (sizes_.num_fields == fields_.size()) {
    ++sizes_.num_fields_cut;
    beyond_ = {};
    return beyond_;
  }
  StoryField& field = fields_[sizes_.num_fields];
  field = {.part = part, .kind = kind};
  field.name_first = static_cast<std::uint16_t>(sizes_.num_chars);
  field.name_size =
      static_cast<std::uint16_t>(std::min(name.size(), chars_.size() - sizes_.num_chars));
  std::copy_n(name.data(), field.name_size, chars_.data() + sizes_.num_chars);
  sizes_.num_chars += field.name_size;
  field.first = static_cast<std::uint16_t>(sizes_.num_numbers);
  ++sizes_.num_fields;
  return field;
}

StoryField& StoryRecord::add_text_field(StoryPart part, ValueKind kind, std::string_view name) {
  StoryField& field = add_field(part, kind, name);
  field.first = static_cast<std::uint16_t>(sizes_.num_chars);
  return field;
}

void StoryRecord::add_text(StoryPart part, std::string_view name, std::string_view text) {
  append(add_text_field(part, ValueKind::kText, name), text);
}

void StoryRecord::append(StoryField& field, std::string_view text) {
  const std::size_t room = &field == &beyond_ ? 0 : chars_.size() - sizes_.num_chars;
  const std::size_t size = std::min(text.size(), room);
  std::copy_n(text.data(), size, chars_.data() + sizes_.num_chars);
  sizes_.num_chars += static_cast<std::uint32_t>(size);
  field.size += static_cast<std::uint16_t>(size);
  field.num_cut += static_cast<std::uint32_t>(text.size() - size);
}

void StoryRecord::append(StoryField& field, std::int64_t number) {
  const bool has_room = &field != &beyond_ && sizes_.num_numbers < numbers_.size();
  if (!has_room || field.size == kMaxItems) {
    ++field.num_cut;
    return;
  }
  numbers_[sizes_.num_numbers++] = number;
  ++field.size;
}

std::span<const StoryField> StoryRecord::fields() const {
  return {fields_.data(), sizes_.num_fields};
}

const StoryField* StoryRecord::find(StoryPart part) const {
  const auto found = std::ranges::find(fields(), part, &StoryField::part);
  return found == fields().end() ? nullptr : &*found;
}

std::string_view StoryRecord::text_of(StoryPart part) const {
  const StoryField* field = find(part);
  return field == nullptr ? std::string_view() : text(*field);
}

std::string_view StoryRecord::name(const StoryField& field) const {
  const auto chars = part_of(std::span<const char>(chars_.data(), sizes_.num_chars),
                             field.name_first, field.name_size);
  return {chars.data(), chars.size()};
}

std::string_view StoryRecord::text(const StoryField& field) const {
  if (!is_text(field)) return {};
  const auto chars =
      part_of(std::span<const char>(chars_.data(), sizes_.num_chars), field.first, field.size);
  return {chars.data(), chars.size()};
}

std::span<const std::int64_t> StoryRecord::numbers(const StoryField& field) const {
  if (is_text(field)) return {};
  return part_of(std::span<const std::int64_t>(numbers_.data(), sizes_.num_numbers), field.first,
                 field.size);
}

std::array<std::span<const std::byte>, 4> StoryRecord::bytes() const {
  return {std::as_bytes(std::span(&sizes_, 1)), std::as_bytes(fields()),
          std::as_bytes(std::span(numbers_.data(), sizes_.num_numbers)),
          std::as_bytes(std::span(chars_.data(), sizes_.num_chars))};
}

bool StoryRecord::read(std::span<const std::byte>& bytes) {
  Sizes sizes;
  if (!take(bytes, &sizes, sizeof sizes)) return false;
  if (sizes.num_fields > fields_.size() || sizes.num_numbers > numbers_.size() ||
      sizes.num_chars > chars_.size()) {
    return false;
  }
  sizes_ = sizes;
  return take(bytes, fields_.data(), sizes.num_fields * sizeof(StoryField)) &&
         take(bytes, numbers_.data(), sizes.num_numbers * sizeof(std::int64_t)) &&
         take(bytes, chars_.data(), sizes.num_chars);
}

}  // namespace kv::grader
