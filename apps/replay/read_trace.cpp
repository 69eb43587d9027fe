#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "apps/replay/trace.h"
#include "base/text/shallow_json.h"

namespace kv::replay {
namespace {

using nlohmann::json;

// Why a limit: a length with a digit too many would ask for more memory than there is.
constexpr std::size_t kMaxLength = 10'000'000;
constexpr std::size_t kMaxIds = std::numeric_limits<std::int32_t>::max() / kTraceBlock;

struct BadLine {
  std::string why;
};

// What a line says. The ids are those of the file.
struct Line {
  std::size_t input_length = 0;
  std::size_t output_length = 0;
  std::optional<std::vector<std::uint64_t>> hash_ids = {};
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\"") + 1 - first);
}

std::size_t checked_length(const std::string& key, std::uint64_t value, std::uint64_t least) {
  if (value < least || value > kMaxLength)
    throw BadLine{key + " is " + std::to_string(value) + ", but it has to be from " +
                  std::to_string(least) + " to " + std::to_string(kMaxLength)};
  return value;
}

std::size_t json_length(const json& object, const std::string& key, std::uint64_t least) {
  if (!object.contains(key)) throw BadLine{"there is no \"" + key + "\""};
  const json& value = object[key];
  if (!value.is_number_unsigned())
    throw BadLine{key + " is " + value.dump() + ", but it has to be a whole number"};
  return checked_length(key, value.get<std::uint64_t>(), least);
}

std::vector<std::uint64_t> json_ids(const json& object, std::size_t input_length) {
  if (!object.contains("hash_ids") || !object["hash_ids"].is_array())
    throw BadLine{"there is no list \"hash_ids\""};
  std::vector<std::uint64_t> ids;
  for (const json& id : object["hash_ids"]) {
    if (!id.is_number_unsigned())
      throw BadLine{"hash_ids has " + id.dump() + ", but ids are whole numbers"};
    ids.push_back(id.get<std::uint64_t>());
  }
  const std::size_t num_ids = (input_length + kTraceBlock - 1) / kTraceBlock;
  if (ids.size() != num_ids)
    throw BadLine{"hash_ids has " + std::to_string(ids.size()) + " ids, but " +
                  std::to_string(input_length) + " tokens have " + std::to_string(num_ids) +
                  " blocks of 512"};
  return ids;
}

json parsed(const std::string& text) {
  try {
    return shallow_json(text);
  } catch (const JsonTooDeep& error) {
    throw BadLine{error.what()};
  } catch (const json::exception&) {
    throw BadLine{"this is not JSON"};
  }
}

Line read_json(const std::string& text) {
  const json object = parsed(text);
  if (!object.is_object()) throw BadLine{"this is not a JSON object"};
  if (object.contains("timestamp") && !object["timestamp"].is_number())
    throw BadLine{"timestamp is " + object["timestamp"].dump() + ", but it has to be a number"};
  Line line{.input_length = json_length(object, "input_length", 1),
            .output_length = json_length(object, "output_length", 0)};
  line.hash_ids = json_ids(object, line.input_length);
  return line;
}

std::vector<std::string> fields_of(const std::string& text) {
  std::vector<std::string> fields;
  std::size_t first = 0;
  for (std::size_t comma = text.find(','); comma != std::string::npos;
       comma = text.find(',', first)) {
    fields.push_back(trimmed(text.substr(first, comma - first)));
    first = comma + 1;
  }
  fields.push_back(trimmed(text.substr(first)));
  return fields;
}

// The columns of a CSV file, by the names of its header.
class CsvColumns {
 public:
  // place: "trace.csv:1", for a message.
  CsvColumns(const std::string& header, const std::string& place) {
    const std::vector<std::string> names = fields_of(header);
    num_fields_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::string name = names[i];
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      const auto is = [&](std::initializer_list<const char*> known) {
        return std::ranges::find(known, name) != known.end();
      };
      if (is({"contexttokens", "prompt", "input", "input_length"})) input_ = i;
      if (is({"generatedtokens", "output", "output_length"})) output_ = i;
    }
    if (!input_ || !output_)
      throw ReplayError(place +
                        ": this is neither a JSON object nor a CSV header with the columns "
                        "ContextTokens and GeneratedTokens (or prompt and output)");
  }

  Line read(const std::string& text) const {
    const std::vector<std::string> fields = fields_of(text);
    if (fields.size() != num_fields_)
      throw BadLine{"there are " + std::to_string(fields.size()) + " fields, but the header has " +
                    std::to_string(num_fields_)};
    return {.input_length = length("the prompt's length", fields[*input_], 1),
            .output_length = length("the output's length", fields[*output_], 0)};
  }

 private:
  static std::size_t length(const std::string& what, const std::string& field, std::size_t least) {
    std::uint64_t value = 0;
    const char* end = field.data() + field.size();
    const auto [stopped, error] = std::from_chars(field.data(), end, value);
    if (error == std::errc::result_out_of_range)
      value = std::numeric_limits<std::uint64_t>::max();
    else if (error != std::errc{} || stopped != end)
      throw BadLine{what + " is \"" + field + "\", but it has to be a whole number"};
    return checked_length(what, value, least);
  }

  std::size_t num_fields_ = 0;
  std::optional<std::size_t> input_, output_;
};

// Numbers the ids of the file from 0 on, in the order in which they come.
class TraceBuilder {
 public:
  explicit TraceBuilder(const std::string& name) { trace_.name = name; }

  void add(const Line& line) {
    const std::size_t first_id = trace_.ids.size();
    trace_.requests.push_back({line.input_length, line.output_length, first_id});
    if (line.hash_ids) {
      for (const std::uint64_t id : *line.hash_ids) add_id(id);
    } else {
      while (trace_.ids.size() - first_id < trace_.requests.back().num_ids())
        trace_.ids.push_back(next_id());
    }
    if (trace_.num_distinct_ids > kMaxIds)
      throw ReplayError(trace_.name + " has more than " + std::to_string(kMaxIds) +
                        " different ids; --first N reads its first N requests");
  }

  Trace& trace() { return trace_; }

 private:
  std::uint32_t next_id() { return static_cast<std::uint32_t>(trace_.num_distinct_ids++); }
  void add_id(std::uint64_t id) {
    const auto [entry, is_new] = numbers_.try_emplace(id, 0);
    if (is_new) entry->second = next_id();
    trace_.ids.push_back(entry->second);
  }

  Trace trace_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

bool is_gzip(const std::string& line) {
  return line.starts_with("\x1f\x8b");
}

}  // namespace

Trace read_trace(std::istream& in, const std::string& name, const ReadOptions& options) {
  TraceBuilder builder(name);
  Trace& trace = builder.trace();
  std::unique_ptr<CsvColumns> columns;  // the columns of a CSV file, else null
  std::string text;
  bool is_first = true;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (is_first && is_gzip(text))
      throw ReplayError(name + " is compressed; unpack it: zcat FILE | ./lab replay -");
    const std::string content = trimmed(text), place = name + ":" + std::to_string(number);
    if (content.empty()) continue;
    try {
      const bool is_header = std::exchange(is_first, false) && content.front() != '{';
      if (is_header) columns = std::make_unique<CsvColumns>(content, place);
      if (!is_header) builder.add(columns ? columns->read(content) : read_json(content));
    } catch (const BadLine& bad) {
      ++trace.num_bad_lines;
      if (!options.skip_bad)
        throw ReplayError(place + ": " + bad.why + "; --skip-bad leaves such lines out");
    }
    if (options.max_requests > 0 && trace.requests.size() >= options.max_requests) break;
  }
  if (trace.requests.empty()) throw ReplayError(name + " has no request");
  return std::move(trace);
}

Trace read_trace(const std::string& file, const ReadOptions& options) {
  if (file == "-") return read_trace(std::cin, "standard input", options);
  std::ifstream in(file, std::ios::binary);
  if (!in || in.peek() == std::ifstream::traits_type::eof())
    throw ReplayError("cannot read a trace from \"" + file + "\"");
  return read_trace(in, file, options);
}

}  // namespace kv::replay
