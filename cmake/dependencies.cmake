# System packages first; otherwise a release with a fixed SHA-256 is downloaded. All build trees
# share one download if FETCHCONTENT_BASE_DIR is set.
include(FetchContent)

# lab_dependency(<package> <target> <url> <sha256>)
macro(lab_dependency package target url sha256)
  find_package(${package} CONFIG QUIET)
  if(NOT TARGET ${target})
    message(STATUS "${package}: not installed here, fetching ${url}")
    FetchContent_Declare(${package} URL ${url} URL_HASH SHA256=${sha256})
    FetchContent_MakeAvailable(${package})
  endif()
endmacro()

macro(lab_need_googletest)
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  lab_dependency(GTest GTest::gtest
    https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
endmacro()

macro(lab_need_cli11)
  set(CLI11_BUILD_TESTS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  lab_dependency(CLI11 CLI11::CLI11
    https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
    f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
endmacro()

macro(lab_need_json)
  set(JSON_BuildTests OFF)
  lab_dependency(nlohmann_json nlohmann_json::nlohmann_json
    https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
    d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
endmacro()

# xxHash is used as a header (XXH_INLINE_ALL). Why not find_package: Debian's package has no CMake
# config.
macro(lab_need_xxhash)
  find_path(XXHASH_INCLUDE_DIR xxhash.h)
  if(NOT XXHASH_INCLUDE_DIR)
    message(STATUS "xxHash: not installed here, fetching a release")
    FetchContent_Declare(xxhash
      URL https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.2.tar.gz
      URL_HASH SHA256=baee0c6afd4f03165de7a4e67988d16f0f2b257b51d0e3cb91909302a26a79c4)
    FetchContent_Populate(xxhash)  # Why not MakeAvailable: only a header is needed.
    set(XXHASH_INCLUDE_DIR "${xxhash_SOURCE_DIR}" CACHE PATH "where xxhash.h is" FORCE)
  endif()
endmacro()

# Eigen is headers too. Its own build has hundreds of tests and is not used.
macro(lab_need_eigen)
  find_package(Eigen3 3.4 CONFIG QUIET)
  if(TARGET Eigen3::Eigen)
    get_target_property(EIGEN_INCLUDE_DIR Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  else()
    message(STATUS "Eigen: not installed here, fetching a release")
    FetchContent_Declare(eigen
      URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
      URL_HASH SHA256=8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
    FetchContent_Populate(eigen)
    set(EIGEN_INCLUDE_DIR "${eigen_SOURCE_DIR}")
  endif()
endmacro()

macro(lab_need_benchmark)
  set(BENCHMARK_ENABLE_TESTING OFF)
  lab_dependency(benchmark benchmark::benchmark
    https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
    6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce)
endmacro()

# cpp-httplib, if it is there. Why nothing is fetched: only ./lab serve needs it.
macro(lab_need_httplib)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(HTTPLIB QUIET IMPORTED_TARGET cpp-httplib)
  endif()
endmacro()
