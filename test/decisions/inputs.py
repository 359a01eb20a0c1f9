#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: decisions carry the files that ranks read, whatever way they get at them; a run whose files differ is told."""

import re
import subprocess
import sys
import unittest

from decisions import GIVEN, GNOMON, HERE, Decisions


class Inputs(Decisions):
    def setUp(self):
        (self.directory / "sub").mkdir(exist_ok=True)
        for name in ("in.dat", "sub/in.dat"):
            self.put(name, "0.90\n")

    def put(self, name, text):
        (self.directory / name).write_text(text)

    def run_on(self, *arguments, stdin=subprocess.DEVNULL, code=0):
        """As run_gnomon, with a standard input."""
        result = subprocess.run([str(word) for word in (GNOMON, "run", *arguments)], capture_output=True, text=True, stdin=stdin,
                                cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stderr

    def lines(self, *program, ranks=2, stdin=subprocess.DEVNULL):
        """The lines of files that a recording has, without hashes."""
        self.run_on("-n", ranks, "--record-decisions", "decisions", *program, stdin=stdin)
        text = (self.directory / "decisions").read_text()
        return [re.sub(r" [0-9a-f]{16} ", " # ", line) for line in re.findall(r"^inputs? .*", text, re.MULTILINE)]

    def notes(self, *arguments, ranks=2, code=0, stdin=subprocess.DEVNULL):
        return self.run_on("-n", ranks, *GIVEN, "--decisions", "decisions", *arguments, code=code, stdin=stdin)


class Ways(Inputs):
    def test_c(self):
        program = self.build("input.c")
        for way in ("fopen", "update", "fdopen", "open", "both", "map", "mpi", "mpi-both"):
            self.assertEqual(self.lines(program, way), ["input 5 # all in.dat"], way)
        for way in ("openat", "chdir"):
            self.assertEqual(self.lines(program, way), ["input 5 # all sub/in.dat"], way)
        self.assertEqual(self.lines(program, "freopen"), ["input 5 # all in.dat"])

    def test_fortify(self):
        program = self.build("input.c", "fortified", "-D_FORTIFY_SOURCE=2")
        for way in ("open", "both", "fopen"):
            self.assertEqual(self.lines(program, way), ["input 5 # all in.dat"], way)
        self.assertEqual(self.lines(program, "openat"), ["input 5 # all sub/in.dat"])

    def test_hash(self):
        """XXH64, so that xxhsum shows the same."""
        self.lines(self.build("input.c"), "fopen")
        self.put("in.dat", "abc")
        self.lines(self.build("input.c"), "none", "in.dat")
        self.assertIn("input 3 44bc2cf5ad770999 all in.dat\n", (self.directory / "decisions").read_text())

    def test_cxx(self):
        program = self.directory / "stream"
        subprocess.run([GNOMON, "cxx", "-O2", "-g", "input.cpp", "-o", program], check=True, cwd=HERE)
        self.assertEqual(self.lines(program), ["input 5 # all in.dat"])

    def test_fortran(self):
        program = self.directory / "unit"
        subprocess.run([GNOMON, "fc", "-O2", "-g", "input.f90", "-o", program], check=True, cwd=HERE)
        for _ in range(2):  # out.dat is there the second time, and is written again
            self.assertEqual(self.lines(program), ["input 5 # all in.dat"])
        self.assertTrue((self.directory / "out.dat").exists())
        self.put("in.dat", "0.8\n")
        self.assertIn("the file in.dat differs", self.notes("--decisions-check=warn", program))

    def test_standard_input(self):
        program = self.build("input.c")
        for way in ("scan", "read"):
            with open(self.directory / "in.dat") as stdin:
                self.assertEqual(self.lines(program, way, stdin=stdin), ["input 5 # 0 /dev/stdin"], way)
            with open(self.directory / "in.dat") as stdin:
                self.assertNotIn("assumption", self.notes(program, way, stdin=stdin))
            self.put("other", "0.8\n")
            with open(self.directory / "other") as stdin:
                self.assertIn("/dev/stdin differs", self.notes("--decisions-check=warn", program, way, stdin=stdin))
        with open(self.directory / "in.dat") as stdin:
            self.assertEqual(self.lines(program, "none", stdin=stdin), ["input none"])

    def test_standard_input_from_a_pipe(self):
        """What came is not known, so that it is never the same."""
        program = self.build("input.c")
        pipe = f"cat in.dat | {GNOMON} run -n 2"
        for way in ("scan", "read"):
            subprocess.run(f"{pipe} --record-decisions decisions {program} {way}", shell=True, check=True, cwd=self.directory,
                           capture_output=True)
            self.assertIn("\ninput 0 - 0 /dev/stdin\n", (self.directory / "decisions").read_text())
            result = subprocess.run(f"{pipe} --decisions decisions {program} {way}", shell=True, check=True, cwd=self.directory,
                                    capture_output=True, text=True)
            self.assertRegex(result.stderr, "/dev/stdin was read when decisions were recorded, and is not there: .* assumption")
        subprocess.run(f"{pipe} --record-decisions decisions {program} none", shell=True, check=True, cwd=self.directory,
                       capture_output=True)
        self.assertIn("\ninput none\n", (self.directory / "decisions").read_text())

    def test_none(self):
        program = self.build("input.c")
        for way in ("none", "own", "proc"):
            self.assertEqual(self.lines(program, way), ["input none"], way)
        self.assertEqual(self.lines(program, "own"), ["input none"])  # they are there from the start now

    def test_many(self):
        program = self.build("input.c")
        for rank in range(20):
            self.put(f"in.{rank:04}", "0.9\n" if rank else "0.90\n")
        self.assertEqual(self.lines(program, "ranks", ranks=20), ["inputs 20 81 # all in.[0000-0019]"])
        self.assertNotIn("assumption", self.notes(program, "ranks", ranks=20))
        self.put("in.0007", "0.8\n")
        self.assertIn("the files in.[0000-0019] differ from those recorded", self.notes(program, "ranks", ranks=20))
        self.assertEqual(self.lines(program, "ranks", ranks=2), ["input 5 # 0 in.0000", "input 4 # 1 in.0001"])


class Differences(Inputs):
    def test_same(self):
        self.lines(self.build("input.c"), "fopen")
        self.assertNotIn("assumption", self.notes(self.build("input.c"), "fopen"))
        decisions = self.bursts("-n", 2, *GIVEN, "--decisions", "decisions", self.build("input.c"), "fopen")["decisions"]
        self.assertEqual((decisions["kind"], decisions["inputs"], decisions["inputs_different"]), ("given", 1, 0))

    def test_changed(self):
        program = (self.build("input.c"), "fopen")
        self.lines(*program)
        self.put("in.dat", "0.91\n")
        self.assertIn("note: the file in.dat differs from the one recorded: what is given is an assumption",
                      self.notes("--decisions-check=warn", *program))
        decisions = self.bursts("-n", 2, *GIVEN, "--decisions", "decisions", "--decisions-check=warn", *program)["decisions"]
        self.assertEqual(decisions["inputs_different"], 1)
        # Where nothing is skipped before, the contradiction shows.
        errors = self.run_on("-n", 2, "--shadow", "--decisions", "decisions", *program, code=2)
        self.assertIn("the run contradicts the decisions", errors)
        self.assertIn("the file in.dat differs", errors)

    def test_added_and_removed(self):
        program = self.build("input.c")
        self.lines(program, "none", "extra")
        self.put("extra", "")
        self.assertIn("the file extra was not read when decisions were recorded", self.notes(program, "none", "extra"))
        self.assertEqual(self.lines(program, "none", "extra"), ["input 0 # all extra"])
        (self.directory / "extra").unlink()
        self.assertIn("the file extra was read when decisions were recorded, and is not there", self.notes(program, "none", "extra"))
        self.lines(program, "fopen")
        self.assertIn("the file in.dat was read when decisions were recorded, and is not read now", self.notes(program, "none"))

    def test_by_hand(self):
        """A file that names none is compared with none."""
        self.lines(self.build("input.c"), "fopen")
        file = self.directory / "decisions"
        file.write_text(re.sub(r"input .*\n", "", file.read_text()))
        self.put("in.dat", "0.9\n")
        self.assertNotIn("in.dat", self.notes(self.build("input.c"), "fopen"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
