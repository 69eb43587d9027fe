#include "simt/runtime/memory/stream_order.h"

#include <algorithm>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/global_memory.h"

namespace kv::simt {
namespace {

void merge(StreamClock& clock, const StreamClock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

__attribute__((init_priority(102))) StreamOrder stream_order;

std::size_t StreamOrder::add_stream(bool is_blocking) {
  streams_.push_back({host_, is_blocking});
  is_needed_ = streams_.size() > 2 || !is_blocking;
  return streams_.size() - 1;
}

void StreamOrder::begin_work(std::size_t stream, Site site) {
  if (!is_needed_) return;
  now_ = streams_[stream].clock;
  merge(now_, host_);
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const bool waits = streams_[stream].is_blocking && streams_[i].is_blocking;
    if (waits && (stream == 0 || i == 0)) merge(now_, streams_[i].clock);
  }
  now_.resize(std::max(now_.size(), stream + 1));
  ++now_[stream];
  streams_[stream].clock = now_;
  works_.push_back({stream, now_[stream], site});
}

void StreamOrder::stream_waits(std::size_t stream, const StreamClock& clock) {
  merge(streams_[stream].clock, clock);
}

void StreamOrder::host_waits(const StreamClock& clock) {
  merge(host_, clock);
}

void StreamOrder::host_waits_for_all() {
  for (const Stream& stream : streams_) merge(host_, stream.clock);
}

bool StreamOrder::is_ordered(std::uint32_t work) const {
  const Work& earlier = works_[work];
  return work == 0 || (earlier.stream < now_.size() && earlier.tick <= now_[earlier.stream]);
}

void StreamOrder::use(std::size_t offset,
                      std::size_t bytes,
                      bool writes,
                      const MemoryAccess* access) {
  if (works_.size() == 1) return;
  for (std::size_t cell = offset / kCell; cell <= (offset + bytes - 1) / kCell; ++cell) {
    std::unique_ptr<Cells>& cells = pages_[cell / kCells];
    if (cells == nullptr) cells = std::make_unique<Cells>();
    check((*cells)[cell % kCells], cell * kCell, writes, access);
  }
}

void StreamOrder::check(Cell& cell, std::size_t offset, bool writes, const MemoryAccess* access) {
  const bool is_atomic = access != nullptr && access->is_atomic();
  const bool are_atomic = is_atomic && cell.is_atomic;
  if (!are_atomic && !is_ordered(cell.writer)) report(cell.writer, offset, writes, access);
  if (writes && !is_atomic && !is_ordered(cell.reader)) report(cell.reader, offset, writes, access);
  const auto number = static_cast<std::uint32_t>(works_.size() - 1);
  (writes ? cell.writer : cell.reader) = number;
  if (writes) cell.is_atomic = is_atomic;
}

void StreamOrder::report(std::uint32_t earlier,
                         std::size_t offset,
                         bool writes,
                         const MemoryAccess* access) {
  const PauseChecks pause;
  const std::string place = distance_to(*arena.owner(offset), arena.address(offset));
  Finding race{.kind = Kind::kStreamRace,
               .site = works_.back().site,
               .what = std::string("this call ") + (writes ? "writes" : "reads") + " " + place};
  if (access != nullptr) race = finding_of(Kind::kStreamRace, *access, "global", " " + place);
  race.notes = {{"work in another stream, which may run at the same time, begins here",
                 works_[earlier].site}};
  findings.add(std::move(race));
}

}  // namespace kv::simt
