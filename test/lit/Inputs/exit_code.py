# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""%exit_code COMMAND…: runs the command, then prints `exit N` on its standard output (lit's own shell has no $?)."""
import subprocess
import sys

code = subprocess.run(sys.argv[1:]).returncode
print("exit", code, flush=True)
