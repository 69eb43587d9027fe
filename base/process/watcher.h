#pragma once
// No compiler and no test runs on after this program, however it ends: Ctrl-C, SIGTERM, kill -9.
// The kernel ends a child of ours, but not what that child has started: Ninja gives each compiler a
// process group of its own. So a second process, the watcher, waits for the end of this one. What
// it ends are sessions: each command gets one of its own, and Ninja and Make stay in it.

#include <sys/types.h>

namespace kv::grader {

// Starts the watcher, and stops it at the end of a run that is not killed. To be made once, before
// the first command. On SIGINT, SIGTERM and SIGHUP the program exits.
class Watcher {
 public:
  Watcher();  // throws MachineFailed
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  pid_t pid_;
  int pipe_;
};

// Called by the leader of a new session, between fork and exec: why there, a parent that is killed
// after the fork could not do it.
void watch_own_session();
void stop_watching(pid_t leader);

// Ends all these sessions, as the watcher does when the program has ended, and returns when no
// process of them is left. Waits for every child that has ended, so it is for a program that waits
// for none elsewhere.
void end_watched_sessions();

// Sends a signal to all processes of a session; false when there are none. On systems without
// /proc, to the group of the leader only: a compiler that Ninja has started then runs to the end
// of its file.
bool signal_session(pid_t leader, int signal_number);

}  // namespace kv::grader
