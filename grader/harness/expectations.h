#pragma once
// Expectations whose failures are in words. GoogleTest's own (EXPECT_EQ and the like) print C++.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "grader/harness/draw.h"
#include "grader/harness/test_log.h"
#include "kv/require.h"

// The reason why follows: EXPECT_SAME(yours, expected) << "a block in use stays";
// "expected 2, yours is 1: a block in use stays".
#define EXPECT_SAME(yours, expected)                                                          \
  GTEST_AMBIGUOUS_ELSE_BLOCKER_                                                               \
  if (const auto kv_different = ::kv::grader::difference((expected), (yours)); !kv_different) \
    ;                                                                                         \
  else                                                                                        \
    ADD_FAILURE() << *kv_different << ": "

// The same, and the test is over.
#define ASSERT_SAME(yours, expected)                                                          \
  GTEST_AMBIGUOUS_ELSE_BLOCKER_                                                               \
  if (const auto kv_different = ::kv::grader::difference((expected), (yours)); !kv_different) \
    ;                                                                                         \
  else                                                                                        \
    FAIL() << *kv_different << ": "

// "expected two different values, both are 5: ..."
#define EXPECT_DIFFERENT(one, other)            \
  GTEST_AMBIGUOUS_ELSE_BLOCKER_                 \
  if (::kv::grader::difference((one), (other))) \
    ;                                           \
  else                                          \
    ADD_FAILURE() << "expected two different values, both are " << ::kv::grader::draw(one) << ": "

// What follows says what is wrong: EXPECT_HOLDS(out == before) << "the refused call wrote into
// out".
#define EXPECT_HOLDS(condition)     \
  GTEST_AMBIGUOUS_ELSE_BLOCKER_     \
  if (static_cast<bool>(condition)) \
    ;                               \
  else                              \
    ADD_FAILURE()

// The call has to throw ContractViolation. The reason follows, as for EXPECT_SAME.
#define EXPECT_REFUSED(...)                                 \
  GTEST_AMBIGUOUS_ELSE_BLOCKER_                             \
  if (::kv::grader::throws_violation([&] { __VA_ARGS__; })) \
    ;                                                       \
  else                                                      \
    ADD_FAILURE() << "expected the call to be refused, yours went through: "

namespace kv::grader {

// "expected free [1 2], yours is [2 1]". What is compared: values, never texts that may be cut.
template <class Value, class Yours>
void expect_same(const std::string& what, const Value& expected, const Yours& yours) {
  if (difference(expected, yours)) ADD_FAILURE() << draw_difference(what, expected, yours);
}

// The same of what the last call gave. Why not in words: they would be another call's, as soon as
// the call has one more argument.
template <class Value, class Yours>
void expect_given(const Value& expected, const Yours& yours) {
  expect_same(last_call() + " to give", expected, yours);
}

// Ends a test that cannot go on: the structure that it would look at next is broken.
[[noreturn]] inline void fail_now(const std::string& what) {
  ADD_FAILURE() << what;
  throw std::runtime_error("the test is over");
}

template <class Call>
bool throws_violation(Call call) {
  try {
    call();
  } catch (const ContractViolation&) {
    return true;
  }
  return false;
}

template <class Call>
bool is_refused(std::string_view why, Call call) {
  const ToBeRefused to_be_refused(why);
  const bool is_thrown = throws_violation(call);
  EXPECT_HOLDS(is_thrown) << "expected the call to be refused (" << why << "), yours went through";
  return is_thrown;
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
