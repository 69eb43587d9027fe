#include "grader/engine/submission/flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

// The first flag begins as the example says.
void expect_flags(const auto& texts, const auto& flags_in, const char* file) {
  for (const auto& [source, flag] : texts) {
    const std::string flags = join(flags_in(source, file), "\n");
    const std::size_t size = *flag == '\0' ? flags.size() : std::string(flag).size();
    EXPECT_EQ(flags.substr(0, size), flag) << "of:\n" << source << "\nall flags:\n" << flags;
  }
}

TEST(Flags, AreForWhatNoHonestSourceHas) {
  expect_flags(kTexts, source_flags, "a.cpp");
}

TEST(Flags, AreForWhatIsMeantForTheTestsAlone) {
  expect_flags(kHeaders, header_flags, "a.h");
}

TEST(Flags, AreFourLinesWhereManyAreOfOneKind) {
  std::vector<std::string> flags = {"b.cpp:1 has friend", "a.cpp:1 includes <gtest/gtest.h>"};
  for (int i = 1; i <= 66; ++i) flags.push_back("a.cpp:" + std::to_string(i) + " has asm");
  const std::vector<std::string> few = {
      "b.cpp:1 has friend", "a.cpp:1 includes <gtest/gtest.h>",
      "a.cpp:1 has asm",    "a.cpp:2 has asm",
      "a.cpp:3 has asm",    "a.cpp:4 has asm, and 62 more like it"};
  EXPECT_EQ(few_of_each_kind(flags), few);
  flags.resize(6);
  EXPECT_EQ(few_of_each_kind(flags).back(), "a.cpp:4 has asm");
}

}  // namespace
}  // namespace kv::grader
