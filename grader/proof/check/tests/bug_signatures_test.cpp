#include "grader/proof/check/bug_signatures.h"

#include <gtest/gtest.h>

namespace kv::grader {
namespace {

Signature with_digest(const std::string& digest) {
  Signature signature{};
  signature.failing = {{"A.Fails", digest}};
  return signature;
}

const Signature kNow = with_digest("af63dc4c8601ec8c");

std::string explained_beside(const Signature& written) {
  return explained(kNow, written, {{"A.Fails", "yours is 0.123"}});
}

TEST(ExplainedSignature, AgreesWithTheWrittenOne) {
  EXPECT_EQ(explained_beside(kNow), "A.Fails: agrees\n  yours is 0.123\n");
}

TEST(ExplainedSignature, SaysWhatIsWrittenOtherwise) {
  EXPECT_EQ(explained_beside(with_digest("af63dd4c8601ee3f")),
            "A.Fails: another message is written\n  yours is 0.123\n");
  EXPECT_EQ(explained_beside({}), "A.Fails: is not written\n  yours is 0.123\n");
}

TEST(ExplainedSignature, AgreesWithATestAtItsTimeLimit) {
  EXPECT_EQ(explained_beside(with_digest(std::string(kAtTimeLimit))),
            "A.Fails: agrees\n  yours is 0.123\n");
}

TEST(ExplainedSignature, NamesTestsThatPassNow) {
  Signature more = kNow;
  more.failing["Z.Passes"] = "";
  EXPECT_EQ(explained_beside(more),
            "A.Fails: agrees\n  yours is 0.123\nZ.Passes: passes, but is written\n");
}

}  // namespace
}  // namespace kv::grader
