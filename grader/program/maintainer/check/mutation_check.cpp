#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/mutate/mutation.h"
#include "grader/program/maintainer/mutate/mutation_report.h"

namespace kv::grader {

void check_mutation(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    const mutate::Mutation mutation = mutate::mutate_solution(kit, lab);
    checks.expect(mutation.ok(),
                  "lab " + lab.id + ": of " + std::to_string(mutation.num_mutants) +
                      " mutants the tests kill all but " + std::to_string(mutation.num_explained) +
                      " in the ledger",
                  mutate::table_head() + mutate::table_row(lab, mutation) + "\n" +
                      mutate::findings(mutation));
  }
}

}  // namespace kv::grader
