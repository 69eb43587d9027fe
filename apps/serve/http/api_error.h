#pragma once
// A call that the server refuses, in OpenAI's form.

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "apps/speaker/failure.h"

namespace kv::serve {

// Thrown: the call ends with this status and this sentence.
struct ApiError : std::runtime_error {
  ApiError(int http_status,
           const std::string& message,
           std::string field = "",
           std::string name_of_error = "")
      : std::runtime_error(message),
        status(http_status),
        param(std::move(field)),
        code(std::move(name_of_error)) {}

  int status;
  std::string param;  // the field of the call that is wrong; empty: none
  std::string code;   // OpenAI's name for it, which programs look at; empty: none
};

inline constexpr const char* kContextLengthExceeded = "context_length_exceeded";

inline ApiError no_model(const std::string& wanted, const std::string& served) {
  return {404, "there is no model \"" + wanted + "\" here; there is \"" + served + "\"", "model",
          "model_not_found"};
}

// For calls that come too late.
inline ApiError about_to_stop() {
  return {503, "the server is about to stop"};
}

// For what the tree has thrown.
inline ApiError error_of(const std::exception_ptr& failure) {
  return {500, sentence_of(failure, kGrade)};
}

inline const char* type_of_error(int status) {
  if (status == 401) return "authentication_error";
  if (status == 404) return "not_found_error";
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

// Why replaced: a token can end in the middle of a letter.
inline std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

inline nlohmann::json json_of(const ApiError& error) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
  };
  return {{"error",
           {{"message", error.what()},
            {"type", type_of_error(error.status)},
            {"param", text_or_null(error.param)},
            {"code", text_or_null(error.code)}}}};
}

}  // namespace kv::serve
