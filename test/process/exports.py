#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: libgnomon exports every function of Interposed.def, and each is there to stand before one of libc's.
import os
import re
import subprocess
import sys

NM = "llvm-nm-22"
# OpenMP's runtime need not be installed; its two clocks are exported all the same.
ELSEWHERE = {"omp_get_wtime", "omp_get_wtick"}


def defined(library):
    listing = subprocess.run([NM, "-D", "--defined-only", library], check=True, capture_output=True, text=True)
    return {line.split()[-1].split("@")[0] for line in listing.stdout.splitlines()}


def loaded_path(library):
    compiler = subprocess.run(["clang-22", "-print-file-name=" + library], check=True, capture_output=True, text=True)
    return compiler.stdout.strip()


def main():
    table = os.path.join(os.environ["GNOMON_SOURCE"], "runtime/process/libc/Interposed.def")
    names = re.findall(r"^GNOMON_INTERPOSED\((\w+),", open(table).read(), re.MULTILINE)
    ours = defined(os.path.join(os.environ["GNOMON_PREFIX"], "lib/libgnomon.so"))
    theirs = defined(loaded_path("libc.so.6")) | defined(loaded_path("libstdc++.so.6")) | ELSEWHERE
    missing = [name for name in names if name not in ours]
    pointless = [name for name in names if name not in theirs]
    if len(names) != len(set(names)):
        missing.append("a name stands twice in the table")
    for text, found in (("not exported by libgnomon", missing), ("not in the C or C++ library", pointless)):
        for name in found:
            print(f"{name}: {text}")
    print(f"{len(names)} names")
    return 1 if missing or pointless or not names else 0


if __name__ == "__main__":
    sys.exit(main())
