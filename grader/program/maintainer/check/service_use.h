#pragma once

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// The rules for the services' files notice what breaks them.
void check_service_rules(Checks& checks);

// ./lab bundle and ./lab results, used in wrong ways: one sentence, exit code 2.
void check_service_use(const Kit& kit, Checks& checks);

}  // namespace kv::grader
