// The functions and the public parts that are read from C++ text, on examples.

#include "grader/program/check/check.h"
#include "grader/program/cpptext/functions.h"
#include "grader/program/submission/public_interface.h"

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

std::string list_of_functions(const char* source) {
  std::string text;
  for (const FunctionText& function : all_functions(source)) {
    text +=
        function.result + "|" + function.name + "|" + std::to_string(function.lines.size()) + ";";
  }
  return text;
}

void check_functions(Checks& checks) {
  for (const CppText& text : kCppTexts) {
    const std::string found = list_of_functions(text.source);
    checks.expect(found == text.functions, std::string("functions: ") + text.what, found);
  }
}

void check_public_parts(Checks& checks) {
  const std::string contract =
      "#include <vector>\nclass A {\n public:\n  A() : size_(0) {}\n  int size() const { return "
      "size_; }\n\n"
      " private:\n  struct B {\n    int n;\n  };\n  int size_;\n};\nint f();\n";
  const auto is_same = [&](const std::string& from, const std::string& to) {
    return public_part(replace_all(contract, from, to)) == public_part(contract);
  };
  checks.expect(is_same("int size_;", "std::list<int> list_;"), "private members may differ");
  checks.expect(is_same("{ return size_; }", "{ return list_.size(); }  // counts"),
                "bodies on one line and comments may differ");
  checks.expect(is_same(": size_(0) {}", ": list_{1, 2} {}"), "initializers may differ");
  checks.expect(is_same("#include <vector>", "#include <list>"), "includes may differ");
  checks.expect(!is_same("int size()", "long size()"), "public members must not differ");
  checks.expect(!is_same("int f();", "int g();"), "what follows a class must not differ");
  checks.expect(!is_same(" private:", " public:"), "private members must not become public");
}

}  // namespace

void check_cpp_text(const Kit&, Checks& checks) {
  check_functions(checks);
  check_public_parts(checks);
}

}  // namespace kv::grader
