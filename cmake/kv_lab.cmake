# kv_lab(<id>): everything that is built for one lab, from its lab.json and the files in its folder.
#
#   lab01_solution    the solution's files, for every lab that needs them
#   lab01_student     the student's files alone, so that the first error shown is the student's
#   lab01_tests       the tests, the student's files, and the solution of the labs it needs
#   lab01_printed_tests   the tests that reports print of random histories, for ./lab test
#   lab01_reference   the same tests on the solution. It shows how long they take on this machine,
#                     and whether a broken build is the student's fault or the kit's.
#   lab01_predict     runs the predict questions of the README, if there is a *_predict.cpp
#   lab01_predict_solution   the same on the solution
#   lab01_costs       prints what the student's calls cost, if there is a *_costs.cpp
#   lab06_solution_costs   the same of the solution, for a lab in CUDA
#   lab01_bench       and lab01_student_bench, with LAB_NATIVE=ON, if there is a bench
#   lab04_replay      and lab07_generate, lab07_chat, lab07_serve: the programs of apps/
#   lab07_given_tests the tests of what a lab gives, if there is a given/tests/, with the solution
#   lab07_products_x86-64-v3   and -v4: the tests of its products at the widths of other processors
#   collide           each file of tools/ is a program of that name, linked with the solution

# A tree may bring its own copy of a contract header. All objects of its program have to see that
# copy first, and no other program may see it. Without such a copy, `out` is empty.
function(lab_own_headers id tree out)
  lab_manifest_list(${id} headers names)
  # The mutants of what a lab's given checks refuse are in headers, too.
  file(GLOB given RELATIVE "${tree}/${LAB_${id}_FOLDER}" "${tree}/${LAB_${id}_FOLDER}/given/*.h")
  set(own "")
  foreach(name IN LISTS names given)
    if(EXISTS "${tree}/${LAB_${id}_FOLDER}/${name}")
      list(APPEND own "${LAB_${id}_FOLDER}/${name}")
    endif()
  endforeach()
  if(NOT own)
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  # Why the list is part of the name: with another set of headers the include path changes, so
  # objects that depend on the header in labs/ are compiled again.
  string(MD5 set_of_headers "${own}")
  set(overlay "${CMAKE_BINARY_DIR}/own-headers/${id}-${set_of_headers}")
  foreach(path IN LISTS own)
    configure_file("${tree}/${path}" "${overlay}/${path}" COPYONLY)
  endforeach()
  set(${out} "${overlay}" PARENT_SCOPE)
endfunction()

# Search order of headers: the tree's own copy, then the one in labs/.
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
  if(ARG_FILES MATCHES "\\.cu(;|$)")
    lab_simulate(${target} "${ARG_FILES}")
  endif()
endfunction()

# lab_executable(<target> <overlay> FILES <files...> LINK <objects and libraries...>)
function(lab_executable target overlay)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "FILES;LINK")
  add_executable(${target} ${ARG_FILES})
  lab_include_directories(${target} "${overlay}")
  target_compile_options(${target} PRIVATE ${LAB_WARNINGS})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} Threads::Threads)
  lab_link_given(${target})
endfunction()

# lab_link_given(lab07_tests): with lab07_given, if there is one.
function(lab_link_given target)
  string(REGEX MATCH "^lab[0-9]+" lab "${target}")
  if(TARGET ${lab}_given)
    target_link_libraries(${target} PRIVATE ${lab}_given)
  endif()
endfunction()

# lab07_given: what a lab has in given/ besides headers. Why no fused operations: each product is
# rounded before it is added, so the bits of a result are the same in every build.
function(lab_given id lab)
  file(GLOB files CONFIGURE_DEPENDS "${lab}/given/*.cpp")
  if(NOT files)
    return()
  endif()
  lab_need_json()
  add_library(lab${id}_given STATIC EXCLUDE_FROM_ALL ${files})
  lab_include_directories(lab${id}_given "")
  target_compile_options(lab${id}_given PRIVATE ${LAB_WARNINGS} -O2 -ffp-contract=off)
  target_link_libraries(lab${id}_given PRIVATE nlohmann_json::nlohmann_json)
  # Why: three of its files read JSON, and compiling that header takes most of their time.
  set_target_properties(lab${id}_given PROPERTIES UNITY_BUILD ON)
endfunction()

# The objects that a lab's student files are linked with: the solution of the labs that it needs, or
# with LAB_TOGETHER the student's own files of those labs.
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

# The objects of the oracle in reference/ that lab.json names, if it names one.
function(lab_oracle id out)
  set(${out} "" PARENT_SCOPE)
  string(JSON source ERROR_VARIABLE has_none GET "${LAB_${id}_JSON}" oracle)
  if(has_none)
    return()
  endif()
  add_library(lab${id}_oracle OBJECT EXCLUDE_FROM_ALL "reference/${source}")
  lab_include_directories(lab${id}_oracle "")
  set(${out} lab${id}_oracle PARENT_SCOPE)
endfunction()

# lab01_solution: from source; in a handout in which the lab is closed, from the objects that came
# along (grader/classroom/handout/handout.h), as lab01_bug-NAME of a counterexample's bug.
function(lab_solution id)
  lab_prebuilt(${id} "solution" objects)
  if(objects)
    lab_imported(lab${id}_solution "${objects}")
    return()
  endif()
  lab_files(${id} "${PROJECT_SOURCE_DIR}/solution" files)
  lab_objects(lab${id}_solution "" FILES ${files} FLAGS ${LAB_WARNINGS} ${LAB_COUNTING})
endfunction()

function(lab_prebuilt id part out)
  file(GLOB objects CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/solution/${LAB_${id}_FOLDER}/prebuilt/\
${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}/${part}/*.o")
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

function(lab_imported target objects)
  add_library(${target} OBJECT IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_OBJECTS "${objects}")
endfunction()

# lab01_predict_bug-NAME for each bug that came along: for the counterexample question.
function(lab_prebuilt_bugs id needed)
  file(GLOB folders CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/solution/${LAB_${id}_FOLDER}/prebuilt/\
${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}/bug-*")
  foreach(folder IN LISTS folders)
    get_filename_component(bug "${folder}" NAME)
    lab_prebuilt(${id} "${bug}" objects)
    lab_imported(lab${id}_${bug} "${objects}")
    lab_small_program(lab${id}_predict_${bug} ${id} ${bug} predict "" "${needed}")
  endforeach()
endfunction()

function(kv_lab id)
  lab_lack_of_library(${id} lack)
  lab_note_lack(lab${id} "${lack}")
  if(lack)
    return()
  endif()
  set(lab "${PROJECT_SOURCE_DIR}/labs/${LAB_${id}_FOLDER}")
  lab_given(${id} "${lab}")
  lab_solution(${id})
  lab_tool_programs(${id} "${lab}")
  lab_given_tests(${id} "${lab}")
  lab_product_tests(${id} "${lab}")
  if(LAB_NATIVE)
    lab_bench(${id} "${lab}")
  endif()
  lab_impl_dir(${id} tree)
  lab_files(${id} "${tree}" student_files)
  foreach(file IN LISTS student_files)
    if(NOT EXISTS "${file}")
      message(STATUS "lab ${id} is skipped: there is no ${file}")
      return()
    endif()
  endforeach()

  lab_own_headers(${id} "${tree}" overlay)
  set(warnings ${LAB_STUB_WARNINGS})
  if(tree STREQUAL "${PROJECT_SOURCE_DIR}/solution")
    set(warnings ${LAB_WARNINGS})
  endif()
  lab_objects(lab${id}_student "${overlay}" FILES ${student_files}
              FLAGS ${warnings} ${LAB_COUNTING})
  lab_needed(${id} "${overlay}" "${warnings}" needed)
  lab_tests(${id} "${lab}" "${overlay}" "${needed}")
  lab_small_program(lab${id}_predict ${id} student predict "${overlay}" "${needed}")
  lab_small_program(lab${id}_costs ${id} student costs "${overlay}" "${needed}")
  if(LAB_${id}_IS_CUDA)
    lab_small_program(lab${id}_solution_costs ${id} solution costs "" "")
    lab_gpu_programs(${id} "${tree}")
  endif()
  lab_student_bench(${id} "${lab}" "${overlay}" "${needed}")
  lab_student_apps(${id} "${tree}" "${overlay}" "${warnings}" "${needed}")

  get_filename_component(tree_name "${tree}" NAME)
  gtest_discover_tests(lab${id}_tests NO_PRETTY_TYPES DISCOVERY_MODE PRE_TEST
                       TEST_PREFIX "${tree_name}: "
                       PROPERTIES TIMEOUT 60 LABELS lab${id})
  lab_grade_target(${id} "${tree}")
endfunction()

# lab01_tests and lab01_reference: the same tests on the student's files and on the solution. And
# lab01_predict_solution, which needs no file of the student.
function(lab_tests id lab overlay needed)
  file(GLOB tests CONFIGURE_DEPENDS "${lab}/tests/*_test.cpp")
  lab_oracle(${id} oracle)
  lab_manifest_list(${id} needs needed_solution)
  list(TRANSFORM needed_solution REPLACE "(.+)" "lab\\1_solution")
  lab_test_objects(lab${id}_test_objects "" "${tests}")
  set(test_objects lab${id}_test_objects)
  if(overlay)
    set(test_objects lab${id}_own_test_objects)
    lab_test_objects(${test_objects} "${overlay}" "${tests}")
  endif()
  lab_linked(${id} student "${needed};${test_objects};kv_harness;kv_counters;${oracle}" linked)
  lab_executable(lab${id}_tests "${overlay}" ${linked})
  lab_linked(${id} solution
             "${needed_solution};lab${id}_test_objects;kv_harness;kv_counters;${oracle}" linked)
  lab_executable(lab${id}_reference "" ${linked})
  set_target_properties(lab${id}_tests lab${id}_reference PROPERTIES LINKER_LANGUAGE CXX)
  set_target_properties(lab${id}_reference PROPERTIES EXCLUDE_FROM_ALL ON)
  lab_linked(${id} student "${needed};kv_harness;kv_counters;${oracle}" linked)
  lab_printed_tests(${id} "${overlay}" ${linked})
  lab_small_program(lab${id}_predict_solution ${id} solution predict "" "${needed_solution}")
  lab_prebuilt_bugs(${id} "${needed_solution}")
  if(NOT LAB_${id}_IS_CUDA)
    lab_sides(${id} "${needed_solution}" ${oracle})
  endif()
endfunction()

# lab01_printed_tests: the tests that reports print, with the student's files. ./lab test writes the
# source before it builds this (grader/proof/check/printed_tests.cpp).
function(lab_printed_tests id overlay)
  set(source "${CMAKE_BINARY_DIR}/printed/lab${id}.cpp")
  set_source_files_properties("${source}" PROPERTIES GENERATED ON)
  lab_executable(lab${id}_printed_tests "${overlay}" ${ARGN})
  target_sources(lab${id}_printed_tests PRIVATE "${source}")
  set_target_properties(lab${id}_printed_tests PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# The FILES and LINK of a program with the student's or the solution's objects, in the order of the
# link. Why these first: where counted and uncounted files share a template, the linker keeps the
# first. Why last if they are CUDA: neither the simulator nor a test may call watched copies.
function(lab_linked id side others out)
  if(LAB_${id}_IS_CUDA)
    set(${out} FILES $<TARGET_OBJECTS:simt_runtime_objects>
               LINK ${others} lab${id}_${side} ${CMAKE_DL_LIBS} PARENT_SCOPE)
  else()
    set(${out} FILES $<TARGET_OBJECTS:lab${id}_${side}> LINK ${others} PARENT_SCOPE)
  endif()
endfunction()

# How many files are compiled as one: as few pieces as there are cores, of 6 to 13 files.
function(lab_batch_size files out)
  cmake_host_system_information(RESULT num_cores QUERY NUMBER_OF_LOGICAL_CORES)
  list(LENGTH files num_files)
  math(EXPR batch "(${num_files} + ${num_cores} - 1) / ${num_cores}")
  if(batch LESS 6)
    set(batch 6)
  elseif(batch GREATER 13)
    set(batch 13)
  endif()
  set(${out} ${batch} PARENT_SCOPE)
endfunction()

# The objects of a lab's tests, which see the headers in `overlay` first.
function(lab_test_objects target overlay tests)
  lab_objects(${target} "${overlay}" FILES ${tests} FLAGS ${LAB_WARNINGS} ${LAB_TEST_FLAGS})
  target_include_directories(${target} SYSTEM PRIVATE "${LAB_SIMT}/include")
  target_link_libraries(${target} PRIVATE GTest::gtest)
  # Why not all files are counted: counting makes them slower, and histories make many calls.
  set(cost_tests ${tests})
  list(FILTER cost_tests INCLUDE REGEX "_cost_test\\.cpp$")
  set_source_files_properties(${cost_tests} PROPERTIES COMPILE_OPTIONS "${LAB_COUNTING}")
  # Why: much of the time to compile a test file goes into templates that the next one needs too.
  lab_batch_size("${tests}" batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  target_precompile_headers(${target} REUSE_FROM kv_harness)
endfunction()

# lab_small_program(<target> <id> <side> <kind> <overlay> <needed>): the target from *_predict.cpp
# (kind predict) or *_costs.cpp (kind costs), with the student's or the solution's objects.
function(lab_small_program target id side kind overlay needed)
  file(GLOB sources CONFIGURE_DEPENDS
       "${PROJECT_SOURCE_DIR}/labs/${LAB_${id}_FOLDER}/tests/*_${kind}.cpp")
  if(NOT sources)
    return()
  endif()
  lab_linked(${id} ${side} "${needed};kv_counters" linked)
  lab_executable(${target} "${overlay}" ${linked})
  target_sources(${target} PRIVATE ${sources})
  target_include_directories(${target} SYSTEM PRIVATE "${LAB_SIMT}/include")
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  if(kind STREQUAL costs)
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${LAB_COUNTING}")
  endif()
endfunction()

# The objects of a lab's solution and of the labs that it needs.
function(lab_whole_solution id out)
  lab_manifest_list(${id} needs labs)
  list(APPEND labs ${id})
  list(TRANSFORM labs REPLACE "(.+)" "lab\\1_solution")
  set(${out} "${labs}" PARENT_SCOPE)
endfunction()

# lab07_given_tests: only ./lab test builds this.
function(lab_given_tests id lab)
  file(GLOB tests CONFIGURE_DEPENDS "${lab}/given/tests/*_test.cpp")
  if(NOT tests)
    return()
  endif()
  lab_test_objects(lab${id}_given_test_objects "" "${tests}")
  lab_whole_solution(${id} solution)
  lab_executable(lab${id}_given_tests "" FILES ""
                 LINK "lab${id}_given_test_objects;kv_harness;kv_counters;${solution}")
  set_target_properties(lab${id}_given_tests PROPERTIES EXCLUDE_FROM_ALL ON LINKER_LANGUAGE CXX)
endfunction()

# lab07_products_x86-64-v4: the given code for products has a form for each width of vectors, and
# the other tests see that of the narrowest. Only ./lab test builds these, and runs them where it can.
function(lab_product_tests id lab)
  set(test "${lab}/given/tests/matrix_test.cpp")
  if(NOT EXISTS "${test}" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  set(levels x86-64-v3 x86-64-v4)
  set(lanes_of_levels 8 16)
  foreach(level lanes IN ZIP_LISTS levels lanes_of_levels)
    set(target lab${id}_products_${level})
    add_executable(${target} EXCLUDE_FROM_ALL
      "${test}" "${lab}/given/matrix.cpp" "${lab}/given/tensor.cpp" "${lab}/given/workers.cpp")
    lab_include_directories(${target} "")
    target_compile_options(${target} PRIVATE
      ${LAB_WARNINGS} -O2 -ffp-contract=off -march=${level})
    target_compile_definitions(${target} PRIVATE LAB_EXPECTED_LANES=${lanes})
    target_link_libraries(${target} PRIVATE kv_harness kv_counters Threads::Threads)
  endforeach()
endfunction()

# A program for each file of tools/, linked with the solution.
function(lab_tool_programs id lab)
  file(GLOB sources CONFIGURE_DEPENDS "${lab}/tools/*.cpp")
  lab_whole_solution(${id} solution)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    lab_executable(${name} "" FILES "${source}" LINK ${solution} kv_counters)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endforeach()
endfunction()

# `cmake --build build --target grade-01` grades the same tree as `./lab grade 01 --tree ...`.
function(lab_grade_target id tree)
  add_custom_target(grade-${id}
    COMMAND ${CMAKE_COMMAND} -E env "LAB_ROOT=${PROJECT_SOURCE_DIR}"
            $<TARGET_FILE:lab_student> grade ${id} --tree "${tree}"
    USES_TERMINAL VERBATIM)
endfunction()
