#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names the first difference of two traces of communication (gnomon run --comm-trace FILE): of the first rank that
differs, the number of the call and both lines.

usage: comm_trace_diff.py A B   (plain or .zst, the latter through the command zstd)
Exit code 0: the same; 1: a difference; 2: not two whole traces.
"""

import itertools
import subprocess
import sys

END = "(no more calls)"


class NotATrace(Exception):
    """A file that is no trace, or no whole one; the message names it."""


def lines(path):
    """The file's lines without their ends, one by one."""
    if path.endswith(".zst"):
        with subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE, text=True) as process:
            yield from (line.rstrip("\n") for line in process.stdout)
        if process.returncode:
            raise NotATrace(f"{path}: zstd cannot read it")
    else:
        with open(path, encoding="utf-8") as file:
            yield from (line.rstrip("\n") for line in file)


def calls(path):
    """(rank, number of the call on it, line) for each call, in the file's order; numbers start with 1."""
    source = lines(path)
    head = next(source, "")
    if not head.startswith("# gnomon communication trace") or head.endswith("INCOMPLETE"):
        raise NotATrace(f"{path}: {'the run was cut short' if head.endswith('INCOMPLETE') else 'not a trace of communication'}")
    rank = number = 0
    for line in source:
        if line.startswith("rank "):
            rank, number = int(line[5:]), 0
        else:
            number += 1
            yield rank, number, line


def first_difference(a, b):
    """(rank, number, line of a, line of b), or None."""
    last = (sys.maxsize, 0, END)
    for left, right in itertools.zip_longest(calls(a), calls(b), fillvalue=last):
        if left == right:
            continue
        rank, number = min(left[:2], right[:2])
        return rank, number, *(c[2] if c[:2] == (rank, number) else END for c in (left, right))
    return None


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = first_difference(*arguments)
    except (NotATrace, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if found:
        rank, number, left, right = found
        print(f"rank {rank}, call {number}:\n  {arguments[0]}: {left}\n  {arguments[1]}: {right}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
