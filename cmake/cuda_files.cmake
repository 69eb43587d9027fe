# Student files in CUDA. They are compiled for the CPU, as `./lab simt` does it, and linked with the
# simulator, so their tests need neither nvcc nor a GPU.
set(LAB_SIMT "${PROJECT_SOURCE_DIR}/simt")
set(LAB_SIMT_FLAGS "")
foreach(name IN ITEMS common nvcc_macros)
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
  set_target_properties(${target} PROPERTIES
    CXX_COMPILER_LAUNCHER "${PROJECT_BINARY_DIR}/simt_compile;${LAB_SIMT}/flags/renamed_functions.txt")
endfunction()
