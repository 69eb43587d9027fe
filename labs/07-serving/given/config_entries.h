#pragma once
// Entries of a config.json, each of the kind that is needed, or refused with its name. null counts
// as no entry.

#include <concepts>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace kv {

// The rest of a sentence that begins with the file.
struct EntryRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// read_instead: what is read in its place, as "a number above 0".
[[noreturn]] inline void refuse_entry(const nlohmann::json& config,
                                      const std::string& name,
                                      const std::string& read_instead) {
  const auto found = config.find(name);
  if (found == config.end() || found->is_null())
    throw EntryRefused("lacks \"" + name + "\": " + read_instead + " is needed");
  const std::string text = found->dump(-1, ' ', true);  // in ASCII, so that it can be cut
  const std::string shown = text.size() <= 40 ? text : text.substr(0, 40) + "...";
  throw EntryRefused("has \"" + name + "\": " + shown + "; only " + read_instead +
                     " is read there");
}

template <class Value>
std::string kind_of() {
  if constexpr (std::same_as<Value, bool>) return "true or false";
  if constexpr (std::same_as<Value, std::string>) return "a text in quotes";
  if constexpr (std::same_as<Value, nlohmann::json>) return "an entry";
  if constexpr (std::floating_point<Value>) return "a number";
  return "a whole number from 0 on";
}

// Why not json::get: it makes 2 of 2.5, and a large number of -1.
template <class Value>
bool has_kind(const nlohmann::json& entry) {
  if constexpr (std::same_as<Value, bool>) return entry.is_boolean();
  if constexpr (std::same_as<Value, std::string>) return entry.is_string();
  if constexpr (std::same_as<Value, nlohmann::json>) return true;
  if constexpr (std::floating_point<Value>) return entry.is_number();
  return entry.is_number_unsigned();
}

template <class Value>
Value entry(const nlohmann::json& config, const std::string& name) {
  const auto found = config.find(name);
  if (found == config.end() || !has_kind<Value>(*found))
    refuse_entry(config, name, kind_of<Value>());
  return found->template get<Value>();
}

template <class Value>
Value entry_or(const nlohmann::json& config, const std::string& name, const Value& otherwise) {
  const auto found = config.find(name);
  const bool is_given = found != config.end() && !found->is_null();
  return is_given ? entry<Value>(config, name) : otherwise;
}

// Refuses each value but one.
template <class Value>
void require_value(const nlohmann::json& config,
                   const std::string& name,
                   const Value& otherwise,
                   const Value& needed) {
  if (entry_or(config, name, otherwise) != needed)
    refuse_entry(config, name, nlohmann::json(needed).dump());
}

// A size of the model, above 0. Why a bound: products of some sizes fit into 64 bits.
inline std::size_t size_entry(const nlohmann::json& config, const std::string& name) {
  const auto size = entry<std::size_t>(config, name);
  if (size == 0 || size > 1'000'000'000)
    refuse_entry(config, name, "a whole number from 1 to 1000000000");
  return size;
}

inline std::size_t size_entry(const nlohmann::json& config,
                              const std::string& name,
                              std::size_t otherwise) {
  return entry_or(config, name, nlohmann::json()).is_null() ? otherwise : size_entry(config, name);
}

}  // namespace kv
