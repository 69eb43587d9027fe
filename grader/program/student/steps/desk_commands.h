#pragma once
// `./lab next`, `./lab list`, `./lab hint` and `./lab reset`: what a student asks between two
// gradings. None of them builds anything or needs a network.

#include <optional>
#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct NextOptions {
  std::string lab = {};  // empty: the first whose core is not done
  std::string tree = "starter";
};
int next_command(const Kit& kit, const NextOptions& options);

struct ListOptions {
  std::vector<std::string> labs = {};  // empty: all
  std::string tree = "starter";
};
int list_command(const Kit& kit, const ListOptions& options);

struct HintOptions {
  std::vector<std::string> step = {};  // words, as "2.3 touch"; none: the step at hand
  std::optional<int> tier = {};
  bool yes = false;
  std::string tree = "starter";
};
int hint_command(const Kit& kit, const HintOptions& options);

struct ResetOptions {
  std::vector<std::string> step = {};  // words
  std::string tree = "starter";
};
int reset_command(const Kit& kit, const ResetOptions& options);

}  // namespace kv::grader
