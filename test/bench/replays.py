#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the table of replays in docs/performance/replay.md: actions a processor second and peak memory of
`gnomon replay`, beside SMPI's replay of the same text where it is installed.

    test/bench/replays.py [--prefix PREFIX] [--smpi] [CASE…]
    test/bench/replays.py --long build/release/runtime/trace/lu-trace     10^9 actions on 16,384 ranks; some 8 CPU minutes

The traces are those of a wavefront as NPB LU has it: sweeps over a grid of ranks and back with a computation and two
messages a step, an exchange with neighbours, a sum of all every tenth iteration."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

import json_schema  # noqa: E402

PLANES = 31
# Columns, rows, iterations.
CASES = {"64 ranks": (8, 8, 250), "1,024 ranks": (32, 32, 10), "16,384 ranks": (128, 128, 1)}


def actions(columns, rows, iterations, rank):
    x, y = rank % columns, rank // columns
    north, south = (rank - columns if y else None), (rank + columns if y + 1 < rows else None)
    west, east = (rank - 1 if x else None), (rank + 1 if x + 1 < columns else None)
    yield "init"
    for iteration in range(iterations):
        for tag, before, behind in ((0, (north, west), (south, east)), (1, (south, east), (north, west))):
            for _ in range(PLANES):
                yield from (f"recv {peer} {tag} 150 6" for peer in before if peer is not None)
                yield "compute 60000"
                yield from (f"send {peer} {tag} 150 6" for peer in behind if peer is not None)
        peers = [peer for peer in (north, south, west, east) if peer is not None]
        yield from (f"irecv {peer} 2 2500 6" for peer in peers)
        yield from (f"send {peer} 2 2500 6" for peer in peers)
        yield from (f"wait {peer} {rank} 2" for peer in peers)
        if iteration % 10 == 0:
            yield "allreduce 5 0 6"
    yield "finalize"


def write_text(folder, columns, rows, iterations):
    """The list of the ranks' files, and how many actions these have."""
    names, count = [], 0
    for rank in range(columns * rows):
        lines = [f"{rank} {action}\n" for action in actions(columns, rows, iterations, rank)]
        count += len(lines)
        names.append(folder / f"{rank}.txt")
        names[-1].write_text("".join(lines))
    index = folder / "trace.idx"
    index.write_text("".join(f"{name}\n" for name in names))
    return index, count


def write_platform(folder, ranks):
    platform, hosts = folder / "platform.xml", folder / "hosts"
    platform.write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="node-" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="1.25GBps" lat="5us" bb_bw="12.5GBps"
           bb_lat="1us" sharing_policy="SPLITDUPLEX" bb_sharing_policy="SHARED"/>
</platform>
""")
    hosts.write_text("".join(f"node-{rank}\n" for rank in range(ranks)))
    return platform, hosts


def replay(gnomon, folder, trace, *options):
    """CPU seconds, peak memory in MB, simulated seconds: the best of three."""
    best = None
    for _ in range(3):
        command = [gnomon, "replay", "-q", "--json", folder / "summary.json", *options, trace]
        subprocess.run(command, check=True)
        json_schema.written(command, prefix=gnomon.parent.parent)
        summary = json_schema.validate((folder / "summary.json").read_text(), "run", gnomon.parent.parent)
        host = summary["host"]
        figures = (host["cpu_seconds"], host["peak_rss_bytes"] / 1e6, summary["simulated_time"])
        best = min(best or figures, figures)
    return best


def long_replays(gnomon, lu_trace):
    """Whether memory depends on how long a trace is: a hundred times the actions on the same ranks."""
    print("| actions | file | CPU s | million actions a CPU s | peak |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        trace, summary = pathlib.Path(scratch) / "lu.gtr", pathlib.Path(scratch) / "summary.json"
        for iterations in (2, 20, 192):
            made = subprocess.run([lu_trace, trace, "128", "128", str(iterations)], check=True, capture_output=True, text=True)
            command = [gnomon, "replay", "-q", "--network", "loggps", "--platform", "cluster:n=16384,bw=10Gbps,lat=5us",
                       "--json", summary, trace]
            subprocess.run(command, check=True)
            host = json_schema.validate(summary.read_text(), "run", gnomon.parent.parent)["host"]
            count, seconds = int(made.stdout), host["cpu_seconds"]
            print(f"| {count:,} | {trace.stat().st_size:,} B | {seconds:.2f} | {count / seconds / 1e6:.2f} | "
                  f"{host['peak_rss_bytes']:,} B |", flush=True)


def smpi(folder, index, ranks, platform, hosts):
    before = os.times()
    result = subprocess.run(["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts,
                             "--cfg=smpi/coll-selector:ompi", "--cfg=smpi/host-speed:1Gf", "-replay", index,
                             "/usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain"],
                            cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    if result.returncode:
        return 0, f"exit code {result.returncode}"
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return seconds, float(re.search(r"Simulation time ([0-9.]+)", result.stdout + result.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.environ.get("GNOMON_PREFIX", "build/release/prefix"))
    parser.add_argument("--smpi", action="store_true", help="run SMPI's replay too (64 ranks: some 15 s)")
    parser.add_argument("cases", nargs="*", help=", ".join(CASES))
    parser.add_argument("--long", metavar="LU_TRACE", help="the program lu-trace: replays of 10^7 to 10^9 actions, and no others")
    arguments = parser.parse_args()
    gnomon = pathlib.Path(arguments.prefix).resolve() / "bin/gnomon"
    if arguments.long:
        long_replays(gnomon, pathlib.Path(arguments.long).resolve())
        return
    print("| trace | actions | file | model | CPU s | million actions a CPU s | peak | simulated s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in arguments.cases or CASES:
        columns, rows, iterations = CASES[name]
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            index, count = write_text(folder, columns, rows, iterations)
            platform, hosts = write_platform(folder, columns * rows)
            trace = folder / "trace.gtr"
            subprocess.run([gnomon, "trace", "convert", index, trace], check=True)
            where = ["--platform", platform, "--hostfile", hosts]
            for model in ("smpi", "loggps"):
                seconds, megabytes, simulated = replay(gnomon, folder, trace, *where, "--network", model)
                print(f"| {name} | {count:,} | {trace.stat().st_size:,} B | {model} | {seconds:.2f} | {count / seconds / 1e6:.2f} "
                      f"| {megabytes:.0f} MB | {simulated:.9g} |", flush=True)
            if arguments.smpi and shutil.which("smpirun"):
                seconds, simulated = smpi(folder, index, columns * rows, platform, hosts)
                rate = f"{count / seconds / 1e6:.2f}" if seconds else ""
                print(f"| {name} | {count:,} | text | SMPI itself | {seconds:.2f} | {rate} |  | {simulated} |", flush=True)


if __name__ == "__main__":
    main()
