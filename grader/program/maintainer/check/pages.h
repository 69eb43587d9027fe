#pragma once

#include "grader/program/maintainer/check/browser.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

void check_report_page(const Kit& kit, Browser& browser, Checks& checks);
void check_player_page(const Kit& kit, Browser& browser, Checks& checks);
void check_class_page(const Kit& kit, Browser& browser, Checks& checks);
void check_similar_pages(const Kit& kit, Browser& browser, Checks& checks);

}  // namespace kv::grader
