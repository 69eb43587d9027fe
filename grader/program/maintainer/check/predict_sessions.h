#pragma once

#include "grader/program/maintainer/check/check.h"
#include "grader/program/student/predict/predict_session.h"

namespace kv::grader {

// `./lab predict` as a student meets it: right and wrong answers to the questions of a lab.
void check_sessions(const LabSpec& lab,
                    const std::vector<PredictQuestion>& questions,
                    const PredictPrograms& programs,
                    Checks& checks);

}  // namespace kv::grader
