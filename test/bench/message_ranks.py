#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a message takes among many ranks, beside what it takes among few: CPU time, the start of the ranks taken off.

    message_ranks.py --prefix build/release/prefix [-n 64,16384,65536] [--repeats 5] [ring allreduce halo]

The cost of a message is the difference between a long and a short run, divided by the messages between them; of each the
least of so many runs, all numbers of ranks in turn. The bar: among 65,536 ranks at most twice what it is among 64.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "message-cost"))

import message_cost  # noqa: E402
from ranks import host_figures  # noqa: E402

SOURCE = HERE.parent / "message-cost/patterns.c"
# Messages that each rank sends in a round; recursive doubling sends one for each bit of the number of ranks.
SENT = {"ring": lambda ranks: 1, "allreduce": lambda ranks: ranks.bit_length() - 1, "halo": lambda ranks: 2}
# So many between the short run, of one round, and the long one.
MESSAGES = 4_000_000
BAR = 2


def cpu_seconds(gnomon, program, platform, pattern, ranks, rounds, directory):
    options = ["-n", str(ranks), "--platform", platform, *message_cost.PATTERNS[pattern][-1], program, pattern, str(rounds)]
    return host_figures(gnomon, options, directory)["cpu_seconds"]


def costs(gnomon, program, pattern, counts, repeats, directory):
    """Seconds a message, by number of ranks."""
    platforms = {ranks: message_cost.platform(directory, ranks) for ranks in counts}
    rounds = {ranks: max(2, MESSAGES // (ranks * SENT[pattern](ranks))) for ranks in counts}
    least = {}
    for _ in range(repeats):
        for ranks in counts:
            for many in (1, 1 + rounds[ranks]):
                took = cpu_seconds(gnomon, program, platforms[ranks], pattern, ranks, many, directory)
                least[ranks, many] = min(took, least.get((ranks, many), took))
    return {ranks: (least[ranks, 1 + rounds[ranks]] - least[ranks, 1]) / (rounds[ranks] * ranks * SENT[pattern](ranks))
            for ranks in counts}


def powers_of_two(text):
    counts = [int(part) for part in text.split(",")]
    if any(ranks < 2 or ranks & (ranks - 1) for ranks in counts):
        raise argparse.ArgumentTypeError(f"'{text}': recursive doubling's messages are counted for powers of two, such as 64,65536")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("-n", dest="ranks", type=powers_of_two, default=[64, 16384, 65536], help="numbers of ranks, powers of two")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the least counts (default: 5)")
    parser.add_argument("pattern", nargs="*", default=list(SENT), help=f"of {', '.join(SENT)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.pattern) - set(SENT):
        parser.error(f"no pattern '{unknown.pop()}'; there are {', '.join(SENT)}")
    gnomon = options.prefix.absolute() / "bin/gnomon"
    print("| pattern | ranks | us a message | by the first |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        program = directory / "patterns"
        subprocess.run([gnomon, "cc", "-O2", SOURCE, "-o", program], check=True)
        for pattern in options.pattern:
            found = costs(gnomon, program, pattern, options.ranks, options.repeats, directory)
            first = found[options.ranks[0]]
            for ranks, seconds in found.items():
                missed = "" if seconds <= BAR * first else ", missed"
                print(f"| {pattern} | {ranks:,} | {1e6 * seconds:.3f} | {seconds / first:.2f}{missed} |", flush=True)


if __name__ == "__main__":
    main()
