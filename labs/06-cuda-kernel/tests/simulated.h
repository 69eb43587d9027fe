#pragma once
// Runs launches in the simulator and asks it what it has seen.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "06-cuda-kernel/given/cuda_check.h"
#include "grader/harness/channel.h"
#include "grader/harness/expectations.h"
#include "grader/harness/record_kinds.h"
#include "simt/session.h"

namespace kv::grader {

// For results: what a kernel has not written is no number.
template <class Number = float>
std::vector<Number> unwritten(std::size_t size) {
  return std::vector<Number>(size, Number(std::nanf("")));
}

// "warmup.cu:14"
inline std::string draw_place(const simt::SourceLine& at) {
  if (at.file.empty()) return "an unknown line";
  return at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

// "block (0,0,0) of kv::vector_add" without kv::.
inline std::string without_namespace(std::string where) {
  const std::size_t begin = where.find("kv::");
  return begin == std::string::npos ? where : where.erase(begin, 4);
}

inline std::string draw_finding(const simt::SeenFinding& finding) {
  std::string text = finding.kind + " at " + draw_place(finding.at);
  if (!finding.where.empty()) text += ", in " + without_namespace(finding.where);
  text += "\n  " + finding.what;
  for (const simt::SeenNote& note : finding.notes) {
    // A note at such a place says where memory was allocated.
    const bool is_of_test = note.at.file.ends_with(".cpp") || note.at.file.ends_with(".h");
    if (!is_of_test) text += "\n  " + draw_place(note.at) + ": " + note.text;
  }
  return text + "\n  " + finding.means;
}

// For the page of a grading, which shows both at their lines.
inline void send_lines(const simt::Seen& seen) {
  const auto place = [](const simt::SourceLine& at) {
    return at.file + "\n" + std::to_string(at.line);
  };
  for (const simt::SeenFinding& finding : seen.findings) {
    channel::send(record_kind::kFinding, place(finding.at) + "\n" + finding.kind + "\n" +
                                             without_namespace(finding.where) + "\n" +
                                             finding.what + "\n" + finding.means);
  }
  for (const simt::LineTraffic& line : seen.lines) {
    std::string payload = place(line.at);
    for (const std::uint64_t number :
         {std::uint64_t{line.is_shared}, std::uint64_t{line.is_read}, std::uint64_t{line.width},
          line.requests, line.is_shared ? line.wavefronts : line.sectors,
          line.is_shared ? line.ideal_wavefronts : line.ideal_sectors}) {
      payload += " " + std::to_string(number);
    }
    channel::send(record_kind::kTraffic, payload);
  }
}

inline void expect_no_findings(const simt::Seen& seen, std::string_view how) {
  send_lines(seen);
  if (seen.findings.empty()) return;
  fail_now(draw_finding(seen.findings.front()) + std::string(how));
}

// What the simulator has seen of a launch. A kernel that fails makes the launch throw; the findings
// say why, and without any the exception goes on.
template <class Launch>
simt::Seen seen_of(simt::ThreadOrder order, bool counts_traffic, Launch launch) {
  simt::begin_session(order, counts_traffic);
  try {
    launch();
  } catch (const CudaError&) {
    simt::Seen seen = simt::seen_in_session();
    if (seen.findings.empty()) throw;
    return seen;
  }
  return simt::seen_in_session();
}

// Calls check(launch()) for each order of threads; a finding is told first, because it explains
// wrong values.
template <class Launch, class Check>
void in_both_orders(Launch launch, Check check) {
  for (const auto order : {simt::ThreadOrder::kForward, simt::ThreadOrder::kReverse}) {
    std::optional<decltype(launch())> result;
    const simt::Seen seen = seen_of(order, false, [&] { result = launch(); });
    const bool is_reverse = order == simt::ThreadOrder::kReverse;
    expect_no_findings(
        seen, is_reverse ? "\n  (the last thread ran first; on a GPU any order is possible)" : "");
    check(*result);
    if (testing::Test::HasFailure()) return;
  }
}

// "block (3,0,0) of paged_attention_v1", where the first finding is; empty without one.
// Why it counts traffic: a GPU does not say who reads what, and a test that counts ends there.
template <class Launch>
std::string place_of_finding(Launch launch) {
  const simt::Seen seen = seen_of(simt::ThreadOrder::kForward, true, launch);
  return seen.findings.empty() ? "" : without_namespace(seen.findings.front().where);
}

// What one launch moves.
template <class Launch>
simt::Seen traffic_of(Launch launch) {
  simt::Seen seen = seen_of(simt::ThreadOrder::kForward, true, launch);
  expect_no_findings(seen, "");
  if (seen.lines.empty()) fail_now("no kernel has touched memory: the launch has to run one");
  return seen;
}

}  // namespace kv::grader
