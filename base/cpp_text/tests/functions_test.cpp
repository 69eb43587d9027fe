#include "base/cpp_text/functions.h"

#include <gtest/gtest.h>

#include <string>

namespace kv::grader {
namespace {

struct CppText {
  const char* what;
  const char* source;
  const char* functions;  // "result|name|lines; ..."
};

constexpr CppText kCppTexts[] = {
    {"a function and a declaration", "int f(int n);\nint f(int n) {\n  return n;\n}\n", "int|f|3;"},
    {"functions in namespaces",
     "namespace a::b {\nvoid f() {\n}\n}\nextern \"C\" {\nvoid g() {\n}\n}\n",
     "void|f|2;void|g|2;"},
    {"a constructor that initializes with braces",
     "A::A(int n)\n    : list_{n}, map_{} {\n  f();\n}\n", "|A::A|4;"},
    {"an attribute", "[[noreturn]] void f() {\n  abort();\n}\n", "[[noreturn]] void|f|3;"},
    {"templates and a specialization",
     "template <class T = A<B<C<int>>>>\nT f(T t) {\n}\ntemplate <>\nint g<int>() {\n}\n",
     "T|f|2;int|g<int>|2;"},
    {"operators", "bool A::operator()(int n) {\n}\nA& A::operator=(A a) {\n}\n",
     "bool|A::operator()|2;A&|A::operator=|2;"},
    {"a function-try-block", "void f() try {\n  g();\n} catch (...) {\n}\nvoid h() {\n}\n",
     "void|f|4;void|h|2;"},
    {"no function: a type, a list, a lambda, a raw string",
     "struct A {\n  void f() {}\n};\nint a[] = {f(1)};\nauto b = [](int n) { return n; };\n"
     "auto c = R\"(void f() {)\";\n#define M(x) void f() {\n",
     ""},
};

TEST(AllFunctions, AreThoseWithABody) {
  for (const CppText& text : kCppTexts) {
    std::string found;
    for (const FunctionText& f : all_functions(text.source))
      found += f.result + "|" + f.name + "|" + std::to_string(f.lines.size()) + ";";
    EXPECT_EQ(found, text.functions) << text.what;
  }
}

}  // namespace
}  // namespace kv::grader
