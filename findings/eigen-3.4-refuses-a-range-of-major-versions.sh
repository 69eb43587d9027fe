#!/bin/sh
# A project that works with Eigen 3.4 and Eigen 5 cannot say so to find_package.
#
# Expected: find_package(Eigen3 3.4...5) takes both; CMake has ranges of versions since 3.19.
# Seen with CMake 3.25.1 and Eigen 3.4.0 (Debian's libeigen3-dev 3.4.0-4): Eigen's own version file
# refuses every range whose ends have two major versions, before it compares anything; it takes
# 3.4, and 3.4...3.9. The version file of Eigen 5.0.1 takes the range 3.4...5, and refuses 3.4. So no
# single request fits both; what does is a request without a version, and a comparison of
# Eigen3_VERSION afterwards.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libeigen3-dev=3.4.0-4 2>/dev/null
dpkg-deb -x libeigen3-dev_3.4.0-4_all.deb eigen
python3 -m venv tools
tools/bin/pip install -q cmake==3.25.2 ninja==1.11.1

answer() {
  mkdir -p project
  printf 'cmake_minimum_required(VERSION 3.22)\nproject(p NONE)\nfind_package(Eigen3 %s CONFIG QUIET)\n%s\n' \
    "$1" 'message(STATUS "found=${Eigen3_FOUND} version=${Eigen3_VERSION}")' >project/CMakeLists.txt
  rm -rf build
  tools/bin/cmake -S project -B build -G Ninja -DCMAKE_MAKE_PROGRAM="$folder/tools/bin/ninja" \
    -DEigen3_DIR="$folder/eigen/usr/share/eigen3/cmake" | grep -o 'found=.*'
}

seen="none: $(answer '')
3.4: $(answer 3.4)
3.4...3.9: $(answer 3.4...3.9)
3.4...5: $(answer 3.4...5)"
echo "$seen"
[ "$seen" = 'none: found=1 version=3.4.0
3.4: found=1 version=3.4.0
3.4...3.9: found=1 version=3.4.0
3.4...5: found=0 version=' ] || { echo 'this has changed' >&2; exit 1; }
