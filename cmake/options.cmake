# The options of a build. An unknown one is an error: with a typo in -DLAB_IMPL_1=..., the wrong
# tree would be tested without a message.
set(LAB_IMPL solution CACHE STRING "whose files to test: solution, starter, or a directory")
option(LAB_TOGETHER "link each lab with the other labs of LAB_IMPL instead of the solution's" OFF)
option(LAB_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
set(LAB_WERROR OFF CACHE STRING
    "make warnings errors: OFF, KIT (all but the files of LAB_IMPL), ON")
option(LAB_NATIVE "build the benches, and everything with -O3 -march=native" OFF)
set(LAB_PROCESSOR "" CACHE STRING
    "any number: with another one, what was compiled for another machine is compiled again")
include(${CMAKE_CURRENT_LIST_DIR}/unit_tests.cmake)

set(LAB_KNOWN_OPTIONS
    LAB_IMPL LAB_TOGETHER LAB_SANITIZE LAB_WERROR LAB_NATIVE LAB_PROCESSOR
    LAB_UNIT_TESTS)
foreach(id IN LISTS LAB_IDS)
  list(APPEND LAB_KNOWN_OPTIONS LAB_IMPL_${id})
endforeach()

get_cmake_property(cached CACHE_VARIABLES)
foreach(name IN LISTS cached)
  if(name MATCHES "^LAB_" AND NOT name IN_LIST LAB_KNOWN_OPTIONS)
    list(JOIN LAB_KNOWN_OPTIONS ", " known)
    message(FATAL_ERROR "${name} is no option of this project. Known: ${known}. "
                        "CMake has stored it; to remove it: "
                        "cmake -U ${name} \"${CMAKE_BINARY_DIR}\"")
  endif()
endforeach()

# lab_impl_dir(<id> <out>): the folder whose files lab <id> is built from.
function(lab_impl_dir id out)
  set(option LAB_IMPL)
  if(DEFINED LAB_IMPL_${id})
    set(option LAB_IMPL_${id})
  endif()
  set(value "${${option}}")
  if(value MATCHES "^(solution|starter)$")
    set(dir "${PROJECT_SOURCE_DIR}/${value}")
  else()
    get_filename_component(dir "${value}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
  endif()
  if(NOT IS_DIRECTORY "${dir}")
    message(FATAL_ERROR "${option}=${value}: there is no folder ${dir}. Give solution, starter, "
                        "or a folder that has 01-free-queue and so on in it. "
                        "To go back to the default: cmake -U ${option} \"${CMAKE_BINARY_DIR}\"")
  endif()
  set(${out} "${dir}" PARENT_SCOPE)
endfunction()
