#pragma once
// The oracle of the block pool: an entry for each user of each block, a list of free ids, and a set
// of cached ids. Ref counts are counted again at each question. Slow, and easy to check by reading.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace kv::oracle {

class BlockPoolOracle {
 public:
  using Ids = std::vector<std::int32_t>;

  explicit BlockPoolOracle(std::size_t num_gpu_blocks) {
    for (std::size_t id = 1; id < num_gpu_blocks; ++id)
      free_.push_back(static_cast<std::int32_t>(id));
  }

  const Ids& free_ids() const { return free_; }
  Ids cached_ids() const { return {cached_.begin(), cached_.end()}; }
  std::int32_t ref_cnt(std::int32_t id) const {
    return static_cast<std::int32_t>(std::ranges::count(holds_, id));
  }
  const Ids& holds() const { return holds_; }  // the block's id, once for each of its users

  std::optional<Ids> get_new_blocks(std::size_t num_blocks) {
    if (num_blocks > free_.size()) return std::nullopt;
    const Ids taken(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(num_blocks));
    for (const std::int32_t id : taken) {
      cached_.erase(id);
      hold(id);
    }
    return taken;
  }

  void touch(const Ids& ids) {
    for (const std::int32_t id : ids) {
      if (id != 0) hold(id);
    }
  }

  void free_blocks(const Ids& ids) {
    for (const std::int32_t id : ids) {
      if (id == 0) continue;
      holds_.erase(std::ranges::find(holds_, id));
      if (ref_cnt(id) == 0) free_.push_back(id);
    }
  }

  // What is not cached goes to the head: of what was freed last, the first comes first.
  void free_unhashed_first(const Ids& ids) {
    const std::size_t num_free = free_.size();
    free_blocks(ids);
    const Ids freed(free_.begin() + static_cast<std::ptrdiff_t>(num_free), free_.end());
    free_.resize(num_free);
    for (const std::int32_t id : freed)
      if (cached_.contains(id)) free_.push_back(id);
    for (auto id = freed.rbegin(); id != freed.rend(); ++id)
      if (!cached_.contains(*id)) free_.insert(free_.begin(), *id);
  }

  void seal(std::int32_t id) { cached_.insert(id); }

 private:
  void hold(std::int32_t id) {
    std::erase(free_, id);
    holds_.push_back(id);
  }

  Ids free_;
  Ids holds_;
  std::set<std::int32_t> cached_;
};

}  // namespace kv::oracle
