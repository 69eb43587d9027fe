#include "base/text/machine.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "base/text/errors.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

struct Refusal {
  std::string_view sign;  // in the words of the system, a compiler, a linker or Ninja
  std::string_view sentence;
  bool may_be_source = false;  // a source that takes a compiler without an end has this sign, too
};

constexpr std::array kRefusals = {
    Refusal{"No space left on device", "the disk is full; remove files there"},
    Refusal{"Disk quota exceeded", "your quota of the disk is used up; remove files there"},
    Refusal{"Read-only file system", "the disk is read-only; name another folder, LAB_BUILD_DIR"},
    Refusal{"Input/output error",
            "the disk cannot be read or written; name another folder, "
            "LAB_BUILD_DIR"},
    Refusal{"File too large", "files must not be this large here; ulimit -f unlimited"},
    Refusal{"File size limit exceeded", "files must not be this large here; ulimit -f unlimited"},
    Refusal{"Too many open files", "too few files may be open here; ulimit -n 1024"},
    Refusal{"Resource temporarily unavailable", "too few processes may run here; end some of them"},
    Refusal{"CPU time limit exceeded", "the time of a process is limited here; ulimit -t unlimited",
            true},
    Refusal{"Cannot allocate memory",
            "the memory is used up or limited (ulimit -v); close other programs", true},
    Refusal{"out of memory", "the memory is used up or limited (ulimit -v); close other programs",
            true},
    Refusal{"memory exhausted",
            "the memory is used up or limited (ulimit -v); close other programs", true},
    Refusal{"failed to map segment",
            "the memory is used up or limited (ulimit -v); close other programs"},
    Refusal{"terminate called after throwing an instance of 'std::bad_alloc'",
            "the memory is used up or limited (ulimit -v); close other programs", true},
    Refusal{"error while loading shared libraries",
            "a program cannot be loaded; ulimit -a shows "
            "the limits"},
    Refusal{"Killed signal terminated",
            "a compiler was killed, probably for its memory; close other programs", true},
    Refusal{"ld terminated with signal 9",
            "the linker was killed, probably for its memory; close other programs"},
    Refusal{"ld terminated with signal", "the linker itself crashed; remove build/lab"},
    Refusal{"internal compiler error", "the compiler itself crashed; try another one, CXX=clang++"},
    Refusal{"manifest 'build.ninja' still dirty",
            "files of the kit have a date in the future; set "
            "the clock, or touch them"},
};

bool contains(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

// Words that the author of a source has chosen.
bool is_quoted(std::string_view line) {
  return contains(line, "#error") || contains(line, "#warning") || contains(line, "#pragma") ||
         contains(line, "static assertion") || contains(line, "static_assert");
}

// A sign begins a line, a part of a message after a colon, or what is in brackets. Elsewhere it is
// a line of a source that a compiler quotes.
bool has_sign(std::string_view line, const std::string& sign) {
  return line.starts_with(sign) || contains(line, ": " + sign) || contains(line, ": '" + sign) ||
         contains(line, "[" + sign);
}

// The first refusal in an output, and its line.
std::optional<std::pair<const Refusal*, std::string>> find_refusal(std::string_view output) {
  for (const std::string& line : split_lines(output)) {
    if (is_quoted(line)) continue;
    for (const Refusal& refusal : kRefusals) {
      if (has_sign(line, std::string(refusal.sign))) return std::pair(&refusal, line);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> machine_refusal(std::string_view output) {
  const auto found = find_refusal(output);
  if (!found) return std::nullopt;
  const auto& [refusal, line] = *found;
  return std::string(refusal->sentence) + ", and run the command again (\"" + line + "\")";
}

bool is_compiler_exhausted(std::string_view output) {
  const auto found = find_refusal(output);
  return found && found->first->may_be_source;
}

void adjust_limits() {
  std::signal(SIGXFSZ, SIG_IGN);
  constexpr rlim_t kWanted = 1024;
  constexpr rlim_t kNeeded = 256;  // the harness moves its pipe to 200; see harness/channel.cpp
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kWanted) return;
  const rlim_t allowed = files.rlim_cur;
  files.rlim_cur = std::min(kWanted, files.rlim_max);
  if (::setrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = allowed;
  if (files.rlim_cur >= kNeeded) return;
  throw MachineFailed("only " + std::to_string(files.rlim_cur) +
                      " files may be open here, and the tests need " + std::to_string(kNeeded) +
                      "; ulimit -n 1024, and run the command again");
}

}  // namespace kv::grader
