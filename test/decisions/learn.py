#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: with --shadow=learn the first run of a program records decisions and later ones are given them, as long as build,
arguments, ranks and files are the same; the communication is that of an exact run."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import unittest

from decisions import GNOMON, HERE, Decisions

LEARN = ("--shadow=learn", "--sample=n=1,global")


class Learn(Decisions):
    def setUp(self):
        self.cache = self.directory / "cache"
        shutil.rmtree(self.cache, ignore_errors=True)
        os.environ["XDG_CACHE_HOME"] = str(self.cache)
        (self.directory / "in.dat").write_text("0.90\n")

    def learn(self, *arguments, code=0):
        """What the run did: recorded or gave, and its messages."""
        errors = self.run_gnomon("-n", 2, *LEARN, *arguments, code=code)
        found = re.search(r"gnomon: (recorded decisions for later runs:|gave decisions of) (\S+)", errors)
        return found and found[1].split()[0], errors

    def kept(self):
        return sorted((self.cache / "gnomon/decisions").iterdir())


class Turns(Learn):
    def test_second_run_skips(self):
        program = (self.build("input.c"), "fopen")
        executed = self.trace("-n", 2, *program)
        self.assertEqual(executed, self.trace("-n", 2, *LEARN, *program))
        for platform in ((), ("--platform=cluster:n=2,bw=1Gbps,lat=50us",)):
            self.assertEqual(self.trace("-n", 2, *platform, *program), self.trace("-n", 2, *platform, *LEARN, *program))
        did, errors = self.learn(*program)
        self.assertEqual(did, "gave")
        self.assertRegex(errors, r"gave decisions of \S+, recorded on \d{4}-\d\d-\d\d \d\d:\d\d\n")
        bursts = self.bursts("-n", 2, *LEARN, *program)
        self.assertGreater(bursts["skipped"], 20)
        self.assertEqual(bursts["decisions"]["kind"], "given")
        self.assertEqual(len(self.kept()), 1)

    def test_first_run_is_exact(self):
        bursts = self.bursts("-n", 2, *LEARN, self.build("input.c"), "fopen")
        self.assertEqual((bursts["skipped"], bursts["meaningful_results"]), (0, True))
        self.assertEqual(bursts["decisions"]["kind"], "recorded")

    def test_by_arguments_and_ranks(self):
        program = self.build("input.c")
        self.assertEqual(self.learn(program, "fopen")[0], "recorded")
        self.assertEqual(self.learn(program, "open")[0], "recorded")
        self.assertIn("recorded decisions", self.run_gnomon("-n", 3, *LEARN, program, "fopen"))
        self.assertEqual(len(self.kept()), 3)
        self.assertEqual(self.learn(program, "open")[0], "gave")

    def test_by_files(self):
        program = (self.build("input.c"), "fopen")
        self.learn(*program)
        (self.directory / "in.dat").write_text("0.8\n")
        did, errors = self.learn(*program)
        self.assertEqual(did, "recorded")
        self.assertIn("(anew: in.dat has changed)", errors)
        self.assertEqual(self.learn(*program)[0], "gave")
        # Files may take turns.
        (self.directory / "in.dat").write_text("0.90\n")
        self.assertEqual(self.learn(*program)[0], "gave")
        self.assertEqual(len(self.kept()), 2)

    def test_bounded(self):
        program = (self.build("input.c"), "fopen")
        for i in range(10):
            (self.directory / "in.dat").write_text(f"0.8{i}\n")
            self.assertEqual(self.learn(*program)[0], "recorded")
        self.assertEqual(len(self.kept()), 8)
        self.assertEqual(self.learn(*program)[0], "gave")

    def test_by_build(self):
        program = self.build("input.c", "rebuilt")
        self.learn(program, "fopen")
        program.unlink()
        self.build("input.c", "rebuilt", "-O1")
        self.assertEqual(self.learn(program, "fopen")[0], "recorded")

    def test_by_library(self):
        """Of a library that was built with the flag, too."""
        library, program = self.directory / "libextra.so", self.directory / "linked"
        for value, did in ((1, "recorded"), (2, "recorded"), (2, "gave")):
            (self.directory / "extra.c").write_text(f"int extra(void) {{ return {value}; }}\n")
            subprocess.run([GNOMON, "cc", "-O2", "-shared", "-fPIC", "extra.c", "-o", library], check=True, cwd=self.directory)
            if not program.exists():
                subprocess.run([GNOMON, "cc", "-O2", "-g", HERE / "input.c", "-Wl,--no-as-needed", library, "-o", program], check=True)
            self.assertEqual(self.learn(program, "fopen")[0], did)

    def test_named(self):
        program = self.build("input.c")
        file = self.directory / "mine.dec"
        file.unlink(missing_ok=True)
        for did in ("recorded", "gave"):
            self.assertEqual(self.learn("--decisions", file, program, "fopen")[0], did)
        did, errors = self.learn("--decisions", file, program, "open")
        self.assertEqual(did, "recorded")
        self.assertIn("mine.dec (anew: the arguments were 'fopen')", errors)
        self.assertFalse(self.cache.exists())

    def test_at_once(self):
        program = self.build("input.c")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(subprocess.run, [GNOMON, "run", "-n", "2", *LEARN, program, "fopen"], capture_output=True,
                                cwd=self.directory) for _ in range(6)]
        self.assertEqual([run.result().returncode for run in runs], [0] * 6)
        self.assertEqual(self.learn(program, "fopen")[0], "gave")
        self.assertTrue(all(path.suffix == ".dec" for path in self.kept()))


class Ends(Learn):
    def test_contradiction(self):
        program = (self.build("input.c"), "fopen")
        self.learn(*program)
        [file] = self.kept()
        file.write_text(re.sub(r"all: 1\*\d+ 0", "all: 1*3", file.read_text()))
        _, errors = self.learn(*program, code=2)
        self.assertRegex(errors, f"contradicts the decisions of {file}.*; delete {file}, and the next run with --shadow=learn records it anew")

    def test_unrecorded_file(self):
        program = (self.build("input.c"), "fopen", "optional")
        (self.directory / "optional").unlink(missing_ok=True)
        self.learn(*program)
        (self.directory / "optional").write_text("")
        _, errors = self.learn(*program, code=2)
        self.assertRegex(errors, r"rank \d reads the file optional, which was not read when .* were recorded; delete ")
        self.assertEqual(self.learn("--decisions-check=warn", *program)[0], "gave")
        [file] = self.kept()
        file.unlink()
        self.assertEqual(self.learn(*program)[0], "recorded")

    def test_standard_input_from_a_pipe(self):
        for _ in range(2):
            result = subprocess.run([GNOMON, "run", *LEARN, self.build("input.c"), "scan"], input="0.9\n", capture_output=True,
                                    text=True, check=True, cwd=self.directory)
            self.assertIn("recorded decisions for later runs", result.stderr)
        self.assertIn("(anew: a standard input that is no file cannot be compared)", result.stderr)

    def test_interrupted(self):
        _, errors = self.learn("--limit-time=1e-9", self.build("input.c"), "fopen", code=4)
        self.assertIn("is not written", errors)
        self.assertEqual(self.kept(), [])

    def test_broken(self):
        """In the cache it is recorded anew; what the user names may be anything."""
        program = (self.build("input.c"), "fopen")
        self.learn(*program)
        [file] = self.kept()
        file.write_text("nothing")
        self.assertEqual(self.learn(*program)[0], "recorded")
        mine = self.directory / "mine"
        mine.write_text("my thesis\n")
        _, errors = self.learn("--decisions", mine, *program, code=2)
        self.assertIn("the first line must be", errors)
        self.assertEqual(mine.read_text(), "my thesis\n")

    def test_nothing_to_learn(self):
        os.environ["GNOMON_SHADOW"] = "0"
        try:
            program = self.build("input.c", "unwatched")
        finally:
            del os.environ["GNOMON_SHADOW"]
        self.assertIn("the program has no decisions to learn", self.learn(program, "fopen")[1])

    def test_options(self):
        program = self.build("input.c")
        self.assertIn("records by itself", self.learn("--record-decisions", "a", program, code=2)[1])
        self.assertIn("expected --shadow or --shadow=learn", self.run_gnomon("--shadow=guess", program, code=2))
        (self.directory / "cache").write_text("a file")
        self.assertIn("cannot be made", self.learn(program, code=2)[1])
        (self.directory / "cache").unlink()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
