# The cost of a call is counted (grader/harness/counters.cpp). That needs two features of the
# compiler and the linker. Without the first the tests compare times, without the second they count
# no moved bytes; a message says so.
include(CheckCXXSourceCompiles)

set(LAB_COUNTING "")  # compile options of everything in a test program except the counters
set(LAB_COUNTS "")    # definitions: what is counted
set(LAB_WRAPPING "")  # link options

# Why a source of our own: CMake's check of a flag links a program, and with this flag the program
# needs this function.
set(CMAKE_REQUIRED_FLAGS "-fsanitize-coverage=trace-pc")
check_cxx_source_compiles("extern \"C\" void __sanitizer_cov_trace_pc() {} int main() {}"
                          KV_CAN_TRACE)
set(CMAKE_REQUIRED_FLAGS "")
set(CMAKE_REQUIRED_LINK_OPTIONS "-Wl,--wrap=memmove")
check_cxx_source_compiles("#include <cstring>
  extern \"C\" void* __wrap_memmove(void* to, const void*, std::size_t) { return to; }
  int main(int n, char** v) { return std::memmove(v, v + 1, std::size_t(n)) == nullptr; }"
                          KV_CAN_WRAP)
set(CMAKE_REQUIRED_LINK_OPTIONS "")

if(LAB_NATIVE OR CMAKE_BUILD_TYPE STREQUAL "Release")
  return()  # Why: counters would slow down what is measured.
endif()
if(KV_CAN_TRACE)
  set(LAB_COUNTING -fsanitize-coverage=trace-pc)
  list(APPEND LAB_COUNTS KV_COUNTS_BASIC_BLOCKS)
else()
  message(STATUS "this compiler cannot count basic blocks; cost tests compare times, 1:30")
endif()
if(KV_CAN_WRAP AND NOT LAB_SANITIZE)  # Why: a sanitizer wraps memmove itself.
  set(LAB_WRAPPING -Wl,--wrap=memmove,--wrap=memcpy,--wrap=memset)
  list(APPEND LAB_COUNTS KV_COUNTS_BYTES)
elseif(NOT KV_CAN_WRAP)
  message(STATUS "this linker cannot wrap functions; cost tests count no moved bytes")
endif()
