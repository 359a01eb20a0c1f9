#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What does privatised access cost? Links the kernels with and without the pass (same compiler, same options, same link-time
optimisation), runs the two in turn, and compares the best times. Prints a Markdown table; fails when a kernel is slower than
--limit although measured --attempts times, or when a result differs."""
import argparse
import os
import subprocess
import sys

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


def build(arguments):
    """Pairs of programs: without and with the pass."""
    os.makedirs(arguments.directory, exist_ok=True)
    pairs = []
    for compiler, name, source in PROGRAMS:
        pair = []
        plain = "--config=" + configuration_without_pass(arguments.mini, name, arguments.directory)
        with_pass = "--config-user-dir=" + os.path.join(arguments.mini, "share/gnomon/clang")
        for kind, flag in (("plain", plain), ("pass", with_pass)):
            program = os.path.join(arguments.directory, source.split(".")[0] + "." + kind)
            subprocess.run([compiler, flag, arguments.level, ALIGNED, os.path.join(HERE, source), "-o", program], check=True)
            pair.append(program)
        pairs.append(pair)
    return pairs


def measure(program, rounds, best, results):
    """Lowers best[kernel] to what this run took, in nanoseconds."""
    text = subprocess.run([program, str(rounds)], check=True, stdout=subprocess.PIPE,
                          env=dict(os.environ, MINI_RANKS="1")).stdout.decode()
    for line in text.splitlines():
        kernel, time, result = line.split()
        best[kernel] = min(float(time), best.get(kernel, float("inf")))
        if results.setdefault(kernel, result) != result:
            sys.exit("%s: %s computes %s, not %s" % (program, kernel, result, results[kernel]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mini", required=True, help="prefix with the mini-runtime")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--limit", type=float, default=1.05)
    parser.add_argument("--attempts", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--level", default="-O2")
    arguments = parser.parse_args()
    pairs = build(arguments)
    plain, private, results = {}, {}, {}
    for _ in range(arguments.attempts):
        for without, with_pass in pairs:
            measure(without, arguments.rounds, plain, results)
            measure(with_pass, arguments.rounds, private, results)
        slow = [kernel for kernel in plain if private[kernel] > arguments.limit * plain[kernel]]
        if not slow:
            break
    print("| kernel | without the pass, ns | with, ns | ratio |\n|---|---|---|---|")
    for kernel in plain:
        print("| %s | %.0f | %.0f | %.3f |" % (kernel, plain[kernel], private[kernel], private[kernel] / plain[kernel]))
    if slow:
        sys.exit("slower than %.2f of the program without the pass: %s" % (arguments.limit, ", ".join(slow)))


main()
