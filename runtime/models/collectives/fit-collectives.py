#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the curves of `gnomon run --coll-model=FILE` to measured times of collectives.

Input: lines `NAME RANKS BYTES SECONDS` (bytes as docs/models.md counts them: the largest block that a rank sends to
another; of a reduction, the vector; 0 for a barrier), `#` for comments. Output: the lines of FILE.

For each collective and each growth (constant, logarithmic, linear), with steps(RANKS) of docs/models.md:
  latency  the median of SECONDS / steps over the smallest size (0 when only one size was measured)
  f(b)     b / (SECONDS / steps - latency), bytes/s, where that is above zero
and ln f is fitted by least squares to a polynomial in ln b. Without --growth the growth of the least mean logarithmic
error counts.
"""

import argparse
import collections
import math
import statistics
import sys

STEPS = {"constant": lambda ranks: 1, "logarithmic": lambda ranks: math.ceil(math.log2(ranks)),
         "linear": lambda ranks: ranks - 1}


def read(lines):
    points = collections.defaultdict(list)
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            name, ranks, size, seconds = words[0], int(words[1]), float(words[2]), float(words[3])
            if len(words) > 4 or ranks < 2 or not 0 <= size < math.inf or not 0 < seconds < math.inf:
                raise ValueError
        except (ValueError, IndexError):
            sys.exit(f"line {number}: expected NAME RANKS BYTES SECONDS, 2 ranks or more, found '{line.strip()}'")
        points[name].append((ranks, size, seconds))
    return points


def solve(matrix, right):
    """Gaussian elimination with pivoting; the matrices are of 4 x 4 at most."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(len(rows)):
            if r != i:
                scale = rows[r][i] / rows[i][i]
                rows[r] = [a - scale * b for a, b in zip(rows[r], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def polynomial(points, degree):
    """Least squares over (x, y)."""
    terms = range(min(degree, len({x for x, _ in points}) - 1) + 1)
    matrix = [[sum(x ** (i + j) for x, _ in points) for j in terms] for i in terms]
    return solve(matrix, [sum(y * x ** i for x, y in points) for i in terms])


def fit(points, growth, degree):
    steps = STEPS[growth]
    smallest = min(size for _, size, _ in points)
    varied = len({size for _, size, _ in points}) > 1
    latency = statistics.median(t / steps(n) for n, size, t in points if size == smallest) if varied or not smallest else 0
    bodies = [(math.log(b), math.log(b / (t / steps(n) - latency))) for n, b, t in points
              if b > 0 and t / steps(n) > latency]
    curve = polynomial(bodies, degree) if bodies else []
    sizes = [math.exp(x) for x, _ in bodies]

    def seconds(n, b):
        x = math.log(min(max(b, min(sizes)), max(sizes))) if curve and b > 0 else 0
        return steps(n) * (latency + (b * math.exp(-sum(c * x ** i for i, c in enumerate(curve))) if curve else 0))

    error = statistics.fmean(abs(math.log(max(seconds(n, b), 1e-300) / t)) for n, b, t in points)
    text = f"{growth} latency={latency:.9g}"
    if curve:
        text += " curve=" + ",".join(f"{c:.12g}" for c in curve) + f" from={min(sizes):.12g} to={max(sizes):.12g}"
    return error, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=argparse.FileType(), default=sys.stdin)
    parser.add_argument("--degree", type=int, choices=range(4), default=2, help="of the polynomial [2]")
    parser.add_argument("--growth", choices=STEPS, help="take this one")
    options = parser.parse_args()
    for name, points in sorted(read(options.file).items()):
        growths = [options.growth] if options.growth else STEPS
        error, text = min(fit(points, growth, options.degree) for growth in growths)
        print(f"{name} {text} # mean error {100 * (math.exp(error) - 1):.2g} %")


if __name__ == "__main__":
    main()
