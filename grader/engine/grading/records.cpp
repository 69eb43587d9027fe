#include "grader/engine/grading/records.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/text/text.h"
#include "grader/harness/record_kinds.h"
#include "grader/harness/story_text.h"

namespace kv::grader {

KernelFinding finding_of(const std::string& payload) {
  std::vector<std::string> parts = split_lines(payload);
  parts.resize(6);
  return {.file = parts[0],
          .line = std::atoi(parts[1].c_str()),
          .kind = parts[2],
          .where = parts[3],
          .what = parts[4],
          .means = parts[5]};
}

LineTraffic traffic_of(const std::string& payload) {
  const std::size_t end = std::min(payload.find('\n'), payload.size());
  LineTraffic traffic{.file = payload.substr(0, end)};
  std::istringstream numbers(payload.substr(end));
  numbers >> traffic.line >> traffic.is_shared >> traffic.is_read >> traffic.width >>
      traffic.requests >> traffic.moved >> traffic.least;
  return traffic;
}

namespace {

class Text : public LineSink {
 public:
  void line(std::string_view text) override { lines.append(text).append("\n"); }

  std::string lines;
};

}  // namespace

std::vector<StoryRecord> Story::records() const {
  std::vector<StoryRecord> records;
  std::span<const std::byte> bytes = std::as_bytes(std::span(bytes_));
  while (!bytes.empty()) {
    if (records.emplace_back().read(bytes)) continue;
    records.pop_back();
    break;
  }
  if (records.size() < 2) records.clear();
  return records;
}

std::string Story::text() const {
  const std::vector<StoryRecord> all = records();
  if (all.empty()) return "";
  std::vector<const StoryRecord*> steps;
  for (std::size_t i = 2; i < all.size(); ++i) steps.push_back(&all[i]);
  Text text;
  draw_story({all[0], all[1], steps}, text);
  return text.lines;
}

namespace {

// Hexadecimal numbers with spaces between them.
std::vector<std::uint64_t> numbers_in(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  std::istringstream words(text);
  for (std::uint64_t number = 0; words >> std::hex >> number;) numbers.push_back(number);
  return numbers;
}

CallStack call_stack_of(std::string payload) {
  const bool is_endless = payload.starts_with(record_kind::kTooDeep);
  if (is_endless) payload.erase(0, record_kind::kTooDeep.size());
  return {.addresses = numbers_in(payload), .is_endless = is_endless};
}

Fault fault_of(const std::string& payload) {
  const std::size_t end = std::min(payload.find(' '), payload.size());
  const std::vector<std::uint64_t> address = numbers_in(payload.substr(end));
  Fault fault{.access = payload.substr(0, end)};
  if (!address.empty()) fault.address = address[0];
  return fault;
}

void take(Records& records, const std::string& kind, const std::string& payload) {
  using namespace record_kind;
  if (kind == kStart) records.started.push_back(payload);
  if (kind == kTodo && records.first_todo.empty()) records.first_todo = payload;
  if (kind == kWrong) records.wrong = payload;
  if (kind == kEndless || kind == kTimeIsUp) records.time_is_up = payload;
  if (kind == kEndless) records.is_endless = true;
  if (kind == kSteps) {
    char* rest = nullptr;
    records.num_steps = std::strtoull(payload.c_str(), &rest, 10);
    records.most_steps = std::strtoull(rest, nullptr, 10);
  }
  if (kind == kStory) records.story = {};
  if (kind == kStoryPart) records.story.add_bytes(payload);
  if (kind == kHistory) records.history = payload;
  if (kind == kCalls) records.call_stack = call_stack_of(payload);
  if (kind == kFault) records.fault = fault_of(payload);
  if (kind == kSource) records.source = payload;
  if (kind == kSpec) records.spec = payload;
  if (kind == kHeading) records.heading = payload;
  if (kind == kQuote) records.quotes.push_back(payload);
  if (kind == kFinding) records.kernel_lines.findings.push_back(finding_of(payload));
  if (kind == kTraffic) records.kernel_lines.traffic.push_back(traffic_of(payload));
  if (kind == kEnd) {
    records.ended = true;
    records.passed = payload == kPass;
  }
  if (kind == kDone) records.done = true;
}

}  // namespace

// Why a page: a member of an object at null has a small address.
bool Fault::is_null() const {
  constexpr std::uint64_t kPageBytes = 4096;
  return address && *address < kPageBytes;
}

Records parse_records(std::string_view text, const std::string& nonce) {
  Records records;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    if (line_end == std::string_view::npos) break;
    const std::string_view header = text.substr(0, line_end);
    text.remove_prefix(line_end + 1);
    const std::size_t size_at = header.rfind(' ');
    if (!header.starts_with(nonce + " ") || size_at <= nonce.size()) {
      ++records.num_forged;
      continue;
    }
    const std::string kind(header.substr(nonce.size() + 1, size_at - nonce.size() - 1));
    const std::size_t size =
        std::strtoul(std::string(header.substr(size_at + 1)).c_str(), nullptr, 10);
    take(records, kind, std::string(text.substr(0, size)));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return records;
}

}  // namespace kv::grader
