#pragma once
// Expectations that the recorders of several labs share.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "grader/harness/test_log.h"
#include "kv/require.h"

namespace kv::grader {

// "expected free [1 2], yours is [2 1]"
inline void expect_same(const std::string& what,
                        const std::string& expected,
                        const std::string& yours) {
  if (yours != expected) {
    ADD_FAILURE() << "expected " << what << " " << expected << ", yours is " << yours;
  }
}

// The call has to throw ContractViolation.
template <class Call>
bool is_refused(std::string_view why, Call call) {
  try {
    call();
  } catch (const ContractViolation&) {
    return true;
  }
  ADD_FAILURE() << "expected the call to be refused (" << why << "), yours went through";
  return false;
}

// It also has to leave the state as it was. A recorder has state(), log(state) and
// expect_unchanged(state).
template <class Recorder, class Call>
void expect_refused(Recorder& recorder, std::string_view why, Call call) {
  if (!may_look()) {
    if (is_refused(why, call)) log_refused();
    return;
  }
  const auto before = recorder.state();
  if (!is_refused(why, call)) return;
  const auto after = recorder.state();
  log_refused();
  recorder.log(after);
  recorder.expect_unchanged(before);
}

}  // namespace kv::grader
