#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what `cmake --install` writes can be moved to another directory, and works from there: C and Fortran."""

import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = os.environ["GNOMON_BUILD"]
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])

EXPECTED = [
    "bin/gnomon", "lib/libgnomon.so", "lib/gnomon/GnomonPass.so", "lib/gnomon/GnomonTracePass.so",
    "lib/gnomon/GnomonMarkPass.so", "share/gnomon/clang-trace/clang.cfg", "lib/gnomon/GnomonClangPlugin.so",
    "lib/libgnomon.a", "lib/gnomon/mpi/libmpi.so", "include/gnomon/mpi.h",
    "include/gnomon/mpif.h", "include/gnomon/mpi.mod",
    "include/gnomon/mpi_f08.mod", "include/gnomon/gnomon/Network.h", "share/gnomon/fit-collectives.py",
    "share/gnomon/clang/clang.cfg", "share/gnomon/clang/clang++.cfg",
    "share/gnomon/clang/flang.cfg", "share/gnomon/platforms", "share/man/man1/gnomon.1",
    "share/bash-completion/completions/gnomon", "libexec/gnomon/gnomon-analyze",
    *[f"libexec/gnomon/bin/{name}" for name in ("mpicc", "mpicxx", "mpic++", "mpifort", "mpif90", "mpif77", "mpiexec",
                                                 "mpirun")],
]


def run(*arguments):
    command = [str(argument) for argument in arguments]
    print("+", *command, flush=True)
    result = subprocess.run(command, capture_output=True, text=True)
    print(result.stdout, result.stderr)
    if result.returncode != 0:
        sys.exit(f"FAILED: exit code {result.returncode}")
    return result.stdout


def main():
    with tempfile.TemporaryDirectory() as scratch:
        first, moved = pathlib.Path(scratch, "first"), pathlib.Path(scratch, "elsewhere/moved")
        run("cmake", "--install", BUILD, "--prefix", first)
        moved.parent.mkdir()
        first.rename(moved)
        missing = [name for name in EXPECTED if not (moved / name).exists()]
        if missing:
            sys.exit("FAILED: not installed: " + ", ".join(missing))
        run(moved / "bin/gnomon", "doctor")
        flag = run(moved / "bin/gnomon", "--flag").strip()
        for compiler, source in (("clang-22", "hello.c"), ("flang-22", "pi.f90")):
            program = pathlib.Path(scratch, "program")
            run(compiler, flag, "-O2", SOURCE / "examples" / source, "-o", program)
            run(moved / "bin/gnomon", "run", "-n", 4, program)
            if str(moved) not in run("ldd", program):
                sys.exit("FAILED: the program does not use the moved library")


if __name__ == "__main__":
    main()
