# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two lists of `name count` that agree: each count within 2 % (functions whose paths hardly differ count as their mean) and 64
instructions (straight code is counted ahead)."""
import sys

lists = [[line.split() for line in open(path)] for path in sys.argv[1:3]]
assert lists[0] and [name for name, _ in lists[0]] == [name for name, _ in lists[1]], lists
for (name, one), (_, other) in zip(*lists):
    one, other = int(one), int(other)
    assert abs(one - other) <= 64 + 0.02 * other, (name, one, other)
