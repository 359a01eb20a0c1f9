#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what gnomon-print-points-to says (standard input) with what a source's comments ask for.

A line of the source that ends in `@name` is an access: the memory that is written there, or read if nothing is. Then
`APART: a b` says that the two touch no memory in common, `MEET: a b` that they may.
"""

import re
import sys

MARK = re.compile(r"@(\w+)\s*(\*/)?$")
RULE = re.compile(r"\b(APART|MEET): (\w+) (\w+)")
ACCESS = re.compile(r"^    (reads|writes)((?: \d+(?:-\d+)?)+) at line (\d+)$")


def cells(text):
    found = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as source:
        lines = source.read().splitlines()
    accesses = {}  # (line, reads or writes) -> the cells of the last such access
    for line in sys.stdin:
        if match := ACCESS.match(line.rstrip("\n")):
            accesses[int(match[3]), match[1]] = cells(match[2])
    marks, rules, errors = {}, 0, []
    for number, line in enumerate(lines, 1):
        if match := MARK.search(line.rstrip()):
            marks[match[1]] = accesses.get((number, "writes")) or accesses.get((number, "reads"))
            if marks[match[1]] is None:
                errors.append(f"{number}: nothing is accessed at {match[1]}")
    for number, line in enumerate(lines, 1):
        for kind, left, right in RULE.findall(line):
            rules += 1
            common = (marks.get(left) or set()) & (marks.get(right) or set())
            if bool(common) != (kind == "MEET"):
                errors.append(f"{number}: {kind} {left} {right}: common cells {sorted(common)}")
    if not rules:
        errors.append("no rule found")
    print("\n".join(errors) or f"{rules} rules hold")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
