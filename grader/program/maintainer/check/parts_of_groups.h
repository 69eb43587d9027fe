#pragma once
// The parts of groups of checks that are in files of their own.

#include "grader/program/course/site/site_build.h"
#include "grader/program/maintainer/check/browser.h"
#include "grader/program/maintainer/check/bug_trees.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/student/predict/predict_session.h"
#include "grader/program/student/variations/scratch_build.h"

namespace kv::grader {

// The cases of one lab (grader/cases/causes.json). Builds other trees than `known` at the end.
void check_causes(
    const Kit& kit, const LabSpec& lab, BugTrees& known, ScratchBuild& build, Checks& checks);

// What is said of code that does not end, or ends late.
void check_loops(const Kit& kit, ScratchBuild& build, Checks& checks);

// The table of a report, and what comes next.
void check_report_table(const Kit& kit, Checks& checks);

void check_report_page(const Kit& kit, Browser& browser, Checks& checks);
void check_player_page(const Kit& kit, Browser& browser, Checks& checks);
void check_class_page(const Kit& kit, Browser& browser, Checks& checks);
void check_similar_pages(const Kit& kit, Browser& browser, Checks& checks);

// `./lab predict` as a student meets it: right and wrong answers to the questions of a lab.
void check_sessions(const LabSpec& lab,
                    const std::vector<PredictQuestion>& questions,
                    const PredictPrograms& programs,
                    Checks& checks);

// The course as a site (docs/site/), as the checks build it.

// Empty, and said to be unavailable, where its tools cannot be installed.
std::optional<Site> built_site(const Kit& kit, Checks& checks);

// A line for each link in the pages of a folder that leads to no file or to no place in it. Links
// to other servers are not followed. num_links: counts them all.
std::string broken_links(const fs::path& folder, std::size_t& num_links);

}  // namespace kv::grader
