# lab_unit_tests(<program>): with LAB_UNIT_TESTS=ON, `all` builds it and CTest runs its tests. Why not
# always: a student's build needs none of them.
option(LAB_UNIT_TESTS "build the unit tests of the kit, and let CTest run them" OFF)
include(GoogleTest)

function(lab_unit_tests program)
  if(NOT LAB_UNIT_TESTS)
    return()
  endif()
  set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL OFF)
  gtest_discover_tests(${program} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
endfunction()
