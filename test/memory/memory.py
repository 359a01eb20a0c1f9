#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what ranks have in common is in memory once, large initial values always and equal pages on request; results,
simulated time, communication and reports of crashes stay as they are."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
MIB = 1 << 20


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        for name in ("alike", "blocks", "tables", "replicated"):
            subprocess.run([GNOMON, "cc", "-O1", "-g", HERE / f"{name}.c", "-o", cls.directory / name], check=True)
        subprocess.run([GNOMON, "fc", "-O1", "-g", HERE / "arrays.f90", "-o", cls.directory / "arrays"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_gnomon(self, ranks, *arguments, code=0):
        """Its JSON, its trace and what it printed."""
        file, trace = self.directory / "run.json", self.directory / "run.trace"
        command = [str(argument) for argument in (GNOMON, "run", "-n", ranks, "--compute=counted", "--json", file, "--comm-trace", trace, *arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, self.directory)
        return json.loads(file.read_text()), trace.read_text(), result

    def test_initial_tables_are_in_memory_once(self):
        run, _, result = self.run_gnomon(256, "./tables")
        self.assertEqual(result.stdout, "tables: PASSED\n")
        # 256 MiB if each rank had its own; the table lies at 8 places of a page, and 32 ranks write to two pages of theirs.
        self.assertLess(run["host"]["peak_rss_bytes"], 80 * MIB)

    def test_few_ranks_lie_alike_where_they_are_measured(self):
        """What a core makes of two addresses, it makes on all ranks; in a limited address space there is no room for it."""
        alike, apart = "globals alike, stacks alike\n", "globals apart, stacks apart\n"
        cases = [(40, "measured", "", alike), (40, "counted", "", apart), (300, "measured", "", apart), (40, "measured", "ulimit -v 20000000; ", apart)]
        for ranks, compute, limit, expected in cases:
            command = f"{limit}exec {GNOMON} run -q -n {ranks} --compute={compute} ./alike"
            result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=self.directory)
            self.assertEqual((result.stdout, result.returncode), (expected, 0), command + result.stderr)

    def test_tables_of_ranks_that_lie_alike(self):
        result = subprocess.run([GNOMON, "run", "-q", "-n", "64", "./tables"], capture_output=True, text=True, cwd=self.directory)
        self.assertEqual((result.stdout, result.returncode), ("tables: PASSED\n", 0), result.stderr)

    def test_merging_changes_nothing_but_memory(self):
        plain, trace, printed = self.run_gnomon(64, "./replicated")
        merged, merged_trace, merged_printed = self.run_gnomon(64, "--merge-pages", "./replicated")
        self.assertEqual(printed.stdout, "replicated: PASSED\n")
        self.assertEqual(merged_printed.stdout, printed.stdout)
        self.assertEqual(merged["simulated_time"], plain["simulated_time"])
        self.assertEqual(merged_trace, trace)
        self.assertIsNone(plain["host"]["merging"])
        merging = merged["host"]["merging"]
        self.assertGreater(merging["given_back_bytes"], 60 * MIB)
        self.assertGreater(merging["pages_split"], 0)
        self.assertEqual(merging["looks_refused"], 0)
        self.assertLess(merging["mappings"], 16384)
        self.assertLess(merged["host"]["peak_rss_bytes"], plain["host"]["peak_rss_bytes"])
        self.assertRegex(merged_printed.stderr, r"gnomon: of \d+ pages looked at, \d+ merged and \d+ zero, \d+ of them written again later: ")

    def test_what_a_program_does_to_its_pages_has_the_same_effect(self):
        for what in ("discard", "grow"):
            _, _, result = self.run_gnomon(16, "--merge-pages", "./replicated", what)
            self.assertEqual(result.stdout, "replicated: PASSED\n", what)

    def test_fortrans_arrays_are_merged(self):
        plain, trace, _ = self.run_gnomon(48, "./arrays")
        merged, merged_trace, result = self.run_gnomon(48, "--merge-pages", "./arrays")
        self.assertEqual(result.stdout, "arrays: PASSED\n")
        self.assertEqual(merged["simulated_time"], plain["simulated_time"])
        self.assertEqual(merged_trace, trace)
        self.assertGreater(merged["host"]["merging"]["given_back_bytes"], 40 * MIB)  # of 48 times 1 MiB

    def test_blocks_keep_their_content_whatever_is_done_to_them(self):
        run, _, result = self.run_gnomon(16, "--merge-pages", "./blocks")
        self.assertEqual(result.stdout, "blocks: PASSED\n")
        self.assertGreater(run["host"]["merging"]["pages_merged"], 1000)
        self.assertGreater(run["host"]["merging"]["pages_split"], 100)

    def test_crashes_are_reported_as_ever(self):
        for what, text in ("crash", "rank 2 at .*: segmentation fault"), ("protect", "rank 2 at .*: segmentation fault"):
            _, _, result = self.run_gnomon(16, "--merge-pages", "./replicated", what, code=139)
            self.assertRegex(result.stderr, text)
            self.assertRegex(result.stderr, r"replicated\.c:\d+ in ")


if __name__ == "__main__":
    unittest.main()
