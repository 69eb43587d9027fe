// The mutator at work: a solution with known holes, so that each fate that a mutant can have is met
// once.

#include <algorithm>
#include <array>
#include <iterator>

#include "grader/program/check/check.h"
#include "grader/program/check/variation.h"
#include "grader/program/mutate/mutation.h"
#include "grader/program/mutate/report.h"

namespace kv::grader {
namespace {

using namespace mutate;

constexpr const char* kHead = "  KVCacheBlock* head = sentinel_.next_free_block;\n";
constexpr const char* kHoles =
    "  [[maybe_unused]] const int unused = 7;\n"
    "  static const volatile int zeros[4] = {};\n"
    "  if (zeros[3] == 1234567) return nullptr;\n"
    "  if (num_free_blocks_ < 1) return nullptr;\n"
    "  if (head == nullptr) return nullptr;\n";

struct Change {
  std::string from;
  std::string to;
};

const Change kStillborn = {"KVCacheBlock* head = sentinel_.next_free_block;",
                           "KVCacheBlock* tail = sentinel_.next_free_block;"};
const Change kKilled = {"if (head == &sentinel_) return nullptr;",
                        "if (head != &sentinel_) return nullptr;"};
const Change kEquivalent = {"[[maybe_unused]] const int unused = 7;",
                            "[[maybe_unused]] const int unused = 8;"};
const Change kSanitized = {"if (zeros[3] == 1234567) return nullptr;",
                           "if (zeros[4] == 1234567) return nullptr;"};
const Change kExplained = {"if (num_free_blocks_ < 1) return nullptr;",
                           "if (num_free_blocks_ < 0) return nullptr;"};
const Change kTwin = {"if (num_free_blocks_ < 1) return nullptr;", "if (false) return nullptr;"};
const Change kSurvivor = {"if (head == nullptr) return nullptr;", "if (false) return nullptr;"};

constexpr const char* kLedger =
    "# explains the guard that num_free_blocks_ makes idle\n"
    "01-free-queue/free_kv_cache_block_queue.cpp | FreeKVCacheBlockQueue::popleft | constant\n"
    "- if (num_free_blocks_ < 1) return nullptr;\n"
    "+ if (num_free_blocks_ < 0) return nullptr;\n"
    "An empty queue has nothing but its sentinel,\n"
    "and the next line looks for that.\n"
    "\n"
    "01-free-queue/free_kv_cache_block_queue.cpp | FreeKVCacheBlockQueue::popleft | statement\n"
    "- a line that is gone;\n"
    "+ ;\n"
    "Nobody knows any more.\n";

std::vector<Mutant> chosen_mutants(const LabSpec& lab, const fs::path& tree) {
  const std::array changes = {kStillborn, kKilled, kEquivalent, kSanitized,
                              kExplained, kTwin,   kSurvivor};
  std::vector<Mutant> chosen;
  std::ranges::copy_if(mutants_of(lab, tree), std::back_inserter(chosen), [&](const Mutant& m) {
    return std::ranges::any_of(changes, [&](const Change& change) {
      return m.original.front() == change.from && m.mutated.front() == change.to;
    });
  });
  return chosen;
}

}  // namespace

void check_fates(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("01");
  Variation holes;
  holes.name = "popleft with holes";
  holes.file = "free_kv_cache_block_queue.cpp";
  holes.old_text = kHead;
  holes.new_text = std::string(kHead) + kHoles;
  const fs::path tree = write_variation(kit, lab, holes);
  const fs::path ledger = kit.build / "fates.ledger";
  write_file(ledger, kLedger);
  const Mutation fates =
      try_mutants(kit, lab, tree, chosen_mutants(lab, tree), load_ledger(ledger));
  const auto expect = [&](bool holds, const char* what) {
    checks.expect(holds, what, table_head() + table_row(lab, fates) + findings(fates));
  };
  expect(fates.num_mutants == 6 && fates.num_stillborn == 1, "what does not compile is no mutant");
  expect(fates.num_killed == 1, "a mutant that fails a test is killed");
  expect(fates.num_equivalent == 1, "the object code shows what is no mutant");
  expect(fates.num_twins == 1, "the object code shows what is the same mutant twice");
  expect(fates.num_sanitized == 1, "a read beyond an array is killed by a sanitizer");
  expect(fates.num_explained == 1, "what the ledger explains is no survivor");
  expect(fates.unexplained.size() == 1 &&
             fates.unexplained.front().front().original.front() == kSurvivor.from,
         "a guard without a test survives");
  expect(fates.stale.size() == 1 && fates.stale.front().line == 8,
         "an entry of the ledger that speaks of no mutant is stale");
}

}  // namespace kv::grader
