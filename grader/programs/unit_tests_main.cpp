// The main of the grader's unit tests. Why not GoogleTest's: a program that runs others begins with
// a watcher.

#include <gtest/gtest.h>

#include "base/process/watcher.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const kv::grader::Watcher watcher;
  return RUN_ALL_TESTS();
}
