#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: programs that start ranks, programs joined by ':', and groups that connect do in simulation what MPI says; what goes
wrong with started ranks is told by their names."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = str(PREFIX / "bin/gnomon")
MPIEXEC = str(PREFIX / "libexec/gnomon/bin/mpiexec")
FLAG = subprocess.run([GNOMON, "--flag"], check=True, capture_output=True, text=True).stdout.strip()

# A program whose workers do, by argv[1]: wait for ever, end badly without MPI_Finalize, or tell the date of their start.
MANAGER = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int number = 0, *universe, found;
  MPI_Comm parent, children;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    if (!strcmp(argv[1], "wait"))
      MPI_Recv(&number, 1, MPI_INT, 0, 7, parent, MPI_STATUS_IGNORE);
    if (!strcmp(argv[1], "leave"))
      exit(3);
    if (!strcmp(argv[1], "start"))
      printf("started at %.1f\\n", MPI_Wtime());
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &found);
  printf("universe %d\\n", *universe);
  MPI_Comm_spawn(argv[0], argv + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="node-" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
"""


class Spawn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        (cls.folder / "elsewhere").mkdir()
        (cls.folder / "platform.xml").write_text(PLATFORM)
        (cls.folder / "manager.c").write_text(MANAGER)
        cls.compile(HERE / "spawner.c", "spawner")
        cls.compile(HERE / "worker.c", "worker")
        shutil.copy(cls.folder / "worker", cls.folder / "elsewhere")
        cls.compile(HERE / "ports.c", "ports")
        cls.compile(HERE / "mpmd.c", "one", "-DNUMBER=10")
        cls.compile(HERE / "mpmd.c", "two", "-DNUMBER=100")
        cls.compile(cls.folder / "manager.c", "manager")
        cls.compile(HERE / "spawn_f08.f90", "spawn_f08", compiler="flang-22")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def compile(cls, source, program, *options, compiler="clang-22"):
        subprocess.run([compiler, FLAG, "-O2", "-g", *options, str(source), "-o", str(cls.folder / program)], check=True,
                       cwd=cls.folder)

    def run_(self, *command, code=0):
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(code, result.returncode, result.stdout + result.stderr)
        return result

    def test_processes(self):
        for ranks in ("1", "2", "5"):
            result = self.run_(GNOMON, "run", "-n", ranks, "--platform", "platform.xml", "./spawner")
            self.assertEqual(result.stdout, "spawner: PASSED\n", result.stderr)

    def test_ports(self):
        result = self.run_(GNOMON, "run", "-n", "4", "--compute=none", "./ports")
        self.assertEqual(result.stdout, "ports: PASSED\n", result.stderr)

    def test_fortran(self):
        for ranks in ("1", "3"):
            result = self.run_(GNOMON, "run", "-n", ranks, "./spawn_f08")
            self.assertEqual(result.stdout.strip(), "spawn_f08: PASSED", result.stderr)

    def test_several_programs(self):
        result = self.run_(MPIEXEC, "-n", "2", "./one", "a", ":", "-np", "1", "./two", "b", "c", ":", "./one")
        self.assertEqual(result.stdout, "0 of 4: app 0, 10 of 136, a 2\n1 of 4: app 0, 11 of 136, a 2\n"
                                        "2 of 4: app 1, 102 of 136, c 3\n3 of 4: app 2, 13 of 136, ./one 1\n")
        self.assertEqual(result.stderr, "")

    def test_several_programs_are_checked(self):
        for command, text in ((("./one", ":"), "no program after ':'"), 
                              (("./one", ":", "-n", "0", "./two"), "'-n 0': expected a whole number, 1 or more"),
                              (("./one", ":", "./three"), "program './three' does not exist"),
                              (("./one", ":", "--json", "x", "./two"), "'--json' after ':' would be for one program only, which is "
                               "not available; name it before the first program, for all of them"),
                              (("./one", ":", "/bin/true"), "'/bin/true' is not built for Gnomon; build it with the flag that "
                               "'gnomon --flag' prints")):
            self.assertIn(f"gnomon: error: {text}\n", self.run_(GNOMON, "run", *command, code=2).stderr)

    def test_companions_are_checked_by_the_runtime_too(self):
        result = self.run_(GNOMON, "run", "-n", "2", "--companion", "1", "./one", code=2)
        self.assertIn("--companion: expected ranks, file and arguments", result.stderr)

    def test_universe(self):
        self.assertIn("universe 17\n", self.run_(GNOMON, "run", "./manager", "end").stdout)
        self.assertIn("universe 40\n", self.run_(MPIEXEC, "-n", "20", "./manager", "end").stdout)
        self.assertIn("universe 5\n", self.run_(MPIEXEC, "-usize", "5", "./manager", "end").stdout)
        self.assertIn("universe 8\n", self.run_(GNOMON, "run", "--platform", "platform.xml", "./manager", "end").stdout)

    def test_time_of_the_start(self):
        result = self.run_(GNOMON, "run", "--compute=none", "--set", "gnomon/spawn-time=2.5", "./manager", "start")
        self.assertEqual(result.stdout.count("started at 2.5\n"), 2, result.stdout)
        result = self.run_(GNOMON, "run", "--set", "gnomon/spawn-time=-1", "./manager", "start", code=2)
        self.assertIn("gnomon: error: --set: gnomon/spawn-time: expected a number of seconds, 0 or more, not '-1'\n", result.stderr)

    def test_deadlock_names_the_world(self):
        result = self.run_(GNOMON, "run", "./manager", "wait", code=3)
        self.assertRegex(result.stderr, r"^gnomon: deadlock at \S+ s: 2 of 3 ranks wait for ever\n")
        self.assertRegex(result.stderr, r"rank 2 \(rank 1 of spawned world 1, ./manager\): MPI_Recv at manager.c:13 in main: "
                                        "receive from rank 0, tag 7, MPI_COMM_PARENT")

    def test_end_without_finalize_names_the_world(self):
        result = self.run_(GNOMON, "run", "./manager", "leave", code=3)
        self.assertRegex(result.stderr, r"(?m)^gnomon: rank 1 \(rank 0 of spawned world 1, ./manager\) at \S+ s: ended with code 3 without "
                                        "calling MPI_Finalize$")

    def test_traces_have_the_started_ranks(self):
        self.run_(GNOMON, "run", "--comm-trace", "calls", "./manager", "end")
        self.assertIn("rank 2\n", (self.folder / "calls").read_text())


if __name__ == "__main__":
    unittest.main()
