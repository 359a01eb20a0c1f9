#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: the trace of a run of a real MPI has the records of a simulated run's, in C and in Fortran, the instructions that are
counted there, and says so when it is not whole; the program notices nothing.

usage: acquisition.py MPI [test…]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
MPI = sys.argv.pop(1)
LIBRARY = PREFIX / f"lib/libgnomon-trace-{MPI}.so"
RANKS = 4
sys.path.insert(0, str(PREFIX / "share/gnomon/python"))

import gnomon_trace  # noqa: E402


def wrapper(language, **compilers):
    """MPI's compiler of a language, and the environment in which it calls another one than its own."""
    variable = {"cc": ("MPICH_CC", "OMPI_CC"), "f90": ("MPICH_FC", "OMPI_FC")}[language]
    environment = {name: compilers[language] for name in variable if language in compilers}
    return f"mpi{language}.{MPI}", {**os.environ, **environment}


def flag(name):
    return subprocess.run([GNOMON, name], check=True, capture_output=True, text=True).stdout.strip()


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def call(self, *command, code=0, **options):
        result = subprocess.run([str(word) for word in command], cwd=self.directory, capture_output=True, text=True, **options)
        if code is not None:
            self.assertEqual(result.returncode, code, f"{command}\n{result.stdout}{result.stderr}")
        return result

    def build(self, source, *options, output="real", **compilers):
        program, environment = wrapper("f90" if str(source).endswith("f90") else "cc", **compilers)
        source = HERE / source if isinstance(source, str) else source
        self.call(program, "-w", "-O2", source, "-o", output, *options, env=environment)
        return f"./{output}"

    def run_real(self, program, preload=True, file="real", code=0):
        """Runs it on real ranks: what it says on stderr."""
        environment = {**os.environ, "GNOMON_TRACE_FILE": file, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if MPI == "openmpi":
            line = ["mpirun.openmpi", "--oversubscribe", "-x", "GNOMON_TRACE_FILE", *(["-x", f"LD_PRELOAD={LIBRARY}"] if preload else [])]
        else:
            line = ["mpirun.mpich", *(["-env", "LD_PRELOAD", LIBRARY] if preload else [])]
        return self.call(*line, "-n", RANKS, program, env=environment, code=code).stderr

    def acquire(self, program, **options):
        self.run_real(program, **options)
        self.call(GNOMON, "trace", "merge", "-o", "real.gtr", *sorted(self.directory.glob("real.*.gtr")))
        return "real.gtr"

    def simulate(self, source, compiler):
        self.call(compiler, flag("--flag"), "-O2", HERE / source, "-o", "simulated", "-lm")
        self.call(GNOMON, "run", "-n", RANKS, "--compute=counted", "--trace", "simulated.gtr", "./simulated")
        return "simulated.gtr"

    def assert_same_calls(self, first, second):
        self.assertEqual(self.call(GNOMON, "trace", "cmp", "--no-volumes", first, second, code=None).stdout, "")

    def computations(self, path):
        """Of each rank: what it computed between two calls, by the column asked for."""
        ranks = []
        trace = gnomon_trace.Trace(str(self.directory / path))
        with trace.file:
            for rank in range(RANKS):
                ranks.append([])
                computed = [0.0, 0.0]
                for record in trace.records(rank):
                    if record.name in ("compute", "part"):
                        computed = [a + b for a, b in zip(computed, (record.values["instructions"], record.values["seconds"]))]
                    elif record.name not in ("clock", "poll", "until"):
                        ranks[-1].append(computed)
                        computed = [0.0, 0.0]
        return ranks


class Calls(Scratch):
    def test_a_preloaded_library_records_what_a_simulated_run_does(self):
        self.assert_same_calls(self.simulate("calls.c", "clang-22"), self.acquire(self.build("calls.c")))

    def test_a_linked_library_does_too(self):
        library = [f"-L{LIBRARY.parent}", "-Wl,--no-as-needed", f"-lgnomon-trace-{MPI}", f"-Wl,-rpath,{LIBRARY.parent}"]
        program = self.build("calls.c", *library)
        self.assert_same_calls(self.simulate("calls.c", "clang-22"), self.acquire(program, preload=False))


@unittest.skipUnless(shutil.which(f"mpif90.{MPI}"), "no Fortran of this MPI")
class Fortran(Scratch):
    def test_mpif(self):
        self.assert_same_calls(self.simulate("calls.f90", "flang-22"), self.acquire(self.build("calls.f90")))

    def test_mpi_f08(self):
        self.assert_same_calls(self.simulate("calls_f08.f90", "flang-22"), self.acquire(self.build("calls_f08.f90")))


class Volumes(Scratch):
    def test_counters_count_what_they_count_in_a_simulated_run(self):
        program = self.build("work.c", flag("--trace-flag"), "-lm", cc="clang-22")
        simulated, real = self.simulate("work.c", "clang-22"), self.acquire(program)
        self.assert_same_calls(simulated, real)
        pairs = [pair for ranks in zip(self.computations(simulated), self.computations(real)) for pair in zip(*ranks)]
        self.assertEqual(len(pairs), RANKS * 43)
        for (counted, _), (acquired, seconds) in pairs:
            self.assertLessEqual(abs(acquired - counted), 0.01 * counted)
            self.assertTrue(seconds == 0 or seconds != seconds)

    def test_a_replay_takes_as_long_as_the_simulated_runs(self):
        program = self.build("work.c", flag("--trace-flag"), "-lm", cc="clang-22")
        traces = self.simulate("work.c", "clang-22"), self.acquire(program)
        self.assertEqual(*[self.call(GNOMON, "replay", trace).stderr.split(",")[0] for trace in traces])

    def test_without_counters_there_are_seconds_or_the_processors_instructions(self):
        said = self.run_real(self.build("work.c", "-lm"))
        self.assertRegex(said, "rank 0: volumes are (CPU time of the thread|instructions by perf_event_open)")
        trace = self.acquire("./real")
        column = 1 if "CPU time" in said else 0
        for rank in self.computations(trace):
            self.assertGreater(sum(computed[column] for computed in rank if computed[column] > 0), 0)

    def test_a_program_with_counters_runs_untraced(self):
        self.run_real(self.build("work.c", flag("--trace-flag"), "-lm", cc="clang-22"), preload=False)
        self.assertEqual(list(self.directory.glob("*.gtr")), [])


LEAVES = """#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  %s
  MPI_Finalize();
  return 0;
}
"""


class Ends(Scratch):
    def leaving(self, statement):
        source = self.directory / "leaves.c"
        source.write_text(LEAVES % statement)
        return self.build(source)

    def test_a_rank_that_aborts_leaves_what_there_is(self):
        # That rank 1 says so on its standard error may be lost: its launcher ends with it.
        self.run_real(self.leaving("if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); sleep(20);"), code=7)
        told = self.call(GNOMON, "trace", "merge", "-o", "real.gtr", *sorted(self.directory.glob("real.*.gtr"))).stderr
        info = self.call(GNOMON, "trace", "info", "real.gtr", "--rank", 1).stdout
        self.assertRegex(info, r"MPI_Barrier comm=world\n(.*compute.*\n)?.*MPI_Abort")
        self.assertIn("INCOMPLETE", self.call(GNOMON, "trace", "info", "real.gtr").stdout)
        missing = [rank for rank in range(RANKS) if not (self.directory / f"real.{rank}.gtr").exists()]
        self.assertEqual("no records of rank" in told, bool(missing), told)

    def test_the_file_of_a_rank_that_was_killed_is_missed(self):
        self.run_real(self.leaving(""))
        (self.directory / "real.2.gtr").unlink()
        told = self.call(GNOMON, "trace", "merge", "-o", "all.gtr", *sorted(self.directory.glob("real.*.gtr"))).stderr
        self.assertIn("there are no records of rank 2", told)
        self.assertIn("INCOMPLETE", self.call(GNOMON, "trace", "info", "all.gtr").stdout)

    def test_a_program_goes_on_where_no_trace_can_be_written(self):
        said = self.run_real(self.leaving(""), file="no/such/folder")
        self.assertIn("no/such/folder.3.gtr.part: cannot be written: No such file or directory; the rank is not traced", said)


if __name__ == "__main__":
    unittest.main()
