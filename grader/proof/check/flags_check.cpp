#include "grader/engine/submission/flags.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

struct FlaggedText {
  const char* source;
  const char* flag;  // empty: none
};

constexpr FlaggedText kTexts[] = {
    {"void f() { asm(\"nop\"); }", "a.cpp:1 has asm"},
    {"int x;\n__attribute__((no_sanitize_coverage)) void f() {}",
     "a.cpp:2 has the attribute no_sanitize_coverage"},
    {"[[gnu::no_sanitize(\"all\")]] void f() {}", "a.cpp:1 has the attribute no_sanitize"},
    {"[[gnu::__constructor__]] void f() {}", "a.cpp:1 has the attribute __constructor__"},
    {"#include \"/dev/zero\"\n", "a.cpp:1 includes \"/dev/zero\""},
    {"#include \"../ben/queue.cpp\"\n", "a.cpp:1 includes \"../ben/queue.cpp\""},
    {"# include /* */ <gtest/gtest.h>\n", "a.cpp:1 includes <gtest/gtest.h>"},
    {"#include \"solution/01-free-queue/x.cpp\"\n",
     "a.cpp:1 includes \"solution/01-free-queue/x.cpp\""},
    {"#define FILE_NAME \"x.h\"\n#include FILE_NAME\n", "a.cpp:2 includes FILE_NAME"},
    {"#embed \"/etc/passwd\"\n", "a.cpp:1 includes \"/etc/passwd\""},
    {"#define \\\n  TEST(a, b) void f()\n", "a.cpp:1 defines the macro TEST"},
    {"#define private public\n", "a.cpp:1 defines the macro private"},
    {"#define KV_REQUIRE(rule, holds)\n", "a.cpp:1 defines the macro KV_REQUIRE"},
    {"#pragma GCC optimize(\"O0\")\n", "a.cpp:1 has #pragma GCC optimize"},
    {"class A { friend class B; };", "a.cpp:1 has friend"},
    {"#include <vector>\n#include \"01-free-queue/free_kv_cache_block_queue.h\"\n"
     "#include \"own_helpers.h\"\n",
     ""},
    {"int optimize(int section) { return section; }  // asm\nconst char* s = \"friend\";", ""},
    {"#define KIB 1024\n#pragma once\n[[nodiscard]] int weak(int v[2]) { return v[v[0]]; }", ""},
    {"alignas(64) int x; __attribute__((aligned(64))) int y; [[gnu::always_inline]] inline int "
     "f();",
     ""},
};

constexpr FlaggedText kHeaders[] = {
    {"#pragma once\n#ifdef GTEST_API_\n#endif\n", "a.h:2 has #ifdef GTEST_API_"},
    {"#ifndef A_H\n#define A_H\n#define SPEC(...) return\n#endif\n", "a.h:3 has #define SPEC"},
    {"#ifndef A_H\n#include <span>\n#endif\n", "a.h:1 has #ifndef A_H"},
    {"#if __INCLUDE_LEVEL__ > 1\n#endif", "a.h:1 has #if __INCLUDE_LEVEL__"},
    {"class A { template <class T> bool b = sizeof(testing::Test) > 0; };", "a.h:1 names testing"},
    {"// a guard\n#ifndef A_H\n#define A_H\n#include <span>\nclass A { int testing_; };\n#endif",
     ""},
    {"#pragma once\n#include <span>  // #if\nclass A { struct Node { int x; }; Node node_; };", ""},
};

void check_texts(const auto& texts, const auto& flags_in, const char* file, Checks& checks) {
  for (const auto& [source, flag] : texts) {
    const std::string flags = join(flags_in(source, file), "\n");
    const bool is_right = *flag == '\0' ? flags.empty() : flags.starts_with(flag);
    checks.expect(is_right, *flag == '\0' ? "no flag: " + split_lines(source).back() : flag, flags);
  }
}

void check_many(Checks& checks) {
  std::vector<std::string> flags = {"b.cpp:1 has friend", "a.cpp:1 includes <gtest/gtest.h>"};
  for (int i = 1; i <= 66; ++i) flags.push_back("a.cpp:" + std::to_string(i) + " has asm");
  const std::vector<std::string> few = {
      "b.cpp:1 has friend", "a.cpp:1 includes <gtest/gtest.h>",
      "a.cpp:1 has asm",    "a.cpp:2 has asm",
      "a.cpp:3 has asm",    "a.cpp:4 has asm, and 62 more like it"};
  checks.expect(few_of_each_kind(flags) == few, "66 flags of one kind are four lines",
                join(few_of_each_kind(flags), "\n"));
  flags.resize(6);
  checks.expect(few_of_each_kind(flags).back() == "a.cpp:4 has asm", "four are themselves",
                join(few_of_each_kind(flags), "\n"));
}

}  // namespace

void check_flags(const Kit&, Checks& checks) {
  check_texts(kTexts, source_flags, "a.cpp", checks);
  check_texts(kHeaders, header_flags, "a.h", checks);
  check_many(checks);
}

}  // namespace kv::grader
