#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a rank takes in memory that keeps next to nothing: ranks.c, whose ranks have 1 KiB of globals, with nothing computed.

    ranks.py --prefix build/release/prefix [-n 65536,131072] [barrier allreduce halo]

prints a row for each pattern and number of ranks: the peak of the run's memory with the kernel's tables of pages, and what that is for a
rank. A million ranks take more memory than many machines have: limit it first (`ulimit -v`, in KiB).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402

# --coll: recursive doubling, which every MPI has.
PATTERNS = {"barrier": [], "allreduce": ["--coll=allreduce:rdb"], "halo": []}


def host_figures(gnomon, options, directory):
    """What a run with these options, the program among them, says of its memory and time."""
    file = directory / "run.json"
    command = [gnomon, "run", "--quiet", "--compute=none", "--json", file, *options]
    if code := subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {code}")
    json_schema.written([str(part) for part in command], directory, gnomon.parent.parent)
    return json.loads(file.read_text())["host"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("-n", dest="ranks", default="65536", help="numbers of ranks, with commas between")
    parser.add_argument("pattern", nargs="*", default=list(PATTERNS), help=f"of {', '.join(PATTERNS)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.pattern) - set(PATTERNS):
        parser.error(f"no pattern '{unknown.pop()}'; there are {', '.join(PATTERNS)}")
    gnomon = options.prefix.absolute() / "bin/gnomon"
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "ranks"
        subprocess.run([gnomon, "cc", "-O2", HERE / "ranks.c", "-o", program], check=True)
        print("pattern      ranks   peak MB  bytes a rank  CPU s")
        for pattern in options.pattern:
            for ranks in map(int, options.ranks.split(",")):
                given = ["-n", str(ranks), *PATTERNS[pattern], program, pattern]
                host = host_figures(gnomon, given, pathlib.Path(scratch))
                peak = host["peak_rss_bytes"]
                print(f"{pattern:<10} {ranks:>7} {peak / 1e6:>9.1f} {peak / ranks:>13.0f} {host['cpu_seconds']:>6.1f}", flush=True)


if __name__ == "__main__":
    main()
