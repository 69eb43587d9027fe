#include "grader/desk/pages/worked_example.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>

#include "base/kit/json.h"
#include "base/text/errors.h"

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

namespace {

// "free: 3 1 2" -> "free" and "3 1 2"
struct PrintedLine {
  explicit PrintedLine(const std::string& line) : name(line.substr(0, line.find(':'))) {
    if (name.size() < line.size()) words << line.substr(name.size() + 1);
  }

  std::vector<int> numbers() {
    std::vector<int> all;
    for (int number = 0; words >> number;) all.push_back(number);
    return all;
  }

  // "A 4/6, B 0/5" -> "A 4/6" and "B 0/5"
  std::vector<std::string> requests() {
    std::string all;
    std::getline(words >> std::ws, all);
    return split_lines(replace_all(all, ", ", "\n"));
  }

  std::string name;
  std::stringstream words;
};

constexpr std::string_view kTable = "table ";
constexpr std::array<std::string_view, 5> kStarts = {
    "free:", "refs:", "cached:", "waiting:", "running:"};

bool is_of_state(const std::string& line) {
  const auto begins_line = [&](std::string_view start) { return line.starts_with(start); };
  return line.starts_with(kTable) || std::ranges::any_of(kStarts, begins_line);
}

// What a script prints at its end: "refs: 1:2" are ids with ref counts.
Json state_of(const std::vector<std::string>& printed) {
  Json state = Json::object();
  for (const std::string& text : printed) {
    if (!is_of_state(text)) continue;
    PrintedLine line(text);
    if (line.name == "refs") {
      state["used"] = Json::object();
      for (std::string word; line.words >> word;)
        state["used"][word.substr(0, word.find(':'))] = std::stoi(word.substr(word.find(':') + 1));
    } else if (line.name == "waiting" || line.name == "running") {
      state[line.name] = line.requests();
    } else if (line.name.starts_with(kTable)) {
      state["block_tables"][line.name.substr(kTable.size())] = line.numbers();
    } else {
      state[line.name] = line.numbers();
    }
  }
  return state;
}

std::vector<std::string> printed_by_calls(const Printed& printed) {
  std::vector<std::string> lines = printed.lines;
  std::erase_if(lines, is_of_state);
  return lines;
}

// A line of a script: "attend 3".
struct ScriptCall {
  explicit ScriptCall(const std::string& line) {
    std::stringstream words(line);
    words >> name;
    for (int number = 0; words >> number;) numbers.push_back(number);
  }

  std::string name;
  std::vector<int> numbers;
};

// Why 4: a pool of the predict programs, "pool 5", has blocks of 4 tokens.
Json args_of_start(const ScriptCall& call) {
  const int number = call.numbers.empty() ? 0 : call.numbers.front();
  if (call.name == "blocks") return {{"num_blocks", number}};
  if (call.name == "cache") return {{"num_blocks", number}, {"block_size", call.numbers.at(1)}};
  const int block_size = call.name == "scheduler" ? call.numbers.at(1) : 4;
  return {{"num_gpu_blocks", number}, {"block_size", block_size}};
}

// The page shows the slots of the tokens that "attend 3" and "prefill 0 3" attend to.
Json args_of(const ScriptCall& call, const std::vector<int>& block_table) {
  if (call.name != "attend" && call.name != "prefill") return Json::object();
  const int seq_len = std::reduce(call.numbers.begin(), call.numbers.end());
  return {{"seq_len", seq_len}, {"block_table", block_table}};
}

// What a call has printed: "popleft_n: 0 1" of popleft_n are ids.
Json result_of(const std::string& name, const std::vector<std::string>& printed) {
  if (printed.empty()) return nullptr;
  const std::string own = name + ": ";
  if (printed.size() > 1 || !printed.front().starts_with(own)) return join(printed, ", ");
  const std::string result = printed.front().substr(own.size());
  const bool is_ids = result.find_first_not_of("0123456789 ") == std::string::npos;
  return is_ids ? Json(PrintedLine(printed.front()).numbers()) : Json(result);
}

// state: what the whole script prints at its end; printed: what this call prints.
Json state_after(const std::vector<std::string>& state, const std::vector<std::string>& printed) {
  Json after = state_of(state);
  if (printed.size() == 1 && printed.front().starts_with("slots: "))
    after["slots"] = PrintedLine(printed.front()).numbers();
  return after;
}

// printed: by this call alone.
Json event_of(const ExampleLine& line, std::size_t step, const std::vector<std::string>& printed) {
  const ScriptCall call(line.call);
  const bool is_refused = printed.size() == 1 && printed.front() == call.name + ": refused";
  Json event = {{"format", 1}, {"of", "start"}};
  if (step > 0) event = Json::object();
  event.update({{"step", step},
                {"call", call.name},
                {"result", is_refused ? Json() : result_of(call.name, printed)},
                {"exception", is_refused ? Json("ContractViolation") : Json()},
                {"expected", Json::array()},
                {"sentence", line.call},
                {"why", line.why},
                {"cut", 0}});
  return event;
}

}  // namespace

std::vector<ExampleLine> worked_example(const Kit& kit, const LabSpec& lab) {
  const fs::path file = kit.lab_folder(lab) / "tests" / "worked_example.txt";
  std::vector<ExampleLine> example;
  if (!fs::exists(file)) return example;
  for (const std::string& line : split_lines(read_file(file))) {
    const std::size_t bar = std::min(line.find(" | "), line.size());
    example.push_back({line.substr(0, bar), bar < line.size() ? line.substr(bar + 3) : ""});
  }
  return example;
}

// Why the script from its beginning for each line: the program prints the state at its end only.
EventLog log_of_example(const std::vector<ExampleLine>& example, const PredictPrograms& programs) {
  EventLog log;
  std::string script;
  std::vector<int> block_table;  // numbers of the last line such as "table 3 1"
  std::size_t num_printed = 0;
  for (std::size_t step = 0; step < example.size(); ++step) {
    script += example[step].call + "\n";
    const Printed printed = programs.solution_prints(script);
    if (!printed.refusal.empty()) throw KitBroken("the worked example: " + printed.refusal);
    const std::vector<std::string> all = printed_by_calls(printed);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(std::min(num_printed, all.size()));
    const std::vector<std::string> own(begin, all.end());
    const ScriptCall call(example[step].call);
    if (call.name == "table") block_table = call.numbers;
    Json event = event_of(example[step], step, own);
    event["args"] = step == 0 ? args_of_start(call) : args_of(call, block_table);
    event["state"] = state_after(printed.lines, own);
    num_printed = all.size();
    log.lines += event.dump() + "\n";
    log.num_calls = step;
  }
  return log;
}

}  // namespace kv::grader::pages
