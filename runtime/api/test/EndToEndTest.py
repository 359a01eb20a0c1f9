# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: the features of each language's interface work in real programs: compiled with the flag, run on 1 and 4
simulated ranks, they report every feature as ok.

usage: EndToEndTest.py PREFIX CC FC [unittest arguments]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX, CC, FC = sys.argv[1:4]
FLAG = f"--config-user-dir={PREFIX}/share/gnomon/clang"


class Programs(unittest.TestCase):
    def check(self, compiler, source, features):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            compiled = subprocess.run(
                [compiler, FLAG, "-O2", str(HERE / "e2e" / source), "-o", str(program)],
                cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(0, compiled.returncode, compiled.stderr)
            for ranks in ("1", "4"):
                with self.subTest(ranks=ranks):
                    run = subprocess.run(
                        [f"{PREFIX}/bin/gnomon", "run", "-n", ranks, str(program)],
                        cwd=folder, capture_output=True, text=True, check=False, timeout=60)
                    self.assertEqual(0, run.returncode, run.stdout + run.stderr)
                    lines = [line.rstrip() for line in run.stdout.splitlines() if ": " in line]
                    self.assertEqual([f"{feature}: ok" for feature in features], lines, run.stderr)

    def test_c(self):
        self.check(CC, "features_c.c",
                   ["ping-pong through a wrapper", "user's operation", "attributes", "error handler", "structures"])

    def test_mpif(self):
        self.check(FC, "features_mpif.f",
                   ["ring", "user's operation", "in place", "attributes", "status", "intercommunicators",
                    "clock"])

    def test_use_mpi(self):
        self.check(FC, "features_mpi.f90",
                   ["sections of arrays", "Cartesian grid", "derived type", "error handler", "some requests", "names"])

    def test_use_mpi_f08(self):
        self.check(FC, "features_f08.f90",
                   ["ring of requests", "user's operation", "attributes", "memory", "communicators",
                    "intercommunicators"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
