#include "simt/rewrite/device_code.h"

#include <algorithm>

#include "simt/rewrite/rewrite.h"

namespace kv::simt {
namespace {

constexpr const char* kEarlyReturn = "return ::kv::simt::returns_early()";

void write_architecture(EditedSource& code, std::size_t i) {
  const std::string_view before = code.text(i - 1);
  const bool is_condition = code.begins_directive(i - 2);
  if (is_condition && (before == "ifdef" || before == "ifndef")) {
    code.replace(i - 1, "if");
    return code.replace(i, before == "ifdef" ? "1" : "0");
  }
  if (before == "defined") {
    code.replace(i - 1, "");
    return code.replace(i, "1");
  }
  if (before == "(" && code.text(i - 2) == "defined") {
    code.replace(i - 2, "");
    return code.replace(i, "1");
  }
  code.replace(i, "800");
}

// The heap of a kernel: malloc(n), free(p), new T. The new of "new (place) T" allocates nothing.
void write_heap_call(EditedSource& code, std::size_t i) {
  const std::string_view before = code.text(i - 1), after = code.text(i + 1);
  if (code.text(i) == "new") {
    if (before != "operator" && code.is_word(i + 1)) code.replace(i, "new (KV_SIMT_HEAP)");
  } else if (after == "(" && before != "." && before != "->" && before != "::") {
    code.replace(i, "KV_SIMT_" + std::string(code.text(i)));
  }
}

// "return;", but not as the last statement of a function.
bool is_early_return(const EditedSource& code, const DeviceCode& device, std::size_t i) {
  if (code.text(i) != "return" || code.text(i + 1) != ";") return false;
  if (code.text(i + 2) != "}") return true;
  const std::size_t open = code.matching_bracket(i + 2, -1);
  return device.has_token(open - 1);
}

void rewrite_macro(EditedSource& code, const DeviceCode& device, std::size_t begin) {
  if (code.text(begin + 1) != "define" || !device.uses(code.text(begin + 2))) return;
  for (std::size_t i = begin + 3; i < code.directive_end(begin); ++i)
    if (code.text(i) == "return" && code.text(i + 1) == ";") code.replace(i, kEarlyReturn);
}

// The last token of the body that opens at `open`. The braces of a constructor's members come
// before its body.
std::size_t body_end(const EditedSource& code, std::size_t& open) {
  std::size_t end = code.matching_bracket(open, 1);
  while (end + 1 < code.size() && (code.text(end + 1) == "," || code.text(end + 1) == "{")) {
    while (++end < code.size() && code.text(end) != "{") continue;
    open = end;
    end = code.matching_bracket(open, 1);
  }
  return end;
}

}  // namespace

DeviceCode::DeviceCode(const EditedSource& code) : code_(code), is_device_(code.size()) {
  const Qualifiers qualifiers(code);
  unsigned sides = kNeither;  // what the declaration says so far
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.begins_directive(i)) {
      i = code.directive_end(i) - 1;
      continue;
    }
    const std::string_view text = code.text(i);
    sides |= qualifiers.side_of(text);
    if (text == ";" || text == "}") sides = kNeither;
    if (sides != kNeither && (text == "(" || text == "[")) {
      i = std::min(code.matching_bracket(i, 1), code.size() - 1);
    }
    if (text != "{") continue;
    std::size_t open = i;
    const std::size_t end = sides == kDevice ? body_end(code, open) : open;
    if (end < code.size()) i = end;
    for (std::size_t k = open; k < i; ++k) is_device_[k] = true;
    sides = kNeither;
  }
  mark_conditions();
  find_names();
}

void DeviceCode::find_names() {
  for (std::size_t i = 0; i < code_.size(); ++i)
    if (is_device_[i] && code_.is_word(i)) names_.insert(code_.text(i));
  for (std::size_t num_before = 0; num_before != names_.size();) {
    num_before = names_.size();
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const bool is_macro = code_.begins_directive(i) && code_.text(i + 1) == "define";
      if (!is_macro || !uses(code_.text(i + 2))) continue;
      for (std::size_t k = i + 3; k < code_.directive_end(i); ++k)
        if (code_.is_word(k)) names_.insert(code_.text(k));
    }
  }
}

// Marks #if ... #endif around functions of the device alone: host code has no use for them.
void DeviceCode::mark_conditions() {
  std::vector<Condition> open(1);  // the first is the whole file
  for (std::size_t i = 0; i < code_.size(); ++i) {
    Condition& inner = open.back();
    if (!code_.begins_directive(i)) {
      const bool is_code = code_.text(i) == "{" || code_.text(i) == ";";
      inner.has_device_code |= is_device_[i];
      inner.has_other_code |= is_code && !is_device_[i];
      continue;
    }
    const std::string_view word = code_.text(i + 1);
    if (word.starts_with("if")) open.emplace_back();
    open.back().directives.push_back(i);
    i = code_.directive_end(i) - 1;
    if (word != "endif" || open.size() == 1) continue;
    const Condition ended = std::move(open.back());
    open.pop_back();
    open.back().has_device_code |= ended.has_device_code;
    open.back().has_other_code |= ended.has_other_code;
    if (ended.has_device_code && !ended.has_other_code) mark(ended);
  }
}

void DeviceCode::mark(const Condition& condition) {
  for (const std::size_t directive : condition.directives) {
    for (std::size_t i = directive; i < code_.directive_end(directive); ++i) is_device_[i] = true;
  }
}

bool DeviceCode::has_any(std::size_t begin, std::size_t end) const {
  for (std::size_t i = code_.first_from(begin); i < code_.size() && code_.offset(i) < end; ++i) {
    if (is_device_[i]) return true;
  }
  return false;
}

namespace {

// Which of the #if that are open ask for the architecture. nvcc compiles device code for the host,
// too, where __CUDA_ARCH__ has no value: it is a number only where such an #if stands around it.
class ArchitectureConditions {
 public:
  void read(const EditedSource& code, std::size_t hash) {
    const std::string_view word = code.text(hash + 1);
    if (word.starts_with("if")) open_.push_back(false);
    if (open_.empty()) return;
    if (word == "endif") return open_.pop_back();
    for (std::size_t i = hash; i < code.directive_end(hash); ++i) {
      if (code.text(i) == "__CUDA_ARCH__") open_.back() = true;
    }
  }
  bool have_one() const { return std::ranges::count(open_, true) > 0; }

 private:
  std::vector<bool> open_ = {};
};

}  // namespace

void rewrite_device_code(EditedSource& code, const DeviceCode& device) {
  ArchitectureConditions conditions;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.begins_directive(i)) {
      rewrite_macro(code, device, i);
      conditions.read(code, i);
    }
    if (!device.has_token(i)) continue;
    const std::string_view text = code.text(i);
    if (is_early_return(code, device, i)) code.replace(i, kEarlyReturn);
    const bool has_number = code.is_in_directive(i) || conditions.have_one();
    if (text == "__CUDA_ARCH__" && has_number) write_architecture(code, i);
    if (text == "malloc" || text == "free" || text == "new") write_heap_call(code, i);
  }
}

Qualifiers::Qualifiers(const EditedSource& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.begins_directive(i) || code.text(i + 1) != "define") continue;
    unsigned sides = kNeither;
    for (std::size_t k = i + 3; k < code.directive_end(i); ++k) {
      // Why braces and semicolons: a macro that defines functions or variables is no qualifier.
      const bool is_definition = code.text(k) == "{" || code.text(k) == ";";
      sides = is_definition ? 0u : sides | side_of(code.text(k));
    }
    if ((sides & kDevice) != 0) device_.insert(code.text(i + 2));
    if ((sides & kHost) != 0) host_.insert(code.text(i + 2));
  }
}

}  // namespace kv::simt
