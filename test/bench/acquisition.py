#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tracing a real run costs, and how far its volumes are from a simulated recording's.

usage: acquisition.py MPI RANKS ROUNDS PLAIN TRACED SIMULATED

PLAIN is a program built for MPI (mpich, openmpi) without any flag of ours, TRACED the same with `gnomon --trace-flag`, SIMULATED
with `gnomon --flag`. Each prints `Time in seconds = T`, as the NAS Parallel Benchmarks do. In turns, ROUNDS times: PLAIN alone,
PLAIN traced (CPU time or the processor's instructions), TRACED alone, TRACED traced (counters); the least time of each is told.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
sys.path.insert(0, str(PREFIX / "share/gnomon/python"))

import gnomon_trace  # noqa: E402


def run_real(mpi, ranks, program, folder, traced):
    library = PREFIX / f"lib/libgnomon-trace-{mpi}.so"
    environment = {**os.environ, "GNOMON_TRACE_FILE": f"{folder}/real", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if mpi == "openmpi":
        line = ["mpirun.openmpi", "--oversubscribe", "-x", "GNOMON_TRACE_FILE", *(["-x", f"LD_PRELOAD={library}"] if traced else [])]
    else:
        line = ["mpirun.mpich", *(["-env", "LD_PRELOAD", str(library)] if traced else [])]
    result = subprocess.run([*line, "-n", ranks, program], env=environment, check=True, capture_output=True, text=True)
    return float(re.search(r"Time in seconds *= *([\d.]+)", result.stdout)[1])


def computations(path, ranks):
    """What each rank computed between two calls, the readings of clocks left out."""
    trace = gnomon_trace.Trace(path)
    with trace.file:
        for rank in range(ranks):
            computed = 0.0
            for record in trace.records(rank):
                if record.name in ("compute", "part"):
                    computed += record.values["instructions"]
                elif record.name not in ("clock", "poll", "until"):
                    yield computed
                    computed = 0.0


def main(mpi, ranks, rounds, plain, traced, simulated):
    with tempfile.TemporaryDirectory() as folder:
        kinds = {"plain": (plain, False), "plain, traced": (plain, True), "counters": (traced, False), "counters, traced": (traced, True)}
        times = {kind: [] for kind in kinds}
        for _ in range(int(rounds)):
            for kind, (program, is_traced) in kinds.items():
                times[kind].append(run_real(mpi, ranks, program, folder, is_traced))
        for kind, seconds in times.items():
            least = min(seconds)
            print(f"{kind:18} {least:8.2f} s  {100 * (least / min(times['plain']) - 1):+6.1f} % of plain   all: {sorted(seconds)}")
        files = sorted(str(path) for path in pathlib.Path(folder).glob("real.*.gtr"))
        subprocess.run([GNOMON, "trace", "merge", "-o", f"{folder}/acquired", *files], check=True)
        subprocess.run([GNOMON, "run", "-n", ranks, "--compute=counted", "--trace", f"{folder}/recorded", simulated], check=True,
                       capture_output=True)
        same = subprocess.run([GNOMON, "trace", "cmp", "--no-volumes", f"{folder}/acquired", f"{folder}/recorded"]).returncode == 0
        pairs = list(zip(computations(f"{folder}/acquired", int(ranks)), computations(f"{folder}/recorded", int(ranks))))
    worst = max(abs(a - b) / max(a, b) for a, b in pairs if max(a, b) > 0)
    moved = sum(abs(a - b) for a, b in pairs) / sum(b for _, b in pairs)
    beyond = sum(abs(a - b) > 0.01 * b for a, b in pairs)
    print(f"calls are {'the same' if same else 'NOT the same'}; {len(pairs)} computations, {beyond} more than 1 % off, the worst "
          f"{100 * worst:.3f} %, all together {100 * moved:.5f} %")


if __name__ == "__main__":
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    main(*sys.argv[1:])
