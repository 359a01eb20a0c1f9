#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what `gnomon trace extrapolate` makes of a small recording communicates as a recording of the large size does; where
ranks follow no rule, or one size cannot tell which, it is refused with rank, record and call, and nothing is written."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from trace import GNOMON, HERE, Scratch, json_schema, terminal  # noqa: E402


class Recorded(Scratch):
    """Traces of patterns.c, by pattern and ranks."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = pathlib.Path(cls.folder.name) / "patterns"
        subprocess.run([GNOMON, "cc", "-O1", HERE / "patterns.c", "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def record(self, ranks, *pattern):
        name = "-".join([*pattern, str(ranks)]) + ".gtr"
        if not self.path(name).exists():
            subprocess.run([GNOMON, "run", "-q", "-n", str(ranks), "--compute=counted", "--trace", self.path(name), self.program,
                            *pattern], check=True)
        return name

    def grown(self, small, large, *pattern, options=(), found=""):
        """The small recording becomes the large one."""
        notes = self.trace("extrapolate", self.record(small, *pattern), "out.gtr", "--ranks", large, *options).stderr
        self.assertIn(found, notes)
        self.trace("cmp", "--no-volumes", "out.gtr", self.record(large, *pattern))

    def not_grown(self, words, small, large, *pattern, options=()):
        self.refused(words, "extrapolate", self.record(small, *pattern), "no.gtr", "--ranks", large, *options)
        self.assertFalse(self.path("no.gtr").exists())


class Regular(Recorded):
    def test_a_ring_and_a_chain(self):
        self.grown(5, 9, "ring", found="a ring or a chain, which becomes 9")
        self.grown(6, 11, "cartesian", "1", "0")

    def test_grids_of_two_dimensions_open_and_periodic(self):
        for periodic in "01":
            self.grown(16, 36, "cartesian", "2", periodic, found="a grid of 4x4, which becomes 6x6")

    def test_a_grid_that_grows_in_one_dimension(self):
        self.grown(20, 28, "cartesian", "2", "0", options=["--grid", "7x4"], found="a grid of 5x4, which becomes 7x4")

    def test_grids_of_three_dimensions_open_and_periodic(self):
        for periodic in "01":
            self.grown(64, 125, "cartesian", "3", periodic)

    def test_a_cube_that_no_call_tells_of(self):
        self.grown(64, 125, "cube", found="a grid of 4x4x4, which becomes 5x5x5")

    def test_rows_and_columns(self):
        self.grown(16, 30, "rows", options=["--grid", "6x5"])

    def test_persistent_messages_neighbourhoods_and_lines_of_a_grid(self):
        self.grown(20, 42, "mixed", found="a grid of 5x4, which becomes 7x6")

    def test_collectives(self):
        self.grown(4, 12, "collectives")

    def test_trees_and_exchanges_at_doubling_distances(self):
        self.grown(8, 64, "tree", found="a binomial tree")
        self.grown(16, 32, "doubling", "1", found="an exchange over bits")
        self.grown(16, 64, "doubling", "0", found="an exchange at distances that double")

    def test_each_with_each_by_hand(self):
        self.grown(7, 16, "pairs", found="an exchange of each with each, which becomes 16")
        self.grown(8, 13, "pairs")
        self.grown(4, 9, "pairs", options=["--check", self.record(7, "pairs")])

    def test_volumes_are_those_of_like_ranks_in_turn(self):
        self.write("uneven.txt", "".join(f"{rank} init\n{rank} compute {100 + rank}\n{rank} finalize\n" for rank in range(5)))
        self.trace("extrapolate", "uneven.txt", "out.gtr", "--ranks", 9)
        volumes = [self.records("out.gtr", rank)[1].split()[2] for rank in range(9)]
        self.assertEqual(volumes, [f"instructions={100 + rank}" for rank in (0, 1, 2, 3, 1, 2, 3, 1, 4)])

    def test_what_comes_out_replays_as_the_large_run(self):
        self.grown(16, 36, "cartesian", "2", "1")
        times = []
        for name in ("out.gtr", "cartesian-2-1-36.gtr"):
            subprocess.run([GNOMON, "replay", "-q", "--compute=none", "--json", self.path("run.json"), self.path(name)], check=True)
            times.append(json_schema.validate(self.path("run.json").read_text(), "run")["simulated_time"])
        self.assertEqual(*times)
        self.assertGreater(times[0], 0)

    def test_a_terminal_is_told_which_rule_is_tried(self):
        text = terminal.told([GNOMON, "trace", "extrapolate", self.record(5, "ring"), "out.gtr", "--ranks=9"], cwd=self.path("."))
        self.assertIn("trying a ring or a chain, rank 0 of 5", text)


class Irregular(Recorded):
    def test_who_sends_how_much_follows_no_rule(self):
        self.not_grown("scattered-9.gtr: no rule", 9, 12, "scattered")
        self.not_grown("fails: rank 2, record 3: MPI_Send buf.count=40", 9, 12, "scattered")

    def test_too_few_ranks_to_tell(self):
        self.not_grown("a ring or a chain, fails: rank", 3, 9, "ring")
        self.not_grown("all 2 ranks of a dimension are at an end of it", 2, 9, "collectives")
        self.grown(3, 9, "ring", options=["--check", self.record(5, "ring")])

    def test_a_loop_that_may_go_with_the_ranks(self):
        self.not_grown("here ends a loop of 5 turns, on 6 ranks", 6, 12, "around")
        self.not_grown("here ends a loop of 9 turns, on 9 ranks", 9, 12, "ring")
        self.grown(9, 12, "ring", options=["--check", self.record(5, "ring")])

    def test_calls_that_grow_with_the_ranks_need_a_second_size(self):
        self.not_grown("in around-9.gtr: rank 0", 6, 12, "around", options=["--check", self.record(9, "around")])

    def test_a_second_size_of_another_program(self):
        self.not_grown("The best one, a ring or a chain, fails: in tree-8.gtr: rank 0, record ", 5, 9, "ring",
                       options=["--check", self.record(8, "tree")])

    def test_a_second_size_that_the_rule_has_no_ranks_for(self):
        self.not_grown("cartesian-2-0-9.gtr has not the ranks that it needs", 20, 28, "cartesian", "2", "0",
                       options=["--grid", "7x4", "--check", self.record(9, "cartesian", "2", "0")])
        self.not_grown("ring-5.gtr has not the ranks that it needs", 8, 64, "tree", options=["--check", self.record(5, "ring")])

    def test_roots_among_few_ranks_are_one_rank(self):
        self.grown(27, 125, "cube", options=["--check", self.record(64, "cube")])

    def test_far_neighbours_that_are_a_ring_or_a_grid(self):
        self.not_grown("give a second size by '--check'", 64, 128, "ring", "8", options=["--grid", "64:128"])
        check = ["--check", self.record(96, "ring", "8")]
        self.not_grown("say by '--grid FROM:TO' which it is", 64, 128, "ring", "8", options=check)
        self.grown(64, 128, "ring", "8", options=["--grid", "64:128", *check])

    def test_what_one_size_cannot_tell(self):
        for ranks in (8, 16):  # 2 away, or as far as a power of two that grows
            self.not_grown("give a second size by '--check'", ranks, 32, "ring", "2")
        for ranks in (12, 16):  # 3 away, or a neighbour on a grid
            self.not_grown("longer distances: say by '--grid FROM:TO'", ranks, 36, "ring", "3")
        self.grown(12, 36, "ring", "3", options=["--check", self.record(16, "ring", "3"), "--grid", "12:36"])
        self.not_grown("rows-5.gtr: no rule", 5, 10, "rows")  # whose rows have one rank

    def test_distances_that_double_on_any_number_of_ranks(self):
        for ranks in (5, 6, 10):
            self.not_grown("give a second size by '--check'", ranks, 2 * ranks, "doubling", "0")

    def test_each_rank_as_a_root(self):
        for ranks in (4, 5, 8):
            self.not_grown("one size cannot tell", ranks, 2 * ranks, "roots")
        self.not_grown("in roots-7.gtr: rank 0, record ", 6, 12, "roots", options=["--check", self.record(7, "roots")])

    def test_a_grid_that_has_to_be_said(self):
        self.not_grown("no grid that can become 12x3 ranks", 16, 36, "cartesian", "2", "0", options=["--grid", "12x3"])
        self.not_grown("what it becomes with 19 ranks is not known: say it by '--grid'", 16, 19, "cartesian", "2", "0")

    def test_receives_from_any_source_that_stayed_open(self):
        self.write("any.txt", "".join(f"{rank} init\n{rank} recv -555 1 8\n{rank} send {(rank + 1) % 5} 1 8\n{rank} finalize\n"
                                      for rank in range(5)))
        self.refused("any source", "extrapolate", "any.txt", "no.gtr", "--ranks", 9)

    def test_command_lines(self):
        name = self.record(5, "ring")
        for words, options in (("to how many ranks", []), ("it has 5 ranks already", ["--ranks=5"]),
                               ("expected a whole number from 2", ["--ranks=x"]), ("is no grid", ["--ranks=9", "--grid=3x"]),
                               ("are 4 ranks, and the trace has 5", ["--ranks=9", "--grid=2x2:3x3"]),
                               ("are 8 ranks, and --ranks says 9", ["--ranks=9", "--grid=5:8"]),
                               ("has as many ranks", ["--ranks=9", "--check", name])):
            self.refused(words, "extrapolate", name, "no.gtr", *options)


if __name__ == "__main__":
    unittest.main()
