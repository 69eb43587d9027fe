#pragma once
// Fields of a call of /v1/responses.

#include <nlohmann/json.hpp>
#include <string>

#include "apps/serve/calls/fields.h"

namespace kv::serve {

// The instructions and then the input, joined by a line end. Throws ApiError.
std::string text_of_input(Fields& fields);

// What an answer repeats of its call, or what holds if the call does not say it.
nlohmann::json fields_given_back(const nlohmann::json& given);

}  // namespace kv::serve
