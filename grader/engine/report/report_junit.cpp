#include <algorithm>
#include <cstdio>

#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

std::string escaped(const std::string& text) {
  std::string out = replace_all(printable(text, kMaxReportedBytes), "&", "&amp;");
  out = replace_all(out, "<", "&lt;");
  out = replace_all(out, ">", "&gt;");
  return replace_all(out, "\"", "&quot;");
}

bool is_skipped(Status status) {
  return status == Status::kNotStarted || status == Status::kNotRun;
}

struct SuiteCounts {
  int tests = 0;
  int failures = 0;  // wrong answers
  int errors = 0;    // crash, timeout, compile error: no answer
  int skipped = 0;   // not started
  double seconds = 0;

  void add(const TestResult& test) {
    const Status status = test.verdict.status;
    ++tests;
    seconds += test.seconds;
    failures += status == Status::kFail;
    skipped += is_skipped(status);
    errors += status != Status::kPass && status != Status::kFail && !is_skipped(status);
  }

  std::string attributes() const {
    char text[160];
    std::snprintf(text, sizeof text,
                  "tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\"", tests,
                  failures, errors, skipped, seconds);
    return text;
  }
};

std::string testcase(const LabResult& lab, const TestResult& test) {
  const std::size_t dot = test.spec->name.find('.');
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", test.seconds);
  const Status status = test.verdict.status;
  const std::string& source = test.verdict.source;
  const std::size_t colon = std::min(source.rfind(':'), source.size());
  std::string xml = "    <testcase classname=\"lab" + lab.lab->id + "." +
                    escaped(test.spec->name.substr(0, dot)) + "\" name=\"" +
                    escaped(test.spec->name.substr(dot + 1)) + "\" time=\"" + seconds + "\"";
  if (colon < source.size()) {
    xml += " file=\"" + escaped(source.substr(0, colon)) + "\" line=\"" + source.substr(colon + 1) +
           "\"";
  }
  if (status == Status::kPass) return xml + "/>\n";
  if (is_skipped(status)) {
    return xml + "><skipped message=\"" + status_name(status) + "\"/></testcase>\n";
  }
  const std::string element = status == Status::kFail ? "failure" : "error";
  const std::string message = status == Status::kCompileError ? lab.message : test.verdict.headline;
  return xml + ">\n      <" + element + " type=\"" + status_name(status) + "\" message=\"" +
         escaped(message) + "\">" + escaped(failure_text(lab, test)) + "</" + element +
         ">\n    </testcase>\n";
}

}  // namespace

void write_junit(const Report& report, const fs::path& path) {
  SuiteCounts total;
  std::string suites;
  for (const LabResult& lab : report.labs) {
    SuiteCounts counts;
    std::string cases;
    for (const TestResult& test : lab.tests) {
      counts.add(test);
      total.add(test);
      cases += testcase(lab, test);
    }
    suites += "  <testsuite name=\"lab" + lab.lab->id + "\" " + counts.attributes() + ">\n" +
              cases + "  </testsuite>\n";
  }
  write_file(path, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" +
                       escaped(report.submission->name) + "\" " + total.attributes() + ">\n" +
                       suites + "</testsuites>\n");
}

}  // namespace kv::grader
