#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: the runtime does not call, by name, a libc function that libgnomon itself exports: that would be the
# program's version of it (a report that calls our setitimer switches ranks inside a signal handler).
import os
import re
import subprocess
import sys

# Object → names it may use all the same, and why.
ALLOWED = {
    "Check.cpp.o": {"abort", "dprintf"},  # the end of the process, after which nothing is simulated
    "Modules.cpp.o": {"_exit", "dprintf"},  # a module of another version: before the start
    "FileText.cpp.o": {"close", "open", "read"},  # platform and host files: before the start
    "StackPool.cpp.o": {"fclose", "fopen"},  # /proc/sys/vm/max_map_count: before the start
    "SwitchHook.cpp.o": {"optarg", "optind", "opterr", "optopt"},  # it puts each rank's values there
    "Entry.cpp.o": {"_Exit"},  # a call without any simulation
}
# Registered by the compiler for our own static objects, before there are ranks; memory is everybody's.
# Ours passes everything but futex operations straight on to the system, and every call about pages.
ANYWHERE = {"__cxa_atexit", "malloc", "calloc", "free", "realloc", "malloc_usable_size", "syscall", "madvise", "mprotect"}


def main():
    table = os.path.join(os.environ["GNOMON_SOURCE"], "runtime/process/libc/Interposed.def")
    names = set(re.findall(r"^GNOMON_INTERPOSED\((\w+),", open(table).read(), re.MULTILINE))
    objects = bad = 0
    for folder, _, files in os.walk(os.path.join(sys.argv[1], "runtime")):
        # The rooms' objects, not those of their tests and benchmarks.
        if not re.search(r"CMakeFiles/gnomon_[a-z0-9-]+\.dir", folder):
            continue
        for name in files:
            if not name.endswith(".cpp.o"):
                continue
            objects += 1
            listing = subprocess.run(["llvm-nm-22", "-u", os.path.join(folder, name)], check=True, capture_output=True, text=True)
            used = {line.split()[-1] for line in listing.stdout.splitlines() if line.strip()}
            for called in sorted((used & names) - ANYWHERE - ALLOWED.get(name, set())):
                print(f"{name} calls {called}: use GNOMON_REAL({called})")
                bad += 1
    print(f"{objects} objects")
    return 1 if bad or objects < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
