#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Projects that know nothing of Gnomon, built by their own build systems with the flag and nothing else changed,
then run on 4 simulated ranks. Called with the name of one test class or test.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
WRAPPERS = PREFIX / "libexec/gnomon/bin"
FLAG = subprocess.run([GNOMON, "--flag"], capture_output=True, text=True, check=True).stdout.strip()
COMPILERS = {"C": "clang-22", "CXX": "clang++-22", "Fortran": "flang-22"}
SUMS = {"mini_c": "c: 4 ranks, sum 6", "mini_cxx": "c++: 4 ranks, sum 6", "mini_fortran": "fortran: 4 ranks, sum 6"}


class Build(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def project(self, name):
        copy = self.directory / name
        shutil.copytree(HERE / name, copy)
        return copy

    def succeeds(self, *arguments, **options):
        print("+", *arguments, flush=True)
        result = subprocess.run([str(argument) for argument in arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL, **options)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def runs(self, program):
        self.assertIn(SUMS[program.name], self.succeeds(GNOMON, "run", "-q", "-n", 4, program))
        alone = self.succeeds(program)
        self.assertIn("1 ranks, sum 0", alone)


class CMake(Build):
    def build(self, *arguments, programs=SUMS, **options):
        source, build = self.project("cmake"), self.directory / "b"
        output = self.succeeds("cmake", "-S", source, "-B", build, *arguments, **options)
        self.succeeds("cmake", "--build", build)
        for program in programs:
            self.runs(build / program)
        return output, (build / "CMakeCache.txt").read_text()

    def test_only_the_flag(self):
        flags = [f"-DCMAKE_{language}_COMPILER={compiler}" for language, compiler in COMPILERS.items()]
        flags += [f"-DCMAKE_{language}_FLAGS={FLAG}" for language in COMPILERS]
        _, cache = self.build(*flags)
        self.assertNotIn("openmpi/include", cache)

    def test_wrappers_as_compilers(self):
        self.build(env={**os.environ, "CC": str(WRAPPERS / "mpicc"), "CXX": str(WRAPPERS / "mpicxx"),
                        "FC": str(WRAPPERS / "mpifort")})

    def test_wrappers_found_by_cmake(self):
        # FindMPI asks the wrappers it finds beside mpiexec; of their link line it keeps -L, -l and -Wl only, so the
        # linker is named here.
        flags = [f"-DCMAKE_{language}_COMPILER={compiler}" for language, compiler in COMPILERS.items()]
        path = f"{WRAPPERS}:{os.environ['PATH']}"
        _, cache = self.build(*flags, "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld", env={**os.environ, "PATH": path})
        self.assertIn(f"MPIEXEC_EXECUTABLE:FILEPATH={WRAPPERS}/mpiexec", cache)
        self.assertIn(f"MPI_C_COMPILER:FILEPATH={WRAPPERS}/mpicc", cache)

    def test_fortran_c_interface(self):
        # CMake builds a program, does not run it, and reads out of the file which names of a procedure were linked in.
        source, build = self.project("fortran-c-interface"), self.directory / "b"
        languages = [language for language in COMPILERS if language != "CXX"]
        self.succeeds("cmake", "-S", source, "-B", build, *(f"-DCMAKE_{language}_COMPILER={COMPILERS[language]}" for language in languages),
                      *(f"-DCMAKE_{language}_FLAGS={FLAG}" for language in languages))
        header = (build / "names.h").read_text()
        self.assertIn("#define FC_GLOBAL(name,NAME) name##_\n", header)
        self.assertIn("#define FC_GLOBAL_(name,NAME) name##_", header)


class Make(Build):
    def test_cc_is_compiler_and_flag(self):
        project = self.project("make")
        self.succeeds("make", f"CC=clang-22 {FLAG}", cwd=project)
        self.runs(project / "mini_c")

    def test_mpicc_in_path(self):
        project = self.project("make")
        self.succeeds("make", cwd=project, env={**os.environ, "PATH": f"{WRAPPERS}:{os.environ['PATH']}"})
        self.runs(project / "mini_c")


class Autoconf(Build):
    def test_configure(self):
        project = self.project("autoconf")
        if not shutil.which("autoreconf"):
            self.skipTest("autoconf is not installed")
        self.succeeds("autoreconf", "-i", cwd=project)
        self.succeeds("./configure", f"CC=clang-22 {FLAG}", cwd=project)
        self.succeeds("make", cwd=project)
        self.runs(project / "mini_c")


class RealLauncher(Build):
    """A program under a real mpirun would be N simulations of one rank: it must say so and stop."""

    def launch(self, variable, *launcher):
        if not shutil.which(launcher[0]):
            self.skipTest(f"{launcher[0]} is not installed")
        program = self.directory / "program"
        self.succeeds("clang-22", FLAG, HERE / "cmake/main.c", HERE / "cmake/part.c", "-o", program)
        result = subprocess.run([*launcher, "-n", "2", program], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL)
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("ranks, sum", result.stdout)
        self.assertIn("gnomon: this program is built for simulation and was started by a real MPI launcher "
                      f"({variable} is set); start it with: gnomon run -n N PROGRAM\n", result.stderr)

    def test_open_mpi(self):
        self.launch("OMPI_COMM_WORLD_SIZE", "mpirun.openmpi", "--allow-run-as-root", "--oversubscribe")

    def test_mpich(self):
        self.launch("PMI_SIZE", "mpirun.mpich")


if __name__ == "__main__":
    unittest.main()
