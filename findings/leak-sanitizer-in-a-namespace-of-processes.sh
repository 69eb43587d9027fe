#!/bin/sh
# In a new namespace of processes, LeakSanitizer ends a right program, or works by chance.
#
# Expected: a program that frees all its memory ends with 0, in a container as elsewhere.
# Seen with g++ 12.2.0 (Debian's libasan8 12.2.0-14), as root: a program in a namespace of processes
# whose /proc is still the one outside has a number there, for example 2. LeakSanitizer looks for its
# threads in /proc/2/task. On a machine, number 2 is a thread of the kernel, so the folder is there, and
# the check works. In a container, where the numbers are few, it is not: "LeakSanitizer has
# encountered a fatal error", exit 1, after the program has ended well.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'int main() { delete new int(7); }\n' >right.cpp
g++ -fsanitize=address right.cpp -o right

# Number 1 is the shell of the first namespace, which has a /proc of its own, and number 2 is a process
# that has ended. In the second one, the program is number 2.
code=0
unshare --pid --fork --mount-proc sh -c '
  true &
  wait
  exec unshare --pid --fork sh -c "./right; exit \$?"' >output 2>&1 || code=$?
grep -o 'LeakSanitizer has encountered a fatal error' output || true
echo "exit $code"
[ "$code" = 1 ] && grep -q "Can't open /proc/2/task" output || { echo 'this has changed' >&2; exit 1; }
