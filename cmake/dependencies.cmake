# System packages first; otherwise a release with a fixed SHA-256 is downloaded. All build trees
# share one download if FETCHCONTENT_BASE_DIR is set.
#
# The oldest and the newest version with which the solution was built and graded: GoogleTest 1.12.1
# and 1.18.0, CLI11 2.1.2 and 2.6.1, nlohmann-json 3.11.2 and 3.11.3, xxHash 0.8.1 and 0.8.3, Eigen
# 3.4.0 and 5.0.1, Google Benchmark 1.7.1 and 1.9.1, cpp-httplib 0.11.4 and 0.41.0, CMake 3.25.1 and
# 4.3.4. ./lab test configures with CMake 3.22.0 and 4.4.5, too. PCRE2 10.42 and utf8proc 2.8.0 are the
# only ones that were tried.
include(FetchContent)

# Why a limit for the whole: that of CMake for a silent server does not hold while it connects.
set(LAB_DOWNLOAD_SECONDS 60)

# lab_dependency(<package> <target> <url> <sha256>): a library that every lab needs.
macro(lab_dependency package target url sha256)
  find_package(${package} CONFIG QUIET)
  if(NOT TARGET ${target})
    message(STATUS "${package}: not installed here, fetching ${url}")
    FetchContent_Declare(${package} URL ${url} URL_HASH SHA256=${sha256}
      TIMEOUT ${LAB_DOWNLOAD_SECONDS})
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

# Why not 3.11: CMake 4 refuses its lists.
macro(lab_need_json)
  set(JSON_BuildTests OFF)
  lab_dependency(nlohmann_json nlohmann_json::nlohmann_json
    https://github.com/nlohmann/json/releases/download/v3.12.0/json.tar.xz
    42f6e95cad6ec532fd372391373363b62a14af6d771056dbfc86160e6dfff7aa)
endmacro()

macro(lab_need_benchmark)
  set(BENCHMARK_ENABLE_TESTING OFF)
  lab_dependency(benchmark benchmark::benchmark
    https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
    6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce)
endmacro()

# lab_fetch_headers(<name> <url> <sha256> <folder> <reason>): where the release of a library is, of
# which only headers are used; or an empty folder and why it cannot be had. Why not FetchContent: its
# failure would stop the labs that do without this library, too.
function(lab_fetch_headers name url sha256 folder reason)
  set(release "${FETCHCONTENT_BASE_DIR}/${name}-${sha256}")
  set(${folder} "" PARENT_SCOPE)
  if(NOT EXISTS "${release}/unpacked")
    message(STATUS "${name}: not installed here, fetching ${url}")
    file(DOWNLOAD "${url}" "${release}.archive" STATUS status TIMEOUT ${LAB_DOWNLOAD_SECONDS})
    list(GET status 0 is_failed)
    list(GET status 1 words)
    if(is_failed)
      string(REPLACE "\"" "" words "${words}")
      set(${reason} "${words}" PARENT_SCOPE)
      return()
    endif()
    file(SHA256 "${release}.archive" found)
    if(NOT found STREQUAL sha256)
      set(${reason} "what came is another file" PARENT_SCOPE)
      return()
    endif()
    file(ARCHIVE_EXTRACT INPUT "${release}.archive" DESTINATION "${release}")
    file(TOUCH "${release}/unpacked")
  endif()
  file(GLOB unpacked LIST_DIRECTORIES true "${release}/*-*")
  set(${folder} "${unpacked}" PARENT_SCOPE)
endfunction()

# What a lab.json calls "xxHash". It is used as a header (XXH_INLINE_ALL). Why not find_package:
# Debian's package has no CMake config.
macro(lab_need_xxhash)
  find_path(XXHASH_INCLUDE_DIR xxhash.h)
  if(NOT XXHASH_INCLUDE_DIR)
    lab_fetch_headers(xxhash
      https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.2.tar.gz
      baee0c6afd4f03165de7a4e67988d16f0f2b257b51d0e3cb91909302a26a79c4
      XXHASH_INCLUDE_DIR LAB_LACK_OF_xxHash)
  endif()
endmacro()

# What a lab.json calls "Eigen". Why its version is compared here: that of Eigen 5 takes no request
# for 3.4, and that of 3.4 none for a range up to 5.
macro(lab_need_eigen)
  find_package(Eigen3 CONFIG QUIET)
  if(TARGET Eigen3::Eigen AND NOT Eigen3_VERSION VERSION_LESS 3.4)
    get_target_property(EIGEN_INCLUDE_DIR Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  else()
    lab_fetch_headers(eigen
      https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
      8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72
      EIGEN_INCLUDE_DIR LAB_LACK_OF_Eigen)
  endif()
endmacro()

set(LAB_NAME_OF_xxHash "xxHash")
set(LAB_NAME_OF_Eigen "Eigen 3.4 or newer")
set(LAB_PACKAGE_OF_xxHash "libxxhash-dev, or xxhash of Homebrew")
set(LAB_PACKAGE_OF_Eigen "libeigen3-dev, or eigen of Homebrew")

# lab_note_lack(<lab or target> <sentence, or nothing>): keeps why it is not built, for ./lab
# (base/builds/build_tree.h).
function(lab_note_lack name sentence)
  set(note "${CMAKE_BINARY_DIR}/lacks/${name}")
  if(sentence)
    message(STATUS "${sentence}")
    file(WRITE "${note}" "${sentence}")
  else()
    file(REMOVE "${note}")
  endif()
endfunction()

# lab_lack_of_library(<id> <out>): a sentence if lab <id>, or one that it needs, uses libraries that
# are neither here nor to be had.
function(lab_lack_of_library id out)
  set(sentence "")
  set(all "")
  lab_manifest_list(${id} needs labs)
  foreach(lab IN LISTS labs ITEMS ${id})
    lab_manifest_list(${lab} libraries libraries)
    list(APPEND all ${libraries})
  endforeach()
  list(REMOVE_DUPLICATES all)
  foreach(library IN LISTS all)
    if(LAB_LACK_OF_${library})
      if(NOT sentence)
        set(sentence "lab ${id} needs ")
      else()
        string(APPEND sentence "; and ")
      endif()
      string(APPEND sentence
        "${LAB_NAME_OF_${library}}, which is not installed here, and it cannot be downloaded "
        "(${LAB_LACK_OF_${library}}); install ${LAB_PACKAGE_OF_${library}}")
    endif()
  endforeach()
  set(${out} "${sentence}" PARENT_SCOPE)
endfunction()

# PCRE2 and utf8proc, if both are there, as LAB_UNICODE; otherwise that is empty. Why nothing is
# fetched: both are in C, which no other part of the kit needs a compiler for.
macro(lab_need_unicode)
  set(LAB_UNICODE "")
  find_path(PCRE2_INCLUDE_DIR pcre2.h)
  find_library(PCRE2_LIBRARY pcre2-8)
  find_path(UTF8PROC_INCLUDE_DIR utf8proc.h)
  find_library(UTF8PROC_LIBRARY utf8proc)
  if(PCRE2_INCLUDE_DIR AND PCRE2_LIBRARY AND UTF8PROC_INCLUDE_DIR AND UTF8PROC_LIBRARY)
    set(LAB_UNICODE "${PCRE2_LIBRARY}" "${UTF8PROC_LIBRARY}")
  endif()
endmacro()

# cpp-httplib, if it is there, as LAB_HTTPLIB; otherwise that is empty. Why nothing is fetched: only
# ./lab serve needs it. Why OpenSSL: functions in the header of 0.18 call it, and its pkg-config file
# does not link it.
macro(lab_need_httplib)
  set(LAB_HTTPLIB "")
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(HTTPLIB QUIET IMPORTED_TARGET cpp-httplib)
  endif()
  if(TARGET PkgConfig::HTTPLIB)
    find_package(OpenSSL QUIET)
    set(LAB_HTTPLIB PkgConfig::HTTPLIB ${OPENSSL_CRYPTO_LIBRARY})
  endif()
endmacro()
