#include "simt/cli/signs_of_life.h"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>

namespace kv::grader {
namespace {

using std::chrono::seconds;

constexpr seconds kPatience{2}, kOnTerminal{1}, kElsewhere{10};
constexpr double kLong = 60, kWanted = 20;  // seconds

std::string text_of_seconds(double time) {
  if (time < 90) return std::to_string(std::lround(time)) + " s";
  return std::to_string(std::lround(time / 60)) + " minutes";
}

// "with a grid an eighth as large", for a launch that takes so long.
std::string advice(double time) {
  const double factor = std::exp2(std::ceil(std::log2(time / kWanted)));
  return "; a problem with 1/" + std::to_string(std::lround(factor)) +
         " of its blocks would take about " + text_of_seconds(time / factor);
}

}  // namespace

std::string sign_of_life(const std::string& run, const simt::RunStatus& status, double seconds) {
  if (status.num_blocks == 0) {
    return "the " + run + " run is in host code, after " + std::to_string(status.num_launches) +
           " launches";
  }
  std::string text = std::string(status.kernel) + ": block " + std::to_string(status.num_done) +
                     " of " + std::to_string(status.num_blocks) + " in the " + run + " run";
  if (status.num_done == 0) return text;
  const double share =
      static_cast<double>(status.num_done) / static_cast<double>(status.num_blocks);
  const double all = seconds / share;
  text += ", about " + text_of_seconds(all - seconds) + " more";
  return all > kLong ? text + advice(all) : text;
}

SignsOfLife::SignsOfLife(const std::vector<WatchedRun>& runs)
    : is_terminal_(::isatty(STDERR_FILENO) != 0) {
  for (const WatchedRun& run : runs) {
    fs::remove(run.status);
    runs_.push_back({run.name, simt::open_status(run.status)});
  }
  thread_ = std::thread([this] { watch(); });
}

SignsOfLife::~SignsOfLife() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
  for (const Run& run : runs_)
    if (run.status != nullptr) ::munmap(run.status, sizeof(simt::RunStatus));
}

void SignsOfLife::watch() {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return is_over_; };
  if (over_.wait_for(lock, kPatience, is_over)) return;
  do {
    show();
  } while (!over_.wait_for(lock, is_terminal_ ? kOnTerminal : kElsewhere, is_over));
  if (is_terminal_) std::fputs("\r\033[K", stderr);
}

void SignsOfLife::show() const {
  for (const Run& run : runs_) {
    if (run.status == nullptr) continue;
    const simt::RunStatus status = *run.status;
    const std::string text = sign_of_life(run.name, status, simt::seconds_now() - status.began);
    std::fprintf(stderr, is_terminal_ ? "\r\033[K%s\r" : "%s\n", text.c_str());
    if (is_terminal_) break;  // one line, of the run that began first
  }
  std::fflush(stderr);
}

}  // namespace kv::grader
