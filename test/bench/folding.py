#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What folding (docs/folding.md) saves: a row of a Markdown table for a program with the flag.

    folding.py -n 256 --name "NPB BT class C" --exact ./bt.C.x
    folding.py -n 1024 --name "NPB LU class C" --option=--decisions=lu.dec ./lu.C.x

The program runs under `gnomon run -n RANKS --shadow`, with each of the modes of `--compute` that are asked for
(`--compute none,measured`):

  asked    bytes that all ranks allocate at places which the link knows, over the whole run
  shared   of those, what ranks share
  peak     the most memory that the process had at once, by the run's summary
  factor   asked / peak
  trace    with --exact: whether the communication trace of the mode none is that of a run that executes everything, byte
           for byte

The exit code is 1 when a trace differs or a run fails, 2 for arguments that cannot be used."""
import argparse
import filecmp
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import json_schema  # noqa: E402

HEAD = ("program", "ranks", "--compute", "asked", "shared", "peak", "factor", "wall s", "trace")


def mebibytes(number):
    return f"{number / (1 << 20):,.0f} MiB"


class Failure(Exception):
    pass


def run(arguments, kind, options, scratch):
    """The JSON of a run and its wall seconds."""
    summary = scratch / f"{kind}.json"
    command = [arguments.gnomon, "run", "-n", str(arguments.ranks), "--json", str(summary), *options, *arguments.option,
               *arguments.program]
    began = time.monotonic()
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            cwd=arguments.folder, text=True, errors="replace", check=False)
    if result.returncode:
        raise Failure(f"{kind}: exit code {result.returncode}: {result.stderr.strip()[-400:]}")
    seconds = time.monotonic() - began
    json_schema.written(command, scratch, Path(shutil.which(arguments.gnomon)).resolve().parent.parent)
    return json.loads(summary.read_text()), seconds


def row(arguments, mode, exact_trace, scratch):
    trace = scratch / f"{mode}.trace"
    compared = exact_trace and mode == "none"
    options = ["--shadow", f"--compute={mode}", *(["--comm-trace", str(trace)] if compared else [])]
    summary, seconds = run(arguments, mode, options, scratch)
    folding, peak = summary["bursts"]["folding"], summary["host"]["peak_rss_bytes"]
    equal = filecmp.cmp(exact_trace, trace, shallow=False) if compared else None
    cells = (arguments.name, arguments.ranks, mode, mebibytes(folding["bytes"]), mebibytes(folding["folded_bytes"]),
             mebibytes(peak), f"{folding['bytes'] / peak:.1f}", f"{seconds:.1f}",
             "" if equal is None else "equal" if equal else "DIFFERS")
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
    return equal is not False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--ranks", type=int, required=True)
    parser.add_argument("--name", required=True, help="of the row")
    parser.add_argument("--compute", default="none,measured", help="modes, joined by commas (none,measured)")
    parser.add_argument("--option", action="append", default=[], help="for each run, such as --option=--fold=off")
    parser.add_argument("--exact", action="store_true", help="compare the trace with that of an executed run")
    parser.add_argument("--folder", default=".", help="where the program runs")
    parser.add_argument("--gnomon", default="gnomon")
    parser.add_argument("--head", action="store_true", help="write the head of the table first")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.program:
        parser.error("a program is missing")
    if arguments.head:
        print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        exact = None
        try:
            if arguments.exact:
                exact = scratch / "exact.trace"
                run(arguments, "exact", ["--compute=none", "--comm-trace", str(exact)], scratch)
            rows = [row(arguments, mode, exact, scratch) for mode in arguments.compute.split(",")]
        except Failure as failure:
            sys.exit(f"{arguments.name}: {failure}")
        sys.exit(0 if all(rows) else 1)


if __name__ == "__main__":
    main()
