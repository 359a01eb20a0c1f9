# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what users compile against is whole and portable: mpi.h in C89 to C++20, mpif.h in both source forms, both
Fortran modules, every function of MPI 3.1 under all its names, constants of the standard ABI.

usage: InterfaceTest.py INCLUDE_DIR EXPORTS CC CXX FC NM [unittest arguments]
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE, EXPORTS, CC, CXX, FC, NM = sys.argv[1:7]


def names():
    return [line for line in (HERE / "mpi31.txt").read_text().split("\n") if line and not line.startswith("#")]


def exports():
    return set(pathlib.Path(EXPORTS).read_text().split())


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


class Names(unittest.TestCase):
    def test_mpi_h_declares_every_function_under_both_names(self):
        header = (pathlib.Path(INCLUDE) / "mpi.h").read_text()
        declared = set(re.findall(r"\b(P?MPI_\w+)\(", header))
        missing = [n for n in names() for n in (n, "P" + n) if n not in declared]
        self.assertEqual([], missing)

    def test_libgnomon_exports_every_function_under_all_its_names(self):
        exported = exports()
        missing = [n for n in names() for n in (n, "P" + n) if n not in exported]
        in_c_only = re.compile(r"MPI_T_|\w+_(c2f|f2c)$")
        for name in names():
            if not in_c_only.match(name):
                missing += [n for n in (name.lower() + "_", "p" + name.lower() + "_") if n not in exported]
        self.assertEqual([], missing)


class C(unittest.TestCase):
    def compiles(self, compiler, *arguments):
        result = run(compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I", INCLUDE, *arguments)
        self.assertEqual((0, ""), (result.returncode, result.stderr))

    def test_mpi_h_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "alone.c"
            source.write_text('#include "mpi.h"\n#include "mpi.h"\nextern int used;\n')
            for standard in ("c89", "c99", "c11", "c17"):
                with self.subTest(standard=standard):
                    self.compiles(CC, f"-std={standard}", source)
            for standard in ("c++98", "c++11", "c++17", "c++20"):
                with self.subTest(standard=standard):
                    self.compiles(CXX, "-x", "c++", f"-std={standard}", source)

    def test_constants_are_the_abi_s(self):
        self.compiles(CC, "-std=c11", HERE / "AbiConstants.c")


class Fortran(unittest.TestCase):
    def test_mpif_h_fits_fixed_form(self):
        for line in (pathlib.Path(INCLUDE) / "mpif.h").read_text().split("\n"):
            if not line.startswith("!"):
                self.assertLessEqual(len(line), 72, line)
                self.assertNotIn("&", line)

    def compile(self, source, *flags):
        """The undefined symbols of the object file."""
        with tempfile.TemporaryDirectory() as folder:
            object_ = pathlib.Path(folder) / "out.o"
            result = run(FC, "-c", "-I", INCLUDE, *flags, HERE / "fortran" / source, "-o", object_)
            self.assertEqual((0, ""), (result.returncode, result.stderr))
            symbols = run(NM, "--undefined-only", "--format=posix", object_).stdout
            return [line.split()[0] for line in symbols.splitlines()]

    def uses_only_exports(self, symbols):
        ours = [s for s in symbols if s.startswith(("mpi_", "pmpi_", "gnomon_", "_QMmpi"))]
        self.assertNotEqual([], ours)
        self.assertEqual([], [s for s in ours if s not in exports()])

    def test_sources_compile_and_need_no_object_of_ours(self):
        for source in ("mpif_fixed.f", "mpif_free.f90", "choice_mpi.f90", "choice_f08.f90"):
            with self.subTest(source=source):
                self.uses_only_exports(self.compile(source))

    def test_default_kinds_do_not_change_the_interface(self):
        for source in ("mpif_fixed.f", "mpif_free.f90"):
            for flag in ("-fdefault-real-8", "-fdefault-integer-8"):
                with self.subTest(source=source, flag=flag):
                    self.uses_only_exports(self.compile(source, flag))
        for source in ("choice_mpi.f90", "choice_f08.f90"):
            with self.subTest(source=source):
                self.uses_only_exports(self.compile(source, "-fdefault-real-8"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[7:]])
