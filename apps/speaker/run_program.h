#pragma once
// What a program that lets a model speak says when it cannot go on.

#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include "apps/speaker/failure.h"
#include "apps/speaker/speaker.h"

namespace kv {

// The arguments: pairs of a name and a value, as `block-size 16`. Numbers have been checked by
// ./lab.
inline std::map<std::string, std::string> read_pairs(int argc, char** argv) {
  std::map<std::string, std::string> pairs;
  for (int i = 1; i + 1 < argc; i += 2) pairs[argv[i]] = argv[i + 1];
  return pairs;
}

// The exit status: 0, or 2 for input that cannot be used, and for student's files that break.
// grade: the command that looks for their mistakes.
template <typename Program>
int run_program(const char* name, const char* grade, const Program& program) {
  try {
    program();
    return 0;
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
  } catch (...) {  // Why a new line: a text may have begun.
    const std::string sentence = sentence_of(std::current_exception(), grade);
    std::fprintf(stderr, "\n%s: %s\n", name, sentence.c_str());
  }
  return 2;
}

}  // namespace kv
