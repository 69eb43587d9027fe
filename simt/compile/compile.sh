#!/bin/sh
# compile.sh REWRITER COMPILER ... -o OBJECT -c SOURCE.cu
# Compiles a CUDA source for the CPU, in place of the compile command of a build system: what CUDA
# adds to C++ is rewritten first, and calls that the compiler inserts are renamed afterwards, so that
# the simulator sees the memory they access.
set -eu
rewriter=$1
shift
object=
source=
for word; do
  [ "$source" != -o ] || object=$word
  source=$word
done

"$rewriter" "$source" "$object.cpp"

# The last argument becomes the rewritten file.
left=$#
while [ "$left" -gt 1 ]; do
  set -- "$@" "$1"
  shift
  left=$((left - 1))
done
shift
"$@" "$object.cpp" -iquote "$(dirname "$source")"

objcopy --redefine-sym memcpy=__tsan_memcpy --redefine-sym memmove=__tsan_memmove \
  --redefine-sym memset=__tsan_memset --redefine-sym printf=kv_simt_printf "$object"
