#include "base/process/landlock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/text/errors.h"

namespace kv::grader {

std::vector<fs::path> system_folders() {
  std::vector<fs::path> folders = {"/usr",
                                   "/bin",
                                   "/sbin",
                                   "/lib",
                                   "/lib32",
                                   "/lib64",
                                   "/opt",
                                   "/nix",
                                   "/home/linuxbrew",
                                   "/etc/ld.so.cache",
                                   "/etc/alternatives",
                                   "/proc",
                                   "/sys/devices/system/cpu",
                                   "/dev/null",
                                   "/dev/urandom"};
  const char* libraries = std::getenv("LD_LIBRARY_PATH");
  std::istringstream names(libraries == nullptr ? "" : libraries);
  for (std::string name; std::getline(names, name, ':');) folders.emplace_back(name);
  return folders;
}

#if __has_include(<linux/landlock.h>)
namespace {

// linux/landlock.h of an older system lacks the later ones, so they are written here.
constexpr std::uint64_t kExecute = 1 << 0;
constexpr std::uint64_t kWriteFile = 1 << 1;
constexpr std::uint64_t kReadFile = 1 << 2;
constexpr std::uint64_t kReadFolder = 1 << 3;
constexpr std::uint64_t kTruncate = 1 << 14;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;
constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;

// What the kernel calls struct landlock_ruleset_attr, as of version 6.
struct Handled {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scoped;
};

Handled handled_by(int version) {
  const int num_file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  return {.files = (std::uint64_t{1} << num_file_rights) - 1,
          .network = version >= 4 ? 0b11u : 0u,  // TCP: bind and connect
          .scoped = version >= 6 ? 0b11u : 0u};  // abstract sockets and signals
}

void allow(int rules, const fs::path& path, std::uint64_t rights) {
  const int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) rights &= kOfFiles;
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = fd};
  ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(fd);
}

// Gives the file a number past the descriptors that a test has for its pipes.
void move_away(int& fd) {
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
  if (moved >= 0) ::close(std::exchange(fd, moved));
}

}  // namespace

int landlock_version() {
  static const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

LandlockRules::LandlockRules(const FileAccess& access) {
  if (landlock_version() == 0) return;
  const Handled handled = handled_by(landlock_version());
  fd_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  if (fd_ < 0)
    throw MachineFailed(std::string("Landlock refuses its rules: ") + std::strerror(errno));
  move_away(fd_);
  for (const fs::path& path : access.readable) allow(fd_, path, kRead & handled.files);
  for (const fs::path& path : access.writable) allow(fd_, path, handled.files);
  allow(fd_, "/dev/null", (kReadFile | kWriteFile) & handled.files);
}

bool LandlockRules::enforce() const {
  if (fd_ < 0) return true;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, fd_, 0) == 0;
}
#else
int landlock_version() {
  return 0;
}
LandlockRules::LandlockRules(const FileAccess&) {}
bool LandlockRules::enforce() const {
  return true;
}
#endif

LandlockRules::~LandlockRules() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace kv::grader
