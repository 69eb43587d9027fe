#include "grader/harness/call_stack.h"

#include <unwind.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#ifdef __linux__
#include <link.h>
#include <ucontext.h>
#endif

#include "grader/harness/channel.h"
#include "grader/harness/record_kinds.h"

namespace kv::grader {
namespace {

constexpr std::size_t kMaxSent = 32;
// More calls than any right answer has in progress: it recurses without end.
constexpr std::size_t kMaxDepth = 1000;

// Where the program is in memory, and what has to be subtracted for an address in its file.
struct Place {
  std::uintptr_t bias = 0;
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};
Place program;

struct Walk {
  std::array<std::uintptr_t, kMaxSent> addresses;
  std::size_t num_addresses = 0;
  std::size_t depth = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  int is_interrupted = 0;
  std::uintptr_t address = _Unwind_GetIPInfo(context, &is_interrupted);
  if (is_interrupted == 0) --address;  // an address in the call, not after it
  const bool is_in_program = address >= program.first && address < program.end;
  if (is_in_program && walk.num_addresses < kMaxSent) {
    walk.addresses[walk.num_addresses++] = address - program.bias;
  }
  return ++walk.depth < kMaxDepth ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

// Words with spaces between them, in fixed memory.
class Words {
 public:
  void add(std::string_view word) {
    if (size_ > 0) append(" ");
    append(word);
  }
  void add_hex(std::uintptr_t number) {
    std::array<char, 2 * sizeof number> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
    add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  std::string_view view() const { return {chars_.data(), size_}; }

 private:
  void append(std::string_view text) {
    const std::size_t size = std::min(text.size(), chars_.size() - size_);
    std::copy_n(text.data(), size, chars_.data() + size_);
    size_ += size;
  }

  std::array<char, 20 * (kMaxSent + 1)> chars_;
  std::size_t size_ = 0;
};

std::string_view access_of([[maybe_unused]] const void* context) {
#if defined(__linux__) && defined(__x86_64__)
  constexpr greg_t kIsWrite = 2;
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return (registers[REG_ERR] & kIsWrite) != 0 ? record_kind::kWrite : record_kind::kRead;
#else
  return record_kind::kAccess;
#endif
}

}  // namespace

void prepare_call_stack() {
#ifdef __linux__
  // The first object is the program.
  const auto take = [](dl_phdr_info* info, std::size_t, void*) {
    program = {.bias = info->dlpi_addr, .first = UINTPTR_MAX, .end = 0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
      const std::uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      program.first = std::min(program.first, first);
      program.end = std::max(program.end, first + info->dlpi_phdr[i].p_memsz);
    }
    return 1;
  };
  ::dl_iterate_phdr(take, nullptr);
#endif
}

void send_call_stack() {
  if (!channel::is_open()) return;
  static Walk walk;
  walk = {};
  _Unwind_Backtrace(visit, &walk);
  Words words;
  if (walk.depth >= kMaxDepth) words.add(record_kind::kTooDeep);
  for (std::size_t i = 0; i < walk.num_addresses; ++i) words.add_hex(walk.addresses[i]);
  channel::send(record_kind::kCalls, words.view());
}

void send_fault(const siginfo_t& info, const void* context) {
  Words words;
  words.add(access_of(context));
  // Other codes come without an address.
  const bool has_address = info.si_code == SEGV_MAPERR || info.si_code == SEGV_ACCERR;
  if (has_address) words.add_hex(reinterpret_cast<std::uintptr_t>(info.si_addr));
  channel::send(record_kind::kFault, words.view());
}

}  // namespace kv::grader
