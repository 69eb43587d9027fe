#pragma once
// asm volatile("add.f16x2 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b)) is PTX in a kernel. It becomes a
// call, whose arguments stay on their lines:
//
//   ::kv::simt::ptx::run([](std::uint64_t* r) {...} , ::kv::simt::ptx::out(c) ,
//   ::kv::simt::ptx::in(a), ...)

#include "simt/rewrite/edited_source.h"

namespace kv::simt {

// `i` is the token "asm" in device code. Returns whether it is such a call now. PTX that is not
// known becomes a name of not_here.h; without text it is a hint for the optimizer, and stays.
bool rewrite_asm(EditedSource& code, std::size_t i);

}  // namespace kv::simt
