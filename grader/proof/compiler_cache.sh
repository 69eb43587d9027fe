#!/bin/sh
# The compiler launcher of ./lab test. Files of a student's tree with debug information are found in
# the cache only by a build in the same folder: a report finds a line of theirs by its path.
# The kit's own files are compiled once for all builds: with warnings as errors, whether the build
# asks for that or not, by g++ where c++ is the same program, and with a path to the kit that ccache
# does not take for one in the folder of builds. CUDA on the CPU is compiled once for all compilers,
# too, as ./lab compiles it for its own program: any compiler's kernels link with it.
root=${0%/grader/proof/*}
case $* in
  *' -g1 '*_student.dir/* | *' -g1 '*_side.dir/*) unset CCACHE_BASEDIR CCACHE_NOHASHDIR ;;
  *_student.dir/* | *_own_test_objects.dir/*) ;;  # with files or headers of a student
  *' -O3 '*) ;;  # g++ 12 warns of what cannot be
  *' -fsyntax-only '*) ;;  # what this compiler says is looked at
  *)
    # shellcheck disable=SC3013  # dash and bash have -ef
    [ "$1" -ef "${1%c++}g++" ] && compiler=${1%c++}g++ || compiler=$1
    is_simulator=
    case $* in
      */simt_runtime_objects.dir/* | */simt_rewriter.dir/* | */simt_text.dir/* | */simt_compile.dir/*)
        compiler=$(command -v g++ || echo "$compiler")
        is_simulator=yes
        ;;
    esac
    shift
    for word; do
      shift
      case $word in
        -Werror) continue ;;
        -O1 | -g1 | -D_GLIBCXX_ASSERTIONS) [ -z "$is_simulator" ] || continue ;;
        "-I$root") word=$root/. && set -- "$@" "-ffile-prefix-map=$word/=$root/" && word=-I$word ;;
      esac
      set -- "$@" "$word"
    done
    set -- "$compiler" "$@" -Werror
    ;;
esac
exec ccache "$@"
