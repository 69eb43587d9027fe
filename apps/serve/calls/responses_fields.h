#pragma once
// Fields of a call of /v1/responses.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/serve/calls/fields.h"
#include "apps/speaker/chat_template.h"

namespace kv::serve {

// The instructions, as a system message, and then the input. Throws ApiError.
std::vector<Message> read_input(Fields& fields);

// What an answer repeats of its call, or what holds if the call does not say it.
nlohmann::json fields_given_back(const nlohmann::json& given);

}  // namespace kv::serve
