// The mutator is a test of tests. Here its operators are tested themselves, on lines whose mutants
// are known.

#include "grader/proof/mutate/operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kv::grader::mutate {
namespace {

struct Example {
  const char* op;
  const char* line;
  std::vector<std::string> mutants;
  const char* result = "int";  // the function's result type
};

const std::vector<Example> kExamples = {
    {"relational", "if (a < b) f<int>();", {"if (a <= b) f<int>();", "if (a >= b) f<int>();"}},
    {"arithmetic", "++a.b; c = -d + *e;", {"++a.b; c = -d - *e;", "--a.b; c = -d + *e;"}},
    {"logical", "auto&& a = b && c;", {"auto&& a = b || c;"}},
    {"constant", "f(true, 1);", {"f(false, 1);", "f(true, 2);", "f(true, 0);"}},
    {"negation", "if (!a != b) f();", {"if (a != b) f();"}},
    {"jump", "if (a) continue;  // break", {"if (a) break;  // break"}},
    {"neighbor", "a.prev_free = overhead;", {"a.next_free = overhead;"}},
    {"neighbor", "f(a.front(), \"tail\");", {"f(a.back(), \"tail\");"}},
    {"step", "++a; if (--b == 0) f();", {"++a; if (b == 0) f();"}},
    {"condition", "if (a) f();", {"if (!(a)) f();", "if (true) f();", "if (false) f();"}},
    {"condition",
     "for (int i = 0; i < n; ++i) f();",
     {"for (int i = 0; !(i < n); ++i) f();", "for (int i = 0; true; ++i) f();",
      "for (int i = 0; false; ++i) f();"}},
    {"condition",
     "return a(b) ? c : d;",
     {"return !(a(b)) ? c : d;", "return true ? c : d;", "return false ? c : d;"}},
    {"statement",
     "a = {b, c}; if (d) e([&] { f(); }); return g;",
     {"; if (d) e([&] { f(); }); return g;", "a = {b, c}; if (d) ; return g;",
      "a = {b, c}; if (d) e([&] { ; }); return g;"}},
    {"block",
     "if (a) { f(); } else { g(); }",
     {"if (a) {} else { g(); }", "if (a) { f(); } else {}"}},
    {"result", "if (a) return nullptr; return b + c;", {"if (a) return nullptr; return {};"}},
    {"arguments",
     "f(a, g(b, c)); if (d) h = {i, i};",
     {"f(g(b, c), a); if (d) h = {i, i};", "f(a, g(c, b)); if (d) h = {i, i};"}},
    {"order", "for (T* a : b) f(a);", {"for (T* a : std::views::reverse(b)) f(a);"}},
    {"order", "for (int i = a; i < b; ++i) f(i);", {"for (int i = b; i-- > a;) f(i);"}},
    {"guard",
     "f(); if (a) return b; g();",
     {"if (a) return b; f(); g();", "f(); g(); if (a) return b;"}},
    {"guard", "if (a) f(); else return; g();", {}},
    {"guard",
     "KV_REQUIRE(a, b); KV_REQUIRE(c, d); if (!f) prefetch({e, 1}); if (f) return g; if (h) return "
     "g;",
     {}},
    {"guard",
     "if (a) return b; T* c = d.e; T g = static_cast<T>(c); T h; if (c == f) return g; h();",
     {"if (a) return b; T* c = d.e; T g = static_cast<T>(c); T h; h(); if (c == f) return g;"}},
    {"guard",
     "for (T a : b) { if (a) { f(); continue; } g(); } KV_REQUIRE(c, d);",
     {"KV_REQUIRE(c, d); for (T a : b) { if (a) { f(); continue; } g(); }",
      "for (T a : b) { g(); if (a) { f(); continue; } } KV_REQUIRE(c, d);"}},
    {"early",
     "for (T a : b) { f(); g(); h(); } i();",
     {"for (T a : b) { f(); continue; g(); h(); } i();"}},
    {"early",
     "f(); g(); if (a) h();",
     {"f(); return; g(); if (a) h();", "f(); g(); return; if (a) h();"},
     "void"},
    {"once",
     "for (T* a : b) { f(a); g(); }",
     {"for (T* a : b) { f(a); g(); break; }",
      "for (T* a : std::views::reverse(b) | std::views::take(1)) { f(a); g(); }"}},
    {"once",
     "for (int i = a; i < b; ++i) f(i);",
     {"for (int i = a; i < b; ++i) { f(i); break; }",
      "for (int i = a < b ? b - 1 : a; i < b; ++i) f(i);"}},
    {"once", "while (a) { f(); if (b) g(); }", {"while (a) { f(); if (b) g(); break; }"}},
    {"lifetime",
     "A<B> a; int b = 0; C c(d); E e = f(); G g = h; return a;",
     {"static A<B> a; int b = 0; C c(d); E e = f(); G g = h; return a;",
      "A<B> a; static int b = 0; C c(d); E e = f(); G g = h; return a;"}},
    {"refusal",
     "if (a && b) f(); KV_REQUIRE(c, d && (e || g) && h < min(i, j));",
     {"if (a && b) f(); KV_REQUIRE(c, true && (e || g) && h < min(i, j));",
      "if (a && b) f(); KV_REQUIRE(c, d && true && h < min(i, j));",
      "if (a && b) f(); KV_REQUIRE(c, d && (e || g) && true);",
      "if (a && b) f(); KV_REQUIRE(c, d && (e || g) && h < min(j, j));",
      "if (a && b) f(); KV_REQUIRE(c, d && (e || g) && h < min(i, i));"}},
    {"8 bits",
     "std::size_t n = f(a); std::size_t m = 0; if (n < b.size() + c && m > n) g();",
     {"std::size_t n = static_cast<std::uint8_t>(f(a)); std::size_t m = 0; if (n < b.size() + c && "
      "m > n) g();",
      "std::size_t n = f(a); std::size_t m = 0; if (n < static_cast<std::uint8_t>(b.size() + c) && "
      "m > n) g();"}},
    {"16 bits",
     "return f(num_a, b) == c;",
     {"return static_cast<std::uint16_t>(f(num_a, b)) == c;"}},
    {"32 bits",
     "for (int i = 0; i < num_a; ++i) f(); if (num_a > num_b_) g();",
     {"for (int i = 0; i < num_a; ++i) f(); if (static_cast<std::uint32_t>(num_a) > num_b_) g();"}},
};

std::vector<std::string> mutants_of_line(const Operator& op, const Example& example) {
  const std::string source = std::string(example.result) + " f() {\n" + example.line + "\n}\n";
  const FunctionBody body = function_bodies(source).at(0);
  Edits edits;
  op.find(body, edits);
  std::vector<std::string> mutants;
  for (const Edit& edit : edits) {
    std::string mutated = source;
    mutated.replace(edit.begin, edit.end - edit.begin, edit.replacement);
    mutants.push_back(split_lines(mutated).at(1));
  }
  return mutants;
}

TEST(Operators, MakeTheMutantsThatAreKnown) {
  for (const Operator& op : kOperators) {
    SCOPED_TRACE(op.name);
    EXPECT_GT(std::ranges::count(kExamples, std::string_view(op.name), &Example::op), 0);
    for (const Example& example : kExamples) {
      if (std::string_view(example.op) != op.name) continue;
      EXPECT_EQ(mutants_of_line(op, example), example.mutants) << example.line;
    }
  }
}

TEST(FunctionBodies, OfAKernelWithLaunchBoundsReturnNothing) {
  const auto kernels =
      function_bodies("__global__ void __launch_bounds__(128, 4)\n    f() {\n  g();\n}\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_TRUE(kernels[0].returns_nothing);
}

}  // namespace
}  // namespace kv::grader::mutate
