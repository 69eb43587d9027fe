#pragma once
// Which work of the host happens before which. Work in one stream is in order. A stream waits for
// an event, the host for a stream or for all; what the host asks for later comes after that. The
// default stream and each stream without cudaStreamNonBlocking wait for each other. All other work
// may run in any order, or at once, and then it must not use the same bytes.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/runtime/memory/access.h"

namespace kv::simt {

// For each stream, how much of its work came before.
using StreamClock = std::vector<std::uint64_t>;

class StreamOrder {
 public:
  // Streams have numbers; 0 is the default stream.
  std::size_t add_stream(bool is_blocking);
  // Only then is there work without an order.
  bool is_needed() const { return is_needed_; }

  // The work that follows is of this stream; `site` asks for it.
  void begin_work(std::size_t stream, Site site);
  StreamClock clock_of(std::size_t stream) const { return streams_[stream].clock; }
  void stream_waits(std::size_t stream, const StreamClock& clock);
  void host_waits(const StreamClock& clock);
  void host_waits_for_all();

  // The current work uses these bytes of device memory. A thread of its kernel does if `access` is
  // given, else the call of the host.
  void use(std::size_t offset, std::size_t bytes, bool writes, const MemoryAccess* access);

 private:
  struct Stream {
    StreamClock clock;
    bool is_blocking;
  };
  struct Work {
    std::size_t stream;
    std::uint64_t tick;
    Site site;
  };
  // The last use of a cell of 4 bytes, by numbers of work; 0: none.
  struct Cell {
    std::uint32_t writer, reader;
    bool is_atomic;  // the write
  };
  static constexpr std::size_t kCell = 4, kCells = 1024;
  using Cells = std::array<Cell, kCells>;

  bool is_ordered(std::uint32_t work) const;
  void check(Cell& cell, std::size_t offset, bool writes, const MemoryAccess* access);
  void report(std::uint32_t earlier, std::size_t offset, bool writes, const MemoryAccess* access);

  std::vector<Stream> streams_ = {{{}, true}};
  StreamClock host_ = {}, now_ = {};
  std::vector<Work> works_ = {{}};
  std::unordered_map<std::size_t, std::unique_ptr<Cells>> pages_ = {};  // by number
  bool is_needed_ = false;
};

extern StreamOrder stream_order;

}  // namespace kv::simt
