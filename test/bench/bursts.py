#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What skipping bursts keeps, costs and gains: Markdown tables for docs/validation.md and
docs/performance/bursts.md, of programs that are already built with the flag.

LIST is a text file with a line for each program, `#` begins a comment:

    name: ranks: command

The command runs in the folder of its program (for the sake of input files) under `gnomon run -n ranks`. With `-` for the ranks it
is measured as it is, to stand beside the others in the table of gains (`SMPI, annotated: -: smpirun …`).

Tables (--tables, all by default):
  traces    is the communication with skipping the one without, byte for byte?
  accuracy  simulated time with skipping against simulated time with everything executed, at a fixed --host-speed
  repeats   how far repetitions of either kind lie apart, (max - min) / median, and in how many of them the interval
            that the run states for its computation, divided by the ranks, holds the median executed
  gain      wall time and CPU time (user and system, of the process) without skipping over those with skipping
  overhead  CPU time of the run with skipping for each skipped instance of a burst: an upper bound of what a skip costs

Runs of the two kinds alternate, so that a change of the machine's speed meets both. The exit code is 1 when a trace or an exit
code differs or a program fails, 2 for a list that cannot be read."""
import argparse
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import json_schema  # noqa: E402

TABLES = ("traces", "accuracy", "repeats", "gain", "overhead")


class Program:
    def __init__(self, name, ranks, words):
        self.name, self.ranks, self.words = name, ranks, words
        found = shutil.which(words[0])
        if not found:
            raise ValueError(f"'{words[0]}' is not a program")
        self.folder = Path(found).resolve().parent if ranks else Path.cwd()
        self.words = [str(Path(found).resolve()) if ranks else found, *words[1:]]


class Run:
    """One finished run: `exit`, `wall` and `cpu` in seconds, the summary's JSON and where the trace is."""

    def __init__(self, command, folder, timeout, summary=None, trace=None):
        self.trace = trace
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
            timer = threading.Timer(timeout, process.kill)
            timer.start()
            begin = time.monotonic()
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - begin
            timer.cancel()
            process.returncode = self.exit = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            self.errors = errors.read().decode(errors="replace")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.summary = {}
        if summary and summary.exists():
            self.summary = json_schema.validate(summary.read_text(), "run", Path(shutil.which(command[0])).resolve().parents[1])

    def bursts(self, key):
        bursts = self.summary.get("bursts")
        return bursts.get(key, 0) if isinstance(bursts, dict) else self.summary.get(f"bursts.{key}", 0)


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.bad, self.done = arguments, folder, [], {}

    def run(self, program, mode, traced=False):
        """One run with skipping (`shadow`) or without (`off`); a failed one is named in `bad`."""
        if not program.ranks:
            return Run(program.words, program.folder, self.arguments.timeout)
        summary, trace = self.folder / f"{mode}.json", self.folder / f"{mode}.trace"
        for file in (summary, trace):
            file.unlink(missing_ok=True)
        options = shlex.split(self.arguments.skipping) if mode == "shadow" else ["--sample=off"]
        if traced:
            options += ["--comm-trace", str(trace)]
        run = Run([self.arguments.gnomon, "run", "-q", "-n", str(program.ranks), "--json", str(summary), *self.arguments.option,
                   *options, *program.words], program.folder, self.arguments.timeout, summary, trace)
        if run.exit and not traced:
            self.bad.append(f"{program.name}: exit code {run.exit} with {' '.join(options)}: {run.errors[-400:].strip()}")
        return run

    def pairs(self, program, count):
        """Lists of runs without and with skipping, in turn; None when one failed. Tables share them."""
        if program.name in self.done:
            return self.done[program.name]
        off, shadow = [], []
        for _ in range(count):
            off.append(self.run(program, "off"))
            shadow.append(self.run(program, "shadow"))
            if off[-1].exit or shadow[-1].exit:
                break
        self.done[program.name] = None if off[-1].exit or shadow[-1].exit else (off, shadow)
        return self.done[program.name]

    def traces(self, programs):
        print("| program | ranks | lines of the trace | bursts executed | skipped | equal |\n|---|---|---|---|---|---|", flush=True)
        for program in programs:
            off, shadow = self.run(program, "off", True), self.run(program, "shadow", True)
            count, difference = compare(off.trace, shadow.trace)
            if off.exit != shadow.exit:
                difference = f"exit code {shadow.exit}, not {off.exit}: {shadow.errors[-300:].strip()}"
            elif off.exit and not count:
                difference = f"fails: exit code {off.exit}: {off.errors[-300:].strip()}"
            if difference:
                self.bad.append(f"{program.name}: {difference}")
            print(f"| {program.name} | {program.ranks} | {count} | {shadow.bursts('executed')} | {shadow.bursts('skipped')} | "
                  f"{'**no**' if difference else 'yes'} |", flush=True)

    def accuracy(self, programs):
        print("| program | ranks | simulated s, executed (spread) | simulated s, skipping (spread) | error of the median | "
              "worst error |\n|---|---|---|---|---|---|", flush=True)
        medians, worst = [], []
        for program in programs:
            pairs = self.pairs(program, self.arguments.repetitions)
            if not pairs:
                print(f"| {program.name} | {program.ranks} | failed | | | |", flush=True)
                continue
            off, shadow = ([run.summary["simulated_time"] for run in runs] for runs in pairs)
            middle = statistics.median(off)
            medians.append(abs(statistics.median(shadow) / middle - 1))
            worst.append(max(abs(value / middle - 1) for value in shadow))
            print(f"| {program.name} | {program.ranks} | {middle:.6g} ({spread(off)}) | {statistics.median(shadow):.6g} "
                  f"({spread(shadow)}) | {100 * (statistics.median(shadow) / middle - 1):+.1f} % | {100 * worst[-1]:.1f} % |", flush=True)
        if medians:
            print(f"\nErrors of the medians: median {100 * statistics.median(medians):.1f} %, worst {100 * max(medians):.1f} %; "
                  f"worst of a single run {100 * max(worst):.1f} %.")

    def repeats(self, programs):
        print("| program | ranks | simulated s, executed | apart | holds | simulated s, skipping | apart | holds | error of the median |\n"
              "|---|---|---|---|---|---|---|---|---|", flush=True)
        for program in programs:
            pairs = self.pairs(program, self.arguments.repetitions)
            if not pairs:
                print(f"| {program.name} | {program.ranks} | failed | | | | | | |", flush=True)
                continue
            middle = statistics.median(run.summary["simulated_time"] for run in pairs[0])
            cells = [f"{program.name} | {program.ranks}"]
            for runs in pairs:
                times = [run.summary["simulated_time"] for run in runs]
                held = sum(abs(run.summary["simulated_time"] - middle) <= run.bursts("computed_interval_seconds") / program.ranks
                           for run in runs)
                cells += [f"{statistics.median(times):.6g}", f"{apart(times):.1f} %", f"{held} of {len(runs)}"]
            error = statistics.median(run.summary["simulated_time"] for run in pairs[1]) / middle - 1
            print(f"| {' | '.join(cells)} | {100 * error:+.1f} % |", flush=True)

    def gain(self, programs, beside):
        print("| program | ranks | wall s, executed | wall s, skipping | ratio | CPU s, executed | CPU s, skipping | ratio | "
              "skipped |\n|---|---|---|---|---|---|---|---|---|", flush=True)
        ratios = []
        for program in programs:
            pairs = self.pairs(program, self.arguments.repetitions)
            if not pairs:
                print(f"| {program.name} | {program.ranks} | failed | | | | | | |", flush=True)
                continue
            wall, cpu = ([statistics.median(getattr(run, what) for run in runs) for runs in pairs] for what in ("wall", "cpu"))
            ratios.append((wall[0] / wall[1], cpu[0] / cpu[1]))
            executed, skipped = (pairs[1][-1].bursts(key) for key in ("executed", "skipped"))
            print(f"| {program.name} | {program.ranks} | {wall[0]:.3f} | {wall[1]:.3f} | {ratios[-1][0]:.1f} | {cpu[0]:.3f} | "
                  f"{cpu[1]:.3f} | {ratios[-1][1]:.1f} | {skipped} of {executed + skipped} |", flush=True)
        for program in beside:
            runs = [self.run(program, "as it is") for _ in range(self.arguments.repetitions)]
            if any(run.exit for run in runs):
                self.bad.append(f"{program.name}: exit code {max(run.exit for run in runs)}: {runs[-1].errors[-300:].strip()}")
            print(f"| {program.name} | | | {statistics.median(run.wall for run in runs):.3f} | | | "
                  f"{statistics.median(run.cpu for run in runs):.3f} | | |", flush=True)
        if ratios:
            wall, cpu = (math.exp(statistics.mean(math.log(ratio[i]) for ratio in ratios)) for i in (0, 1))
            print(f"\nGeometric mean: wall time {wall:.2f}, CPU time {cpu:.2f}.")

    def overhead(self, programs):
        print("| program | ranks | skipped | CPU s | ns a skip, at most |\n|---|---|---|---|---|", flush=True)
        for program in programs:
            runs = [run for run in (self.run(program, "shadow") for _ in range(self.arguments.repetitions)) if not run.exit]
            skipped = runs[-1].bursts("skipped") if runs else 0
            cpu = min(run.cpu for run in runs) if runs else 0
            print(f"| {program.name} | {program.ranks} | {skipped} | {cpu:.3f} | {f'{cpu / skipped * 1e9:.0f}' if skipped else '-'} |",
                  flush=True)


def apart(values):
    """How far least and greatest lie apart, in percent of the median."""
    return 100 * (max(values) - min(values)) / statistics.median(values)


def spread(values):
    return f"±{apart(values) / 2:.1f} %"


def compare(left, right):
    """How many lines the first trace has, and where the second parts from it (None: nowhere)."""
    missing = [str(file) for file in (left, right) if not file.exists()]
    if missing:
        return 0, f"no trace: {', '.join(missing)}"
    count = 0
    with open(left, errors="replace") as first, open(right, errors="replace") as second:
        for count, line in enumerate(first, start=1):
            other = second.readline()
            if line != other:
                return count, f"line {count} of the trace: '{line.strip()}' when executed, '{other.strip()}' with skipping"
        rest = second.readline()
    return count, f"line {count + 1} of the trace: the end when executed, '{rest.strip()}' with skipping" if rest else None


def read_list(name, only):
    for number, line in enumerate(Path(name).read_text().splitlines(), start=1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        try:
            label, ranks, command = (part.strip() for part in line.split(": ", 2))
            if only and not any(word in label for word in only.split(",")):
                continue
            yield Program(label, 0 if ranks == "-" else int(ranks), shlex.split(command))
        except (ValueError, IndexError) as error:
            print(f"{name}:{number}: {error}; a line is 'name: ranks: command'", file=sys.stderr)
            sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", metavar="LIST")
    parser.add_argument("--gnomon", default="gnomon", help="the command; default: the one in PATH")
    parser.add_argument("--tables", default=",".join(TABLES), help="comma-separated; default: %(default)s")
    parser.add_argument("--repetitions", type=int, default=5, help="of accuracy and gain, %(default)s by default")
    parser.add_argument("--host-speed", default="1Gf", help="so that both kinds of run scale alike; default: %(default)s")
    parser.add_argument("--skipping", default="--shadow", help="options of a run with skipping; default: %(default)s")
    parser.add_argument("--option", action="append", default=[], help="further option of every gnomon run, such as --platform=FILE")
    parser.add_argument("--only", help="only programs whose names contain one of these, comma-separated")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a run, %(default)g by default")
    arguments = parser.parse_args()
    arguments.option.append(f"--host-speed={arguments.host_speed}")
    chosen = arguments.tables.split(",")
    for name in set(chosen) - set(TABLES):
        parser.error(f"no table '{name}'; there are {', '.join(TABLES)}")
    programs = list(read_list(arguments.list, arguments.only))
    simulated, beside = [p for p in programs if p.ranks], [p for p in programs if not p.ranks]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, Path(folder))
        for name in chosen:
            print(f"\n### {name}\n")
            bench.gain(simulated, beside) if name == "gain" else getattr(bench, name)(simulated)
    print("\n".join(["", *(f"- {line}" for line in bench.bad)]) if bench.bad else "")
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
