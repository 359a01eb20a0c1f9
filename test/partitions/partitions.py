#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a program whose code the linker generates in several partitions is the same program: what it prints, the simulated time, the
trace of its communication, its bursts and the link's remarks; and for one number of partitions the same to the byte, on one core and
on all. Messages name its functions as the source does."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
COMPILERS = {".c": "cc", ".cpp": "cxx", ".f90": "fc"}
NUMBERS = (1, 2, 3)
RANKS = "3"


class Partitions(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def build(self, source, partitions, *options, before=(), name="program"):
        """One name for all: a program's name stands in tables."""
        folder = self.directory / str(partitions)
        folder.mkdir(exist_ok=True)
        compiled = folder / "source.o"
        compiler = COMPILERS[pathlib.Path(source).suffix]
        subprocess.run([GNOMON, compiler, "-O2", *options, "-c", HERE / source, "-o", compiled], check=True)
        link = subprocess.run([*before, GNOMON, compiler, "-O2", *options, "source.o", "-o", name, f"-flto-partitions={partitions}",
                               "-Wl,-mllvm,-pass-remarks=gnomon", "-Wl,-mllvm,-pass-remarks-missed=gnomon"], cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # How long the analysis took is another number each time.
        return folder / name, re.sub(r"took \d+ ms", "", link.stdout)

    def run_it(self, program, *options, code=0):
        result = subprocess.run([GNOMON, "run", "-n", RANKS, *options, program], cwd=program.parent, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def all_of_it(self, source, partitions):
        program, remarks = self.build(source, partitions)
        folder = program.parent
        run = self.run_it(program, "--compute=counted", "--comm-trace", folder / "trace", "--bursts", folder / "bursts")
        simulated = re.search(r"simulated time \S+", run.stderr)
        self.assertTrue(simulated, run.stderr)
        return {"remarks": remarks, "output": run.stdout, "time": simulated[0], "trace": (folder / "trace").read_text(),
                "bursts": (folder / "bursts").read_text()}

    def test_the_same_program_whatever_their_number(self):
        for source in ("statics.c", "classes.cpp", "modules.f90"):
            alone = self.all_of_it(source, 1)
            self.assertTrue(alone["output"] and alone["trace"] and alone["remarks"], alone)
            for partitions in NUMBERS[1:]:
                for what, text in self.all_of_it(source, partitions).items():
                    with self.subTest(source=source, partitions=partitions, what=what):
                        self.assertEqual(alone[what], text)

    def test_the_same_bytes_on_one_core_and_on_all(self):
        for before in ((), ("taskset", "-c", str(min(os.sched_getaffinity(0))))):
            self.build("statics.c", 3, before=before, name="all" if not before else "one")
        self.assertEqual((self.directory / "3/all").read_bytes(), (self.directory / "3/one").read_bytes())

    def test_a_symbol_of_each_static_is_in_the_link_alone(self):
        """What the linker cut is what this test is about: without a cut there would be nothing to see."""
        program, _ = self.build("statics.c", 3)
        symbols = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout
        self.assertRegex(symbols, r" t exchange\.llvm\.\d+\n")
        self.assertNotRegex(symbols, r" [a-z] (exchange|relax|gnomon\.private)\n")

    def test_each_partition_has_its_share_and_the_order_of_functions_stays(self):
        functions, partitions = 60, 4
        source = self.directory / "many.c"
        source.write_text("#include <mpi.h>\nvolatile int value;\n" + "".join(
            f"__attribute__((noinline)) static int f{i}(int n) {{ return n > value ? {i} + value * n : value - {i}; }}\n"
            for i in range(functions)) + "int main(void) {\n  MPI_Init(0, 0);\n" +
            "".join(f"  value = f{i}(value);\n" for i in range(functions)) + "  MPI_Finalize();\n}\n")
        orders = []
        for number in (1, partitions):
            program, _ = self.build(source, number, "-Wl,--lto-obj-path=part.o")
            symbols = subprocess.run(["nm", "-n", program], check=True, capture_output=True, text=True).stdout
            orders.append(re.findall(r" t (f\d+|gnomon\.main)\b", symbols))
        self.assertEqual(len(orders[0]), functions + 1)
        self.assertEqual(orders[0], orders[1])
        parts = ["part.o"] + [f"part.o{i}" for i in range(1, partitions)]
        sizes = subprocess.run(["size", *parts], cwd=self.directory / str(partitions), check=True, capture_output=True, text=True).stdout
        bytes_of_code = [int(line.split()[0]) for line in sizes.splitlines()[1:]]
        mean = sum(bytes_of_code) / partitions
        for size in bytes_of_code:
            self.assertTrue(0.6 * mean < size < 1.4 * mean, sizes)

    def messages(self, source, code, *options):
        """Of a run that fails: how they begin, for one partition and for more."""
        for partitions in NUMBERS:
            program, _ = self.build(source, partitions, *options)
            text = self.run_it(program, "--compute=none", code=code).stderr
            yield partitions, re.sub(r"(?s)gnomon: (INCOMPLETE: )?simulated time.*", "", text)

    def same_messages(self, source, code, named, *options):
        found = dict(self.messages(source, code, *options))
        for name in named:
            self.assertIn(name, found[1])
        for partitions in NUMBERS[1:]:
            self.assertNotIn(".llvm.", found[partitions])
            self.assertEqual(found[1], found[partitions])

    def test_a_crash_names_the_functions_of_the_source(self):
        self.same_messages("crash.cpp", 139, ["crash.cpp:6 in (anonymous namespace)::writeTo(int volatile*, int)"])

    def test_a_deadlock_names_the_functions_of_the_source(self):
        self.same_messages("stuck.c", 3, ["stuck.c:7 in wait", "stuck.c:10 in meet"])

    def test_without_lines_the_names_are_those_of_the_source_too(self):
        self.same_messages("stuck.c", 3, ["an unknown line in wait", "an unknown line in meet"], "-g0")
        self.same_messages("crash.cpp", 139, ["an unknown line in (anonymous namespace)::writeTo(int volatile*, int)"], "-g0")


if __name__ == "__main__":
    unittest.main()
