#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: --shadow and --sample skip instances of bursts and charge their time; the summary, the JSON and the table say
what was done; profiles are recorded and used; bad input ends with exit code 2."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
GNOMON = PREFIX / "bin/gnomon"


class Sampling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def build(cls, name, counters="1"):
        program = cls.directory / f"{name}-{counters}"
        if not program.exists():
            subprocess.run([GNOMON, "cc", "-O2", "-g", f"-I{SOURCE}/runtime/include", HERE / f"{name}.c", "-o", program],
                           check=True, env={**os.environ, "GNOMON_COUNT": counters})
        return program

    def run_gnomon(self, *arguments, code=0):
        command = [str(argument) for argument in (GNOMON, "run", *arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, self.directory)
        return result

    @staticmethod
    def executed(result):
        return [int(count) for count in re.findall(r"^rank \d+: (\d+) of", result.stdout, re.MULTILINE)]

    def json_of(self, *arguments):
        file = self.directory / "run.json"
        self.run_gnomon("--json", file, *arguments)
        return json.loads(file.read_text())


class Skipping(Sampling):
    def test_nothing_is_skipped_unasked(self):
        result = self.run_gnomon("-n", 4, self.build("loop"))
        self.assertEqual(self.executed(result), [50] * 4)
        self.assertIn("\ngnomon: --shadow would skip up to", result.stderr)

    def test_shadow_skips_and_charges(self):
        # Counted, because ranks that measure execute a tenth of a second's instances before they skip.
        result = self.run_gnomon("-n", 4, "--shadow", "--compute=counted", self.build("loop"), 2000)
        self.assertLess(sum(self.executed(result)), 2000)
        self.assertIn("numeric results of this run are not meaningful", result.stderr)
        self.assertNotIn("would skip", result.stderr)

    def test_instances_of_unknown_work(self):
        # Three of the first instances are alike, and say nothing of the long ones.
        executed = self.json_of("-n", 2, "--compute=counted", self.build("lists"))
        skipped = self.json_of("-n", 2, "--compute=counted", "--shadow", self.build("lists"))
        self.assertAlmostEqual(skipped["simulated_time"], executed["simulated_time"],
                               delta=0.1 * executed["simulated_time"])
        bursts = skipped["bursts"]
        self.assertGreater(bursts["skipped"], 10 * bursts["executed"])
        error = abs(bursts["computed_seconds"] - executed["bursts"]["computed_seconds"])
        self.assertLess(error, bursts["computed_interval_seconds"])
        self.assertEqual(bursts["samples_left_out"], 0)

    def test_short_programs_are_told_why(self):
        result = self.run_gnomon("-n", 2, "--shadow", self.build("loop"), 4, 1000)
        self.assertEqual(self.executed(result), [4] * 2)
        self.assertIn("nothing was skipped", result.stderr)
        self.assertNotIn("not meaningful", result.stderr)

    def test_local_samples_on_each_rank(self):
        result = self.run_gnomon("-n", 4, "--sample=local,n=5", self.build("loop"))
        self.assertEqual(self.executed(result), [5] * 4)

    def test_global_samples_once(self):
        result = self.run_gnomon("-n", 4, "--sample=global,n=5", self.build("loop"))
        self.assertLess(sum(self.executed(result)), 12)

    def test_the_time_is_that_of_a_full_run(self):
        # Counted, for the machine's noise; BurstHooks.SkippingKeepsMeasuredTime is of seconds.
        options = ("-n", 4, "--compute=counted", self.build("loop"), 200, 100000)
        full = self.json_of(*options)["simulated_time"]
        part = self.json_of("--shadow", *options)["simulated_time"]
        self.assertAlmostEqual(part / full, 1, delta=1e-2)

    def test_json_has_the_error_budget(self):
        bursts = self.json_of("-n", 4, "--shadow", "--compute=counted", self.build("loop"))["bursts"]
        self.assertEqual(bursts["executed"] + bursts["skipped"], 200)
        self.assertGreater(bursts["sampled_seconds"], 0)
        self.assertFalse(bursts["meaningful_results"])
        self.assertEqual(bursts["dominating"][0]["name"], "sum")

    def test_no_compute_time_skips_at_once(self):
        result = self.run_gnomon("-n", 4, "--shadow", "--compute=none", self.build("loop"))
        self.assertEqual(self.executed(result), [0] * 4)

    def test_table(self):
        result = self.run_gnomon("-n", 4, "--shadow", "--bursts", "-", self.build("loop"))
        self.assertRegex(result.stderr, r"\n +200 +\d+ +\d+ .*loop\.c:\d+ main 'sum'")


class Shares(Sampling):
    """Bursts take no longer than the computation that they are part of, however short they are and whoever has the core."""

    def check(self, *options):
        bursts = self.json_of("-n", 4, *options, self.build("loop"), 20000, 10)["bursts"]
        if bursts["skippable_seconds"] is not None:
            self.assertLessEqual(bursts["skippable_seconds"], bursts["computed_seconds"] * (1 + 1e-9))
            self.assertLessEqual(sum(burst["share"] for burst in bursts["dominating"]), 1 + 1e-9)
        return bursts

    def test_short_bursts(self):
        self.check()

    def test_short_bursts_that_are_skipped(self):
        self.assertGreater(self.check("--sample=n=1")["skipped"], 0)

    def test_short_bursts_among_other_programs(self):
        spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
        try:
            self.check()
        finally:
            for process in spinning:
                process.kill()
                process.wait()


class Deterministic(Sampling):
    """What rests on counted instructions is the same on every run, to the byte."""

    def setUp(self):
        result = subprocess.run([GNOMON, "run", "--compute=counted", self.build("loop"), "1", "10"], capture_output=True,
                                text=True)
        if "does not count" in result.stderr:
            self.skipTest("the pass does not count instructions")

    def twice(self, *options):
        results = []
        for _ in range(2):
            file = self.directory / "run.json"
            result = self.run_gnomon("-n", 4, "--json", file, *options, self.build("loop"))
            summary = json.loads(file.read_text())
            del summary["host"]
            results.append((result.stdout, json.dumps(summary)))
        self.assertEqual(results[0], results[1])
        return json.loads(results[0][1])

    def test_counted(self):
        full = self.twice("--compute=counted")
        part = self.twice("--compute=counted", "--shadow")
        self.assertGreater(part["bursts"]["skipped"], 150)
        # Every instance executes the same instructions; only the calls around them differ.
        self.assertAlmostEqual(part["simulated_time"] / full["simulated_time"], 1, delta=1e-3)

    def test_profile(self):
        # Both sides of the comparison with it are of this one run.
        measured = self.json_of("-n", 4, "--record-profile", "loop.profile", self.build("loop"))["simulated_time"]
        # Of the hundredth by which a core's speed is misjudged, the dozen instructions between two bursts get all.
        file = self.directory / "loop.profile"
        profile = json.loads(file.read_text())
        profile["gap_seconds_per_instruction"] = profile["mean_seconds_per_instruction"]
        file.write_text(json.dumps(profile))
        full = self.twice("--compute=profile=loop.profile")
        part = self.twice("--compute=profile=loop.profile", "--shadow")
        self.assertEqual(part["bursts"]["executed"], 0)
        self.assertAlmostEqual(full["simulated_time"] / measured, 1, delta=0.2)
        self.assertAlmostEqual(part["simulated_time"] / full["simulated_time"], 1, delta=0.01)

    def test_bursts_that_a_profile_lacks_are_named(self):
        self.run_gnomon("--record-profile", "loop.profile", self.build("loop"))
        file = self.directory / "loop.profile"
        file.write_text(file.read_text().replace('"main"', '"other"'))
        result = self.run_gnomon("--compute=profile=loop.profile", self.build("loop"))
        self.assertIn("the profile has no burst sum (loop.c:", result.stderr)


class BadInput(Sampling):
    def test_profiles_need_counters(self):
        result = self.run_gnomon("--record-profile", "p.json", self.build("loop", counters="0"), code=2)
        self.assertIn("--record-profile: the program does not count", result.stderr)

    def test_counting_needs_counters(self):
        result = self.run_gnomon("--compute=counted", self.build("loop", counters="0"), code=2)
        self.assertIn("does not count its instructions", result.stderr)

    def test_sample(self):
        for text in ("sometimes", "n=0", "n=5..3", "rse=", "n=x", "auto,"):
            result = self.run_gnomon("--sample", text, self.build("loop"), code=2)
            self.assertIn("--sample", result.stderr)
        for text, said in (("local,global", "'local' and 'global' contradict each other"),
                           ("n=3,off,auto", "'off' and 'auto' contradict each other"),
                           ("n=3,n=4", "'n=3' and 'n=4' contradict each other"),
                           ("rse=2,local,rse=3%", "'rse=2' and 'rse=3%' contradict each other")):
            result = self.run_gnomon("--sample", text, self.build("loop"), code=2)
            self.assertIn(f"gnomon: error: --sample: {said}\n", result.stderr)

    def test_profile(self):
        for name, text, error in (("missing.json", None, "No such file"),
                                  ("cut.json", '{\n"gnomon_profile": 1,\n', "cut.json:3"),
                                  ("huge.json", '{\n"gnomon_profile": 1,\n"host_speed_flops": 1e999}', "huge.json:3: '1e999' is out of range"),
                                  ("version.json", '{"gnomon_profile": 9}', "gnomon_profile"),
                                  ("field.json", '{"gnomon_profile": 1, "program": 3}', "program: must be a text")):
            if text is not None:
                (self.directory / name).write_text(text)
            result = self.run_gnomon(f"--compute=profile={name}", self.build("loop"), code=2)
            self.assertIn(error, result.stderr)


if __name__ == "__main__":
    unittest.main()
