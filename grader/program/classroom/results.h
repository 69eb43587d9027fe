#pragma once
// The folder of a class's results, written as the rows come.

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "grader/program/classroom/roster.h"
#include "grader/program/classroom/row.h"
#include "grader/program/kit/kit.h"

namespace kv::grader::classroom {

class Results {
 public:
  Results(const Kit& kit,
          fs::path folder,
          std::vector<const LabSpec*> labs,
          std::vector<Person> people,
          std::size_t num_handed_in);

  fs::path row_file(const std::string& name) const;

  // Prints the row and writes the tables again; may be called by several threads.
  void add(const Row& row);

  // How the class has done, and where the tables are.
  std::string summary() const;

 private:
  void write_tables() const;
  void print(const Row& row) const;

  const Kit& kit_;
  fs::path folder_;
  std::vector<const LabSpec*> labs_;
  std::vector<Person> people_;
  std::size_t num_handed_in_;
  std::vector<Row> rows_ = {};  // by name
  std::mutex mutex_ = {};
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace kv::grader::classroom
