#include "apps/serve/calls/neutral_fields.h"

namespace kv::serve {
namespace {

using nlohmann::json;

// The values with which each field changes nothing; null does so always. A field of "any" has no
// influence on the text, whatever its value is. An object lists the fields of an object.
constexpr const char* kNeutral = R"({
  "frequency_penalty": [0], "presence_penalty": [0], "repetition_penalty": [1],
  "logit_bias": [{}], "min_p": [0], "top_k": [-1, 0], "suffix": [""],
  "tools": [[]], "tool_choice": ["none", "auto"],
  "functions": [[]], "function_call": ["none", "auto"],
  "parallel_tool_calls": "any", "max_tool_calls": "any",
  "response_format": [{"type": "text"}], "verbosity": ["medium"],
  "text": {"format": [{"type": "text"}], "verbosity": ["medium"]},
  "reasoning_effort": ["none"],
  "reasoning": {"effort": ["none"], "summary": [], "generate_summary": [], "context": [],
                "mode": []},
  "modalities": [["text"]], "audio": [], "image": [], "web_search_options": [],
  "prediction": [], "moderation": [], "access_programs": [],
  "truncation": ["disabled"], "context_management": [[]],
  "background": [false], "background_options": [],
  "previous_response_id": [], "conversation": [],
  "store": "any", "metadata": "any", "user": "any", "safety_identifier": "any",
  "service_tier": "any", "prompt_cache_key": "any", "prompt_cache_options": "any",
  "prompt_cache_retention": "any"
})";

void expect_neutral(Fields& fields, const json& neutral) {
  for (const auto& [name, values] : neutral.items()) {
    const json& given = fields.value(name);
    if (values.is_array()) fields.expect_one_of(name, values);
    if (!values.is_object() || given.is_null()) continue;
    Fields of_object(given, name);
    expect_neutral(of_object, values);
  }
  fields.refuse_others();
}

}  // namespace

void expect_neutral_fields(Fields& fields) {
  static const json kTable = json::parse(kNeutral);
  expect_neutral(fields, kTable);
}

}  // namespace kv::serve
