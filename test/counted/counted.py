#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: --compute=counted is deterministic, proportional to what runs and to --instruction-rate, the same on all clocks and
wherever loops keep what they count, and says what to do when the program does not count."""

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
GNOMON = PREFIX / "bin/gnomon"
# Of the inner loop: address, load, product, sum, and the loop's own three; the adding machine's 100000 iterations.
INSTRUCTIONS = {"least": 5e5, "most": 9e5}


class Counted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        cls.program = cls.build("counted", "-O2")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def build(cls, name, *options, source="counted.c", **environment):
        program = cls.directory / name
        subprocess.run([GNOMON, "cc", *options, HERE / source, "-o", program], check=True,
                       env=dict(os.environ, **environment))
        return program

    def run_counted(self, *options, program=None, code=0):
        command = [GNOMON, "run", "-n", "4", "--compute=counted", *options, program or self.program]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command)
        return result

    def times(self, *options):
        text = self.run_counted(*options).stdout
        found = re.findall(r"^rank (\d) took (\S+) (\S+) nothing (\S+) of", text, re.MULTILINE)
        self.assertEqual(len(found), 4, text)
        return {int(rank): tuple(float(number) for number in numbers) for rank, *numbers in found}

    def test_hooks_of_bursts_are_not_counted(self):
        """A program that is linked without the analysis of its bursts has none."""
        totals = [{line.split(" of ")[1].split()[0] for line in self.run_counted(program=program).stdout.splitlines() if " of " in line}
                  for program in (self.program, self.build("hookless", "-O2", GNOMON_SHADOW="0"))]
        self.assertEqual(len(totals[0]), 1, totals)
        self.assertEqual(*totals)

    def test_what_loops_keep_in_registers_is_seen_in_time(self):
        texts = [self.run_counted(program=self.build(f"looks{where}", "-O2", source="looks.c", GNOMON_COUNT=where)).stdout
                 for where in ("1", "memory")]
        self.assertEqual(texts[0], texts[1])
        dates = re.findall(r" at (0\.\d+)$", texts[0], re.MULTILINE)
        self.assertGreater(len(set(dates)), 60, texts[0])

    def test_skipped_instances_cost_what_executed_ones_do(self):
        """Where the counter stands at a hook is right for whole paths only: 78,720 instances of some ten instructions show it."""
        for where in ("1", "memory"):
            program = self.build(f"cells{where}", "-O2", source="cells.c", GNOMON_COUNT=where)
            times = {}
            for name, options in (("executed", ["--sample=off"]), ("skipped", ["--shadow"])):
                file = self.directory / f"cells-{name}.json"
                self.run_counted("--json", file, *options, program=program)
                report = json.loads(file.read_text())
                times[name] = report["simulated_time"]
            self.assertGreater(report["bursts"]["skipped"], 70000)
            self.assertAlmostEqual(times["skipped"] / times["executed"], 1, delta=1e-9)

    def test_two_runs_are_byte_identical(self):
        outputs = []
        for i in range(2):
            file = self.directory / f"{i}.json"
            text = self.run_counted("--quiet", "--json", file).stdout
            report = json.loads(file.read_text())
            del report["host"]  # wall time and memory of this machine
            outputs.append((text, report))
        self.assertEqual(outputs[0], outputs[1])
        self.assertGreater(outputs[0][1]["simulated_time"], 0)

    def test_time_is_instructions_by_rate(self):
        times = self.times("--instruction-rate=1e9")
        for rank, (seconds, too, nothing) in times.items():
            # A reading of a clock costs 10 ns, and straight code may be counted ahead.
            self.assertGreater(seconds, (rank + 1) * INSTRUCTIONS["least"] * 1e-9)
            self.assertLess(seconds, (rank + 1) * INSTRUCTIONS["most"] * 1e-9)
            self.assertAlmostEqual(seconds / times[0][0], rank + 1, delta=0.01)
            self.assertAlmostEqual(too, seconds, delta=1e-6)
            self.assertLess(nothing, 1e-6)

    def test_rate(self):
        slow, fast = (self.times(f"--instruction-rate={rate}") for rate in ("5e8", "4e9"))
        for rank in slow:
            self.assertAlmostEqual(slow[rank][0] / fast[rank][0], 8, delta=0.02)

    def test_by_default_an_instruction_is_a_flop(self):
        # The default platform's cores do 10 Gflop/s.
        default, given = self.times(), self.times("--instruction-rate=1e10")
        self.assertEqual(default, given)

    def test_bad_rates(self):
        for rate, text in (("0", "must be more than 0, or auto"), ("-1e9", "negative number: '-1e9'"),
                           ("fast", "not a number: 'fast'"), ("nan", "not a number: 'nan'")):
            result = self.run_counted(f"--instruction-rate={rate}", code=2)
            self.assertEqual(result.stderr, f"gnomon: error: --instruction-rate: {text}\n")

    def test_program_without_counters(self):
        program = self.build("without", "-O2", GNOMON_COUNT="0")
        result = self.run_counted(program=program, code=2)
        self.assertEqual(result.stderr, "gnomon: error: --compute: the program does not count its instructions; link it with this "
                                        "installation's flag, and without GNOMON_COUNT=0\n")

    def test_options_of_the_link_do_not_matter(self):
        outputs = []
        for i, option in enumerate(("-Wl,--lto-O0", "-Wl,--lto-O3")):
            outputs.append(self.run_counted(program=self.build(f"link{i}", "-O2", option)).stdout)
        self.assertEqual(outputs[0], outputs[1])


if __name__ == "__main__":
    unittest.main()
