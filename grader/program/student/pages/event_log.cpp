#include "grader/program/student/pages/event_log.h"

#include "common/errors.h"
#include "grader/program/base/kit/json.h"

namespace kv::grader::pages {
namespace {

constexpr const char* kHowTo = "; ./lab replay --events FILE writes a log";

// What keeps the page from drawing the event; empty if nothing does.
std::string fault_of(const Json& event, bool is_first) {
  const bool is_start = event.is_object() && event.value("of", Json()) == "start" &&
                        event.value("format", Json()) == 1;
  if (is_first && !is_start)
    return std::string(
               "this is no event log: its first line has \"format\": 1 and \"of\": \"start\"") +
           kHowTo;
  if (event.is_discarded()) return "this is not JSON";
  if (!event.is_object()) return "this is not a JSON object";
  if (!event.value("call", Json()).is_string()) return "an event needs \"call\", a text";
  if (!event.value("args", Json()).is_object()) return "an event needs \"args\", an object";
  const Json state = event.value("state", Json());
  if (!state.is_object() && !state.is_null()) return "\"state\" is an object or null";
  return "";
}

}  // namespace

EventLog read_event_log(const fs::path& file) {
  const std::string text = read_file(file);
  const std::vector<std::string> lines = split_lines(text);
  EventLog log;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_cut_off = i > 0 && i + 1 == lines.size() && !text.ends_with("\n");
    const Json event = Json::parse(lines[i], nullptr, false);
    if (is_cut_off && event.is_discarded()) break;
    const std::string fault = fault_of(event, i == 0);
    if (!fault.empty())
      throw UsageError(file.string() + ":" + std::to_string(i + 1) + ": " + fault);
    log.lines += lines[i] + "\n";
    log.num_calls += i > 0;
  }
  if (log.lines.empty()) throw UsageError(file.string() + " is empty" + kHowTo);
  return log;
}

}  // namespace kv::grader::pages
