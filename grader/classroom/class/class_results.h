#pragma once
// The folder of a class's results, written as the rows come.

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "base/kit/kit.h"
#include "grader/classroom/class/class_state.h"

namespace kv::grader::classroom {

// kLater: this run grades a part of a class; another one joins the parts.
enum class Tables { kAfterEachRow, kLater };

class Results {
 public:
  // state: without a row.
  Results(const Kit& kit, fs::path folder, ClassState state, Tables tables);

  fs::path row_file(const std::string& name) const;

  // Before `row` takes the place of what was known: a grade of then goes into the new row, and its
  // whole report into history/.
  void keep_history(const Row& before, Row& row) const;

  // Prints the row and writes the tables again; may be called by several threads.
  void add(const Row& row);

  // Rows by name, of submissions that were graded before: writes the tables once.
  void take(std::vector<Row> rows);

  // What is sent to the students, when the class is graded.
  void write_for_students() const;

  // The submissions that nobody has graded.
  std::vector<std::string> without_row() const;

  bool all_have_scores() const;

  // How the class has done, and where the tables are.
  std::string summary() const;

 private:
  void write_page(const Row& row) const;
  void write_tables() const;
  void print(const Row& row) const;

  const Kit& kit_;
  fs::path folder_;
  ClassState state_;
  Tables tables_;
  std::mutex mutex_ = {};
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace kv::grader::classroom
