#include "simt/runtime/report/findings.h"

#include <algorithm>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/core/scheduler.h"

extern "C" {
extern uint3 blockIdx;
}

namespace kv::simt {
namespace {

bool same_places(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.site == b.site && a.kernel == b.kernel &&
         std::equal(a.notes.begin(), a.notes.end(), b.notes.begin(), b.notes.end(),
                    [](const Note& x, const Note& y) { return x.site == y.site; });
}

}  // namespace

__attribute__((init_priority(102))) Findings findings;

void Findings::add(Finding finding, const Thread* thread) {
  finding.in_kernel = machine.current != nullptr;
  if (finding.in_kernel) {
    finding.kernel = machine.kernel_name;
    finding.block = blockIdx;
    finding.thread = (thread == nullptr ? self() : *thread).index;
  }
  for (Finding& known : all_) {
    if (!same_places(known, finding)) continue;
    ++known.count;
    return;
  }
  all_.push_back(std::move(finding));
}

}  // namespace kv::simt
