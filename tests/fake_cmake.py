"""A script in place of CMake: builds take no time, and end as a test wants."""

import os
import shutil


class FakeCMake:
    """./lab with such a script. At first each build succeeds, and makes nothing."""

    def __init__(self, kit):
        self.kit = kit
        self.folder = kit.new_folder("fake cmake")
        self.builds_by("exit 0")

    def builds_by(self, commands):
        """`commands` are run by sh in place of each build."""
        cmake = self.folder / "cmake"
        cmake.write_text(f"""#!/bin/sh
case $1 in
  -S) mkdir -p "$4/CMakeFiles" ;;
  -E) exec {shutil.which("cmake")} "$@" ;;
  --build) {commands} ;;
esac
""")
        cmake.chmod(0o755)

    def fails_with(self, output, targets="*"):
        (self.folder / "output").write_text(output)
        self.builds_by(f'case "$*" in {targets}) cat "{self.folder}/output"; exit 1 ;; esac')

    def lab(self, *arguments, **how):
        path = f"{self.folder}:{os.environ['PATH']}"
        return self.kit.lab(*arguments, env={"PATH": path}, **how)
