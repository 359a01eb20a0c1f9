#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a program that takes messages as they come communicates with its decisions as it was recorded, in whatever way it
takes them, although they would come in another order."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from decisions import Decisions  # noqa: E402

RANKS = ("-n", 6)
WAYS = ("receive", "start", "probe", "match", "any", "some", "iprobe", "test", "testall", "testany", "testsome")


class Arrivals(Decisions):
    def test_order(self):
        program = self.build("arrivals.c")
        for way in WAYS:
            with self.subTest(way):
                self.run_gnomon(*RANKS, "--compute=counted", "--record-decisions", "recorded", "--comm-trace", "one", program, way)
                recorded = (self.directory / "one").read_bytes()
                self.assertEqual(recorded, self.trace(*RANKS, "--compute=counted", program, way), "recording changes nothing")
                for other in (("--compute=none",), ("--compute=counted", "--set", "network/latency-factor=400")):
                    self.assertNotEqual(recorded, self.trace(*RANKS, *other, program, way), "otherwise nothing is tested")
                    self.assertEqual(recorded, self.trace(*RANKS, *other, "--shadow", "--decisions", "recorded", program, way))

    def test_left_to_chance(self):
        program = self.build("arrivals.c")
        file = self.record("--compute=counted", program, "iprobe", ranks=6)
        text = file.read_text()
        self.assertIn("point MPI:0 #1, 64 bits\n  function MPI_Test\n", text)
        file.write_text(text.replace("  function MPI_Test\n", "  function MPI_Test\n  execute\n"))
        self.assertEqual(self.trace(*RANKS, "--compute=none", program, "iprobe"),
                         self.trace(*RANKS, "--compute=none", "--decisions", file, program, "iprobe"))

    def test_other_ranks(self):
        program = self.build("arrivals.c")
        file = self.record("--compute=counted", program, "receive", ranks=6)
        errors = self.run_gnomon("-n", 5, "--compute=none", "--decisions", file, program, "receive")
        self.assertIn("what receives from any source and polls found when the decisions of", errors)

    def test_contradicted(self):
        program = self.build("arrivals.c")
        file = self.record("--compute=counted", program, "receive", ranks=6)
        errors = self.run_gnomon(*RANKS, "--compute=none", "--decisions", file, program, "test", code=2)
        self.assertRegex(errors, r"contradicts the decisions of .*: rank 0, at MPI:0 MPI_ANY_SOURCE #1 \(.*\): it was passed 0 times, where 40 were recorded")

    def test_edited(self):
        """A file may name a rank that is not there."""
        program = self.build("arrivals.c")
        for way, what in (("receive", "MPI_ANY_SOURCE"), ("iprobe", "MPI_Test")):
            file = self.record("--compute=counted", program, way, ranks=6)
            head, text = file.read_text().split(f"  function {what}\n")
            lists = re.sub(r"\b\d{6,}\b", str(99 << 32 | 77), text)
            self.assertNotEqual(lists, text)
            file.write_text(f"{head}  function {what}\n{lists}")
            errors = self.run_gnomon(*RANKS, "--compute=none", "--decisions", file, program, way, code=2)
            self.assertRegex(errors, rf"contradicts the decisions of .*: rank 0, at MPI:0 {what} #1")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
