#pragma once
// The rows of a bench as data, for `./lab bench`. They go to the file that KV_BENCH_ROWS names, a
// line each, with tabs between the fields:
//
//   begin   table  row                   what follows, a crash too, is of this row
//   answer  table  row  number           of the result, to compare it with the solution's
//   count   table  row  what  number     what the row counted, in place of a time
//   stub    table  row  step             the row called a function that is not written
//   threw   table  row  message
//   row     table  row  role  seconds
//   note    text
//
// Without that variable the bench runs as a program of its own, and nothing is written.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <set>
#include <string>

#include "kv/todo.h"

namespace kv::bench {

// kStep: code of the lab's steps. kLimit: what the steps of a table are compared with.
enum class Role { kStep, kLimit, kOther };

class Rows {
 public:
  static Rows& instance() {
    static Rows rows;
    return rows;
  }

  // Then only steps and limits are measured, in about ten seconds.
  bool are_read() const { return file_ != nullptr; }

  bool is_wanted(const std::string& table, const std::string& row, Role role) const {
    if (!are_read()) return true;
    const std::string line = "\n" + key(table, row) + "\n";
    return role != Role::kOther && without_.find(line) == std::string::npos;
  }

  // Runs one row, or a part of it. false: it failed, now or earlier.
  template <class Work>
  bool run(const std::string& table, const std::string& row, Work work) {
    if (has_failed(table, row)) return false;
    current_ = key(table, row);
    write("begin\t" + current_);
    if (!are_read()) {
      work();
      return true;
    }
    try {
      work();
    } catch (const NotImplemented&) {  // on_reached has written the line
    } catch (const std::exception& error) {
      fail("threw", error.what());
    }
    return !has_failed(table, row);
  }

  bool has_failed(const std::string& table, const std::string& row) const {
    return failed_.contains(key(table, row));
  }

  void answer(double number) { write("answer\t" + current_ + "\t" + scientific(number)); }
  void count(const std::string& what, double number) {
    write("count\t" + current_ + "\t" + what + "\t" + scientific(number));
  }
  void add(const std::string& table, const std::string& row, Role role, double seconds) {
    const char* name = role == Role::kLimit ? "limit" : "step";
    write("row\t" + key(table, row) + "\t" + name + "\t" + scientific(seconds));
  }
  void note(const std::string& text) { write("note\t" + text); }

 private:
  Rows() {
    if (const char* rows = std::getenv("KV_BENCH_WITHOUT")) without_ += rows;
    NotImplemented::on_reached = [](const char* step) { instance().fail("stub", step); };
  }

  static std::string key(const std::string& table, const std::string& row) {
    return table + "\t" + row;
  }
  static std::string scientific(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9e", number);
    return text;
  }

  // Once for a row: a body that catches exceptions may reach a stub many times, in many threads.
  void fail(const char* how, const std::string& why) {
    const std::lock_guard guard(failing_);
    if (failed_.insert(current_).second) write(how + ("\t" + current_) + "\t" + why);
  }

  // Why the file is closed each time: the next line of code may crash.
  void write(const std::string& line) const {
    std::FILE* file = are_read() ? std::fopen(file_, "a") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }

  const char* file_ = std::getenv("KV_BENCH_ROWS");
  std::string without_ = "\n";  // the rows to leave out, a line each
  std::string current_;
  std::set<std::string> failed_;
  std::mutex failing_;
};

inline Rows& rows() {
  return Rows::instance();
}

// A number that another result would hardly have. It differs by roundings only if the sums of the
// result are made in another order.
template <class Numbers>
double fingerprint(const Numbers& numbers) {
  double sum = 0;
  int weight = -3;
  for (const auto number : numbers) {
    sum += weight * static_cast<double>(number);
    weight = weight == 3 ? -3 : weight + 1;
  }
  return sum;
}

}  // namespace kv::bench
