#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: when the simulator itself finds no memory, it says so, where, what holds it and what limits it; nothing is blamed on the
program, and nothing is called a success. Where the program finds none and goes on, what it did not get is said, and by which limit."""

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


def run(source, scratch):
    program = pathlib.Path(scratch) / source
    subprocess.run([GNOMON, "cc", "-g", "-O1", HERE / f"{source}.c", "-o", program], check=True)
    return subprocess.run([GNOMON, "run", "-n", "2", "--compute=none", "--stack-size=1MiB", program], preexec_fn=limit_memory,
                          capture_output=True, text=True)


CASES = [("no_memory", 134, ["rank 0 at ", ": the simulator has no memory left, in MPI_Isend called at no_memory.c:12 in main; ",
                             " messages have been sent and not received; the process may have 1 GB (ulimit -v)\n"]),
         ("refused", 139, ["rank 0 at 0 s: segmentation fault (address ", "refused.c:11 in main; before, memory was asked for in vain "
                           "once (the first time 104857600 bytes), for the process may have 1 GB of addresses (ulimit -v): lift that limit"]),
         ("exhausted", 134, [": the simulator has no memory left", "; the process may have 1 GB (ulimit -v)\n"])]
with tempfile.TemporaryDirectory() as scratch:
    for source, code, wanted in CASES:
        ended = run(source, scratch)
        missing = [text for text in [*wanted, "gnomon: INCOMPLETE: "] if text not in ended.stderr]
        if missing or ended.returncode != code:
            sys.exit(f"exit code {ended.returncode}, without {missing}:\n{ended.stderr}")
