#pragma once
// The report of ./lab mutate: a row for each lab, then what there is to do.

#include "grader/program/maintainer/mutate/mutation.h"

namespace kv::grader::mutate {

std::string table_head();
std::string table_row(const LabSpec& lab, const Mutation& mutation);

// Each survivor as an entry for the ledger; each stale entry; a share above the limit.
std::string findings(const Mutation& mutation);

}  // namespace kv::grader::mutate
