#pragma once
// The body of a call, and its fields, read one by one; each problem names its field.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "apps/serve/http/api_error.h"
#include "base/text/shallow_json.h"

namespace kv::serve {

// Throws ApiError.
inline nlohmann::json parsed(const std::string& body) {
  try {
    return shallow_json(body);
  } catch (const nlohmann::json::exception& error) {
    throw ApiError(400,
                   std::string("the body is not JSON that this server reads: ") + error.what());
  }
}

class Fields {
 public:
  static constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

  // name: of an object in a call; its fields have names such as "stream_options.include_usage".
  // Throws ApiError, as all others, for what is not an object.
  explicit Fields(const nlohmann::json& call, const std::string& name = "")
      : call_(call), prefix_(name.empty() ? "" : name + ".") {
    const std::string what = name.empty() ? "the body" : name;
    if (!call.is_object()) throw ApiError(400, what + " has to be a JSON object", name);
  }

  // The value of a field; null if it is not there.
  const nlohmann::json& value(const std::string& name) {
    static const nlohmann::json kNothing;
    read_.insert(name);
    const auto found = call_.find(name);
    return found == call_.end() ? kNothing : *found;
  }

  bool flag(const std::string& name) {
    const nlohmann::json& given = value(name);
    if (given.is_null()) return false;
    if (!given.is_boolean()) refuse(prefix_ + name, "has to be true or false");
    return given.get<bool>();
  }

  double number(const std::string& name, double otherwise, double least, double most) {
    const nlohmann::json& given = value(name);
    if (given.is_null()) return otherwise;
    const double number = given.is_number() ? given.get<double>() : NAN;
    if (!(number >= least && number <= most))
      refuse(prefix_ + name,
             "has to be a number from " + in_short(least) + " to " + in_short(most));
    return number;
  }

  std::size_t count(const std::string& name,
                    std::size_t otherwise,
                    std::size_t least,
                    std::size_t most) {
    const nlohmann::json& given = value(name);
    if (given.is_null()) return otherwise;
    const bool fits = given.is_number_unsigned() && given.get<std::size_t>() >= least &&
                      given.get<std::size_t>() <= most;
    if (!fits)
      refuse(prefix_ + name, "has to be a whole number from " + std::to_string(least) +
                                 (most == kNoLimit ? " on" : " to " + std::to_string(most)));
    return given.get<std::size_t>();
  }

  // A field that this server does not have: only values that change nothing are accepted.
  void expect_one_of(const std::string& name, const std::vector<nlohmann::json>& neutral) {
    const nlohmann::json& given = value(name);
    if (!given.is_null() && std::ranges::find(neutral, given) == neutral.end())
      refuse(prefix_ + name, "is not supported by this server");
  }

  // Fields without an influence on the answer.
  void ignore(std::initializer_list<const char*> names) {
    for (const char* name : names) read_.insert(name);
  }

  void refuse_others() const {
    for (const auto& [name, value] : call_.items())
      if (!read_.contains(name))
        throw ApiError(400, "there is no field \"" + prefix_ + name + "\"", prefix_ + name);
  }

  [[noreturn]] static void refuse(const std::string& name, const std::string& reason) {
    throw ApiError(400, name + " " + reason, name);
  }

 private:
  static std::string in_short(double number) {
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }

  const nlohmann::json& call_;
  std::string prefix_;
  std::set<std::string> read_ = {};
};

}  // namespace kv::serve
