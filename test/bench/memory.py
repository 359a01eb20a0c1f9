#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --merge-pages gives and takes: a program is run with and without it, with counted computation, and compared.

    memory.py --prefix build/release/prefix [--pss] -n 64,256 ./app ARGUMENTS

prints a row for each number of ranks: the peak of memory and the CPU time of both runs, what was merged, and whether simulated
time, exit code and all MPI calls are the same (else it fails). With --pss the peak is that of /proc/PID/smaps_rollup, read five times a
second: the kernel's own account, in which a page that is shown in many places counts once. It slows the run down.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

import json_schema  # noqa: E402

MIB = 1 << 20


def pss_bytes(pid):
    """What the process has in memory; 0 when it is gone."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def run(arguments, ranks, options):
    """The JSON of a run, its exit code and MPI calls, and its peak."""
    with tempfile.TemporaryDirectory() as scratch:
        file, trace = pathlib.Path(scratch) / "run.json", pathlib.Path(scratch) / "trace"
        command = [arguments.prefix / "bin/gnomon", "run", "-n", ranks, "-q", f"--compute={arguments.compute}", "--json", file, "--comm-trace", trace,
                   *options, *arguments.program]
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        peak = 0
        while arguments.pss and process.poll() is None:
            peak = max(peak, pss_bytes(process.pid))
            time.sleep(0.2)
        if process.wait() != 0 and not file.is_file():
            sys.exit(f"{command}: exit code {process.returncode}")
        json_schema.written([str(part) for part in command], scratch, arguments.prefix.resolve())
        result, calls = json.loads(file.read_text()), (process.returncode, trace.read_bytes())
    return result, calls, peak or result["host"]["peak_rss_bytes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("--pss", action="store_true")
    parser.add_argument("--compute", default="counted")
    parser.add_argument("-n", dest="ranks", default="16")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    print("ranks  peak MiB  merged MiB  factor  CPU s  merged  looks s   looked at   merged     zero    split  mappings  same")
    same = True
    for ranks in arguments.ranks.split(","):
        plain, calls, before = run(arguments, ranks, [])
        merged, merged_calls, after = run(arguments, ranks, ["--merge-pages"])
        what = merged["host"]["merging"]
        equal = plain["simulated_time"] == merged["simulated_time"] and calls == merged_calls
        same &= equal
        print(f"{ranks:>5}  {before / MIB:8.1f}  {after / MIB:10.1f}  {before / after:6.2f}  {plain['host']['cpu_seconds']:5.2f}  "
              f"{merged['host']['cpu_seconds']:6.2f}  {what['cpu_seconds']:7.2f}  {what['pages_looked_at']:10}  {what['pages_merged']:7}  "
              f"{what['pages_zero']:7}  {what['pages_split']:7}  {what['mappings']:8}  {'yes' if equal else 'NO'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
