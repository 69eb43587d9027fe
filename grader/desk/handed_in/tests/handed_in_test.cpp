#include "grader/desk/handed_in/handed_in.h"

#include "base/kit/tests/kit_test.h"

namespace kv::grader {
namespace {

// The command that compares a submission, where it is to be typed in another shell.
class DiffArguments : public KitTest {
 protected:
  std::string of(const Origin& origin) const {
    Submission submission;
    submission.origin = origin;
    return submission.diff_arguments(kit.manifest.lab("01"));
  }
};

TEST_F(DiffArguments, NameARepositoryWithoutItsPassword) {
  const HandedIn repository{.name = "a", .url = "https://me:secret@host/a.git", .commit = "HEAD"};
  EXPECT_EQ(of(repository.origin()), "https://host/a.git 01 --commit HEAD --yes");
}

TEST_F(DiffArguments, QuoteANameThatAShellWouldCarryOut) {
  EXPECT_EQ(of({.place = "$(x) y"}), "'$(x) y' 01 --yes");
}

}  // namespace
}  // namespace kv::grader
