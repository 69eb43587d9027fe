# kv_lab(<id> [ORACLE <objects>]): all that is built for one lab, from its lab.json.
#
#   lab01_solution    the solution's files, for every lab that needs them
#   lab01_student     the student's files, alone: the first error in them is the one to show
#   lab01_tests       the graders, the student's files, and the solution of the labs it needs
#   lab01_reference   the same graders on the solution: how long it takes here, and proof that a
#                     broken build is the student's and not the kit's
#   lab01_predict     runs the predict questions of the README
#   lab01_costs       prints what the student's calls cost
#   lab01_bench       with LAB_NATIVE=ON

# A tree may bring its own copy of a contract header. All objects of its binary have to see that
# copy first, and no other binary may see it. Without such a copy, `out` is empty.
function(lab_own_headers id tree out)
  lab_manifest_list(${id} headers names)
  set(own "")
  foreach(name IN LISTS names)
    if(EXISTS "${tree}/${LAB_${id}_FOLDER}/${name}")
      list(APPEND own "${LAB_${id}_FOLDER}/${name}")
    endif()
  endforeach()
  if(NOT own)
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  # Why named after the list: another set of headers is another include path, and so a rebuild of
  # objects whose dependencies speak of the header in labs/.
  string(MD5 set_of_headers "${own}")
  set(overlay "${CMAKE_BINARY_DIR}/own-headers/${id}-${set_of_headers}")
  foreach(path IN LISTS own)
    configure_file("${tree}/${path}" "${overlay}/${path}" COPYONLY)
  endforeach()
  set(${out} "${overlay}" PARENT_SCOPE)
endfunction()

# Which header of a name is found first: the tree's own copy, then the one in labs/.
function(lab_include_directories target overlay)
  target_include_directories(${target} PRIVATE
    "${overlay}" "${PROJECT_SOURCE_DIR}/labs" "${PROJECT_SOURCE_DIR}")
  target_include_directories(${target} SYSTEM PRIVATE
    "${XXHASH_INCLUDE_DIR}" "${EIGEN_INCLUDE_DIR}")
endfunction()

# lab_objects(<target> <overlay> FILES <files...> FLAGS <flags...>)
function(lab_objects target overlay)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "FILES;FLAGS")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${ARG_FILES})
  lab_include_directories(${target} "${overlay}")
  target_compile_options(${target} PRIVATE ${ARG_FLAGS})
endfunction()

# lab_executable(<target> <overlay> <sources> LINK <objects and libraries...>)
function(lab_executable target overlay)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "FILES;LINK")
  add_executable(${target} ${ARG_FILES})
  lab_include_directories(${target} "${overlay}")
  target_compile_options(${target} PRIVATE ${LAB_WARNINGS})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} Threads::Threads)
endfunction()

# What a lab's student files are linked with: the solution of the labs that it needs; with
# LAB_TOGETHER, the student's own.
function(lab_needed id overlay warnings out)
  lab_manifest_list(${id} needs needed_labs)
  list(TRANSFORM needed_labs REPLACE "(.+)" "lab\\1_solution" OUTPUT_VARIABLE shared)
  set(${out} "${shared}" PARENT_SCOPE)
  if(NOT needed_labs OR NOT (LAB_TOGETHER OR overlay))
    return()
  endif()
  set(needed_files "")
  foreach(needed IN LISTS needed_labs)
    set(tree "${PROJECT_SOURCE_DIR}/solution")
    if(LAB_TOGETHER)
      lab_impl_dir(${needed} tree)
    endif()
    lab_files(${needed} "${tree}" files)
    list(APPEND needed_files ${files})
  endforeach()
  lab_objects(lab${id}_needed "${overlay}" FILES ${needed_files} FLAGS ${warnings} ${LAB_COUNTING})
  set(${out} lab${id}_needed PARENT_SCOPE)
endfunction()

function(kv_lab id)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ORACLE" "")
  set(folder "${LAB_${id}_FOLDER}")
  set(lab "${PROJECT_SOURCE_DIR}/labs/${folder}")
  lab_files(${id} "${PROJECT_SOURCE_DIR}/solution" solution_files)
  lab_objects(lab${id}_solution "" FILES ${solution_files} FLAGS ${LAB_WARNINGS} ${LAB_COUNTING})
  lab_impl_dir(${id} tree)
  lab_files(${id} "${tree}" student_files)
  list(GET student_files 0 first_file)
  if(NOT EXISTS "${first_file}")
    message(STATUS "lab ${id}: ${first_file} is not there; the lab is left out")
    return()
  endif()

  lab_own_headers(${id} "${tree}" overlay)
  set(warnings ${LAB_STUB_WARNINGS})
  if(tree STREQUAL "${PROJECT_SOURCE_DIR}/solution")
    set(warnings ${LAB_WARNINGS})
  endif()
  file(GLOB tests CONFIGURE_DEPENDS "${lab}/tests/*_test.cpp")
  file(GLOB predict CONFIGURE_DEPENDS "${lab}/tests/*_predict.cpp")
  file(GLOB cost_tests CONFIGURE_DEPENDS "${lab}/tests/*_cost_test.cpp")
  file(GLOB costs CONFIGURE_DEPENDS "${lab}/tests/*_costs.cpp")

  lab_objects(lab${id}_student "${overlay}" FILES ${student_files}
              FLAGS ${warnings} ${LAB_COUNTING})
  lab_needed(${id} "${overlay}" "${warnings}" needed)
  lab_executable(lab${id}_tests "${overlay}" FILES ${tests}
                 LINK lab${id}_student ${needed} kv_harness kv_counters ${ARG_ORACLE})
  lab_executable(lab${id}_predict "${overlay}" FILES ${predict}
                 LINK lab${id}_student ${needed} kv_counters)
  lab_executable(lab${id}_costs "${overlay}" FILES ${costs}
                 LINK lab${id}_student ${needed} kv_counters)
  lab_whole_solution(${id} whole_solution)
  lab_executable(lab${id}_reference "" FILES ${tests}
                 LINK ${whole_solution} kv_harness kv_counters ${ARG_ORACLE})
  # Why not all files: a counted one is slower, and histories live long. (Of a template that counted
  # and uncounted files share, the linker keeps the first; with Ninja that is the student's.)
  set_source_files_properties(${cost_tests} ${costs} PROPERTIES COMPILE_OPTIONS "${LAB_COUNTING}")
  target_precompile_headers(lab${id}_tests REUSE_FROM kv_harness)
  target_precompile_headers(lab${id}_reference REUSE_FROM kv_harness)
  # Why: of a test file's compilation, most is templates that the next one needs too.
  set_target_properties(lab${id}_tests lab${id}_reference
                        PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  set_target_properties(lab${id}_predict lab${id}_costs lab${id}_reference
                        PROPERTIES EXCLUDE_FROM_ALL ON)

  get_filename_component(tree_name "${tree}" NAME)
  gtest_discover_tests(lab${id}_tests NO_PRETTY_TYPES DISCOVERY_MODE PRE_TEST TEST_PREFIX "${tree_name}: "
                       PROPERTIES TIMEOUT 60 LABELS lab${id})
  lab_grade_target(${id} "${tree}")
  if(LAB_NATIVE)
    lab_bench(${id} "${lab}")
  endif()
endfunction()

# The solution of a lab and of all that it needs, as objects.
function(lab_whole_solution id out)
  lab_manifest_list(${id} needs labs)
  list(APPEND labs ${id})
  list(TRANSFORM labs REPLACE "(.+)" "lab\\1_solution")
  set(${out} "${labs}" PARENT_SCOPE)
endfunction()

# lab_tool(<name> <id> <source>): a small program beside a lab, on the solution.
function(lab_tool name id source)
  lab_whole_solution(${id} solution)
  lab_executable(${name} "" FILES "labs/${LAB_${id}_FOLDER}/tools/${source}"
                 LINK ${solution} kv_counters)
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

function(lab_bench id lab)
  lab_whole_solution(${id} solution)
  file(GLOB bench CONFIGURE_DEPENDS "${lab}/bench/*.cpp")
  lab_executable(lab${id}_bench "" FILES ${bench}
                 LINK ${solution} benchmark::benchmark CLI11::CLI11)
endfunction()

# `cmake --build build --target grade-01` grades the same tree as `./lab grade 01 --tree ...`.
function(lab_grade_target id tree)
  add_custom_target(grade-${id}
    COMMAND ${CMAKE_COMMAND} -E env "LAB_ROOT=${PROJECT_SOURCE_DIR}"
            $<TARGET_FILE:lab_grader> grade ${id} --tree "${tree}"
    USES_TERMINAL VERBATIM)
endfunction()
