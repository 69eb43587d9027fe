#pragma once
// The oracle of the scheduler. It has no queue and no index: of each request it stores whether it
// runs, and a number for its turn. Who waits, who runs and who comes next is found by sorting all
// requests, and a step asks again after each request. Slow, and easy to check by reading.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kv::oracle {

// Blocks: an oracle of the blocks, with the members of KVCacheManagerOracle.
template <class Blocks>
class SchedulerOracle {
 public:
  using Names = std::vector<std::string>;
  using Token = std::int32_t;

  struct Limits {
    std::size_t num_tokens, num_requests;  // the most in a step
    std::size_t max_len;                   // the longest request, in tokens
    std::size_t num_tokens_of_one;         // the most that one request gets in a step; 0: no limit
    bool cuts_prompts, needs_room_for_all, is_by_priority;
    bool is_todays = false;  // not vLLM 0.22, but 0.33
    double watermark = 0;    // share of the blocks that an admission leaves free
    bool reserves = false;   // and what running requests lack
  };
  struct Asked {
    std::size_t max_tokens, min_tokens = 0;
    std::vector<Token> stops = {};
    int priority = 0;
    double arrival = 0;
  };
  struct Entry {
    std::string name;
    char kind;  // n: new, r: resumed, -: running
    std::size_t num_computed, num_tokens;
  };
  struct Step {
    std::vector<Entry> entries = {};
    Names preempted = {};
    Names finished = {};
    std::size_t num_common = 0;
  };
  struct Given {
    std::string name;
    Token token;
    char end;  // s: stop, l: length, -: it goes on
  };
  struct Record {
    std::string name;
    typename Blocks::Prompt text;  // prompt and output
    Asked asked;
    std::size_t num_prompt = 0, num_computed = 0;
    bool is_running = false, was_preempted = false;
    std::int64_t turn = 0;
  };

  SchedulerOracle(Blocks& blocks, const Limits& limits) : blocks_(blocks), limits_(limits) {}

  const std::vector<Record>& records() const { return records_; }
  const Record* find(const std::string& name) const {
    const auto at = std::ranges::find(records_, name, &Record::name);
    return at == records_.end() ? nullptr : &*at;
  }
  Names running() const {
    return names_by([](const Record& it) { return it.is_running; },
                    [](const Record& a, const Record& b) { return a.turn < b.turn; });
  }
  Names waiting() const {
    return names_by([](const Record& it) { return !it.is_running; },
                    [this](const Record& a, const Record& b) { return waits_before(a, b); });
  }

  void add(const std::string& name, const typename Blocks::Prompt& prompt, const Asked& asked) {
    records_.push_back({name, prompt, asked, prompt.token_ids.size()});
    records_.back().turn = ++now_;
  }

  void finish(const std::string& name) {
    if (find(name) == nullptr) return;
    blocks_.free(name);
    std::erase_if(records_, [&](const Record& it) { return it.name == name; });
    finished_.push_back(name);
  }

  Step schedule() {
    Step step;
    std::size_t room = limits_.num_tokens;
    std::set<std::string> seen;
    while (room > 0) {
      const Names all = running();
      const auto next =
          std::ranges::find_if(all, [&](const auto& name) { return !seen.contains(name); });
      if (next == all.end()) break;
      seen.insert(*next);
      if (!go_on(record(*next), step, room) && !limits_.is_todays) break;
    }
    while (step.preempted.empty() && room > 0 && admit_next(step, room)) continue;

    for (const Entry& entry : step.entries)
      record(entry.name).num_computed = entry.num_computed + entry.num_tokens;
    const Names all = running();
    if (!all.empty()) step.num_common = blocks_.num_common(all.front());
    step.finished = std::exchange(finished_, {});
    return step;
  }

  // Whether this step has computed every token that the request of the entry has now.
  bool is_whole(const Entry& entry) const {
    const Record* found = find(entry.name);
    return found != nullptr &&
           entry.num_computed + entry.num_tokens == found->text.token_ids.size();
  }

  Given give(const std::string& name, Token token) {
    Record& it = record(name);
    it.text.token_ids.push_back(token);
    const char end = end_of(it);
    if (end != '-') finish(name);
    return {name, token, end};
  }

 private:
  Record& record(const std::string& name) {
    return *std::ranges::find(records_, name, &Record::name);
  }

  template <class Is, class Before>
  Names names_by(Is is_wanted, Before before) const {
    std::vector<Record> wanted;
    std::ranges::copy_if(records_, std::back_inserter(wanted), is_wanted);
    std::ranges::sort(wanted, before);
    Names names;
    for (const Record& it : wanted) names.push_back(it.name);
    return names;
  }
  bool waits_before(const Record& a, const Record& b) const {
    if (!limits_.is_by_priority) return a.turn < b.turn;
    return std::tuple(a.asked.priority, a.asked.arrival, a.name) <
           std::tuple(b.asked.priority, b.asked.arrival, b.name);
  }

  std::size_t num_wanted(const Record& it, std::size_t num_computed) const {
    const std::size_t num = it.text.token_ids.size() - num_computed;
    const bool is_limited = limits_.num_tokens_of_one > 0;
    const bool is_exempt = limits_.is_todays && records_.size() == 1;
    return is_limited && !is_exempt ? std::min(num, limits_.num_tokens_of_one) : num;
  }

  // false: it was preempted itself.
  bool go_on(const Record& present, Step& step, std::size_t& room) {
    const Record it = present;
    const std::size_t num = std::min(num_wanted(it, it.num_computed), room);
    if (num == 0) return true;
    while (!blocks_.allocate(it.name, it.text, {it.num_computed, num, 0, false}, {})) {
      const std::string victim = victim_of(running());
      preempt(victim, step, room);
      if (victim == it.name) return false;
    }
    step.entries.push_back({it.name, '-', it.num_computed, num});
    room -= num;
    return true;
  }

  std::string victim_of(const Names& all) {
    std::string victim = limits_.is_by_priority ? all.front() : all.back();
    if (!limits_.is_by_priority) return victim;
    for (const std::string& name : all) {
      const Asked &one = record(name).asked, &other = record(victim).asked;
      if (std::pair(one.priority, one.arrival) >= std::pair(other.priority, other.arrival))
        victim = name;
    }
    return victim;
  }

  void preempt(const std::string& name, Step& step, std::size_t& room) {
    for (const Entry& entry : step.entries)
      if (entry.name == name) room += withdrawn(entry);
    std::erase_if(step.entries, [&](const Entry& it) { return it.name == name; });
    blocks_.free(name);
    Record& it = record(name);
    it.num_computed = 0;
    it.is_running = false;
    it.was_preempted = true;
    it.turn = -++now_;
    step.preempted.push_back(name);
  }

  // How many tokens the step does not compute any more. What they would have filled is not cached.
  std::size_t withdrawn(const Entry& entry) {
    const auto& table = blocks_.table(entry.name);
    for (std::size_t i = entry.num_computed / blocks_.block_size(); i < table.size(); ++i)
      blocks_.forget(table[i]);
    return entry.num_tokens;
  }

  std::size_t num_left_free() const {
    const Names all = running();
    if (all.empty()) return 0;
    auto num =
        static_cast<std::size_t>(limits_.watermark * static_cast<double>(blocks_.num_blocks()));
    for (const std::string& name : all)
      if (limits_.reserves) num += blocks_.num_lacking(name, find(name)->text);
    return num;
  }

  // false: none is admitted any more.
  bool admit_next(Step& step, std::size_t& room) {
    const Names all = waiting();
    if (all.empty() || running().size() == limits_.num_requests) return false;
    Record& it = record(all.front());
    const auto hits = blocks_.computed_blocks(it.text);
    const std::size_t num_hit = hits.size() * blocks_.block_size();
    const std::size_t num = num_wanted(it, num_hit);
    if (num > room && !limits_.cuts_prompts) return false;
    const std::size_t num_now = std::min(num, room);
    const typename Blocks::Ask ask = {0, num_now, 0, limits_.needs_room_for_all, num_left_free()};
    if (!blocks_.allocate(it.name, it.text, ask, hits)) return false;
    it.is_running = true;
    it.turn = ++now_;
    step.entries.push_back({it.name, it.was_preempted ? 'r' : 'n', num_hit, num_now});
    room -= num_now;
    return true;
  }

  char end_of(const Record& it) const {
    const std::size_t num_output = it.text.token_ids.size() - it.num_prompt;
    if (num_output < it.asked.min_tokens) return '-';
    for (const Token stop : it.asked.stops)
      if (stop == it.text.token_ids.back()) return 's';
    if (it.text.token_ids.size() >= limits_.max_len) return 'l';
    return num_output >= it.asked.max_tokens ? 'l' : '-';
  }

  Blocks& blocks_;
  Limits limits_;
  std::int64_t now_ = 0;
  std::vector<Record> records_;  // in the order in which they came
  Names finished_;
};

}  // namespace kv::oracle
