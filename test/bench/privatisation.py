#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What do privatised access and counted instructions cost? Links the kernels without the pass, with it but without counters, and
with both (same compiler, same options, same link-time optimisation), and runs the three.

    privatisation.py --count …   counts instructions and accesses to memory with callgrind; a test, since counts are always the same
    privatisation.py …           takes the time of each, in turn; a benchmark (`ninja -C build/dev bench-privatisation`)

Prints a Markdown table. Fails when a result differs; when a kernel executes or accesses more than MOST and MORE allow; or when a kernel's
best time is longer than --limit times the median of the variants before it although measured --attempts times."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
# Whether a short loop crosses a line of the instruction cache is luck, and worth 14 % of the gather on the machine where this
# was first measured, with the same instructions: so no loop does, in either program.
ALIGNED = "-Wl,-mllvm,-align-loops=64"
PROGRAMS = [("clang-22", "clang.cfg", "kernels.c"), ("flang-22", "flang.cfg", "kernels_fortran.f90")]


def configuration_without_pass(prefix, name, directory):
    """The flag's own file, less the lines that bring in the pass and the runtime: the only difference measured."""
    folder = os.path.join(prefix, "share/gnomon/clang")
    path = os.path.join(directory, name)
    with open(os.path.join(folder, name)) as source, open(path, "w") as target:
        for line in source:
            if not any(word in line for word in ("load-pass-plugin", "-fplugin", "lgnomon")):
                target.write(line.replace("<CFGDIR>", folder))
    return path


# Each is measured against those before it. Where addresses fall is luck as well: the same instructions of `random` take 5.6 or
# 11.7 µs. So against the slower of those. And data lie elsewhere in each run: on an AMD EPYC `triad` took 0.97 to 1.48 µs in the
# same program, the least of it once in fifteen runs. So against their medians.
VARIANTS = ("plain", "pass", "counted")

# Instructions and accesses to memory of a kernel, at most, over those of the variant before it: in a loop nothing is added. Each
# call of a function that draws a number, or sorts a part, finds its rank's variables anew, and counts for itself.
MOST = 1.01
MORE = {("random", "pass"): (1.17, 1.21), ("quicksort", "pass"): (1.03, 1.09), ("quicksort", "counted"): (1.21, 1.19)}
# The functions of the kernels, whose calls callgrind adds up.
FUNCTIONS = {"triad": "triad", "gather": "gather", "stencil": "stencil", "accumulate": "accumulators", "drawMany": "random",
             "moveBody": "body", "sortAll": "quicksort", "_QMfieldsPstencil": "f-stencil", "_QMfieldsPrelax": "f-relax",
             "_QMfieldsPblocked": "f-common"}


def build(arguments):
    """For each source its three programs, by the names of VARIANTS."""
    os.makedirs(arguments.directory, exist_ok=True)
    programs = []
    for compiler, name, source in PROGRAMS:
        variants = {}
        plain = "--config=" + configuration_without_pass(arguments.mini, name, arguments.directory)
        with_pass = "--config-user-dir=" + os.path.join(arguments.mini, "share/gnomon/clang")
        for kind, flag, count in (("plain", plain, "0"), ("pass", with_pass, "0"), ("counted", with_pass, "1")):
            program = os.path.join(arguments.directory, source.split(".")[0] + "." + kind)
            subprocess.run([compiler, flag, arguments.level, ALIGNED, os.path.join(HERE, source), "-o", program], check=True,
                           env=dict(os.environ, GNOMON_COUNT=count))
            variants[kind] = program
        programs.append(variants)
    return programs


def measure(program, rounds, times, results):
    """Adds to times[kernel] what this run took, in nanoseconds."""
    text = subprocess.run([program, str(rounds)], check=True, stdout=subprocess.PIPE,
                          env=dict(os.environ, MINI_RANKS="1")).stdout.decode()
    for line in text.splitlines():
        kernel, time, result = line.split()
        times.setdefault(kernel, []).append(float(time))
        if results.setdefault(kernel, result) != result:
            sys.exit("%s: %s computes %s, not %s" % (program, kernel, result, results[kernel]))


def time(programs, arguments):
    """Runs all in turn, until none is slow any more."""
    times, results = {kind: {} for kind in VARIANTS}, {}
    for _ in range(arguments.attempts):
        for variants in programs:
            for kind in VARIANTS:
                measure(variants[kind], arguments.rounds, times[kind], results)
        slow = ["%s (%s)" % (kernel, kind) for i, kind in enumerate(VARIANTS) if i > 0 for kernel in times[kind]
                if min(times[kind][kernel]) > arguments.limit * max(median(times[before][kernel]) for before in VARIANTS[:i])]
        if not slow:
            break
    print("| kernel | without the pass, ns | with, ns | ratio | counted, ns | ratio |\n|---|---|---|---|---|---|")
    for kernel in times["plain"]:
        plain, private, counted = (min(times[kind][kernel]) for kind in VARIANTS)
        print("| %s | %.0f | %.0f | %.3f | %.0f | %.3f |"
              % (kernel, plain, private, private / plain, counted, counted / private))
    if slow:
        sys.exit("slower than %.2f of the program without: %s" % (arguments.limit, ", ".join(slow)))


def runtime_without_debug_information(arguments):
    """A folder with the mini-runtime as Debian 12's Valgrind can read it."""
    folder = pathlib.Path(arguments.directory) / "runtime"
    folder.mkdir(exist_ok=True)
    library = shutil.copy(pathlib.Path(arguments.mini) / "lib/libgnomon.so", folder)
    subprocess.run(["llvm-objcopy-22", "--strip-debug", library], check=True)
    return folder


def counts_of(program, libraries):
    """Kernel → (instructions, accesses to memory) of a run; and kernel → its result."""
    out = program + ".callgrind"
    stripped = program + ".stripped"
    subprocess.run(["llvm-objcopy-22", "--strip-debug", program, stripped], check=True)
    text = subprocess.run(["valgrind", "--tool=callgrind", "--cache-sim=yes", "--compress-strings=no", "--compress-pos=no",
                           "--callgrind-out-file=" + out, stripped, "1"], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL,
                          env=dict(os.environ, MINI_RANKS="1", LD_LIBRARY_PATH=str(libraries))).stdout.decode()
    counts, kernel = {}, None
    for line in open(out):
        if line.startswith("cfn="):
            kernel = FUNCTIONS.get(line[4:].strip())
        elif kernel and not line.startswith(("calls=", "cfi=", "cob=")):
            # Where it is called, then what the calls cost: instructions, reads, writes, and misses of the caches.
            instructions, reads, writes = map(int, (line.split() + ["0", "0"])[1:4])
            before = counts.get(kernel, (0, 0))
            counts[kernel] = (before[0] + instructions, before[1] + reads + writes)
            kernel = None
    return counts, {line.split()[0]: line.split()[2] for line in text.splitlines()}


def count(programs, arguments):
    """Counts once, since each run counts the same."""
    libraries = runtime_without_debug_information(arguments)
    counts, results = {kind: {} for kind in VARIANTS}, {kind: {} for kind in VARIANTS}
    for variants in programs:
        for kind in VARIANTS:
            new, printed = counts_of(variants[kind], libraries)
            counts[kind].update(new)
            results[kind].update(printed)
    bad = []
    print("| kernel | instructions without the pass | with | counted | accesses without | with | counted |\n|---|---|---|---|---|---|---|")
    for kernel in sorted(FUNCTIONS.values()):
        plain = counts["plain"].get(kernel, (0, 0))
        print("| %s | %d | %s | %d | %s |" % (kernel, plain[0], " | ".join(
            "%.3f" % (counts[kind].get(kernel, (0, 0))[0] / max(plain[0], 1)) for kind in VARIANTS[1:]), plain[1], " | ".join(
            "%.3f" % (counts[kind].get(kernel, (0, 0))[1] / max(plain[1], 1)) for kind in VARIANTS[1:])))
        for before, kind in zip(VARIANTS, VARIANTS[1:]):
            for what, most, old, new in zip(("instructions", "accesses"), MORE.get((kernel, kind), (MOST, MOST)), counts[before].get(kernel, (0, 0)),
                                            counts[kind].get(kernel, (0, 0))):
                if not 0 < new <= most * old:
                    bad.append("%s (%s): %d %s, %d without" % (kernel, kind, new, what, old))
            if results[kind].get(kernel) != results[before].get(kernel) or kernel not in results[kind]:
                bad.append("%s (%s): computes %s, not %s" % (kernel, kind, results[kind].get(kernel), results[before].get(kernel)))
    if bad:
        sys.exit("\n".join(bad))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mini", required=True, help="prefix with the mini-runtime")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--count", action="store_true", help="count instructions and accesses")
    parser.add_argument("--limit", type=float, default=1.05)
    parser.add_argument("--attempts", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--level", default="-O2")
    arguments = parser.parse_args()
    programs = build(arguments)
    count(programs, arguments) if arguments.count else time(programs, arguments)


main()
