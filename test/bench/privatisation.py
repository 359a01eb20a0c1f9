#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What do privatised access and counted instructions cost? Links the kernels without the pass, with it but without counters, and
with both (same compiler, same options, same link-time optimisation), and runs the three in turn. Prints a Markdown table of the best
times; fails when a kernel's best is slower than --limit times the median of the variants before it although measured --attempts
times, or when a result differs."""
import argparse
import os
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mini", required=True, help="prefix with the mini-runtime")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--limit", type=float, default=1.05)
    parser.add_argument("--attempts", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--level", default="-O2")
    arguments = parser.parse_args()
    programs = build(arguments)
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


main()
