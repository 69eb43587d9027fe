#!/bin/sh
# Gradescope runs this once, as root, when the image is made. `lab` installs the packages that are
# missing and builds the kit; the graded solution proves that submissions can be graded.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
LAB_BUILD_DIR=$here/build
export LAB_BUILD_DIR
"$here/kit/lab" results gradescope "$here/kit/solution" "$here/build/solution.json" @OPTIONS@
