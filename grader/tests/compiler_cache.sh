#!/bin/sh
# The compiler launcher of ./lab test. Files of a student's tree are found in the cache only by a
# build in the same folder: a report finds a line of theirs by the path in its debug information.
case $* in
  *_student.dir/* | *_side.dir/*) unset CCACHE_BASEDIR CCACHE_NOHASHDIR ;;
esac
exec ccache "$@"
