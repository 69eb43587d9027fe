// Bodies that do the same have one normal form.

#include "grader/proof/mutate/normal_form.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kv::grader::mutate {
namespace {

struct SameForm {
  const char* text;
  std::vector<std::string> others;  // texts of the same form
  std::vector<std::string> different;
};

const std::vector<SameForm> kForms = {
    {"f(); g();",
     {"f(); ; g();", "if (a) ; f(); g();", "if (false) h(); f(); g();", "f(); if (true) g();",
      "f(); if (true) { g(); } else h();", "f(); g(); return;", "f(); g(); return; h();",
      "for (int i = 0; false; ++i) h(); f(); g();", "f(); while (a) {} g();",
      "f(); for (T b : c) { continue; h(); } g();", "f();  // why\ng();"},
     {"g(); f();", "f(); if (a) g();", "f(); return; g();", "f(); if (false) g();",
      "f(); g(); return 0;", "f(); for (T b : c) { break; } g();", "if (a) return; f(); g();"}},
    {"if (a) f();",
     {"if (a) { f(); }", "if (a) f(); else {}", "if (a) { ; f(); }"},
     {"f();", "if (a) {} else f();", "while (a) f();"}},
    {"g([&] { f(); });", {"{ ; } g([&] { f(); });"}, {"g([&] { ; });"}}};

TEST(NormalForm, IsThatOfTextsThatDoTheSameAndOfNoOthers) {
  for (const auto& [text, others, different] : kForms) {
    for (const std::string& other : others)
      EXPECT_EQ(normal_form(other), normal_form(text)) << other;
    for (const std::string& other : different)
      EXPECT_NE(normal_form(other), normal_form(text)) << other;
  }
}

}  // namespace
}  // namespace kv::grader::mutate
