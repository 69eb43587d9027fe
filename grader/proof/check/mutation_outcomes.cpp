// Mutation testing of a solution with lines that no test covers, made so that each outcome that a
// mutant can have occurs once.

#include <algorithm>
#include <array>
#include <iterator>

#include "grader/engine/variations/variation.h"
#include "grader/proof/check/check.h"
#include "grader/proof/mutate/mutation.h"

namespace kv::grader {
namespace {

using namespace mutate;

constexpr const char* kHead = "  KVCacheBlock* head = sentinel_.next_free_block;\n";
constexpr const char* kAdded =
    "  [[maybe_unused]] const int unused = 7;\n"
    "  static const volatile int zeros[4] = {};\n"
    "  if (zeros[3] == 1234567) return nullptr;\n"
    "  if (num_free_blocks_ < 1) return nullptr;\n"
    "  if (head == nullptr) return nullptr;\n";

struct Change {
  std::string from;
  std::string to;
};

const Change kUncompilable = {"KVCacheBlock* head = sentinel_.next_free_block;",
                              "KVCacheBlock* tail = sentinel_.next_free_block;"};
const Change kKilled = {"if (head == &sentinel_) return nullptr;",
                        "if (head != &sentinel_) return nullptr;"};
const Change kEquivalent = {"[[maybe_unused]] const int unused = 7;",
                            "[[maybe_unused]] const int unused = 8;"};
const Change kSanitized = {"if (zeros[3] == 1234567) return nullptr;",
                           "if (zeros[4] == 1234567) return nullptr;"};
const Change kExplained = {"if (num_free_blocks_ < 1) return nullptr;",
                           "if (num_free_blocks_ < 0) return nullptr;"};
const Change kDuplicate = {"if (num_free_blocks_ < 1) return nullptr;",
                           "if (false) return nullptr;"};
const Change kSurvivor = {"if (head == nullptr) return nullptr;", "if (false) return nullptr;"};

constexpr const char* kLedger =
    "# explains the guard that num_free_blocks_ makes redundant\n"
    "01-free-queue/free_kv_cache_block_queue.cpp | FreeKVCacheBlockQueue::popleft | constant\n"
    "- if (num_free_blocks_ < 1) return nullptr;\n"
    "+ if (num_free_blocks_ < 0) return nullptr;\n"
    "An empty queue has nothing but its sentinel,\n"
    "and the next line looks for that.\n"
    "\n"
    "01-free-queue/free_kv_cache_block_queue.cpp | FreeKVCacheBlockQueue::popleft | statement\n"
    "- a line that is gone;\n"
    "+ ;\n"
    "No reason is left.\n";

std::vector<Mutant> chosen_mutants(const LabSpec& lab, const fs::path& tree) {
  const std::array changes = {kUncompilable, kKilled,    kEquivalent, kSanitized,
                              kExplained,    kDuplicate, kSurvivor};
  std::vector<Mutant> chosen;
  std::ranges::copy_if(mutants_of(lab, tree), std::back_inserter(chosen), [&](const Mutant& m) {
    return std::ranges::any_of(changes, [&](const Change& change) {
      return m.original.front() == change.from && m.mutated.front() == change.to;
    });
  });
  return chosen;
}

}  // namespace

void check_mutation_outcomes(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("01");
  Variation varied;
  varied.name = "popleft with more lines";
  varied.file = "free_kv_cache_block_queue.cpp";
  varied.old_text = kHead;
  varied.new_text = std::string(kHead) + kAdded;
  const fs::path tree = write_variation(kit, lab, varied);
  const fs::path ledger = kit.build / "outcomes.ledger";
  write_file(ledger, kLedger);
  const Mutation outcomes =
      try_mutants(kit, lab, tree, chosen_mutants(lab, tree), load_ledger(ledger));
  const auto expect = [&](bool holds, const char* what) {
    checks.expect(holds, what, table_head() + table_row(lab, outcomes) + findings(outcomes));
  };
  expect(outcomes.num_mutants == 6 && outcomes.num_uncompilable == 1,
         "code that does not compile does not count as a mutant");
  expect(outcomes.num_killed == 1, "a mutant that fails a test is killed");
  expect(outcomes.num_equivalent == 1,
         "a mutant with the object code of the solution is equivalent");
  expect(outcomes.num_duplicates == 1, "a mutant with the object code of another is a duplicate");
  expect(outcomes.num_killed_by_sanitizer == 1, "a read beyond an array is killed by a sanitizer");
  expect(outcomes.num_explained == 1,
         "a mutant that the ledger explains does not count as a survivor");
  expect(outcomes.survivors.size() == 1 &&
             outcomes.survivors.front().front().original.front() == kSurvivor.from,
         "a mutant that no test covers survives");
  expect(outcomes.stale.size() == 1 && outcomes.stale.front().line == 8,
         "an entry of the ledger without a mutant is stale");
}

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
