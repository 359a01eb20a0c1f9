#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs MPICH's own test suite (test/mpi of Debian's source package mpich) with Gnomon's compilers and mpiexec.

The suite is fetched, configured and built in a directory that is no part of this repository; its `runtests` builds, runs and
judges each line of its testlist files. A line that fails must be in expected.txt, with its reason; lines that pass now
are named, so that they are taken out of it (--shrink does it)."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shlex
import sys
import tempfile

import lines as suite_lines
import source

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.txt"
SUBSET = ("attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "pt2pt", "topo")
SKIPPED = 77


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, default=os.environ.get("GNOMON_PREFIX", HERE.parents[1] / "build/dev/prefix"),
                        help="Gnomon's installation (default: GNOMON_PREFIX, else build/dev/prefix)")
    parser.add_argument("--only", metavar="CATEGORY,…", help="these categories of " + ", ".join(suite_lines.CATEGORIES))
    parser.add_argument("--subset", action="store_true", help="the fast categories that every test run does: " + ", ".join(SUBSET))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time (default: the processors)")
    parser.add_argument("--limit", type=int, default=100, metavar="SECONDS",
                        help="processor time of a test that ends a hang, 100 by default; six times that and a minute by the clock")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="work in DIR and keep it: a second run fetches nothing")
    parser.add_argument("--prepare", action="store_true", help="fetch and configure the suite in --keep's folder, and run nothing")
    parser.add_argument("--shrink", action="store_true", help="take out of expected.txt what passes now, renew the reasons")
    options = parser.parse_args()
    if options.prepare and not options.keep:
        parser.error("--prepare needs --keep DIR: what is prepared would be gone")
    return options


def chosen(options):
    if options.only:
        names = options.only.split(",")
        unknown = sorted(set(names) - set(suite_lines.CATEGORIES))
        if unknown:
            sys.exit(f"mpich.py: unknown category {unknown[0]}; there are {', '.join(suite_lines.CATEGORIES)}")
        return names
    return SUBSET if options.subset else suite_lines.CATEGORIES


def read_expected(path=EXPECTED):
    """Key of a line, or `category/*`, → the reason why it is known to fail."""
    entries = (t for t in path.read_text().splitlines() if t and not t.startswith("#"))
    return dict(entry.split(" : ", 1) for entry in entries)


def shrink(results, path=EXPECTED):
    """Renews the reasons of what still fails, removes what passes; never adds. A reason that somebody found in the test itself
    ("the test …") stays."""
    new = {line.key: why for line, why, _ in results}
    kept = []
    for text in path.read_text().splitlines():
        key = text.split(" : ", 1)[0]
        if text.startswith("#") or key not in new or (new[key] and " : the test " in text):
            kept.append(text)
        elif new[key]:
            kept.append(f"{key} : {new[key]}")
    path.write_text("\n".join(kept) + "\n")


def write_mpiexec(directory, prefix, limit):
    """The mpiexec that runtests is given: ours, within a time limit; its exit code goes to a file, since runtests does not tell a
    test that must fail from one that is killed. A second more, so that what waits for mpiexec's own limit (init/timeout) sees it."""
    script = directory / "mpiexec"
    ours = shlex.quote(str(prefix / "libexec/gnomon/bin/mpiexec"))
    script.write_text(f'#!/bin/sh\nseconds=$((${{GNOMON_MPICH_LIMIT:-{limit}}} + GNOMON_MPICH_MORE))\nulimit -S -t $((seconds + 1))\nulimit -c 0\n'
                      f'timeout -k 2 $((6 * seconds + 60)) {ours} "$@"\ncode=$?\n'
                      'echo $code >"$GNOMON_MPICH_CODE"\nexit $code\n')
    script.chmod(0o755)
    return script


def endless(expected):
    """The lines that are known to run into the time limit, whatever it is: nobody waits for it. --shrink does."""
    return {key for key, why in expected.items() if why.endswith("time limit")}


def prepare(options, directory):
    """Fetches and configures the suite, once; the folders of its sources and of its build."""
    suite = source.fetch(directory)
    return suite, source.configure(suite, directory, options.prefix, options.jobs)


def run_all(options, directory, categories):
    suite, build = prepare(options, directory)
    if options.prepare:
        return []
    runner = suite_lines.Runner(build, suite, write_mpiexec(directory, options.prefix, options.limit), directory, options.jobs,
                                source.memory_gigabytes(), set() if options.shrink else endless(read_expected()))
    found = [line for category in categories for line in suite_lines.read(category, build, suite)]
    groups = suite_lines.units(found)
    # The longest first: an io folder is one group.
    order = sorted(range(len(groups)), key=lambda i: (-len(groups[i]), i))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = dict(zip(order, pool.map(lambda i: runner(groups[i], i), order)))
    return [result for i in range(len(groups)) for result in done[i]]


def table(results):
    lines, passed, seconds = collections.Counter(), collections.Counter(), collections.Counter()
    for line, why, took in results:
        lines[line.category] += 1
        passed[line.category] += why is None
        seconds[line.category] += took
    rows = [("category", "passed", "lines", "seconds")]
    rows += [(name, str(passed[name]), str(lines[name]), f"{seconds[name]:.1f}") for name in lines]
    rows.append(("all", str(passed.total()), str(lines.total()), f"{sum(seconds.values()):.1f}"))
    return "\n".join(f"{name:<10}{good:>8}{count:>8}{took:>10}" for name, good, count, took in rows)


def judge(results, expected):
    """Prints what is not as expected; the exit code."""
    failed = {line.key: why for line, why, _ in results if why}
    new = {key: why for key, why in failed.items() if key not in expected and f"{key.split('/')[0]}/*" not in expected}
    gone = [line.key for line, why, _ in results if why is None and line.key in expected]
    for key in gone:
        print(f"passes now, take it out of expected.txt (--shrink): {key}")
    for key, why in new.items():
        print(f"FAILS, and is not in expected.txt: {key} : {why}")
    return 1 if new else 0


def main():
    options = arguments()
    options.prefix = options.prefix.resolve()
    categories = chosen(options)
    if not (options.prefix / "bin/gnomon").is_file():
        sys.exit(f"mpich.py: no bin/gnomon under {options.prefix}; name the installation with --prefix")
    with tempfile.TemporaryDirectory(prefix="gnomon-mpich-") as scratch:
        directory = (options.keep or pathlib.Path(scratch)).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        try:
            results = run_all(options, directory, categories)
        except source.Unavailable as why:
            print(f"SKIPPED: MPICH's source package cannot be had: {why}")
            sys.exit(SKIPPED)
        except source.Broken as why:
            sys.exit(f"mpich.py: {why}")
        if options.prepare:
            return
        failures = "".join(f"{line.key} : {why}\n" for line, why, _ in results if why)
        (directory / "failed.txt").write_text(failures)
    print(table(results))
    if not results:
        sys.exit("mpich.py: the suite has no line of these categories")
    code = judge(results, read_expected())
    if options.shrink:
        shrink(results)
    sys.exit(code)


if __name__ == "__main__":
    main()
