#include "base/text/text.h"
#include "grader/proof/viva/viva.h"

namespace kv::grader::viva {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>
body { font: 1rem/1.5 sans-serif; max-inline-size: 45rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #f3f3f3; color: #111; padding: 0.5rem 1rem; white-space: pre-wrap; }
.notes { block-size: 6rem; border-block-end: 1px solid #999; }
.answers { break-before: page; }
li { break-inside: avoid; }
</style>
</head>
<body>
<main>
<h1>TITLE</h1>
)";

std::string escaped(std::string text) {
  text = replace_all(std::move(text), "&", "&amp;");
  return replace_all(replace_all(std::move(text), "<", "&lt;"), ">", "&gt;");
}

std::string block(const std::vector<std::string>& lines) {
  return lines.empty() ? "" : "<pre>" + escaped(join(lines, "\n")) + "</pre>\n";
}

}  // namespace

std::string page_of(const std::string& title, const std::vector<Question>& questions) {
  std::string asked = "<ol>\n", answered = "<ol>\n";
  for (const Question& question : questions) {
    asked += "<li><p>" + escaped(question.text) + "</p>\n" + block(question.code) +
             "<p class=\"notes\"></p></li>\n";
    answered += "<li>" + block(question.answer) + "</li>\n";
  }
  return replace_all(kHead, "TITLE", escaped(title)) + asked +
         "</ol>\n<section class=\"answers\">\n<h2>Answers, for the examiner</h2>\n" + answered +
         "</ol>\n</section>\n</main>\n</body>\n</html>\n";
}

}  // namespace kv::grader::viva
