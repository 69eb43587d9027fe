#!/bin/sh
# Without clang-scan-deps, CMake says of a C++20 project that it has no threads.
#
# Expected: a project without a module needs no tool that scans for modules; if one is missing, the
# message names it.
# Seen with CMake 4.4.5, Ninja 1.13.0 and clang 18 (ziglang 0.13.0): when the language is C++20 and the
# policies are of 3.28 or newer, CMake also scans the little programs with which find_package tries
# things. Their build calls a command "CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS-NOTFOUND" and fails, so
# find_package(Threads) says that pthread is not there. With CMAKE_CXX_SCAN_FOR_MODULES OFF it is found.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install -q cmake==4.4.5 ninja==1.13.0 ziglang==0.13.0
printf '#!/bin/sh\nexec "%s/tools/bin/python" -m ziglang c++ "$@"\n' "$folder" >clang++
chmod +x clang++
mkdir project

answer() {
  cat >project/CMakeLists.txt <<LIST
cmake_minimum_required(VERSION 3.22...3.31)
project(p LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
$1
find_package(Threads)
message(STATUS "threads: \${Threads_FOUND}")
LIST
  rm -rf build
  tools/bin/cmake -S project -B build -G Ninja -DCMAKE_CXX_COMPILER="$folder/clang++" \
    -DCMAKE_MAKE_PROGRAM="$folder/tools/bin/ninja" 2>&1 | grep -o 'threads: .*'
}

seen="as it is, $(answer '')
without scanning, $(answer 'set(CMAKE_CXX_SCAN_FOR_MODULES OFF)')"
echo "$seen"
[ "$seen" = 'as it is, threads: FALSE
without scanning, threads: TRUE' ] || { echo 'this has changed' >&2; exit 1; }
