#pragma once
// What each kind of finding is called, and what it means.

#include "simt/runtime/report/findings.h"

namespace kv::simt {

struct KindText {
  const char* name;   // "out-of-bounds"
  const char* check;  // "memcheck"
  const char* means;  // one sentence
};

const KindText& text_of(Kind kind);

}  // namespace kv::simt
