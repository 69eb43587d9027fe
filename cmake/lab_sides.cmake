# lab02_mixed: a lab's tests, in which each function of the lab comes from the student's files or
# from the solution's, as the environment says (grader/harness/sides/slots.cpp). It shows which
# function makes a test fail.
#
#   lab02_student_side, lab02_solution_side   the two, each a library of its own
#
# The grading program writes the sources into sides/ of the build folder before it builds these
# (grader/engine/cause/mixed_program.cpp).
set(LAB_SIDES "${CMAKE_BINARY_DIR}/sides")

# Why interposition: a call has to reach the slot of its function, from the same file too.
set(LAB_SIDE_FLAGS -w -O1 -fPIC -fsemantic-interposition)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND LAB_SIDE_FLAGS -fno-gnu-unique)  # Why: each side has its own static variables.
endif()

function(lab_side id side)
  lab_manifest_list(${id} files names)
  list(TRANSFORM names PREPEND "${LAB_SIDES}/${side}/${LAB_${id}_FOLDER}/")
  set_source_files_properties(${names} PROPERTIES GENERATED ON)
  add_library(lab${id}_${side}_side SHARED EXCLUDE_FROM_ALL ${names})
  lab_include_directories(lab${id}_${side}_side "")
  target_compile_options(lab${id}_${side}_side PRIVATE ${LAB_SIDE_FLAGS} ${LAB_COUNTING})
endfunction()

# needed: the objects of the labs that this one needs. Those of the oracle follow, if there is one.
function(lab_sides id needed)
  lab_side(${id} student)
  lab_side(${id} solution)
  lab_executable(lab${id}_mixed "" FILES "${PROJECT_SOURCE_DIR}/grader/harness/sides/slots.cpp"
                 LINK lab${id}_test_objects ${needed} kv_harness kv_counters ${ARGN}
                      ${CMAKE_DL_LIBS})
  target_include_directories(lab${id}_mixed PRIVATE "${LAB_SIDES}/lab${id}")
  set_target_properties(lab${id}_mixed PROPERTIES EXCLUDE_FROM_ALL ON ENABLE_EXPORTS ON)
endfunction()
