#include "grader/harness/history_text.h"

#include <sstream>

namespace kv::grader {
namespace {

template <class List>
void write_list(std::ostream& out, const List& list) {
  out << list.size();
  for (const auto number : list) out << ' ' << number;
  out << '\n';
}

template <class List>
void read_list(std::istream& in, List& list) {
  std::size_t size = 0;
  in >> size;
  for (typename List::value_type number; list.size() < size && in >> number;)
    list.push_back(number);
}

}  // namespace

std::string text_of(const History& history) {
  std::ostringstream out;
  out << history.num_objects << ' ' << history.looks_at_each_call << '\n';
  write_list(out, history.sizes);
  out << history.calls.size() << '\n';
  for (const Numbers& call : history.calls) write_list(out, call);
  return out.str();
}

std::optional<History> history_from(const std::string& text) {
  std::istringstream in(text);
  History history;
  std::size_t num_calls = 0;
  in >> history.num_objects >> history.looks_at_each_call;
  read_list(in, history.sizes);
  in >> num_calls;
  for (std::size_t i = 0; i < num_calls && in; ++i) read_list(in, history.calls.emplace_back());
  if (!in) return std::nullopt;
  return history;
}

}  // namespace kv::grader
