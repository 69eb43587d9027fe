"""The folder of `./lab vllm`: its modules can be imported after this one."""

import sys

from kit import ROOT

FOLDER = ROOT / "apps/vllm"
sys.path.append(str(FOLDER))
