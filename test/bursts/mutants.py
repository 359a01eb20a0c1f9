#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: each loop marked EXPECT-RUN in the C and C++ programs matters: executed once a rank only, it changes the communication.
"""mutants.py DIRECTORY [NAME…]: what a wrong skip would do is done to the source, one marked loop at a time; a mutant that
nobody can tell from the original is a weak test."""
import os
import re
import shutil
import sys
from pathlib import Path

from programs import HERE, MARK, Failure, Program, difference

PREAMBLE = """#include <stdlib.h>
/* Whether a marked loop runs: always, but the chosen one only the first time. */
static inline int mutantRuns(int mark) {
  static int done;
  const char *chosen = getenv("MUTANT");
  return !chosen || atoi(chosen) != mark || !done++;
}
"""


def mutate(source):
    """The source with a switch before each marked loop, and how many there are. Every rank has its own `done`."""
    text = source.read_text()
    features = [line for line in text.splitlines() if line.startswith("#define _GNU_SOURCE")]  # before any header
    marks, lines = 0, [*features, PREAMBLE, f'#line 1 "{source.name}"']
    for line in text.splitlines():
        found = MARK.match(line)
        if found and found[1] == "RUN":
            line = f"if (mutantRuns({marks}))"
            marks += 1
        lines.append(re.sub(r'"(?:\.\./)+(\w+\.h)"', rf'"{HERE}/\1"', line))
    return "\n".join(lines) + "\n", marks


def weak(program, prefix, directory):
    """The marks of a program that change nothing."""
    text, marks = mutate(program.source)
    if not marks:
        return
    directory.mkdir(parents=True)
    mutant = directory / f"mutant{program.source.suffix}"
    mutant.write_text(text)
    executable = directory / "program"
    program.build(prefix, executable, [mutant])
    original = program.run(prefix, executable, "original", environment={})
    if original.exit != program.exit:
        yield f"{program.source.name}: exit code {original.exit}, expected {program.exit}\n{original.errors}"
    for mark in range(marks):
        run = program.run(prefix, executable, f"mutant{mark}", environment={"MUTANT": str(mark)})
        if run.exit == original.exit and not difference(original, run):
            yield f"{[str(e) for e in program.expectations if not (e.skipped or e.given)][mark]}: nobody would notice a wrong skip"


def main():
    directory, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    shutil.rmtree(directory, ignore_errors=True)
    failures, count = [], 0
    for source in sorted([*HERE.glob("negative/*/*.c"), *HERE.glob("negative/*/*.cpp")]):
        if source.stem.endswith("_part") or (names and source.stem not in names):
            continue
        count += 1
        try:
            failures += weak(Program(source), os.environ["GNOMON_PREFIX"], directory / source.stem)
        except Failure as failure:
            failures.append(str(failure))
    print("\n".join(f"FAILED: {failure}" for failure in failures) or f"{count} programs: fine")
    sys.exit(1 if failures or not count else 0)


if __name__ == "__main__":
    main()
