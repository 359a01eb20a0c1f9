#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a library that was built for another MPI is named, with that MPI, when the program calls MPI_Init; a tool that only
wraps functions of MPI is not."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
OTHER_MPI = "int PMPI_Init(int *c, char ***v) { return 0; }\nint other(void) { return 7; }\n"
SOLVER = "int other(void);\nint solve(void) { return other(); }\n"
TOOL = "int PMPI_Init(int *, char ***);\nint MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }\nint solve(void) { return 7; }\n"
PROGRAM = """#include <mpi.h>
int solve(void);
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int result = solve();
  MPI_Finalize();
  return result != 7;
}
"""


class ForeignMpi(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.flag = subprocess.run([GNOMON, "--flag"], check=True, capture_output=True, text=True).stdout.strip()

    def compile(self, text, output, *options):
        source = self.folder / "source.c"
        source.write_text(text)
        subprocess.run(["clang-22", "-O1", source, "-o", self.folder / output, *options], cwd=self.folder, check=True)

    def library(self, text, name, *options):
        self.compile(text, f"lib{name}.so", "--no-default-config", "-shared", "-fPIC", f"-Wl,-soname,lib{name}.so", *options)

    def run_program(self, *options):
        here = ("-L.", f"-Wl,-rpath,{self.folder}", "-lsolver")
        self.compile(PROGRAM, "program", self.flag, *here)
        run = subprocess.run([GNOMON, "run", "-n", "2", *options, self.folder / "program"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stderr

    def test_a_library_for_another_mpi_is_named(self):
        self.library(OTHER_MPI, "othermpi")
        self.library(SOLVER, "solver", "-L.", "-lothermpi", f"-Wl,-rpath,{self.folder}")
        said = self.run_program()
        self.assertEqual(said.count("is another MPI"), 1, said)
        self.assertIn(f"gnomon: warning: {self.folder}/libothermpi.so is another MPI, loaded for {self.folder}/libsolver.so, whose calls", said)
        self.assertNotIn("another MPI", self.run_program("--quiet"))

    def test_a_tool_is_not(self):
        self.library(TOOL, "solver")
        self.assertNotIn("another MPI", self.run_program())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
