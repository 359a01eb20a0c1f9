#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a simulated message costs: the processor's instructions, and the cache lines that are fetched from beyond a cache of 1 MiB.

Valgrind's cachegrind counts both. They depend on the program and the compiler, not on what else the machine does; so a change of
some percent of the instructions is seen where a clock sees noise. The cost of a message is the difference between two runs
of different length, divided by the messages: starting and ending are no part of it.

    message_cost.py --prefix build/release/prefix     prints the table for that installation
    message_cost.py --check --build lto               fails when a cost has grown over expected.json (of a build with GNOMON_LTO)
    message_cost.py --update --build lto              writes expected.json; docs/performance/messages.md says why
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.json"
# Over this factor a cost has grown. Instructions differ by a few between processors (the C library's functions for memory); lines by
# where things happen to lie, which changes with each build: by a quarter in allreduce, whose ranks nearly fit into the cache.
TOLERANCE = {"instructions": 1.03, "lines": 1.5}
# So many lines more or less are nothing: patterns that stay in the cache miss next to none.
FEW_LINES = 0.5
CACHE = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64"]

# Name: ranks, rounds of the short and of the long run, messages a round, options.
PATTERNS = {
    "ping": (2, 100, 2100, 2, []),
    "ring": (2048, 1, 5, 2048, []),
    "halo": (256, 2, 22, 512, []),
    "allreduce": (256, 2, 12, 256 * 8, ["--coll=allreduce:rdb"]),
    "alltoall": (32, 2, 12, 32 * 31, ["--coll=alltoall:pair"]),
}


def platform(directory, hosts):
    file = directory / f"cluster-{hosts}.xml"
    file.write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="node-" suffix="" radical="0-{hosts - 1}" speed="1Gf" bw="1.25GBps" lat="5us"
           bb_bw="12.5GBps" bb_lat="1us" sharing_policy="SPLITDUPLEX" bb_sharing_policy="SHARED"/>
</platform>
""")
    return file


def counted(gnomon, program, directory, pattern, rounds):
    """(instructions, lines missed) of a whole run."""
    ranks, _, _, _, options = PATTERNS[pattern]
    command = ["valgrind", "--trace-children=yes", "--tool=cachegrind", *CACHE, "--cachegrind-out-file=/dev/null",
               gnomon, "run", "--quiet", "-n", str(ranks), "--platform", platform(directory, ranks), "--compute=none", *options,
               program, pattern, str(rounds)]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    numbers = [re.search(rf"{what}:\s+([\d,]+)", result.stderr) for what in ("I\\s+refs", "LLd misses")]
    if result.returncode != 0 or not all(numbers):
        sys.exit(f"{' '.join(map(str, command))}\nexit code {result.returncode}\n{result.stdout}{result.stderr}")
    return [int(number.group(1).replace(",", "")) for number in numbers]


def without_debug_information(prefix, copy):
    """Of another version than Debian 12's Valgrind can read."""
    shutil.copytree(prefix, copy, symlinks=True)
    for file in ("bin/gnomon", "lib/libgnomon.so"):
        subprocess.run(["llvm-objcopy-22", "--strip-debug", copy / file], check=True)
    return copy


def measure(prefix, patterns):
    costs = {}
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        gnomon = without_debug_information(prefix, directory / "prefix") / "bin/gnomon"
        program = directory / "patterns"
        subprocess.run([gnomon, "cc", "-O2", HERE / "patterns.c", "-o", program], check=True)
        for pattern in patterns:
            _, short, long, messages, _ = PATTERNS[pattern]
            few, many = (counted(gnomon, program, directory, pattern, rounds) for rounds in (short, long))
            instructions, lines = ((b - a) / (messages * (long - short)) for a, b in zip(few, many))
            costs[pattern] = {"instructions": round(instructions), "lines": round(lines, 1)}
            print(f"{pattern:10} {costs[pattern]['instructions']:6} instructions {costs[pattern]['lines']:6} lines a message", flush=True)
    return costs


def grown(costs, expected):
    for pattern, cost in costs.items():
        for what, factor in TOLERANCE.items():
            limit = expected[pattern][what] * factor + (FEW_LINES if what == "lines" else 0)
            if cost[what] > limit:
                yield f"{pattern}: {cost[what]} {what} a message, {expected[pattern][what]} expected"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, default=os.environ.get("GNOMON_PREFIX"),
                        help="where Gnomon is installed (default: $GNOMON_PREFIX)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="fail when a cost has grown")
    what.add_argument("--update", action="store_true", help="write expected.json")
    parser.add_argument("--build", choices=("plain", "lto"), default="plain",
                        help="how libgnomon is linked, with GNOMON_LTO or without: expected.json has both (default: plain)")
    parser.add_argument("pattern", nargs="*", default=list(PATTERNS), help=f"of {', '.join(PATTERNS)} (default: all)")
    options = parser.parse_args()
    if not options.prefix:
        parser.error("give --prefix, or set GNOMON_PREFIX")
    if unknown := set(options.pattern) - set(PATTERNS):
        parser.error(f"no pattern '{unknown.pop()}'; there are {', '.join(PATTERNS)}")
    costs = measure(pathlib.Path(options.prefix).absolute(), options.pattern)
    if options.update:
        known = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
        known[options.build] = known.get(options.build, {}) | costs
        EXPECTED.write_text(json.dumps(known, indent=1) + "\n")
    if options.check and (messages := list(grown(costs, json.loads(EXPECTED.read_text())[options.build]))):
        sys.exit("\n".join(["FAILED: messages cost more than before:", *messages,
                            "If that must be: message_cost.py --update, and why in docs/performance/messages.md."]))


if __name__ == "__main__":
    main()
