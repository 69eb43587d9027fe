#include "base/process/kernel_calls.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace kv::grader {
namespace {

// They are about memory, threads, processes, signals, time, and files that Landlock lets it open.
// None changes what another process sees, but for the bytes of such a file.
// clang-format off
constexpr auto kAllowed = std::to_array<std::uint32_t>({
    // memory
    SYS_brk, SYS_madvise, SYS_membarrier, SYS_mincore, SYS_mmap, SYS_mprotect, SYS_mremap,
    SYS_munmap,
    // threads
    SYS_futex, SYS_get_robust_list, SYS_getcpu, SYS_rseq, SYS_sched_getaffinity, SYS_sched_getparam,
    SYS_sched_getscheduler, SYS_sched_yield, SYS_set_robust_list, SYS_set_tid_address,
    // processes
    SYS_execve, SYS_exit, SYS_exit_group, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups,
    SYS_getpgid, SYS_getpid, SYS_getppid, SYS_getresgid, SYS_getresuid, SYS_getrusage, SYS_getsid,
    SYS_gettid, SYS_getuid, SYS_personality, SYS_prctl, SYS_setpgid, SYS_setsid, SYS_sysinfo,
    SYS_umask, SYS_uname, SYS_wait4, SYS_waitid,
    // signals
    SYS_kill, SYS_restart_syscall, SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask,
    SYS_rt_sigqueueinfo, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack,
    SYS_tgkill, SYS_tkill,
    // time
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_getitimer, SYS_gettimeofday,
    SYS_nanosleep, SYS_setitimer, SYS_timer_create, SYS_timer_delete, SYS_timer_getoverrun,
    SYS_timer_gettime, SYS_timer_settime, SYS_times,
    // files
    SYS_chdir, SYS_close, SYS_close_range, SYS_dup, SYS_dup3, SYS_faccessat, SYS_faccessat2,
    SYS_fchdir, SYS_fcntl, SYS_fstat, SYS_fstatfs, SYS_ftruncate, SYS_getcwd, SYS_getdents64,
    SYS_getrandom, SYS_lseek, SYS_memfd_create, SYS_mkdirat, SYS_newfstatat, SYS_openat,
    SYS_openat2, SYS_pipe2, SYS_ppoll, SYS_pread64, SYS_preadv, SYS_pselect6, SYS_pwrite64,
    SYS_pwritev, SYS_read, SYS_readlinkat, SYS_readv, SYS_sendfile, SYS_statfs, SYS_statx,
    SYS_truncate, SYS_unlinkat, SYS_write, SYS_writev,
#ifdef __x86_64__  // the older forms of some of them
    SYS_access, SYS_alarm, SYS_arch_prctl, SYS_dup2, SYS_fork, SYS_getdents, SYS_getpgrp, SYS_lstat,
    SYS_mkdir, SYS_open, SYS_pause, SYS_pipe, SYS_poll, SYS_readlink, SYS_rmdir, SYS_select,
    SYS_stat, SYS_time, SYS_unlink, SYS_vfork,
#endif
});
// clang-format on

#ifdef __x86_64__
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                         CLONE_NEWNET | CLONE_NEWTIME;

// A program that the kernel runs before each call. It reads a word of the call, compares it, and
// ends with an answer.
class Filter {
 public:
  explicit Filter(KernelCalls calls);

  bool enforce() const;

 private:
  void answer_clone();
  void allow_reading_limits();
  void allow_for_sanitizers();

  void add(sock_filter instruction) { code_[size_++] = instruction; }

  void load(std::size_t offset) { add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(offset))); }
  void load_call() { load(offsetof(seccomp_data, nr)); }
  void load_argument(std::size_t i) { load(offsetof(seccomp_data, args) + 8 * i); }  // lower half
  void load_upper_half(std::size_t i) { load(offsetof(seccomp_data, args) + 8 * i + 4); }

  // The next `count` instructions are for this word alone.
  void if_equal(std::uint32_t word, std::uint8_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, count));
  }
  void if_any_bit(std::uint32_t bits, std::uint8_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count));
  }

  void allow() { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); }
  void refuse(std::uint32_t error) { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error)); }

  std::array<sock_filter, 2 * kAllowed.size() + 32> code_;
  std::uint16_t size_ = 0;
};

Filter::Filter(KernelCalls calls) {
  load(offsetof(seccomp_data, arch));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0));
  refuse(EPERM);  // the numbers below are not those of another machine, or of 32 bits
  load_call();

  // It changes attributes of files. What programs ask first is whether a file is a terminal.
  if_equal(SYS_ioctl, 1);
  refuse(ENOTTY);
  answer_clone();
  calls == KernelCalls::kOfTests ? allow_reading_limits() : allow_for_sanitizers();
  for (const std::uint32_t call : kAllowed) {
    if_equal(call, 1);
    allow();
  }
  refuse(EPERM);
}

// A process or a thread, and no namespace.
void Filter::answer_clone() {
  // Its flags are in memory, which a filter does not see. The C library then takes clone.
  if_equal(SYS_clone3, 1);
  refuse(ENOSYS);
  if_equal(SYS_clone, 4);
  load_argument(0);
  if_any_bit(kNewNamespaces, 1);
  refuse(EPERM);
  allow();
}

// The third argument points to new limits; it has to be null.
void Filter::allow_reading_limits() {
  if_equal(SYS_prlimit64, 7);
  load_argument(2);
  if_any_bit(~0u, 1);
  refuse(EPERM);
  load_upper_half(2);
  if_any_bit(~0u, 1);
  refuse(EPERM);
  allow();
}

// LeakSanitizer traces the threads of its process, and AddressSanitizer limits its core file.
void Filter::allow_for_sanitizers() {
  if_equal(SYS_ptrace, 1);
  allow();
  if_equal(SYS_prlimit64, 4);
  load_argument(0);
  if_equal(0, 1);
  allow();
  refuse(EPERM);
}

bool Filter::enforce() const {
  const sock_fprog program{.len = size_, .filter = const_cast<sock_filter*>(code_.data())};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

bool allow_only(KernelCalls calls) {
  return Filter(calls).enforce();
}

// The kernel says that it cannot read a filter there; without seccomp, that there is no such call.
bool can_limit_kernel_calls() {
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) != 0 && errno == EFAULT;
}

}  // namespace kv::grader
#else

namespace kv::grader {
bool allow_only(KernelCalls) {
  return true;
}
bool can_limit_kernel_calls() {
  return false;
}
}  // namespace kv::grader
#endif
