// Each function of a lab as a jump through a slot. The student's files and the solution's are two
// libraries with the same functions; when the program starts, each slot gets the function of one of
// them. So a test can run with any function from either side, and each side keeps its own helpers.
//
//   KV_STUDENT_SIDE, KV_SOLUTION_SIDE   the two libraries
//   KV_FROM_STUDENT                     "0110": the second and third function are the student's

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#if defined(__x86_64__)
#define KV_JUMP(number) "jmp *kv_slot_" #number "(%rip)\n"
#elif defined(__aarch64__)
#define KV_JUMP(number)        \
  "adrp x16, kv_slot_" #number \
  "\n"                         \
  "ldr x16, [x16, :lo12:kv_slot_" #number "]\nbr x16\n"
#endif

extern "C" {
// slots.inc is written for each lab: KV_SLOT(0, _ZN2kv9BlockPool5touchE...) and so on.
#define KV_SLOT(number, symbol)                                                        \
  void* kv_slot_##number = nullptr;                                                    \
  asm(".pushsection .text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol \
      ":\n" KV_JUMP(number) ".popsection\n");
#include "slots.inc"
#undef KV_SLOT
}

namespace {

struct Slot {
  const char* symbol;
  void** function;
};

constexpr Slot kSlots[] = {
#define KV_SLOT(number, symbol) {#symbol, &kv_slot_##number},
#include "slots.inc"
};

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  ::_exit(3);
}

void* open_side(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) give_up("this program is for the grader alone");
  // Why local: a helper of the same name may be in both libraries.
  void* side = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return side == nullptr ? give_up(::dlerror()), nullptr : side;
}

// Before anything that could call one of the functions.
[[gnu::constructor(101)]] void fill_slots() {
  void* student = open_side("KV_STUDENT_SIDE");
  void* solution = open_side("KV_SOLUTION_SIDE");
  const char* chosen = std::getenv("KV_FROM_STUDENT");
  for (const Slot& slot : kSlots) {
    const bool is_student = chosen != nullptr && *chosen != '\0' && *chosen++ == '1';
    *slot.function = ::dlsym(is_student ? student : solution, slot.symbol);
    // Why: a student may have removed a given function.
    if (*slot.function == nullptr) *slot.function = ::dlsym(solution, slot.symbol);
  }
}

}  // namespace
