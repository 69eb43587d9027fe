#include "grader/program/grading/records.h"

#include <algorithm>
#include <cstdlib>

#include "grader/harness/record_kinds.h"

namespace kv::grader {
namespace {

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
  if (kind == kSpec) records.spec = payload;
  if (kind == kHeading) records.heading = payload;
  if (kind == kQuote) records.quotes.push_back(payload);
  if (kind == kEnd) {
    records.ended = true;
    records.passed = payload == kPass;
  }
  if (kind == kDone) records.done = true;
}

}  // namespace

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
