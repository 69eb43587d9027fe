#!/bin/sh
# A newcomer's way through the kit, on the machine where this runs: the first ten minutes of the
# README, the whole solution, and each command once that a finished stack is used with.
#
#   journey.sh [ROW ...]    in a clone in which nothing is written; the rows are the names below
#
# Prints a line for each row: name, result, seconds, CPU seconds, and for a build the commands that
# it takes, with tabs between. A result is "ok", "failed: ...", or "not run: ...". What a command
# prints is in a file of the row's name in JOURNEY_LOG. The exit code is 1 if a row failed.
set -u

rows='grade step solution play generate chat replay bench site serve simt class doctor'
for name; do
  case " $rows " in
    *" $name "*) ;;
    *) echo "journey.sh: there is no row \"$name\"; the rows are $rows" >&2 && exit 2 ;;
  esac
done

cd "$(dirname "$0")/../.." || exit 2
log=${JOURNEY_LOG:-$(mktemp -d)}
build=${LAB_BUILD_DIR:-build/lab}
wanted=${*:-$rows}
num_failed=0
mkdir -p "$log"

is_wanted() {
  case " $wanted " in *" $1 "*) return 0 ;; esac
  return 1
}

# The CPU seconds between two outputs of `times`, whose second line is of what this shell has run.
cpu_between() {
  awk 'FNR == 2 {for (i = 1; i <= 2; ++i) {split($i, t, /[ms]/); sum[FILENAME] += t[1] * 60 + t[2]}}
       END {printf "%.1f", sum[ARGV[2]] - sum[ARGV[1]]}' "$1" "$2"
}

# How many commands a target takes, if Ninja builds it.
num_commands() {
  [ -n "$2" ] && [ -f "$build/$1/build.ninja" ] || return 0
  ninja -C "$build/$1" -t commands "$2" 2>/dev/null | wc -l | tr -d ' '
}

# row NAME FOLDER:TARGET PATTERN COMMAND...: the output has to have what grep finds by the pattern.
# The target, which may be empty, is what the command builds.
row() {
  name=$1 built=$2 pattern=$3
  shift 3
  is_wanted "$name" || return 0
  started=$(date +%s)
  times >"$log/before"
  "$@" >"$log/$name" 2>&1 </dev/null
  code=$?
  times >"$log/after"
  seconds=$(($(date +%s) - started))
  if [ $code -ne 0 ]; then
    result="failed: exit $code, $(tail -n 1 "$log/$name" | tr '\t' ' ')"
  elif ! grep -q -- "$pattern" "$log/$name"; then
    result="failed: it does not print \"$pattern\""
  else
    result=ok
  fi
  [ "$result" = ok ] || num_failed=$((num_failed + 1))
  printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$result" "$seconds" \
    "$(cpu_between "$log/before" "$log/after")" "$(num_commands "${built%:*}" "${built#*:}")"
}

not_run() {
  ! is_wanted "$1" || printf '%s\tnot run: %s\t\t\t\n' "$1" "$2"
}

# What the README says to write first.
write_step() {
  file=starter/01-free-queue/free_kv_cache_block_queue.cpp
  sed -e '/KV_TODO("1.1 get_all_free_blocks");/{
s/.*/  std::vector<KVCacheBlock*> blocks;/
a\
  for (KVCacheBlock* block = sentinel_.next_free_block; block != \&sentinel_;\
       block = block->next_free_block)\
    blocks.push_back(block);\
  return blocks;
}' "$file" >"$log/step.cpp" && cat "$log/step.cpp" >"$file"
}

first_step() {
  write_step && ./lab grade 01
}

all_examples() {
  for file in simt/examples/*.cu; do ./lab simt "$file" || return; done
}

# The progress of a build has words, too: only the answer is printed, unless there is none.
say_something() {
  echo 'It was a truth' | ./lab chat --tree solution 2>"$log/progress" || {
    cat "$log/progress"
    return 1
  }
}

ask() {
  if command -v curl >/dev/null 2>&1; then
    curl -sSf "$1" -H 'Content-Type: application/json' -d "$2"
  else
    python3 -c 'import sys, urllib.request as web
print(web.urlopen(web.Request(sys.argv[1], sys.argv[2].encode(),
                              {"Content-Type": "application/json"})).read().decode())' "$1" "$2"
  fi
}

# One call, then Ctrl-C's signal for scripts.
serve_once() {
  ./lab serve --tree solution --port 0 >"$log/server" 2>&1 &
  server=$!
  waited=0
  until grep -q 'http://127.0.0.1:[0-9]' "$log/server"; do
    kill -0 $server 2>/dev/null || break
    [ $waited -lt 600 ] || break
    sleep 1
    waited=$((waited + 1))
  done
  cat "$log/server"
  address=$(sed -n 's|.*\(http://127.0.0.1:[0-9]*\).*|\1|p' "$log/server" | head -n 1)
  ask "$address/v1/completions" '{"prompt": "Emma was", "max_tokens": 8}'
  answered=$?
  kill -TERM $server 2>/dev/null
  wait $server
  return $answered
}

class_of_two() {
  rm -rf "$log/submissions" "$log/ben" "$log/results"
  mkdir "$log/submissions" "$log/ben" && cp -R solution "$log/ben/starter" &&
    tar -czf "$log/submissions/ada_1.tar.gz" starter &&
    tar -C "$log/ben" -czf "$log/submissions/ben_2.tar.gz" starter &&
    ./lab class "$log/submissions" --labs 01 --out "$log/results" && cat "$log/results/scores.csv"
}

# The simulator of lab 06 needs Linux with glibc.
runs_cuda_on_cpu() {
  [ "$(uname -s)" = Linux ] && getconf GNU_LIBC_VERSION >/dev/null 2>&1
}

whole_solution() {
  labs=
  runs_cuda_on_cpu || labs='01 02 03 04 05 07'
  # shellcheck disable=SC2086  # labs are words
  ./lab grade $labs --tree solution
}

row grade tool:lab_student 'total 0/700 core' ./lab grade
row step grade:lab01_tests '1.1 get_all_free_blocks  *ok' first_step
row solution '' '^total \([0-9]*\)/\1 core, +\([0-9]*\)/\2 extra' whole_solution
row play tool:lab_watch '6 calls: .*html' ./lab play 01
row generate '' 'logits [0-9a-f]\{16\}' ./lab generate 'It was' --tree solution
row chat '' '[a-z, ]\{25\}' say_something
row replay '' ' 10 432  *0\.6063 ' ./lab replay --tree solution --first 200
row bench '' '  CompactFreeQueue  .* x ' ./lab bench 01 --tree solution --rounds 1
# Before the server, because it installs Python, which asks where there is no curl.
row site '' 'pages in .*index\.html' ./lab site --out "$log/pages"
row serve '' '"text": *"[^"]\{15\}' serve_once
if runs_cuda_on_cpu; then
  row simt '' 'no findings' all_examples
else
  not_run simt 'it needs Linux with glibc'
fi
case $(uname -s) in
  Linux) row class '' 'ben_2,100' class_of_two ;;
  *) not_run class 'its walls need Linux' ;;
esac
row doctor '' 'lab 01.* can be graded' ./lab doctor
[ $num_failed -eq 0 ]
