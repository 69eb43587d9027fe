#include "grader/program/student/grading/records.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "grader/harness/record_kinds.h"

namespace kv::grader {
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
