# Student files in CUDA. They are compiled for the CPU, as `./lab simt` does it, and linked with the
# simulator, so their tests need neither nvcc nor a GPU.
set(LAB_SIMT "${PROJECT_SOURCE_DIR}/simt")
set(LAB_SIMT_FLAGS "")
foreach(name IN ITEMS common cuda_sources)
  list(APPEND LAB_SIMT_FLAG_FILES "${LAB_SIMT}/flags/${name}.txt")
endforeach()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND LAB_SIMT_FLAG_FILES "${LAB_SIMT}/flags/clang++.txt")
else()
  list(APPEND LAB_SIMT_FLAG_FILES "${LAB_SIMT}/flags/g++.txt")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${LAB_SIMT_FLAG_FILES})
foreach(file IN LISTS LAB_SIMT_FLAG_FILES)
  file(READ "${file}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  list(APPEND LAB_SIMT_FLAGS ${flags})
endforeach()
# Why the text of the flags: CMake removes the second of two equal words, such as -D.
list(JOIN LAB_SIMT_FLAGS " " LAB_SIMT_FLAGS)

# Why no warnings about conversions: threadIdx.x is unsigned, and every kernel computes with int.
set(LAB_CUDA_WARNINGS -Wno-conversion -Wno-sign-conversion)

# Makes the .cu files of an object library objects for the simulator.
function(lab_simulate target files)
  list(FILTER files INCLUDE REGEX "\\.cu$")
  set_source_files_properties(${files} PROPERTIES LANGUAGE CXX
                              OBJECT_DEPENDS "${PROJECT_BINARY_DIR}/simt_compile")
  add_dependencies(${target} simt_compile)
  target_include_directories(${target} SYSTEM BEFORE PRIVATE "${LAB_SIMT}/include")
  # Why: the simulator's flags replace those of other sanitizers.
  get_target_property(options ${target} COMPILE_OPTIONS)
  list(FILTER options EXCLUDE REGEX "sanitize=address|sanitize-recover")
  set_target_properties(${target} PROPERTIES COMPILE_OPTIONS "${options}")
  target_compile_options(${target} PRIVATE "SHELL:${LAB_SIMT_FLAGS}" ${LAB_CUDA_WARNINGS})
  set(launcher "${PROJECT_BINARY_DIR}/simt_compile" "${LAB_SIMT}/flags/renamed_functions.txt"
      ${CMAKE_CXX_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
endfunction()

# What runs on a GPU, where the CUDA toolkit is installed; `./lab grade 06 --nvcc` builds and runs it:
#
#   lab06_gpu_tests       the tests, with the student's kernels as nvcc compiles them
#   lab06_bandwidth       the time of each rung, beside a plain read of the same bytes
find_package(CUDAToolkit QUIET)

# The architecture of the first GPU of this machine, or sm_80, whose code newer ones can run, too. Why
# not -arch=native: to ask a GPU, nvcc needs more addresses than students' files may take to compile.
function(lab_gpu_architecture out)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE answer ERROR_QUIET)
  if(answer MATCHES "^([0-9]+)\\.([0-9]+)")
    set(${out} "sm_${CMAKE_MATCH_1}${CMAKE_MATCH_2}" PARENT_SCOPE)
  else()
    set(${out} sm_80 PARENT_SCOPE)
  endif()
endfunction()

# The student's .cu files as objects of nvcc. Why a command for each: as sources in the language CUDA
# they could not be sources for the simulator too.
function(lab_nvcc_objects id tree sources out)
  lab_files(${id} "${tree}" read_files)
  lab_gpu_architecture(architecture)
  set(objects "")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    set(object "${CMAKE_BINARY_DIR}/nvcc/lab${id}/${name}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/nvcc/lab${id}"
      COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" -std=c++20 -O3 -lineinfo -arch=${architecture}
              -I "${tree}" -I "${PROJECT_SOURCE_DIR}/labs" -c "${source}" -o "${object}"
      DEPENDS "${source}" ${read_files} VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

function(lab_gpu_programs id tree)
  if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE OR NOT TARGET CUDA::cudart_static)
    return()
  endif()
  set(lab "${PROJECT_SOURCE_DIR}/labs/${LAB_${id}_FOLDER}")
  lab_files(${id} "${tree}" kernels)
  list(FILTER kernels INCLUDE REGEX "\\.cu$")
  file(GLOB measured CONFIGURE_DEPENDS "${lab}/bench/*.cu")
  lab_nvcc_objects(${id} "${tree}" "${kernels};${measured}" objects)
  set(kernel_objects "${objects}")
  list(FILTER kernel_objects EXCLUDE REGEX "/bandwidth\\.o$")

  file(GLOB tests CONFIGURE_DEPENDS "${lab}/tests/*_test.cpp")
  add_executable(lab${id}_gpu_tests EXCLUDE_FROM_ALL
                 ${tests} "${LAB_SIMT}/gpu/session.cpp" ${kernel_objects})
  lab_include_directories(lab${id}_gpu_tests "${tree}")
  # Why in this order: the simulator has headers of CUDA's names, too.
  target_include_directories(lab${id}_gpu_tests SYSTEM PRIVATE
    ${CUDAToolkit_INCLUDE_DIRS} "${LAB_SIMT}/include")
  target_link_libraries(lab${id}_gpu_tests PRIVATE
    kv_harness kv_counters lab${id}_oracle CUDA::cudart_static GTest::gtest Threads::Threads)
  set_target_properties(lab${id}_gpu_tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)

  add_executable(lab${id}_bandwidth EXCLUDE_FROM_ALL ${objects})
  target_link_libraries(lab${id}_bandwidth PRIVATE CUDA::cudart_static Threads::Threads)
  set_target_properties(lab${id}_bandwidth PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
