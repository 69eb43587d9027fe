# `cmake --build build --target grade` grades all labs of the tree that LAB_IMPL names.
lab_impl_dir(all tree)
set(grade ${CMAKE_COMMAND} -E env "LAB_ROOT=${PROJECT_SOURCE_DIR}" $<TARGET_FILE:lab_student> grade)
set(grade_commands COMMAND ${grade} --tree "${tree}")
foreach(id IN LISTS LAB_IDS)
  if(DEFINED LAB_IMPL_${id})  # Then each lab is graded from its own tree.
    set(grade_commands "")
    foreach(each IN LISTS LAB_IDS)
      lab_impl_dir(${each} each_tree)
      list(APPEND grade_commands COMMAND ${grade} ${each} --tree "${each_tree}")
    endforeach()
    break()
  endif()
endforeach()
add_custom_target(grade ${grade_commands} USES_TERMINAL VERBATIM)

if(tree STREQUAL "${PROJECT_SOURCE_DIR}/solution")
  message(STATUS "LAB_IMPL=solution: testing the reference, not your work. "
                 "To test yours: cmake -DLAB_IMPL=starter, or ./lab grade")
else()
  message(STATUS "testing ${tree}")
endif()
