// The functions and the public parts that are read from C++ text, on examples.

#include "base/cpp_text/functions.h"
#include "grader/engine/submission/public_interface.h"
#include "grader/proof/check/check.h"

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

// The public part of a contract, and copies of it that students write.
constexpr const char* kContract = R"(#pragma once
#include <vector>

namespace kv {

// A pool.
class Pool {
 public:
  explicit Pool(std::size_t n, bool on = true) : size_(n) {}
  Pool(const Pool&) = delete;
  std::size_t size() const { return size_; }
  const Node* head(const Node& from, std::size_t n) const;  // 1.1
  void push(std::span<Node* const> nodes);

 private:
  struct Link {
    int next;
  };
  std::size_t size_;
};

struct Plan {
  int threads = 1;
  int splits;
};

template <class Real>
void scale(std::span<Real> out, Real by = 1);

}  // namespace kv
)";

struct HeaderEdit {
  const char* what;
  std::vector<std::pair<const char*, const char*>> edits;
  const char* changed = nullptr;  // the two lines of the message; null: the same contract
};

const HeaderEdit kSameContracts[] = {
    {"bodies on three lines and renamed members",
     {{": size_(n) {}", ": nodes_(n) {}"},
      {"{ return size_; }", "{\n    return nodes_.size();\n  }"},
      {"  std::size_t size_;", "  std::vector<Node> nodes_{};"}}},
    {"parameters without names, or with others",
     {{"const Node& from, std::size_t n", "const Node&, std::size_t count"},
      {"<class Real>", "<typename T>"},
      {"std::span<Real> out, Real by = 1", "std::span<T>, T = 1"}}},
    {"initializers of members, and no initializer",
     {{"threads = 1", "threads{1}"}, {"int splits;", "int splits = 0;"}, {" : size_(n) {}", ";"}}},
    {"other includes and comments, an include guard",
     {{"#pragma once", "#ifndef POOL_H\n#define POOL_H"},
      {"#include <vector>", "#include <list>\n#include <vector>"},
      {"// A pool.", "/* My pool, with a list. */"},
      {"}  // namespace kv", "}\n#endif"}}},
    {"another private section, a friend, types of its own, members defined below",
     {{"class Pool {", "struct Links;\nstruct Node2 {\n  int n;\n};\nclass Pool {"},
      {" private:\n  struct Link {", "  friend struct Peek;\n protected:\n  class Link {"},
      {"size_t size() const { return size_; }", "size_t size() const;"},
      {"struct Plan", "inline std::size_t Pool::size() const { return size_; }\nstruct Plan"}}},
    {"inline, attributes, noexcept, the place of const, braces and blanks",
     {{"std::size_t size() const {", "[[nodiscard]] inline auto_t size() const noexcept\n  {"},
      {"auto_t", "std::size_t"},
      {"const Node& from, std::size_t n", "Node const & from,\n  const std::size_t n"},
      {"  void push", "  [[gnu::hot]]\n  void\n  push"}}},
    {"functions in another order",
     {{"  void push(std::span<Node* const> nodes);\n", ""},
      {"  Pool(const", "  void push(std::span<Node* const> nodes);\n  Pool(const"}}},
};

const HeaderEdit kOtherContracts[] = {
    {"another result",
     {{"std::size_t size()", "int size()"}},
     "std::size_t size() const;|int size() const;"},
    {"a member function that is no longer const",
     {{"size() const", "size()"}},
     "std::size_t size() const;|std::size_t size();"},
    {"a parameter that is no longer const",
     {{"const Node& from", "Node& from"}},
     "const Node* head(const Node& from, std::size_t n) const;|"
     "const Node* head(Node& from, std::size_t n) const;"},
    {"another default argument",
     {{"on = true", "on = false"}},
     "explicit Pool(std::size_t n, bool on = true);|"
     "explicit Pool(std::size_t n, bool on = false);"},
    {"a function that is missing",
     {{"  void push(std::span<Node* const> nodes);\n", ""}},
     "void push(std::span<Node* const> nodes);|(none)"},
    {"a function that is added",
     {{"  void push", "  void pop();\n  void push"}},
     "(none)|void pop();"},
    {"a copy that is allowed",
     {{"= delete", "= default"}},
     "Pool(const Pool&) = delete;|Pool(const Pool&);"},
    {"private members that become public", {{" private:", " public:"}}, "(none)|struct Link;"},
    {"a function that becomes private",
     {{"  void push", " private:\n  void push"}},
     "void push(std::span<Node* const> nodes);|(none)"},
    {"data members in another order",
     {{"  int threads = 1;\n  int splits;", "  int splits;\n  int threads = 1;"}},
     "int threads = 1;|int threads = 1;"},
    {"another function after the class",
     {{"scale(", "rescale("}},
     "template <class Real> void scale(std::span<Real> out, Real by = 1);|(none)"},
    {"a macro",
     {{"namespace kv {", "#define private public\nnamespace kv {"}},
     "(none)|#define private public"},
};

void check_header(const HeaderEdit& header, Checks& checks) {
  std::string own = kContract;
  for (const auto& [from, to] : header.edits) own = replace_all(own, from, to);
  const std::string found = changed_declaration(kContract, own).value_or("");
  if (header.changed == nullptr) {
    checks.expect(found.empty(), std::string("the same contract: ") + header.what, found);
    return;
  }
  const std::string lines = replace_all(header.changed, "|", "\n  yours:    ");
  checks.expect(found == "  contract: " + lines, std::string("another contract: ") + header.what,
                found);
}

}  // namespace

void check_cpp_text(const Kit&, Checks& checks) {
  check_functions(checks);
  for (const HeaderEdit& header : kSameContracts) check_header(header, checks);
  for (const HeaderEdit& header : kOtherContracts) check_header(header, checks);
}

}  // namespace kv::grader
