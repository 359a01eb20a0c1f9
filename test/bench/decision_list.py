# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table over many codes: what decisions.py measures of one, for each entry of a list (decisions.toml).

An entry is a TOML table [[code]]:

    name      of the row
    language  text for the table
    ranks     how many
    folder    where the program lies and runs, below the folder of --codes
    program   the program in that folder and its arguments
    option    further options of every gnomon run; none by default
    stdin     a file in the folder
    shadow    false: only whether traces are equal is asked; true by default
    reason    why little may be skipped, for the table
    [[code.other]]: another input, of which decisions of the first are told something wrong
      what    differs
      program in place of the entry's
      edit    {file = [text, replacement]}: in a copy of the folder; the text must be there

Each finished row is a file of --keep, and is made again only when the entry, its program or the options differ."""
import hashlib
import json
import math
import shutil
import statistics
import sys
import time
import tomllib
from pathlib import Path

KEYS = {"name": str, "language": str, "ranks": int, "folder": str, "program": list, "option": list, "stdin": str,
        "shadow": bool, "reason": str, "other": list}
OTHER_KEYS = {"what": str, "program": list, "edit": dict}
HEAD = ("code", "language", "ranks", "may, did", "traces", "lines", "simulated s: executed, given", "error",
        "CPU s: executed, given", "times", "what holds the rest")
OTHER_HEAD = ("code", "what differs", "told by", "the run", "trace")


class ListError(Exception):
    pass


def checked(entry, keys, where, required):
    for key, value in entry.items():
        if key not in keys:
            raise ListError(f"{where}: no key '{key}'; there are {', '.join(keys)}")
        if not isinstance(value, keys[key]):
            raise ListError(f"{where}: '{key}' must be of the kind {keys[key].__name__}")
    for key in required:
        if key not in entry:
            raise ListError(f"{where}: '{key}' is missing")
    return entry


def read(path):
    try:
        entries = tomllib.loads(path.read_text())["code"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise ListError(f"{path}: {error if not isinstance(error, KeyError) else 'no [[code]]'}") from error
    for number, entry in enumerate(entries, 1):
        where = f"{path}: entry {number} ({entry.get('name', 'without a name')})"
        checked(entry, KEYS, where, ("name", "language", "ranks", "folder", "program"))
        for other in entry.get("other", []):
            checked(other, OTHER_KEYS, f"{where}, other", ("what",))
    return entries


def edited(folder, edits, scratch):
    """A copy of the folder with other texts in its files."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder, scratch, symlinks=False)
    for file, (old, new) in edits.items():
        text = (scratch / file).read_text()
        if old not in text:
            raise ListError(f"{folder / file}: no '{old}'")
        (scratch / file).write_text(text.replace(old, new))
    return scratch


class Table:
    def __init__(self, arguments, make_bench):
        self.arguments, self.make_bench = arguments, make_bench
        self.keep = arguments.keep.resolve()

    def bench(self, entry, keep, program=None, folder=None):
        folder = folder or self.arguments.codes / entry["folder"]
        program = program or entry["program"]
        if not (folder / program[0]).is_file():
            raise ListError(f"{entry['name']}: no program '{program[0]}' in '{folder}'")
        keep.mkdir(parents=True, exist_ok=True)
        return self.make_bench(entry, program, folder, keep)

    def identity(self, entry):
        """What a finished row rests on."""
        digest = hashlib.sha256(json.dumps([entry, self.arguments.parts, self.arguments.compute, self.arguments.option,
                                            self.arguments.repeat, self.arguments.platform], sort_keys=True).encode())
        digest.update((self.arguments.codes / entry["folder"] / entry["program"][0]).read_bytes())
        return digest.hexdigest()

    def row(self, entry):
        """Of the entry: made now, or before."""
        name = "".join(letter if letter.isalnum() else "-" for letter in entry["name"])
        keep = self.keep / name
        bench = self.bench(entry, keep)
        file, identity = self.keep / f"{name}.row.json", self.identity(entry)
        if file.exists() and (known := json.loads(file.read_text())).get("identity") == identity:
            return known
        made = {"identity": identity, "name": entry["name"]}
        parts = self.arguments.parts.split(",")
        if "traces" in parts:
            platform = self.arguments.platform or f"cluster:n={entry['ranks']},bw=1Gbps,lat=50us"
            made["traces"] = bench.traces(platform)
            trace = keep / "exact-1.trace"
            made["lines"] = sum(1 for _ in open(trace, "rb")) if trace.exists() else 0
        if "costs" in parts and entry.get("shadow", True):
            made["costs"] = self.costs(bench)
        if "others" in parts:
            made["others"] = [self.other(entry, other, keep / f"other-{number}")
                              for number, other in enumerate(entry.get("other", []))]
        made["failures"] = bench.bad
        if not self.arguments.traces_kept:
            for trace in keep.glob("**/*.trace"):
                trace.unlink()
        file.write_text(json.dumps(made, indent=2, ensure_ascii=False))
        return made

    def costs(self, bench):
        exact, recorded, given, _ = bench.costs(self.arguments.repeat)
        if exact[0].failure() or given[0].failure():
            return {}
        first, last = exact[0], given[0]
        whole = last.bursts["computed_seconds"]
        may = last.bursts.get("skippable_seconds")
        return {"may": 100 * may / whole if may is not None and whole > 0 else None,
                "did": 100 * last.bursts["sampled_seconds"] / whole if whole > 0 else 0,
                "plain": first.share("skippable_seconds"),
                "exact": [run.summary["simulated_time"] for run in exact],
                "given": [run.summary["simulated_time"] for run in given],
                "exact_cpu": [run.cpu for run in exact], "given_cpu": [run.cpu for run in given],
                "recorded_cpu": recorded.cpu, "messages": [first.summary.get("messages"), last.summary.get("messages")],
                "decisions": last.bursts.get("decisions", {}), "holding": last.bursts.get("holding", [])}

    def other(self, entry, other, keep):
        """Decisions of the entry's input are given to a run with another."""
        folder = (self.arguments.codes / entry["folder"]).resolve()
        first = self.bench(entry, keep)
        decisions = keep / "first.dec"
        # With --compute=none, as in the comparison of traces: no time decides.
        first.traced("first", "--record-decisions", str(decisions))
        if edits := other.get("edit"):
            folder = edited(folder, edits, keep / "folder")
        bench = self.bench(entry, keep, other.get("program"), folder)
        exact = bench.traced("exact")
        made = {"what": other["what"], "told": "", "run": "", "trace": ""}
        if not decisions.exists() or exact is None:
            return {**made, "run": "failed: " + " ".join(first.bad + bench.bad)[:200]}
        trace = keep / "given.trace"
        trace.unlink(missing_ok=True)
        given = bench.silent("given", "--compute=none", "--comm-trace", str(trace), "--shadow", "--decisions",
                             str(decisions))
        return {**made, **outcome(bench, given, exact, trace)}


def outcome(bench, given, exact, trace):
    text = given.text
    told = [what for what, sign in (("arguments", "recorded with the arguments"), ("file", "differ"))
            if any(sign in line for line in text.splitlines() if line.startswith("gnomon: note"))]
    if given.exit == 2:
        run = "ends: " + next((line for line in text.splitlines() if line.startswith("gnomon: error")), "exit code 2")
        return {"told": ", ".join(told), "run": run[:160], "trace": "", "exit": 2}
    if given.exit:
        return {"told": ", ".join(told), "run": f"exit code {given.exit}", "trace": "", "exit": given.exit}
    same = bench.differs(exact, trace) is None
    return {"told": ", ".join(told), "run": "goes on", "trace": "equal" if same else "differs", "exit": 0}


def percent(value):
    """Never upwards, so that no figure looks better than it is."""
    return "not known" if value is None else f"{math.floor(10 * value) / 10:.1f} %"


def off(given, exact):
    """Away from nothing."""
    part = 100 * (given / exact - 1) if exact > 0 else 0
    return math.copysign(math.ceil(round(100 * abs(part), 6)) / 100, part)


def cells(entry, made):
    costs = made.get("costs") or {}
    head = [entry["name"], entry["language"], str(entry["ranks"])]
    traces, lines = ", ".join(made.get("traces", ())), f"{made.get('lines', 0):,}"
    if not costs:
        what = "failed" if entry.get("shadow", True) and "costs" in made else ""
        return [*head, what, traces, lines, what, what, what, what, entry.get("reason", "")]
    exact, given = (statistics.median(costs[key]) for key in ("exact", "given"))
    cpu = [statistics.median(costs[key]) for key in ("exact_cpu", "given_cpu")]
    return [*head, f"{percent(costs['may'])}, {percent(costs['did'])}", traces, lines,
            f"{exact:.5g}, {given:.5g}", f"{off(given, exact):+.2f} %", f"{cpu[0]:.2f}, {cpu[1]:.2f}",
            f"{math.floor(10 * cpu[0] / max(cpu[1], 1e-9)) / 10:.1f}", entry.get("reason", "")]


def sums(rows):
    """What the table comes to."""
    known = [made["costs"] for _, made in rows if made.get("costs") and made["costs"]["may"] is not None]
    if not known:
        return []
    times = [statistics.median(row["exact_cpu"]) / max(statistics.median(row["given_cpu"]), 1e-9) for row in known]
    much = [gain for gain, row in zip(times, known) if row["may"] >= 80]
    errors = [abs(off(statistics.median(row["given"]), statistics.median(row["exact"]))) for row in known]
    lines = [f"{len(rows)} codes, {sum(made.get('traces') == ['yes', 'yes'] for _, made in rows)} with equal traces on "
             f"both platforms; {len(much)} with 80 % or more that may be skipped, {sum(row['may'] >= 95 for row in known)} "
             "with 95 %",
             f"error of simulated time: median {statistics.median(errors):.2f} %, worst {max(errors):.2f} %"]
    if much:
        lines.append(f"geometric mean of those with 80 %: {statistics.geometric_mean(much):.2f} times")
    return lines


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)])


def run(arguments, make_bench):
    """Prints the table; 1 when a trace differs or a run fails."""
    entries = read(arguments.list)
    wanted = [entry for entry in entries if not arguments.only or any(part in entry["name"] for part in arguments.only)]
    all_of = Table(arguments, make_bench)
    rows, bad = [], False
    for number, entry in enumerate(wanted, 1):
        began = time.monotonic()
        try:
            made = all_of.row(entry)
        except ListError as error:
            made = {"failures": [str(error)], "traces": ["not run"], "lines": 0}
        made = json.loads(json.dumps(made))
        rows.append((entry, made))
        bad = bad or bool(made["failures"])
        print(f"{number}/{len(wanted)} {time.monotonic() - began:.0f} s: {' | '.join(cells(entry, made))}",
              *(f"  - {failure}" for failure in made["failures"]), sep="\n", file=sys.stderr, flush=True)
    print(table(HEAD, [cells(entry, made) for entry, made in rows]))
    others = [[entry["name"], other["what"], other["told"] or "**nothing**", other["run"], other["trace"]]
              for entry, made in rows for other in made.get("others", [])]
    if others:
        print("\n" + table(OTHER_HEAD, others))
    print("\n" + "\n".join(sums(rows)))
    return bad
