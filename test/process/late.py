#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: see late_library.cpp: builds the library and the program that loads it, and runs them on three ranks.
import os
import subprocess
import sys
import tempfile


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    gnomon = os.path.join(os.environ["GNOMON_PREFIX"], "bin/gnomon")
    flag = subprocess.run([gnomon, "--flag"], check=True, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as directory:
        library, program = os.path.join(directory, "late.so"), os.path.join(directory, "program")
        subprocess.run(["clang++-22", flag, "-O2", "-fPIC", "-shared", os.path.join(here, "late_library.cpp"), "-o",
                        library], check=True)
        subprocess.run(["clang-22", flag, "-O2", os.path.join(here, "late.c"), "-o", program], check=True)
        run = subprocess.run([gnomon, "run", "-n", "3", program, library], capture_output=True, text=True)
    print(run.stdout + run.stderr)
    return 0 if run.returncode == 0 and "late: PASSED" in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
