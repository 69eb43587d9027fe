#!/bin/sh
# The compiler launcher of ./lab test: ccache, but for the files of a student's tree. Why not these:
# a report finds a line of theirs by the path in its debug information, and a cached object has the
# path of the folder where it was compiled first.
case $* in
  *_student.dir/* | *_side.dir/*) exec "$@" ;;
esac
exec ccache "$@"
