#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one program of this folder with the flag and runs it with and without skipping: the communication and the exit codes
must be the same, and the compiler must have decided as the program's comments say. See README.md."""
import argparse
import os
import re
import shutil
import sys
from pathlib import Path

from programs import Failure, Program, difference, remarks

# The policy that users get, and the two that skip as much as can be skipped: an instance of each burst is executed on one rank
# only, and on each rank once.
# What may be folded is filled with what is no number, and no address, as soon as anything is skipped: without computation
# ("none") from the start, and arrays of indices too.
MODES = {"shadow": ["--shadow"], "global": ["--shadow", "--sample=global,n=1", "--fold=poison"],
         "local": ["--shadow", "--sample=local,n=1", "--fold=poison"],
         "none": ["--shadow", "--compute=none", "--fold=poison"]}

REFUSED = 2  # ExitCodes.def: bad input


def compare(program, executed, skipping):
    if skipping.exit != executed.exit:
        yield f"{skipping.name}: exit code {skipping.exit}, {executed.exit} when all is executed\n{skipping.errors}"
    # How far the other ranks have come when one ends the run depends on measured time.
    different = difference(executed, skipping) if not program.exit else None
    if different:
        yield f"{skipping.name}: the communication differs: {different}"


def check_printed(program, executed, skipping):
    """Lines that rest on nothing that bursts compute appear as often as ever."""
    for pattern in program.printed:
        counts = [len(re.findall(pattern, run.output, re.MULTILINE)) for run in (executed, skipping)]
        if not counts[0] or counts[0] != counts[1]:
            yield f"{skipping.name}: {counts[1]} lines like '{pattern}', {counts[0]} when all is executed"


def check_refused(program, executed, skipping):
    """A run whose files are checked: whoever skips is told what may be wrong, and ends."""
    if not skipping.skipped():
        yield from compare(program, executed, skipping)
        return
    if skipping.exit != REFUSED:
        yield f"{skipping.name}: exit code {skipping.exit}, {REFUSED} expected\n{skipping.errors}"
    if not re.search(program.refused, skipping.errors, re.DOTALL):
        yield f"{skipping.name}: the message is not as expected\n{skipping.errors}"


def check_decisions(program, found, coarse):
    """The remarks against the expectations of the source; of a coarse analysis only that what must run does."""
    for expected in program.expectations:
        # flang gives a DO the line of the statement below it.
        lines = (expected.line, expected.line + (expected.file.suffix == ".f90"))
        here = [(kind, text) for kind, file, line, text in found if file == expected.file.name and line in lines]
        if expected.given:
            given = [text for kind, text in here if kind == "Analysis" and text.startswith("with recorded decisions")]
            if not coarse and not any(expected.reason in text for text in given):
                yield f"{expected}: not '{expected.reason}' with decisions: {given or 'no remark'}"
            continue
        skippable = [text for kind, text in here if kind == "Passed"]
        # Where the input chooses: it may be skipped, and must run in this run.
        conditional = [text for text in skippable if "once all ranks have found" in text]
        missed = [text for kind, text in here if kind == "Missed"] + conditional
        if expected.skipped and coarse:
            continue
        if expected.skipped and not skippable:
            yield f"{expected}: always run, expected to be skipped: {missed or 'no remark'}"
        elif expected.skipped and expected.reason == "not frail" and any("only until" in text for text in skippable):
            yield f"{expected}: frail: {skippable}"
        elif not expected.skipped and any("kept" not in text for text in skippable if text not in conditional):
            yield f"{expected}: skipped as a whole, expected to be always run: {skippable}"
        elif not expected.skipped and not coarse and expected.reason and not any(expected.reason in text for text in missed):
            yield f"{expected}: no reason with '{expected.reason}' among {missed or 'no remark'}"


def check_given(program, prefix, executable, executed, further):
    """With what a run has recorded, all the same holds; yields failures, and returns the instances skipped."""
    file = executable.parent / "decisions"
    recorded = program.run(prefix, executable, "recorded", [f"--record-decisions={file}", *further])
    yield from compare(program, executed, recorded)
    skipped = 0
    for name in ("global", "local", *["none"] * (not program.exit)) if file.exists() else ():
        run = program.run(prefix, executable, f"given-{name}", [*MODES[name], f"--decisions={file}", *further])
        print(f"{run.name}: {run.skipped()} instances skipped")
        skipped += run.skipped()
        yield from (check_refused if program.refused else compare)(program, executed, run)
        if program.warned and not re.search(program.warned, run.errors, re.DOTALL):
            yield f"{run.name}: no warning as expected\n{run.errors}"
    yield from check_executed(program, prefix, executable, executed, further)
    return skipped


def check_executed(program, prefix, executable, executed, further):
    """What some of the points decide is not given, and what they rest on runs: all of them, then each of the first few."""
    recorded = executable.parent / "decisions"
    text = recorded.read_text() if recorded.exists() else ""
    points = re.findall(r"^point .*\n  function .*\n  what .*\n", text, re.MULTILINE)
    for some in ([points] if points else []) + [[point] for point in points[:4] if len(points) > 1]:
        file = executable.parent / "decisions-executed"
        file.write_text("".join(part + "  execute\n" * (part in some) for part in split_behind(text, points)))
        name = "all executed" if some is points else f"point {points.index(some[0])} executed"
        run = program.run(prefix, executable, name, [*MODES["global"], f"--decisions={file}", *further])
        print(f"{run.name}: {run.skipped()} instances skipped")
        yield from (check_refused if program.refused else compare)(program, executed, run)


def split_behind(text, ends):
    """The text, cut behind each of some of its parts."""
    for end in ends:
        before, part, text = text.partition(end)
        yield before
        yield part
    yield text


def test(program, prefix, directory, further, coarse, objects):
    executable = directory / "program"
    program.build(prefix, executable, objects=objects)
    executed = program.run(prefix, executable, "executed", ["--sample=off", *further])
    if executed.exit != program.exit:
        yield f"exit code {executed.exit}, expected {program.exit}\n{executed.errors}"
    skipped = 0
    for name, options in MODES.items():
        if name == "none" and program.exit:
            continue  # nobody computes what is wrong
        run = program.run(prefix, executable, name, [*options, *further])
        print(f"{name}: {run.skipped()} instances skipped")
        skipped += run.skipped()
        yield from (check_refused if program.refused else compare)(program, executed, run)
        yield from check_printed(program, executed, run)
    given = 0 if coarse else (yield from check_given(program, prefix, executable, executed, further))
    if program.source.parent.name == "decided" and not coarse and (skipped or not given):
        yield f"{skipped} instances were skipped without decisions, and {given} with them"
    if program.refused and not skipped and not given and not coarse:
        yield "nothing was skipped, so that nothing could be refused"
    if "positive" in program.source.parts and not skipped and not coarse:
        yield "nothing was skipped"
    found = [remark for file in sorted(directory.glob("*.yaml")) for remark in remarks(file)]
    yield from check_decisions(program, found, coarse)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("directory", type=Path, help="where to build and run")
    parser.add_argument("--prefix", default=os.environ.get("GNOMON_PREFIX"), help="staged prefix; default: $GNOMON_PREFIX")
    parser.add_argument("--option", action="append", default=[], help="further option of every gnomon run")
    parser.add_argument("--coarse", action="store_true",
                        help="as if the program were too large for the points-to analysis: nothing is skipped wrongly then either")
    parser.add_argument("--objects", type=Path, help="take the program's objects from this folder, where an earlier test has left them")
    arguments = parser.parse_args()
    if not arguments.prefix:
        parser.error("no prefix: --prefix, or GNOMON_PREFIX in the environment")
    if arguments.coarse:
        os.environ["GNOMON_POINTS_TO_BUDGET"] = "0"
    shutil.rmtree(arguments.directory, ignore_errors=True)
    try:
        failures = list(test(Program(arguments.source), arguments.prefix, arguments.directory.resolve(), arguments.option,
                             arguments.coarse, arguments.objects))
    except Failure as failure:
        failures = [str(failure)]
    print("\n".join(f"FAILED: {failure}" for failure in failures) or "fine")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
