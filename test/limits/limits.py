#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: nothing runs for ever: ranks that only sleep, a limit on simulated time, and helpers that do not answer, which
neither hide what went wrong nor outlive the run.

What hangs is found by the time limit of the test itself; no verdict rests on how long anything takes.
"""

import fcntl
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import json_schema  # noqa: E402

GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.program = cls.folder / "ends"
        subprocess.run([GNOMON, "cc", "-O1", "-g", HERE / "ends.c", "-o", cls.program], check=True, stderr=subprocess.DEVNULL)

    def ends(self, code, *arguments, **options):
        command = [str(word) for word in (GNOMON, "run", "-n", 2, *arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.folder, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, self.folder)
        return result.stderr


class Stall(Limits):
    def test_ranks_that_only_sleep(self):
        errors = self.ends(4, "--stall-timeout=2", self.program, "sleep")
        self.assertRegex(errors, r"^gnomon: (rank 1 )?at \S+ s: ranks only sleep: none has called MPI for 2 s of real time "
                                 r"\(--stall-timeout\)")
        self.assertRegex(errors, r"\n  rank 0: MPI_Barrier at ends\.c:\d+ in main")
        self.assertRegex(self.ends(4, "--stall-timeout=2", self.program, "all"), r"ranks only sleep: none has called MPI for 2 s")

    def test_who_calls_mpi_between_naps_goes_on(self):
        # Ended by the other limit, which comes later.
        errors = self.ends(4, "--stall-timeout=1", "--timeout=5", self.program, "naps")
        self.assertIn("the time limit of 5 s of wall time (--timeout) is over", errors)


class SimulatedTime(Limits):
    def test_reached(self):
        for what in ("sleep", "all", "naps", "ten"):
            errors = self.ends(4, "--limit-time=7s", "--compute=none", "--json", "run.json", self.program, what)
            self.assertRegex(errors, r"^gnomon: at 7 s: the limit of 7 s of simulated time \(--limit-time\) is reached\n")
            self.assertRegex(errors, r"\n  rank [01]: .* at ends\.c:\d+ in main")
            summary = json.loads((self.folder / "run.json").read_text())
            self.assertEqual((summary["simulated_time"], summary["complete"], summary["exit_code"]), (7, False, 4))

    def test_not_reached(self):
        self.ends(0, "--limit-time=11", "--compute=none", self.program, "ten")
        self.ends(0, "--limit-time=0", "--compute=none", self.program, "ten")
        # It does not keep a run going that has come to its end.
        self.assertRegex(self.ends(3, "--limit-time=1000", self.program, "receive"), r"^gnomon: deadlock at ")

    def test_of_a_crash_in_a_computation(self):
        errors = self.ends(139, "--json", "run.json", self.program, "fault")
        date = float(re.match(r"gnomon: rank 1 at (\S+) s: segmentation fault", errors).group(1))
        self.assertGreater(date, 2)
        self.assertGreaterEqual(float(f"{json.loads((self.folder / 'run.json').read_text())['simulated_time']:.9g}"), date)

    def test_bad(self):
        for value in ("-1", "soon", "1e200"):
            self.assertIn("--limit-time", self.ends(2, "--limit-time", value, self.program))


class Helpers(Limits):
    """The tools that tell lines never answer."""

    def hang(self, code, *arguments):
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        pids = self.folder / "pids"
        pids.write_text("")
        for tool in ("llvm-symbolizer-22", "addr2line"):
            (tools / tool).write_text(f"#!/bin/sh\necho $$ >> {pids}\nsleep 1000000 &\necho $! >> {pids}\nwait\n")
            (tools / tool).chmod(0o755)
        errors = self.ends(code, *arguments, env=dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))
        started = pids.read_text().split()
        self.assertTrue(started)
        for pid in started:
            self.ended(pid)
        return errors

    def ended(self, pid):
        """Waits for it: whoever was killed is still there until it has had a core once more. A helper that nobody killed
        would never end: ctest's own limit finds it, and the line above it says which."""
        if self.runs(pid):
            print(f"waiting for helper {pid}, which must not outlive the run", flush=True)
        while self.runs(pid):
            time.sleep(0.01)

    @staticmethod
    def runs(pid):
        try:
            # Whoever has been ended but not waited for (in a container without an init) runs no longer.
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def test_deadlock(self):
        errors = self.hang(3, "--timeout=2", self.program, "receive")
        self.assertRegex(errors, r"^gnomon: deadlock at \S+ s: 2 of 2 ranks wait for ever\n  rank 0: MPI_Barrier at \S+: .*\n  rank 1: MPI_Recv at \S+: ")

    def test_error(self):
        errors = self.hang(1, "--timeout=2", self.program, "error")
        self.assertRegex(errors, r"^gnomon: rank 1 at \S+ s: MPI_Send: ")
        self.assertNotIn("--timeout", errors)

    def test_limit_while_an_error_is_told(self):
        # Nobody reads its standard error until the limit is long over.
        reader, writer = os.pipe()
        filler = bytes(fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ))
        os.write(writer, filler)
        command = [GNOMON, "run", "-n", "2", "--timeout=1", self.program, "error"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=writer, cwd=self.folder) as run:
            os.close(writer)
            time.sleep(3)
            with open(reader, "rb") as errors:
                text = errors.read()[len(filler):].decode()
        self.assertEqual(run.returncode, 1, text)
        self.assertRegex(text, r"^gnomon: rank 1 at \S+ s: MPI_Send: ")
        self.assertNotIn("--timeout", text)

    def test_crash(self):
        self.assertRegex(self.hang(139, "--timeout=2", self.program, "fault"), r"^gnomon: rank 1 at \S+ s: segmentation fault")

    def test_time_limit(self):
        errors = self.hang(4, "--timeout=2", self.program, "naps")
        self.assertRegex(errors, r"^gnomon: (rank 1 )?at \S+ s: the time limit of 2 s of wall time \(--timeout\) is over")


if __name__ == "__main__":
    unittest.main()
