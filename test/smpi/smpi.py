#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: programs annotated for SMPI compile as they are. With --shadow their macros skip what they name and charge
what they say; without, everything runs and nothing is shared."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"


class Macros(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        for name, compiler, source in (("c", "cc", "macros.c"), ("cxx", "cxx", "macros.cpp"), ("f", "fc", "execute.f90")):
            text = HERE / source
            if source == "macros.cpp":
                text = cls.directory / source
                text.write_text((HERE / "macros.c").read_text())
            subprocess.run([GNOMON, compiler, "-O2", text, "-o", cls.directory / name], check=True, cwd=cls.directory)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_program(self, name, *options):
        # A rank's host and this machine compute 1e9 flop/s: a flop is a nanosecond. What else is computed is counted, not measured.
        command = [GNOMON, "run", "-q", "-n", "4", "--compute=counted", "--host-speed", "1e9f", "--platform", HERE / "platform.xml"]
        result = subprocess.run([*command, *options, self.directory / name], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def values(self, text, what):
        found = re.findall(rf"^rank \d+ {what}: (\d+) bodies, variable (\d+), ([\d.]+) s$", text, re.MULTILINE)
        self.assertEqual(len(found), 4, text)
        return [(int(bodies), int(last), float(seconds)) for bodies, last, seconds in found]

    def check_skipped(self, text):
        # The 4 that it asks for; and the rank's first, if that pays for page faults: it is no sample of the others then.
        self.assertLessEqual({v[:2] for v in self.values(text, "local")}, {(4, 100), (5, 100)})
        for bodies, _, seconds in self.values(text, "flops"):
            self.assertEqual(bodies, 0)
            self.assertAlmostEqual(seconds, 6, delta=1e-5)
        for bodies, _, seconds in self.values(text, "delay"):
            self.assertEqual(bodies, 0)
            self.assertAlmostEqual(seconds, 0.5, delta=1e-5)
        found = int(re.search(r"^global: (\d+) bodies, in range$", text, re.MULTILINE)[1])
        self.assertLess(found, 60)
        self.assertGreaterEqual(found, 8)
        self.assertGreaterEqual(text.count("memory: shared"), 3)

    def check_executed(self, text):
        self.assertEqual({v[:2] for v in self.values(text, "local")}, {(100, 100)})
        self.assertEqual({v[0] for v in self.values(text, "flops")}, {3})
        self.assertIn("global: 400 bodies", text)
        self.assertEqual(text.count("memory: own"), 4)

    def test_shadow(self):
        for name in ("c", "cxx"):
            with self.subTest(language=name):
                self.check_skipped(self.run_program(name, "--shadow"))

    def test_exact(self):
        for name in ("c", "cxx"):
            with self.subTest(language=name):
                self.check_executed(self.run_program(name))

    def test_either_way(self):
        for options in ([], ["--shadow"]):
            text = self.run_program("c", *options)
            self.assertEqual({v[:2] for v in self.values(text, "break")}, {(19, 20)})
            for _, _, seconds in self.values(text, "execute"):
                self.assertAlmostEqual(seconds, 2.25, delta=1e-5)
            self.assertEqual([f"counter {7 + rank}" in text for rank in range(4)], [True] * 4)

    def test_fortran(self):
        seconds = re.findall(r"seconds +([\d.]+)", self.run_program("f"))
        self.assertEqual(seconds, ["1.500"] * 4)


if __name__ == "__main__":
    unittest.main()
