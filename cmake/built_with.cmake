# built_with.json: what a grading report says about the build
# (grader/program/student/grading/provenance.h).
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(JOIN " " options C++20 ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${LAB_COUNTING})
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/built_with.json" @ONLY ESCAPE_QUOTES CONTENT
  [[{"version": "@PROJECT_VERSION@",
 "compiler": "@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@",
 "options": "@options@"}
]])
