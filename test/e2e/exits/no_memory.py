#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: when the simulator itself finds no memory, it says so, where, what holds it and what limits it; nothing is blamed on the
program, and nothing is called a success."""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
LIMIT = 1_000_000_000


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


with tempfile.TemporaryDirectory() as scratch:
    program = pathlib.Path(scratch) / "no_memory"
    subprocess.run([GNOMON, "cc", "-g", "-O1", HERE / "no_memory.c", "-o", program], check=True)
    run = subprocess.run([GNOMON, "run", "-n", "2", "--compute=none", "--stack-size=1MiB", program], preexec_fn=limit_memory,
                         capture_output=True, text=True)
wanted = ["rank 0 at ", ": the simulator has no memory left, in MPI_Isend called at no_memory.c:12 in main; ",
          " messages have been sent and not received; the process may have 1 GB (ulimit -v)\n", "gnomon: INCOMPLETE: "]
missing = [text for text in wanted if text not in run.stderr]
if missing or run.returncode != 134:
    sys.exit(f"exit code {run.returncode}, without {missing}:\n{run.stderr}")
