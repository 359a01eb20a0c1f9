#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does the replay of a recording take the time of the run, to the last digit, and what did recording cost: a table over
the codes of a list.

    recordings.py codes.toml --codes codes --keep rows [--repeat 3]

The list is that of decisions.py; of an entry, a TOML table [[code]], this reads

    name      of the row
    ranks     how many
    folder    where the program lies and runs, below the folder of --codes
    program   the program in that folder and its arguments
    option    further options of `gnomon run`; none by default
    stdin     a file in the folder

Each program runs with counted computation, without and with --trace in turn; the recording is played on the same
platform. Simulated time must be the same number, and so must be messages and bytes. "costs" is the median of recorded
runs' CPU seconds (user and system) over the median of the others, minus 1.

A finished row is a file in --keep and is not made again unless the entry or the program differs. The exit code is 1
when a replay differs or a run fails, 2 for a list that cannot be used."""
import argparse
import hashlib
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import json_schema  # noqa: E402

HEAD = ("code", "ranks", "simulated s", "replay", "messages", "CPU s: run, recorded, replay", "costs", "file")
SAME = ("simulated_time", "messages", "bytes")
KEYS = {"name": str, "ranks": int, "folder": str, "program": list}


class ListError(Exception):
    pass


def entries(path):
    try:
        codes = tomllib.loads(path.read_text())["code"]
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ListError(f"{path}: {error}") from error
    except KeyError as error:
        raise ListError(f"{path}: no [[code]]") from error
    for number, entry in enumerate(codes, 1):
        for key, kind in KEYS.items():
            if not isinstance(entry.get(key), kind):
                raise ListError(f"{path}: entry {number} ({entry.get('name', 'without a name')}): '{key}' is missing or no {kind.__name__}")
    return codes


class Failure(Exception):
    pass


class Bench:
    def __init__(self, arguments, entry):
        self.arguments, self.entry = arguments, entry
        self.folder = arguments.codes.resolve() / entry["folder"]
        name = "".join(letter if letter.isalnum() else "-" for letter in entry["name"])
        self.keep = arguments.keep.resolve() / name
        self.row = self.keep / "row.json"
        self.trace = self.keep / "run.gtr"

    def identity(self):
        program = self.folder / self.entry["program"][0]
        if not program.is_file():
            raise Failure(f"no program '{program}'")
        digest = hashlib.sha256(json.dumps([self.entry, self.arguments.repeat], sort_keys=True).encode())
        digest.update(program.read_bytes())
        return digest.hexdigest()

    def summary(self, kind, command):
        """CPU seconds and the JSON of a run."""
        summary = self.keep / f"{kind}.json"
        summary.unlink(missing_ok=True)
        command = [self.arguments.gnomon, command[0], "-q", "--json", str(summary), *command[1:]]
        with open(self.folder / self.entry["stdin"] if "stdin" in self.entry else os.devnull) as stdin, \
                open(self.keep / f"{kind}.out", "wb") as out, open(self.keep / f"{kind}.err", "w+b") as errors:
            process = subprocess.Popen(command, cwd=self.folder, stdin=stdin, stdout=out, stderr=errors)
            timer = threading.Timer(self.arguments.timeout, process.terminate)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            text = errors.read().decode(errors="replace")
        if process.returncode or not summary.exists():
            raise Failure(f"{kind}: exit code {process.returncode}: {' '.join(text.split())[:400]}")
        json_schema.written(command, self.keep, Path(shutil.which(self.arguments.gnomon)).resolve().parent.parent)
        return usage.ru_utime + usage.ru_stime, json.loads(summary.read_text())

    def make(self):
        self.keep.mkdir(parents=True, exist_ok=True)
        ranks = ["-n", str(self.entry["ranks"])]
        options, program = [*ranks, "--compute=counted", *self.entry.get("option", [])], self.entry["program"]
        plain, recorded = [], []
        for _ in range(self.arguments.repeat):
            plain.append(self.summary("plain", ["run", *options, *program]))
            recorded.append(self.summary("recorded", ["run", *options, "--trace", str(self.trace), *program]))
        seconds, replay = self.summary("replay", ["replay", "--compute=counted", *self.entry.get("option", []), str(self.trace)])
        run = plain[0][1]
        differences = [f"{kind}: {what} is {other[what]!r}, not {run[what]!r}"
                       for kind, other in (("recorded", recorded[0][1]), ("replay", replay)) for what in SAME
                       if other[what] != run[what]]
        return {"simulated": run["simulated_time"], "messages": run["messages"], "differences": differences,
                "cpu": [statistics.median(cpu for cpu, _ in runs) for runs in (plain, recorded)] + [seconds],
                "bytes": self.trace.stat().st_size}

    def result(self):
        """Made now, or before."""
        try:
            identity = self.identity()
            if self.row.exists() and (known := json.loads(self.row.read_text())).get("identity") == identity:
                return known
            made = {"identity": identity, **self.make()}
        except Failure as failure:
            return {"failure": str(failure)}
        self.row.write_text(json.dumps(made, indent=2))
        self.trace.unlink()
        return made


def cells(entry, made):
    if failure := made.get("failure"):
        return [entry["name"], str(entry["ranks"]), "", f"**failed**: {failure}", "", "", "", ""]
    plain, recorded, replay = made["cpu"]
    # Upwards, so that no figure looks better than it is.
    costs = f"{math.ceil(1000 * (recorded / plain - 1)) / 10:.1f} %" if plain > 0 else ""
    same = "**differs**: " + "; ".join(made["differences"]) if made["differences"] else "the same"
    return [entry["name"], str(entry["ranks"]), repr(made["simulated"]), same, f"{made['messages']:,}",
            f"{plain:.2f}, {recorded:.2f}, {replay:.2f}", costs, f"{made['bytes']:,} B"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("--codes", type=Path, required=True, help="the folder of the codes")
    parser.add_argument("--keep", type=Path, required=True, help="where finished rows are kept")
    parser.add_argument("--gnomon", default="gnomon", help="the command; default: the one in PATH")
    parser.add_argument("--repeat", type=int, default=1, help="runs without and with --trace, in turn")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a run, %(default)g by default")
    parser.add_argument("--only", action="append", default=[], help="entries whose name has this text")
    arguments = parser.parse_args()
    if not shutil.which(arguments.gnomon):
        parser.error(f"no command '{arguments.gnomon}'")
    if arguments.repeat < 1:
        parser.error("--repeat must be at least 1")
    return arguments


def main():
    arguments = parse()
    try:
        wanted = [entry for entry in entries(arguments.list)
                  if not arguments.only or any(part in entry["name"] for part in arguments.only)]
    except ListError as error:
        print(f"recordings.py: error: {error}", file=sys.stderr)
        sys.exit(2)
    rows, bad = [], False
    for number, entry in enumerate(wanted, 1):
        made = Bench(arguments, entry).result()
        bad = bad or bool(made.get("failure") or made["differences"])
        rows.append(cells(entry, made))
        print(f"{number}/{len(wanted)}: {' | '.join(rows[-1])}", file=sys.stderr, flush=True)
    for row in (HEAD, ["---"] * len(HEAD), *rows):
        print(f"| {' | '.join(row)} |")
    sys.exit(bad)


if __name__ == "__main__":
    main()
