#pragma once
// What the tests of the rewriter say.

#include <gtest/gtest.h>

#include <string>

#include "simt/rewrite/rewrite.h"

namespace kv::simt {

inline void expect_rewritten(const std::string& source, const std::string& expected) {
  EXPECT_EQ(rewrite_cuda(source, "a.cu"), "#line 1 \"a.cu\"\n" + expected);
}

inline void expect_untouched(const std::string& source) {
  expect_rewritten(source, source);
}

inline void expect_refused(const std::string& source, const std::string& message) {
  try {
    rewrite_cuda(source, "a.cu");
    ADD_FAILURE() << "accepted: " << source;
  } catch (const MalformedCuda& error) {
    EXPECT_EQ(error.what(), message);
  }
}

}  // namespace kv::simt
