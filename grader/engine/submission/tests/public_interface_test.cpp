#include "grader/engine/submission/public_interface.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kv::grader {
namespace {

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
  const char* changed = "";  // the two lines of the message, if it is another contract
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

std::string message_about(const HeaderEdit& header) {
  std::string own = kContract;
  for (const auto& [from, to] : header.edits) own = replace_all(own, from, to);
  return changed_declaration(kContract, own).value_or("");
}

TEST(ChangedDeclaration, IsNoneOfTheSameContract) {
  for (const HeaderEdit& header : kSameContracts)
    EXPECT_EQ(message_about(header), "") << header.what;
}

TEST(ChangedDeclaration, IsTheFirstOfAnotherContract) {
  for (const HeaderEdit& header : kOtherContracts) {
    const std::string lines = replace_all(header.changed, "|", "\n  yours:    ");
    EXPECT_EQ(message_about(header), "  contract: " + lines) << header.what;
  }
}

}  // namespace
}  // namespace kv::grader
