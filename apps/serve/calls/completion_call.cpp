#include "apps/serve/calls/completion_call.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "apps/serve/calls/fields.h"
#include "apps/serve/calls/messages.h"
#include "apps/serve/calls/neutral_fields.h"
#include "apps/serve/calls/responses_fields.h"

namespace kv::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kMostStops = 4;
constexpr std::size_t kMostLogprobs = 20;

const char* prompt_field(Endpoint endpoint) {
  if (endpoint == Endpoint::kCompletions) return "prompt";
  return endpoint == Endpoint::kChatCompletions ? "messages" : "input";
}

std::string maximum(std::size_t num_tokens) {
  return "this model's maximum context length is " + std::to_string(num_tokens) + " tokens";
}

ApiError too_long(std::size_t num_most, const std::string& num_tokens, Endpoint endpoint) {
  return {400, maximum(num_most) + ", and the prompt has " + num_tokens, prompt_field(endpoint),
          kContextLengthExceeded};
}

std::vector<TokenId> tokens_of(const std::string& text, const Speaker& speaker, Endpoint endpoint) {
  const std::size_t num_positions = speaker.model.config().max_position_embeddings;
  const std::size_t num_least = speaker.tokenizer.least_num_tokens(text);
  if (num_least >= num_positions)
    throw too_long(num_positions, "at least " + std::to_string(num_least), endpoint);
  return endpoint == Endpoint::kCompletions ? speaker.tokens_of(text)
                                            : speaker.tokens_of_conversation(text);
}

std::vector<TokenId> tokens_of(const std::vector<Message>& messages,
                               const Speaker& speaker,
                               Endpoint endpoint) {
  try {
    return tokens_of(speaker.text_of(messages), speaker, endpoint);
  } catch (const ConversationRefused& refused) {
    Fields::refuse(prompt_field(endpoint), refused.what());
  }
}

bool is_list_of_tokens(const json& prompt) {
  return prompt.is_array() && !prompt.empty() &&
         std::ranges::all_of(prompt, [](const json& token) { return token.is_number_integer(); });
}

std::vector<TokenId> read_prompt(const json& prompt, const Speaker& speaker) {
  if (prompt.is_string())
    return tokens_of(prompt.get<std::string>(), speaker, Endpoint::kCompletions);
  if (!is_list_of_tokens(prompt)) Fields::refuse("prompt", "has to be a text or a list of tokens");

  const auto vocab_size = static_cast<std::int64_t>(speaker.model.config().vocab_size);
  std::vector<TokenId> token_ids;
  for (const json& token : prompt) {
    const auto token_id = token.get<std::int64_t>();
    if (token_id < 0 || token_id >= vocab_size)
      Fields::refuse("prompt", "has token " + token.dump() + ", and the model has tokens 0 to " +
                                   std::to_string(vocab_size - 1));
    token_ids.push_back(static_cast<TokenId>(token_id));
  }
  return token_ids;
}

// One prompt, or a list of them.
std::vector<std::vector<TokenId>> read_prompts(const json& prompt, const Speaker& speaker) {
  if (!prompt.is_array() || is_list_of_tokens(prompt)) return {read_prompt(prompt, speaker)};
  if (prompt.empty()) Fields::refuse("prompt", "is an empty list");
  std::vector<std::vector<TokenId>> prompts;
  for (const json& each : prompt) prompts.push_back(read_prompt(each, speaker));
  return prompts;
}

std::vector<std::string> read_stop(const json& stop) {
  if (stop.is_null()) return {};
  std::vector<std::string> stops;
  for (const json& each : stop.is_array() ? stop : json::array({stop})) {
    if (!each.is_string() || each.get<std::string>().empty())
      Fields::refuse("stop", "has to be a text that is not empty, or a list of such texts");
    stops.push_back(each.get<std::string>());
  }
  if (stops.size() > kMostStops)
    Fields::refuse("stop", "has more than " + std::to_string(kMostStops) + " texts");
  return stops;
}

std::uint64_t read_seed(const json& seed) {
  if (seed.is_null()) return 0;
  if (!seed.is_number_integer()) Fields::refuse("seed", "has to be a whole number");
  return seed.is_number_unsigned() ? seed.get<std::uint64_t>()
                                   : static_cast<std::uint64_t>(seed.get<std::int64_t>());
}

// Whether the call asks for logprobs, however it does so.
bool has_logprobs(Fields& fields, Endpoint endpoint, std::size_t num_top) {
  if (endpoint == Endpoint::kChatCompletions) return fields.flag("logprobs");
  const json& include = fields.value("include");
  if (!include.is_null() && !include.is_array()) Fields::refuse("include", "has to be a list");
  return num_top > 0 || std::ranges::count(include, json("message.output_text.logprobs")) > 0;
}

void read_logprobs(Fields& fields, CompletionCall& call) {
  if (call.endpoint == Endpoint::kCompletions) {
    if (!fields.value("logprobs").is_null())
      call.num_logprobs = fields.count("logprobs", 0, 0, kMostLogprobs);
    return;
  }
  const std::size_t num_top = fields.count("top_logprobs", 0, 0, kMostLogprobs);
  if (has_logprobs(fields, call.endpoint, num_top)) call.num_logprobs = num_top;
  if (num_top > 0 && !call.num_logprobs) Fields::refuse("top_logprobs", "needs logprobs");
}

const char* max_tokens_field(Fields& fields, Endpoint endpoint) {
  if (endpoint == Endpoint::kResponses) return "max_output_tokens";
  fields.ignore({"max_tokens", "max_completion_tokens"});
  return fields.value("max_completion_tokens").is_null() ? "max_tokens" : "max_completion_tokens";
}

// The tokens that are left for the answer, unless the call says how many it wants. A text that has
// room for fewer gets fewer then, whatever the others of its call have.
std::size_t read_max_tokens(Fields& fields, const CompletionCall& call, const CallLimits& limits) {
  const std::size_t longest =
      std::ranges::max(call.prompts, {}, &std::vector<TokenId>::size).size();
  const std::string name = max_tokens_field(fields, call.endpoint);
  if (std::ranges::any_of(call.prompts, &std::vector<TokenId>::empty))
    Fields::refuse(prompt_field(call.endpoint), "is empty");
  if (longest >= limits.max_model_len)
    throw too_long(limits.max_model_len, std::to_string(longest), call.endpoint);

  const std::size_t num_left = limits.max_model_len - longest;
  const bool is_completion = call.endpoint == Endpoint::kCompletions;
  const bool is_asked = !fields.value(name).is_null();
  const std::size_t otherwise = is_completion ? 16 : num_left;
  const std::size_t least = call.echo ? 0 : 1;  // the prompt alone is an answer, too
  const std::size_t wanted = fields.count(name, otherwise, least, Fields::kNoLimit);
  if (is_asked && wanted > num_left)
    throw ApiError(400,
                   maximum(limits.max_model_len) + "; the prompt has " + std::to_string(longest) +
                       ", and " + name + " asks for " + std::to_string(wanted) + " more",
                   name, kContextLengthExceeded);
  return wanted;
}

void read_stream(Fields& fields, CompletionCall& call) {
  call.stream = fields.flag("stream");
  const json& options = fields.value("stream_options");
  if (options.is_null()) return;
  if (!call.stream) Fields::refuse("stream_options", "needs stream");
  Fields of_stream(options, "stream_options");
  if (call.endpoint != Endpoint::kResponses) {
    call.include_usage = of_stream.flag("include_usage");
    call.continuous_usage_stats = of_stream.flag("continuous_usage_stats");
  }
  of_stream.ignore({"include_obfuscation"});
  of_stream.refuse_others();
}

// Why not 0: OpenAI's API takes it for the most likely token alone, and the engine refuses it.
double read_top_p(Fields& fields) {
  return std::max(fields.number("top_p", 1, 0, 1), std::numeric_limits<double>::min());
}

void expect_model(Fields& fields, const std::string& served) {
  const json& model = fields.value("model");
  if (!model.is_null() && !model.is_string()) Fields::refuse("model", "has to be a text");
  if (!model.is_null() && model != served) throw no_model(model.get<std::string>(), served);
}

void read_prompts(Fields& fields, const Speaker& speaker, CompletionCall& call) {
  switch (call.endpoint) {
    case Endpoint::kCompletions:
      call.prompts = read_prompts(fields.value("prompt"), speaker);
      call.echo = fields.flag("echo");
      break;
    case Endpoint::kChatCompletions:
      call.prompts = {tokens_of(read_messages(fields.value("messages"), kChatMessages), speaker,
                                call.endpoint)};
      break;
    case Endpoint::kResponses:
      call.prompts = {tokens_of(read_input(fields), speaker, call.endpoint)};
      fields.expect_one_of("prompt", {});  // there, it is a template that the server stores
  }
}

void read_n(Fields& fields, const CallLimits& limits, CompletionCall& call) {
  if (call.endpoint != Endpoint::kResponses) call.n = fields.count("n", 1, 1, limits.max_requests);
  if (call.n * call.prompts.size() > limits.max_requests)
    Fields::refuse("n", "times the prompts makes more than " + std::to_string(limits.max_requests) +
                            " answers");
  if (call.endpoint == Endpoint::kCompletions) fields.expect_one_of("best_of", {call.n});
}

void set_ends(CompletionCall& call, const Speaker& speaker) {
  const bool is_conversation = call.endpoint != Endpoint::kCompletions;
  call.sampling.eos_token_id = speaker.model.config().eos_token_id;
  call.sampling.stop_token_ids = is_conversation ? speaker.ends_of_answer : speaker.ends;
}

}  // namespace

CompletionCall read_completion_call(Endpoint endpoint,
                                    const std::string& body,
                                    const Speaker& speaker,
                                    const CallLimits& limits) {
  const json given = parsed(body);
  Fields fields(given);
  CompletionCall call{.endpoint = endpoint, .prompts = {}};
  expect_model(fields, limits.model);
  read_prompts(fields, speaker, call);
  read_n(fields, limits, call);
  call.sampling = {.max_tokens = read_max_tokens(fields, call, limits),
                   .temperature = fields.number("temperature", 1, 0, 2),
                   .top_p = read_top_p(fields),
                   .seed = read_seed(fields.value("seed"))};
  if (!fields.flag("ignore_eos")) set_ends(call, speaker);
  call.has_seed = !fields.value("seed").is_null();
  call.stop = read_stop(fields.value("stop"));
  read_logprobs(fields, call);
  read_stream(fields, call);
  expect_neutral_fields(fields);
  if (endpoint == Endpoint::kResponses) call.given_back = fields_given_back(given);
  return call;
}

// Why one key for all: what a seed gives does not depend on what else was asked for.
std::vector<ServedRequest> requests_of(const CompletionCall& call,
                                       const EngineConfig& config,
                                       std::size_t number) {
  std::vector<ServedRequest> requests(call.n * call.prompts.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].block_size = config.block_size;
    requests[i].token_ids = call.prompts[i / call.n];
    SamplingParams& params = requests[i].sampling_params = call.sampling;
    params.seed = (call.has_seed ? params.seed : number) + i % call.n;
    params.random_key = "answer";
    const std::size_t num_left = config.scheduler.max_model_len - requests[i].token_ids.size();
    // Why at least one: the engine always gives one.
    params.max_tokens = std::max<std::size_t>(1, std::min(params.max_tokens, num_left));
    params.num_logprobs = call.num_logprobs.value_or(0);
    params.prompt_logprobs = call.echo && call.num_logprobs;
    requests[i].skip_reading_prefix_cache = params.prompt_logprobs;
  }
  return requests;
}

}  // namespace kv::serve
