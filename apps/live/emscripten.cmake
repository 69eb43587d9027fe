# em++, found in PATH. Why not the file that Emscripten brings: where it lies depends on the system.
# Why nothing is tried: what it makes is a script, which CMake does not recognize.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(CMAKE_CXX_COMPILER em++ REQUIRED)
set(CMAKE_CXX_COMPILER_ID Clang)
set(CMAKE_CXX_COMPILER_ID_RUN TRUE)
set(CMAKE_CXX_COMPILER_FORCED TRUE)
