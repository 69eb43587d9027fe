#pragma once
// What a person reads of a mutation: a row for each lab, then what is left to do.

#include "grader/program/mutate/mutation.h"

namespace kv::grader::mutate {

std::string table_head();
std::string table_row(const LabSpec& lab, const Mutation& mutation);

// Each survivor as an entry of the ledger, to read or to paste; each stale entry; a share too high.
std::string findings(const Mutation& mutation);

}  // namespace kv::grader::mutate
