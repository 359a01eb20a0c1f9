#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recorded decisions (docs/decisions.md) keep and gain: a row of a Markdown table for a program with the flag.

    decisions.py -n 8 --folder runs/lulesh --name "LULESH -s 20" ./lulesh -s 20 -i 100

The program runs in its folder (for the sake of input files) under `gnomon run -n RANKS`, one run after the other:

  traces   with --compute=none: executed, recorded, and given the decisions, on the default platform; executed and given
           on the other platform. Is the communication trace of each recorded or given run, byte for byte, that of the
           executed run on the same platform? The decisions are those of the default platform in both.
  costs    with measured computation (or as --compute says) on the default platform: executed, recorded, given; CPU
           seconds (user and system) of the whole process tree, what the summaries say, and by how much the given run's
           simulated time is off the executed run's. With --compute=counted that is exact, whatever else runs:

    decisions.py -n 27 --parts costs --compute counted ./lulesh -s 20 -i 60

With a list of codes, a table over all (decision_list.py says what stands in one, decisions.toml is one): a row is made
once, so that the command may be ended and given again. The part "others" gives decisions of one input to another.

    decisions.py --list test/bench/decisions.toml --codes codes --keep rows --compute counted --repeat 3

"plain" and "with decisions" are shares of all computation that may be skipped without and with decisions, as the
executed run says; where its hooks were switched off ("off": bursts too short to be watched) or the summary withholds
them, that is said in place of a figure. "given: may, did" is what the given run says may be skipped, and what it
charged as skipped.

The exit code is 1 when a trace differs or a run fails, 2 for arguments that cannot be used."""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import decision_list  # noqa: E402
import json_schema  # noqa: E402

HEAD = ("program", "ranks", "plain", "with decisions", "given: may, did", "traces", "exact s", "recorded s", "given s",
        "times", "simulated s", "error", "points, values, bytes")


class Run:
    """A finished run: `exit`, `cpu` in seconds, the JSON and the text of its summary."""

    def __init__(self, bench, kind, options):
        self.kind, self.json = kind, bench.keep / f"{kind}.json"
        self.json.unlink(missing_ok=True)
        command = [bench.gnomon, "run", "-n", str(bench.ranks), "--json", str(self.json), *options, *bench.options,
                   *bench.program]
        with open(bench.stdin) as stdin, open(bench.keep / f"{kind}.out", "wb") as out, \
                open(bench.keep / f"{kind}.err", "w+b") as errors:
            process = subprocess.Popen(command, cwd=bench.folder, stdin=stdin, stdout=out, stderr=errors)
            # SIGTERM, so that the launcher takes the ranks with it.
            timer = threading.Timer(bench.timeout, process.terminate)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = self.exit = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            self.text = errors.read().decode(errors="replace")
        json_schema.written(command, bench.keep, Path(shutil.which(bench.gnomon)).resolve().parent.parent)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.summary = json.loads(self.json.read_text()) if self.json.exists() else {}
        self.bursts = self.summary.get("bursts", {})

    def failure(self):
        if self.exit:
            lines = self.text.splitlines()
            ours = [line for line in lines if line.startswith(("gnomon: error", "gnomon: rank"))] or lines
            return f"{self.kind}: exit code {self.exit}: {' '.join(ours)[:400]}"
        return None if self.summary else f"{self.kind}: no summary in {self.json}"

    def share(self, *keys):
        """These seconds' share of all computation, or why there is none."""
        if "their share is not known" in self.text or any(self.bursts.get(key) is None for key in keys):
            return "not known"
        part = re.search(r"% of the first (\S+) s of computation", self.text)
        if part:
            return f"off after {part.group(1)} s"
        whole = self.bursts["computed_seconds"]
        if whole <= 0:
            return "no computation"
        share = 100 * sum(self.bursts[key] for key in keys) / whole
        # The summary's share is of the time that was watched: where it is more, hooks were switched off.
        told = re.search(r"with decisions, --shadow would skip up to (\S+) % of the computation", self.text)
        if "decided_seconds" in keys and told and float(told.group(1)) > 1.02 * share + 0.1:
            return f"off: {told.group(1)} % until then"
        # Down, so that no figure looks better than it is.
        return f"{int(10 * share) / 10:.1f} %"


class Bench:
    def __init__(self, arguments, keep):
        self.gnomon, self.ranks, self.folder = arguments.gnomon, arguments.ranks, arguments.folder
        self.options, self.timeout, self.stdin = arguments.option, arguments.timeout, arguments.stdin
        self.program, self.keep, self.bad = arguments.program, keep, []
        self.compute = f"--compute={arguments.compute}"

    def run(self, kind, *options):
        run = Run(self, kind, options)
        if failure := run.failure():
            self.bad.append(failure)
        return run

    def silent(self, kind, *options):
        """A run that may fail."""
        return Run(self, kind, options)

    def differs(self, left, right):
        return compare(left, right)

    def traced(self, kind, *options):
        """The trace of a run in which computation takes no time; None when it failed."""
        trace = self.keep / f"{kind}.trace"
        trace.unlink(missing_ok=True)
        run = self.run(kind, "--compute=none", "--comm-trace", str(trace), *options)
        return None if run.failure() else trace

    def equal(self, exact, *others):
        """'yes', 'no' or 'failed'; the first difference goes to `bad`."""
        for other in others:
            if exact is None or other is None:
                return "failed"
            if difference := compare(exact, other):
                self.bad.append(difference)
                return "**no**"
        return "yes"

    def traces(self, platform):
        decisions = self.keep / "traced.dec"
        given = ["--shadow", "--decisions", str(decisions)]
        first = self.equal(self.traced("exact-1"), self.traced("recorded-1", "--record-decisions", str(decisions)),
                           self.traced("given-1", *given) if decisions.exists() else None)
        other = ["--platform", platform]
        second = self.equal(self.traced("exact-2", *other),
                            self.traced("given-2", *given, *other) if decisions.exists() else None)
        return first, second

    def costs(self, repeat=1):
        """Executed and given in turn, so that what else the machine does meets both."""
        decisions = self.keep / "measured.dec"
        recorded = self.run("recorded", self.compute, "--record-decisions", str(decisions))
        exact, given = [], []
        for _ in range(repeat):
            exact.append(self.run("exact", self.compute, "--bursts", str(self.keep / "exact.bursts")))
            given.append(self.run("given", self.compute, "--shadow", "--decisions", str(decisions), "--bursts",
                                  str(self.keep / "given.bursts")))
            if self.bad:
                break
        return exact, recorded, given, decisions


def compare(left, right):
    """Where two traces part, or None. They may be large: read in turn, never whole."""
    with open(left, "rb") as first, open(right, "rb") as second:
        number = 0
        while True:
            number += 1
            line, other = first.readline(), second.readline()
            if line != other:
                return f"{right.stem}: line {number} of the trace is '{text(other)}', {left.stem} has '{text(line)}'"
            if not line:
                return None


def text(line):
    return line.decode(errors="replace").strip() or "the end"


def off(given, exact):
    """By which part, in percent: never rounded towards nothing."""
    if exact <= 0:
        return "no time"
    part = 100 * (given / exact - 1)
    return f"{math.copysign(math.ceil(100 * abs(part)) / 100, part):+.2f} %"


def row(bench, name, traces, exacts, recorded, givens, decisions):
    """What stands in the columns of HEAD; of several runs the median."""
    exact, given = (sorted(runs, key=lambda run: run.cpu)[len(runs) // 2] for runs in (exacts, givens))

    def of(run, value):
        return "failed" if run.failure() else value(run)
    told = recorded.bursts.get("decisions", {})
    failed = exact.failure() or given.failure()
    ratio = "failed" if failed else f"{exact.cpu / given.cpu:.2f}"
    error = "failed" if failed else off(given.summary["simulated_time"], exact.summary["simulated_time"])
    runs = (exact, recorded, given)
    return [name, str(bench.ranks), of(exact, lambda run: run.share("skippable_seconds")),
            of(exact, lambda run: run.share("skippable_seconds", "decided_seconds")),
            of(given, lambda run: f"{run.share('skippable_seconds')}, {run.share('sampled_seconds')}"),
            ", ".join(traces), *(of(run, lambda run: f"{run.cpu:.2f}") for run in runs), ratio,
            ", ".join(of(run, lambda run: f"{run.summary['simulated_time']:.4g}") for run in runs), error,
            of(recorded, lambda _: f"{told.get('points', 0)}, {told.get('values', 0):,}, {decisions.stat().st_size:,}")]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM", nargs=argparse.REMAINDER, help="the program and its arguments")
    parser.add_argument("-n", "--ranks", type=int)
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="where the program runs; default: here")
    parser.add_argument("--name", help="of the row; default: the program and its arguments")
    parser.add_argument("--gnomon", default="gnomon", help="the command; default: the one in PATH")
    parser.add_argument("--platform", help="the other platform; default: a cluster with 1 Gbit/s and 50 µs")
    parser.add_argument("--option", action="append", default=[], help="further option of every gnomon run")
    parser.add_argument("--compute", default="measured", help="of the part costs: measured (default), counted, …")
    parser.add_argument("--parts", default="traces,costs", help="comma-separated; default: %(default)s")
    parser.add_argument("--stdin", default=os.devnull, help="file that the program reads as standard input")
    parser.add_argument("--keep", type=Path, help="folder for summaries, traces, decisions and tables of bursts")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a run, %(default)g by default")
    parser.add_argument("--head", action="store_true", help="print the head of the table, too")
    parser.add_argument("--json", action="store_true", help="print a JSON object in place of a row")
    parser.add_argument("--repeat", type=int, default=1, help="executed and given runs of the part costs, in turn")
    parser.add_argument("--list", type=Path, help="of codes: a table over all")
    parser.add_argument("--codes", type=Path, help="with --list: the folder of the codes")
    parser.add_argument("--only", action="append", default=[], help="with --list: entries whose name has this text")
    parser.add_argument("--traces-kept", action="store_true", help="with --list: traces stay in --keep")
    arguments = parser.parse_args()
    if not shutil.which(arguments.gnomon):
        parser.error(f"no command '{arguments.gnomon}'")
    for part in set(arguments.parts.split(",")) - {"traces", "costs", *(["others"] if arguments.list else [])}:
        parser.error(f"no part '{part}'; there are traces and costs, with --list others, too")
    if arguments.repeat < 1:
        parser.error("--repeat must be at least 1")
    if arguments.list:
        if not arguments.codes or not arguments.keep or arguments.program:
            parser.error("--list needs --codes and --keep, and no program")
        return arguments
    if not arguments.program or not arguments.ranks:
        parser.error("no program is named, or no number of ranks")
    for what, path in (("folder", arguments.folder), ("standard input", Path(arguments.stdin))):
        if not path.exists():
            parser.error(f"the {what} '{path}' does not exist")
    if not (arguments.folder / arguments.program[0]).is_file():
        parser.error(f"the program '{arguments.program[0]}' does not exist in '{arguments.folder}'")
    return arguments


def listed(arguments):
    """The bench of an entry of the list."""
    def make(entry, program, folder, keep):
        of = argparse.Namespace(gnomon=arguments.gnomon, ranks=entry["ranks"], folder=folder, program=program,
                                option=[*arguments.option, *entry.get("option", [])], timeout=arguments.timeout,
                                stdin=folder / entry["stdin"] if "stdin" in entry else os.devnull,
                                compute=arguments.compute)
        return Bench(of, keep)
    return make


def main():
    arguments = parse()
    if arguments.list:
        try:
            sys.exit(decision_list.run(arguments, listed(arguments)))
        except decision_list.ListError as error:
            print(f"decisions.py: error: {error}", file=sys.stderr)
            sys.exit(2)
    with tempfile.TemporaryDirectory() as scratch:
        keep = (arguments.keep or Path(scratch)).resolve()
        keep.mkdir(parents=True, exist_ok=True)
        bench, parts = Bench(arguments, keep), arguments.parts.split(",")
        platform = arguments.platform or f"cluster:n={arguments.ranks},bw=1Gbps,lat=50us"
        name = arguments.name or " ".join([Path(arguments.program[0]).name, *arguments.program[1:]])
        traces = bench.traces(platform) if "traces" in parts else ("not compared",)
        cells = row(bench, name, traces, *bench.costs(arguments.repeat)) if "costs" in parts else \
            [name, str(bench.ranks), *[""] * 3, ", ".join(traces), *[""] * 7]
    if arguments.json:
        print(json.dumps({**dict(zip(HEAD, cells)), "failures": bench.bad}, indent=2, ensure_ascii=False))
    else:
        if arguments.head:
            print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
        print(f"| {' | '.join(cells)} |")
        print("".join(f"- {line}\n" for line in bench.bad), end="", file=sys.stderr)
    sys.exit(1 if bench.bad else 0)


if __name__ == "__main__":
    main()
