#pragma once
// The story of a test as data: how it began, then a record for each step. docs/dev/story.md says
// what the fields mean. A signal handler has to be able to hand a story over, so a record has a
// fixed size and allocates nothing; what does not fit is cut, and counted.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>

namespace kv::grader {

enum class StoryPart : std::uint8_t {
  kCall,             // "touch(blocks)": the name and the names of the arguments
  kSentence,         // "touch({0})": the call as a person reads it
  kCode,             // "touch({0})": the call as a line of a test
  kArg,              //
  kExpectedResult,   //
  kResultSentence,   // "largest piece of memory: {0} bytes"
  kResult,           //
  kMustBeRefused,    // why the call has to be refused
  kRefused,          // the exception by which the call was refused
  kException,        // the exception that came out of the test
  kState,            // named, and on the screen
  kDetail,           // named, and in the data only
  kExpectation,      // "free(blocks)": of the state after the call; its values follow
  kExpectationCode,  // "expect_free({0})"
  kExpected,         // a value of the expectation before it
  kObject,           // what a line of a test calls the object: "queue"
  kFound,            // how a history was found
  kReplay,           // the command that runs it again
  kHeading,          // the README heading that states it
};

// Decides how a value is drawn: block 3 is #3 in a sentence and 3 in code.
enum class ValueKind : std::uint8_t {
  kNothing,
  kBool,
  kNumber,
  kUnsigned,
  kReal,
  kText,
  kTexts,  // a list of them: each with a line break after it
  kBlock,  // no number: no block
  kBlocks,
  kList,
  kOptionalList,  // a list where there could be nothing
  kReals,
  kCounts,  // id, count, id, count, ...
  kHashes,
};

struct StoryField {
  StoryPart part = StoryPart::kCall;
  ValueKind kind = ValueKind::kNothing;
  std::uint16_t name_first = 0;
  std::uint16_t name_size = 0;
  std::uint16_t first = 0;  // its first character, if it is text or texts; else its first number
  std::uint16_t size = 0;
  std::uint32_t num_cut = 0;
};

// Values that are more than their type says.
struct Block {
  std::optional<std::int64_t> id;
};
template <class Ids>
struct Blocks {
  const Ids& ids;
};
template <class Ids>
Blocks(const Ids&) -> Blocks<Ids>;
template <class Numbers>
struct RefCounts {
  const Numbers& ids_and_counts;
};
template <class Numbers>
RefCounts(const Numbers&) -> RefCounts<Numbers>;
template <class Numbers>
struct Hashes {
  const Numbers& hashes;
};
template <class Numbers>
Hashes(const Numbers&) -> Hashes<Numbers>;

class StoryRecord {
 public:
  static constexpr std::size_t kMaxItems = 256;  // most entries of one list

  void begin(std::uint64_t number);

  // A value of any of the kinds above. `name`: of a state.
  template <class Value>
  void add(StoryPart part, std::string_view name, const Value& value);
  void add_text(StoryPart part, std::string_view name, std::string_view text);

  std::uint64_t number() const { return sizes_.number; }  // the number of the step, from 1 on
  std::size_t num_fields_cut() const { return sizes_.num_fields_cut; }
  std::span<const StoryField> fields() const;
  const StoryField* find(StoryPart part) const;
  std::string_view text_of(StoryPart part) const;  // empty if there is no such field

  // Whatever the bytes of a field say, these read inside the record.
  std::string_view name(const StoryField& field) const;
  std::string_view text(const StoryField& field) const;
  std::span<const std::int64_t> numbers(const StoryField& field) const;

  // The bytes in use, for the channel; and back. read takes them off the front of `bytes`; false:
  // they are no record.
  std::array<std::span<const std::byte>, 4> bytes() const;
  bool read(std::span<const std::byte>& bytes);

 private:
  struct Sizes {
    std::uint64_t number = 0;
    std::uint32_t num_fields = 0;
    std::uint32_t num_numbers = 0;
    std::uint32_t num_chars = 0;
    std::uint32_t num_fields_cut = 0;
  };

  StoryField& add_field(StoryPart part, ValueKind kind, std::string_view name);
  StoryField& add_text_field(StoryPart part, ValueKind kind, std::string_view name);
  void append(StoryField& field, std::int64_t number);
  void append(StoryField& field, std::string_view text);
  template <class Items>
  void add_list(StoryPart part, ValueKind kind, std::string_view name, const Items& items);
  template <class Texts>
  void add_texts(StoryPart part, std::string_view name, const Texts& texts);

  Sizes sizes_;
  std::array<StoryField, 64> fields_;
  std::array<std::int64_t, 1024> numbers_;
  std::array<char, 1536> chars_;
  StoryField beyond_;  // takes what has no room
};

// Head, start and steps of a story, wherever they are kept.
struct StoryView {
  const StoryRecord& head;  // number(): of all steps, the ones left out included
  const StoryRecord& start;
  std::span<const StoryRecord* const> steps;
};

template <class Number>
std::int64_t as_story_number(Number number) {
  if constexpr (std::floating_point<Number>) {
    return std::bit_cast<std::int64_t>(static_cast<double>(number));
  } else {
    return static_cast<std::int64_t>(number);
  }
}

template <class Items>
void StoryRecord::add_list(StoryPart part,
                           ValueKind kind,
                           std::string_view name,
                           const Items& items) {
  StoryField& field = add_field(part, kind, name);
  for (const auto& item : items) append(field, as_story_number(item));
}

template <class Texts>
void StoryRecord::add_texts(StoryPart part, std::string_view name, const Texts& texts) {
  StoryField& field = add_text_field(part, ValueKind::kTexts, name);
  for (const std::string_view text : texts) {
    append(field, text);
    append(field, "\n");
  }
}

template <class T, template <class> class Kind>
inline constexpr bool is_a = false;
template <class T, template <class> class Kind>
inline constexpr bool is_a<Kind<T>, Kind> = true;

template <class Value>
void StoryRecord::add(StoryPart part, std::string_view name, const Value& value) {
  if constexpr (std::same_as<Value, Block>) {
    StoryField& field = add_field(part, ValueKind::kBlock, name);
    if (value.id) append(field, *value.id);
  } else if constexpr (is_a<Value, Blocks>) {
    add_list(part, ValueKind::kBlocks, name, value.ids);
  } else if constexpr (is_a<Value, RefCounts>) {
    add_list(part, ValueKind::kCounts, name, value.ids_and_counts);
  } else if constexpr (is_a<Value, Hashes>) {
    add_list(part, ValueKind::kHashes, name, value.hashes);
  } else if constexpr (is_a<Value, std::optional>) {
    if (value) return add_list(part, ValueKind::kOptionalList, name, *value);
    add_field(part, ValueKind::kNothing, name);
  } else if constexpr (std::same_as<Value, bool>) {
    append(add_field(part, ValueKind::kBool, name), value);
  } else if constexpr (std::unsigned_integral<Value>) {
    append(add_field(part, ValueKind::kUnsigned, name), as_story_number(value));
  } else if constexpr (std::integral<Value>) {
    append(add_field(part, ValueKind::kNumber, name), as_story_number(value));
  } else if constexpr (std::floating_point<Value>) {
    append(add_field(part, ValueKind::kReal, name), as_story_number(value));
  } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
    add_text(part, name, value);
  } else if constexpr (std::convertible_to<std::ranges::range_value_t<Value>, std::string_view>) {
    add_texts(part, name, value);
  } else {
    constexpr bool kIsReal = std::floating_point<std::ranges::range_value_t<Value>>;
    add_list(part, kIsReal ? ValueKind::kReals : ValueKind::kList, name, value);
  }
}

}  // namespace kv::grader
