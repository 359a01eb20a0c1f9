#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what computed data decided in one run is written by --record-decisions and given back by --decisions: more is
skipped then, and the communication stays the same. A run that contradicts its decisions ends, and says where."""

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
GIVEN = ("--shadow", "--sample=n=1,global")


class Decisions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def build(cls, source="steps.c", name=None, *options):
        program = cls.directory / (name or pathlib.Path(source).stem)
        if not program.exists():
            subprocess.run([GNOMON, "cc", "-O2", "-g", *options, source, "-pthread", "-o", program], check=True, cwd=HERE)
        return program

    def run_gnomon(self, *arguments, code=0):
        command = [str(argument) for argument in (GNOMON, "run", *arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, self.directory)
        return result.stderr

    def record(self, *program, ranks=4, name="decisions"):
        file = self.directory / name
        self.run_gnomon("-n", ranks, "--record-decisions", file, *program)
        return file

    def bursts(self, *arguments):
        self.run_gnomon("--json", "run.json", *arguments)
        return json.loads((self.directory / "run.json").read_text())["bursts"]

    def trace(self, *arguments):
        self.run_gnomon("--comm-trace", "trace", *arguments)
        return (self.directory / "trace").read_bytes()


class Recording(Decisions):
    def test_readable(self):
        text = self.record(self.build()).read_text()
        self.assertTrue(text.startswith("gnomon decisions 2\n"), text)
        for line in ("arguments \n", "ranks 4\n", "  what the end of the loop at steps.c:30\n", "  what the count of MPI_Sendrecv\n"):
            self.assertIn(line, text)
        # What all ranks decide alike takes a line.
        self.assertRegex(text, r"\n  all: 1\*37 0\n")

    def test_exact(self):
        program = self.build()
        alone = self.trace("-n", 4, program, 0.9, "uneven")
        self.assertEqual(alone, self.trace("-n", 4, "--record-decisions", "decisions", program, 0.9, "uneven"))

    def test_offered(self):
        self.assertRegex(self.run_gnomon("-n", 4, "--compute=counted", self.build()), r"with decisions, --shadow would skip up to .* --record-decisions")

    def test_what_holds_back(self):
        """Point by point: of the seconds of bursts, those that the value rests on."""
        bursts = self.bursts("-n", 4, "--compute=counted", "--bursts", "table", self.build(), 0.9, "uneven")
        holding = {point["what"]: point for point in bursts["holding"]}
        self.assertEqual(set(holding), {"the end of the loop at steps.c:30", "the count of MPI_Sendrecv"})
        for point in holding.values():
            self.assertGreater(point["seconds"], 0)
            self.assertLessEqual(point["seconds"], 1.0001 * bursts["decided_seconds"])
        loop, count = holding["the end of the loop at steps.c:30"], holding["the count of MPI_Sendrecv"]
        self.assertGreater(count["bursts"], 0)
        self.assertEqual((loop["line"], loop["function"]), (30, "main"))
        table = (self.directory / "table").read_text()
        self.assertRegex(table, r"\n +\d+ +\S+ +[\d.]+ %  steps\.c:30 main #\d \(the end of the loop at steps\.c:30\)\n")
        errors = self.run_gnomon("-n", 4, "--compute=counted", self.build())
        self.assertRegex(errors, r"what decides holds back: steps\.c:30 main #\d \(the end of the loop at steps\.c:30\) \S+ s, .*\n"
                                 r"gnomon: with decisions, .* gnomon run --shadow=learn …, twice")
        file = self.record(self.build(), 0.9, "uneven")
        self.assertEqual(self.bursts("-n", 4, *GIVEN, "--decisions", file, self.build(), 0.9, "uneven")["holding"], [])

    def test_offered_once(self):
        """What --shadow skips anyhow, later, is not offered a second time."""
        bursts = self.bursts("-n", 4, "--compute=counted", self.build("later.c"))
        self.assertGreater(bursts["skippable_seconds"], 0.9 * bursts["computed_seconds"])
        self.assertLessEqual(bursts["skippable_seconds"] + bursts["decided_seconds"], 1.001 * bursts["computed_seconds"])

    def test_counted(self):
        decisions = self.bursts("-n", 4, "--record-decisions", "decisions", self.build())["decisions"]
        self.assertEqual((decisions["points"], decisions["values"]), (1, 4 * 38))

    def test_interrupted(self):
        errors = self.run_gnomon("-n", 4, "--limit-time=1e-9", "--record-decisions", "none", self.build(), code=4)
        self.assertIn("none is not written", errors)
        self.assertFalse((self.directory / "none").exists())


class Giving(Decisions):
    def test_same_communication(self):
        for arguments in ((0.9,), (0.97, "uneven")):
            for options in ((), ("--platform=cluster:n=2,bw=1Gbps,lat=50us",)):
                program = (self.build(), *arguments)
                file = self.record(*program)
                executed = self.trace("-n", 4, *options, *program)
                given = self.trace("-n", 4, *options, *GIVEN, "--decisions", file, *program)
                self.assertEqual(executed, given, program)

    def test_skips(self):
        file = self.record(self.build(), 0.9, "uneven")
        self.assertEqual(self.bursts("-n", 4, *GIVEN, self.build(), 0.9, "uneven")["skipped"], 0)
        self.assertGreater(self.bursts("-n", 4, *GIVEN, "--decisions", file, self.build(), 0.9, "uneven")["skipped"], 100)

    def test_levels(self):
        for level in ("-O0", "-O1", "-O3"):
            program = self.build("steps.c", f"steps{level}", level)
            file = self.record(program, 0.9, "uneven")
            self.assertEqual(self.trace("-n", 4, program, 0.9, "uneven"),
                             self.trace("-n", 4, *GIVEN, "--decisions", file, program, 0.9, "uneven"))
            self.assertGreater(self.bursts("-n", 4, *GIVEN, "--decisions", file, program, 0.9, "uneven")["skipped"], 100)

    def test_only_what_is_worth_it(self):
        """A loop that reads options once is executed: it would take one point for each of them, and none of the other ranks'."""
        program = self.build("options.c")
        arguments = ("-c", 7, "-e", 3, "-r", 1)
        file = self.record(program, *arguments)
        self.assertEqual(re.findall(r"^point .*", file.read_text(), re.M), ["point options.c:40 #1, 1 bit"])
        for ranks in (4, 9):
            exact = self.trace("-n", ranks, "--compute=none", program, *arguments)
            self.assertEqual(exact, self.trace("-n", ranks, "--compute=none", *GIVEN[1:], "--decisions", file, program, *arguments))
            self.assertGreater(self.bursts("-n", ranks, *GIVEN, "--decisions", file, program, *arguments)["skipped"], 100)

    def test_without_skipping(self):
        """All is executed, and compared with what was recorded."""
        file = self.record(self.build())
        self.assertEqual(self.bursts("-n", 4, "--decisions", file, self.build())["skipped"], 0)

    def test_spawned(self):
        program = self.build("spawned.c")
        file = self.record(program, ranks=2, name="spawned.dec")
        text = file.read_text()
        self.assertIn("\nspawned 2\n", text)
        self.assertRegex(text, r"\n  0-1: 1\*29 0\n  2-3: 1\*39 0\n")
        exact = self.trace("-n", 2, "--compute=none", program)
        self.assertEqual(self.trace("-n", 2, "--compute=none", "--decisions", file, *GIVEN[1:], program), exact)

    def test_compressed(self):
        program = (self.build(), 0.9, "uneven")
        file = self.record(*program, name="decisions.zst")
        self.assertTrue(file.read_bytes().startswith(b"\x28\xb5\x2f\xfd"))
        self.assertGreater(self.bursts("-n", 4, *GIVEN, "--decisions", file, *program)["skipped"], 100)

    def test_edited(self):
        """A user may say how long a program goes on."""
        file = self.record(self.build())
        file.write_text(file.read_text().replace("1*37 0", "1*500 0"))
        trace = self.trace("-n", 4, *GIVEN, "--decisions", file, "--decisions-check=warn", self.build())
        self.assertEqual(trace.count(b"Allreduce"), 4 * 501)


class Volumes(Decisions):
    """What instances of a burst execute, where data say it, is recorded with the decisions: what skipped ones cost follows it."""

    def seconds(self, *arguments):
        self.run_gnomon("--json", "run.json", "--compute=counted", *arguments)
        return json.loads((self.directory / "run.json").read_text())["simulated_time"]

    def test_followed(self):
        program = self.build("volumes.c")
        exact = self.seconds("-n", 4, program)
        file = self.record(program, name="volumes.dec")
        text = file.read_text()
        self.assertRegex(text, r"\nburst volumes\.c:\d+ #\d\n  function \w+\n(  cost .*\n)+(  varies .*\n)?  repeats \d+\n  0: \d+")
        given = self.seconds("-n", 4, "--shadow", "--decisions", file, program)
        self.assertLess(abs(given / exact - 1), 0.01)
        # Without them the slowest rank of each step is nobody.
        (self.directory / "without.dec").write_text(text[: text.index("burst volumes.c")])
        without = self.seconds("-n", 4, "--shadow", "--decisions", "without.dec", program)
        self.assertGreater(abs(without / exact - 1), 0.1)

    def test_counted(self):
        program = self.build("volumes.c")
        self.assertEqual(self.bursts("-n", 4, "--record-decisions", "volumes.dec", program)["decisions"]["volumes"], 1)
        self.assertEqual(self.bursts("-n", 4, "--shadow", "--decisions", "volumes.dec", program)["decisions"]["volumes"], 1)
        # A formula tells those of other programs.
        self.assertEqual(self.bursts("-n", 4, "--record-decisions", "steps.dec", self.build())["decisions"]["volumes"], 0)

    def test_of_what_was_not_written(self):
        """A loop's ends lie where a skipped burst was to write them: what it executes is not what the program says then."""
        program = self.build("bounds.c")
        computed = [self.bursts("-n", 4, *options, program)["computed_seconds"]
                    for options in (["--record-decisions", "bounds.dec"], ["--shadow", "--decisions", "bounds.dec"])]
        self.assertRegex((self.directory / "bounds.dec").read_text(), r"function smooth\n(  [a-z].*\n)+  all: \d{5}")
        self.assertGreater(computed[1] / computed[0], 0.6)
        self.assertLess(computed[1] / computed[0], 1.7)

    def test_other_ranks(self):
        """Each finds its own; where nobody knows that they come again, the recorded ones serve in turn."""
        program = self.build("volumes.c")
        file = self.record(program, ranks=3, name="volumes.dec")
        given = ("-n", 8, "--shadow", "--decisions")
        exact = self.seconds("-n", 8, program)
        # Eight ranks take a step more, which is a hundredth.
        self.assertLess(abs(self.seconds(*given, file, program) / exact - 1), 0.015)
        self.assertIn("recorded on 3 ranks: each of 8 finds its own", self.run_gnomon(*given, file, program))
        (self.directory / "in turn.dec").write_text(re.sub(r"\n  repeats \d+", "", file.read_text()))
        self.assertGreater(abs(self.seconds(*given, "in turn.dec", program) / exact - 1), 0.025)
        self.assertIn("recorded on 3 ranks: that those of 8 execute the same in turn",
                      self.run_gnomon(*given, "in turn.dec", program))

    def test_parts_of_a_grid(self):
        """Ranks of another number have parts of another size: where nothing is executed, the formula of the work tells it."""
        program = self.build("parts.c", None, "-lm")
        file = self.directory / "parts.dec"
        self.seconds("-n", 2, "--record-decisions", file, program)
        self.assertRegex(file.read_text(), r"\n  formula [01]\.?\d*\n")
        given = ("-n", 8, "--compute=counted", "--shadow", "--decisions-check=trust", "--decisions")
        exact = self.seconds("-n", 8, program)
        self.assertLess(abs(self.seconds(*given, file, program) / exact - 1), 0.03)
        self.assertIn("that it follows the work that", self.run_gnomon(*given, file, program))
        without = self.directory / "without formulas.dec"
        without.write_text(re.sub(r"\n  formula .*", "", file.read_text()))
        self.assertGreater(self.seconds(*given, without, program) / exact, 2)


class Costs(Decisions):
    """What bursts cost is recorded with the decisions: a run that is given them need not find it out."""

    def skipped(self, *options):
        return self.bursts("-n", 4, "--shadow", *options, self.build("volumes.c"))["skipped"]

    def test_known(self):
        file = self.record(self.build("volumes.c"))
        text = file.read_text()
        self.assertRegex(text, r"\nmachine .+\n")
        # It takes less than the tenth of a second that ranks would watch.
        self.assertGreater(self.skipped("--decisions", file), 100)
        (self.directory / "without.dec").write_text(re.sub(r"\n(machine|  cost|  varies) .*", "", text))
        self.assertEqual(self.skipped("--decisions", "without.dec"), 0)

    def test_trusted_on_other_ranks(self):
        """Of another number of ranks costs are an assumption, which a user may make: then nothing is executed to learn them."""
        program = self.build("volumes.c")
        given = ("-n", 8, "--shadow", "--decisions", self.record(program, ranks=2))
        found = self.bursts(*given, program)
        trusted = self.bursts(*given, "--decisions-check=trust", program)
        self.assertGreater(found["executed"], trusted["executed"])
        self.assertGreater(trusted["skipped"], found["skipped"])

    def test_stretches(self):
        """What a rank computes between two calls takes what it took: nothing is measured, neither hooks nor other caches."""
        program = self.build("volumes.c")
        computed = self.bursts("-n", 4, "--record-decisions", "taken.dec", program)["computed_seconds"]
        text = (self.directory / "taken.dec").read_text()
        self.assertRegex(text, r"\nstretch [0-9a-f]{16} [0-9a-f]{16}\n  first .*volumes\.c:\d+ #1\n  took [\d.e-]+ \d+ [\d.e-]+ [\d.e+]+\n")
        # Not every stretch is in the file, and the host may have held up one that is not: most is there.
        recorded = sum(float(seconds) * int(times) for seconds, times in re.findall(r"\n  took (\S+) (\d+)", text))
        self.assertLess(abs(recorded / computed - 1), 0.1)
        given = ("-n", 4, "--shadow", "--decisions")
        self.assertLess(abs(self.bursts(*given, "taken.dec", program)["computed_seconds"] / recorded - 1), 0.02)
        slower = re.sub(r"(?<=\n  took )\S+", lambda seconds: str(10 * float(seconds[0])), text)
        (self.directory / "slower.dec").write_text(slower)
        seconds = self.bursts(*given, "slower.dec", program)["computed_seconds"]
        self.assertLess(abs(seconds / recorded / 10 - 1), 0.02)
        # On other ranks bursts cost what they cost, and a file that has no stretches gives costs of bursts only.
        trusted = ("-n", 8, "--shadow", "--decisions-check=trust", "--decisions", "slower.dec")
        self.assertLess(self.bursts(*trusted, program)["computed_seconds"], 5 * recorded)
        (self.directory / "none.dec").write_text(text[:text.index("\nstretch ") + 1])
        self.assertGreater(self.bursts(*given, "none.dec", program)["skipped"], 100)

    def test_stretches_unlike_recorded_ones(self):
        """What no recorded stretch is like is measured, and the summary says how much that is."""
        program = self.build("volumes.c")
        text = self.record(program, name="unlike.dec").read_text()
        (self.directory / "unlike.dec").write_text(text[:text.index("\nstretch ") + 1] + "stretch 0000000000000001 0000000000000000\n  took 1 1 1 1\n")
        self.assertRegex(self.run_gnomon("-n", 4, "--shadow", "--decisions", "unlike.dec", program),
                         "100 % of the computation are stretches unlike those that were recorded: they are measured")

    def test_wanted_anew(self):
        """A user who says how many samples there shall be gets them; another processor's costs are none."""
        file = self.record(self.build("volumes.c"))
        each = self.bursts("-n", 4, "--shadow", "--sample=n=20,local", "--decisions", file, self.build("volumes.c"))
        self.assertGreater(each["executed"], 4 * 20)
        text = file.read_text()
        (self.directory / "other.dec").write_text(re.sub(r"\nmachine .+\n", "\nmachine Abacus\n", text))
        self.assertEqual(self.skipped("--decisions", "other.dec"), 0)
        errors = self.run_gnomon("-n", 4, "--shadow", "--decisions", "other.dec", self.build("volumes.c"))
        self.assertIn("what bursts cost was measured on another processor (Abacus, not ", errors)

    def test_of_counted_runs(self):
        """In instructions, which no other way of telling time can use, nor they those of a processor."""
        file = self.directory / "counted.dec"
        program = self.build("volumes.c")
        self.run_gnomon("-n", 4, "--compute=counted", "--record-decisions", file, program)
        self.assertRegex(file.read_text(), r"\nmachine counted instructions\n(.*\n)*  cost ")
        given = ("-n", 4, "--shadow", "--decisions")
        self.assertEqual(self.bursts(*given, file, "--compute=counted", program)["executed"], 0)
        another = "what bursts cost was recorded with another --compute: it is learned anew"
        self.assertIn(another, self.run_gnomon(*given, file, program))
        self.assertIn(another, self.run_gnomon(*given, self.record(program), "--compute=counted", program))

    def test_of_what_cannot_be_executed(self):
        """A product whose rows rest on a setup that is skipped: nobody executes it in order to learn what it costs."""
        program = self.build("rows.c")
        file = self.directory / "rows.dec"
        times = []
        for options in (["--record-decisions", file], ["--shadow", "--decisions", file]):
            self.run_gnomon("-n", 4, "--compute=counted", "--json", "rows.json", *options, program)
            run = json.loads((self.directory / "rows.json").read_text())
            times.append(run["simulated_time"])
        self.assertGreater(run["bursts"]["skipped"], 48000)
        self.assertEqual(run["bursts"]["guessed_instances"], 0)
        self.assertLess(abs(times[1] / times[0] - 1), 0.005)


class OtherRanks(Decisions):
    def test_alike(self):
        program = (self.build(), 0.99)
        file = self.record(*program, ranks=2)
        errors = self.run_gnomon("-n", 16, *GIVEN, "--decisions", file, *program)
        self.assertRegex(errors, r"recorded on 2 ranks: that 1 of 1 points decide the same on 16 ranks is an assumption")
        decisions = self.bursts("-n", 16, *GIVEN, "--decisions", file, *program)["decisions"]
        # Those of the passes before something is skipped are computed.
        self.assertGreater(decisions["assumed"], 0)
        self.assertLess(decisions["assumed"], decisions["values"])

    def test_trust(self):
        """No rank computes what all are assumed to decide: nothing is executed at all."""
        program = (self.build(), 0.99)
        file = self.record(*program, ranks=2)
        trusting = ("-n", 16, "--compute=none", *GIVEN, "--decisions", file, "--decisions-check=trust", *program)
        decisions = self.bursts(*trusting)["decisions"]
        self.assertEqual(decisions["assumed"], decisions["values"])
        self.assertEqual(self.trace("-n", 16, *program), self.trace(*trusting))
        # What is asked beyond the recorded values ends the run all the same.
        text = file.read_text()
        file.write_text(re.sub(r"all: 1\*(\d+) 0", r"all: 1*20", text))
        self.assertRegex(self.run_gnomon(*trusting, code=2), "passed once more than the 20 times that were recorded")

    def test_different(self):
        file = self.record(self.build(), 0.9, "uneven", ranks=2)
        errors = self.run_gnomon("-n", 4, *GIVEN, "--decisions", file, self.build(), 0.9, "uneven", code=2)
        self.assertRegex(errors, r"rank \d+, at .*steps\.c:\d+ main #\d \(the count of MPI_Sendrecv\): .*--decisions-from-rank")
        self.run_gnomon("-n", 4, *GIVEN, "--decisions", file, "--decisions-from-rank=1", self.build(), 0.9, "uneven")

    def test_arrays(self):
        """An array of counts has a number for each rank: it is given to as many ranks only."""
        program = self.build("../bursts/decided/exchanged_counts.c")
        file = self.record(program, ranks=4)
        self.assertRegex(file.read_text(), r"point .*, 32 bits each\n  function main\n  what the counts of MPI_Alltoallv\n")
        given = (*GIVEN, "--decisions", file)
        self.assertEqual(self.trace("-n", 4, program), self.trace("-n", 4, *given, program))
        for options in ((), ("--decisions-from-rank=0",)):
            self.assertIn("it is an array with a number for each rank", self.run_gnomon("-n", 6, *given, *options, program, code=2))
        executed = (*given, "--decisions-from-rank=execute", program)
        self.assertEqual(self.trace("-n", 6, program), self.trace("-n", 6, *executed))
        self.assertGreater(self.bursts("-n", 6, *executed)["decisions"]["executed"], 0)

    def test_no_such_rank(self):
        file = self.record(self.build(), ranks=2)
        errors = self.run_gnomon("-n", 4, "--decisions", file, "--decisions-from-rank=2", self.build(), code=2)
        self.assertIn("--decisions-from-rank", errors)
        errors = self.run_gnomon("-n", 4, "--decisions", file, "--decisions-from-rank=one", self.build(), code=2)
        self.assertIn("'one' is neither a rank, a whole number from 0 on, nor 'execute'", errors)


class Unmet(Decisions):
    """What the recorded run has not met is not waited for on other ranks."""

    TURN = 22  # the line of its loop

    def skipped(self, *options):
        self.bursts("-n", 6, *GIVEN, "--bursts", "table", *options)
        return int(re.search(rf"\n *\d+ +\d+ +(\d+) .*unmet\.c:{self.TURN} ", (self.directory / "table").read_text()).group(1))

    def test_burst_that_rests_on_a_skipped_one(self):
        program = self.build("unmet.c")
        file = self.record(program, ranks=2)
        text = file.read_text()
        self.assertIn("\nbursts all\n", text)
        self.assertGreater(self.skipped("--decisions", file, program), 6 * 5)
        (self.directory / "in part.dec").write_text(text.replace("\nbursts all\n", "\n"))
        self.assertEqual(self.skipped("--decisions", "in part.dec", program), 0)

    def test_one_that_comes_all_the_same(self):
        program = self.build("unmet.c")
        given = ("-n", 6, *GIVEN, "--decisions", self.record(program, ranks=2), program, "argument")
        self.assertEqual(self.trace("-n", 6, program, "argument"), self.trace(*given))


class Executed(Decisions):
    """What a decision rests on runs where it is not given; the rest is skipped, and the communication is the exact run's."""

    FIELD, PARTICLES = (24,), (15, 32, 38)  # the lines of loops; what makes the field runs before ranks have come to a point

    def executed(self, file, *options):
        program = self.build("uneven.c")
        self.assertEqual(self.trace("-n", 12, program), self.trace("-n", 12, *GIVEN, "--decisions", file, *options, program))
        bursts = self.bursts("-n", 12, "--bursts", "table", *GIVEN, "--decisions", file, *options, program)
        self.assertEqual(bursts["decisions"]["executed"], 1)
        table = (self.directory / "table").read_text()
        for line in self.PARTICLES:
            self.assertRegex(table, rf"uneven\.c:{line} main.*: always run: a decision that is not given rests on it")
        for line in self.FIELD:
            # On a busy machine the table says of samples that they were left out.
            self.assertRegex(table, rf"[1-9]\d* +\S+ +\S+ %  +\S+ %  uneven\.c:{line} main(?: \[[^\]]*left out\])?\n")
        self.assertGreater(bursts["skipped"], 12 * 20)
        return bursts

    def test_where_ranks_differ(self):
        file = self.record(self.build("uneven.c"), ranks=3)
        errors = self.run_gnomon("-n", 12, *GIVEN, "--decisions", file, self.build("uneven.c"), code=2)
        self.assertIn("--decisions-from-rank whose decisions all take, or 'execute' to run what they rest on", errors)
        bursts = self.executed(file, "--decisions-from-rank=execute")
        self.assertTrue(any(note.endswith("that 1 of 2 points decide the same on 12 ranks is an assumption; points executed: 1")
                            for note in bursts["decisions"]["notes"]), bursts["decisions"]["notes"])

    def test_where_the_file_says_so(self):
        file = self.record(self.build("uneven.c"), ranks=12)
        text = file.read_text()
        count = "  what the count of MPI_Sendrecv\n"
        self.assertIn(count, text)
        file.write_text(text.replace(count, count + "  execute\n"))
        bursts = self.executed(file)
        self.assertTrue(any(note.endswith("executed, as it says: 1 of 2") for note in bursts["decisions"]["notes"]), bursts["decisions"]["notes"])

    def test_where_this_run_differs(self):
        """Alike on the two ranks that were recorded, and otherwise in the middle of six: nothing is skipped before each has come to it."""
        program = self.build("neighbours.c")
        given = ("-n", 6, *GIVEN, "--decisions", self.record(program, ranks=2))
        self.assertIn("it decided otherwise than on the 2 that were recorded, and pass 2 comes after computations were "
                      "skipped (--decisions-from-rank=execute runs what it rests on)", self.run_gnomon(*given, program, code=2))
        given += ("--decisions-from-rank=execute",)
        self.assertEqual(self.trace("-n", 6, program), self.trace(*given, program))
        bursts = self.bursts(*given, program)
        self.assertTrue(any("decide otherwise on 6 ranks" in note for note in bursts["decisions"]["notes"]), bursts["decisions"]["notes"])
        self.assertGreater(bursts["skipped"], 6 * 20)

    def test_nothing_where_all_is_known(self):
        file = self.record(self.build("uneven.c"), ranks=12)
        bursts = self.bursts("-n", 12, *GIVEN, "--decisions", file, "--decisions-from-rank=execute", self.build("uneven.c"))
        self.assertEqual(bursts["decisions"]["executed"], 0)


class Rare(Decisions):
    """A point that is passed once or twice is not awaited: what is given there, and nobody has seen, is told."""

    def test_told(self):
        program = self.build("rare.c")
        given = ("-n", 6, *GIVEN, "--decisions", self.record(program, ranks=2), program)
        decisions = self.bursts(*given)["decisions"]
        self.assertEqual(decisions["unseen"], 6)
        note = rf"6 of the {decisions['assumed']} values that were assumed went to ranks that had not come to the point before .*: \S*rare\.c:\d+ tellNeighbours #1"
        self.assertTrue(any(re.fullmatch(note, each) for each in decisions["notes"]), decisions["notes"])
        # The ranks in the middle have two neighbours each, as none of the recorded ones has.
        self.assertNotEqual(self.trace("-n", 6, program), self.trace(*given))

    def test_not_where_ranks_have_come_to_it(self):
        program = self.build("rare.c")
        given = ("-n", 6, *GIVEN, "--decisions", self.record(program, "before", ranks=2))
        self.assertIn("it decided otherwise than on the 2 that were recorded", self.run_gnomon(*given, program, "before", code=2))
        given += ("--decisions-from-rank=execute", program, "before")
        self.assertEqual(self.trace("-n", 6, program, "before"), self.trace(*given))
        self.assertEqual(self.bursts(*given)["decisions"]["unseen"], 0)


class Contradictions(Decisions):
    def contradicted(self, old, new, *options, code=2, arguments=()):
        file = self.record(self.build(), *arguments)
        # Where costs are not known, the first instances are executed, and compared.
        text = re.sub(r"\n(machine|  cost|  varies) .*", "", file.read_text())
        self.assertIn(old, text)
        file.write_text(text.replace(old, new))
        return self.run_gnomon("-n", 4, "--shadow", *options, "--decisions", file, self.build(), *arguments, code=code)

    def test_another_value(self):
        self.assertRegex(self.contradicted("all: 1*37 0", "all: 0*37 1"),
                         r"contradicts the decisions of .*: rank \d, at .*steps\.c:30 main #2 \(the end of the loop at "
                         r"steps\.c:30\): pass 1 computed 1, where 0 was recorded")

    def test_too_few(self):
        self.assertRegex(self.contradicted("all: 1*37 0", "all: 1*20", *GIVEN), r"passed once more than the 20 times that were recorded")

    def test_too_many(self):
        self.assertRegex(self.contradicted("all: 1*37 0", "all: 1*37 0*2"), r"passed 38 times, where 39 were recorded")

    def test_warn(self):
        errors = self.contradicted("all: 1*37 0", "all: 1*20", "--decisions-check=warn", *GIVEN, code=0)
        self.assertIn("note: the run contradicts its decisions: rank", errors)

    def test_other_arguments(self):
        file = self.record(self.build(), 0.9)
        errors = self.run_gnomon("-n", 4, "--shadow", "--decisions", file, self.build(), 0.5, code=2)
        self.assertRegex(errors, r"the run contradicts the decisions of .*: pass 6 computed 0, where 1 was recorded")
        self.assertIn("recorded with the arguments '0.9', not '0.5'", errors)


class Files(Decisions):
    def refused(self, text, message):
        file = self.directory / "decisions"
        file.write_text(text)
        self.assertRegex(self.run_gnomon("-n", 4, "--decisions", file, self.build(), code=2), message)

    def test_malformed(self):
        head = "gnomon decisions 2\nranks 4\n"
        point = head + "point a.c:3 #1, 1 bit\n  function f\n"
        for text, message in (
            ("", "the first line must be"),
            ("gnomon decisions 1\nranks 4\n", r"decisions:1: the first line must be 'gnomon decisions 2'"),
            (head + "colour red\n", r"decisions:3: 'colour red' is none of"),
            ("gnomon decisions 2\nranks 0\n", r"decisions:2: '0' is no number of ranks"),
            (head + "point a.c\n", r"decisions:3: a point is written"),
            (head + "point a.c:3 #1, 65 bits\n", r"decisions:3: '65' is no number of bits"),
            (point + "  1*3 0\n", r"decisions:5: a list of values begins with the ranks"),
            (point + "  all: 2\n", r"decisions:5: '2' is no value of the point"),
            (point + "  all: 1*0\n", r"decisions:5: '0' is no count"),
            (point + "  all: (1 0)\n", r"decisions:5: a group is written"),
            (point + "  4: 1\n", r"decisions:5: '4' is no rank"),
            (point + "  0-1: 1\n  1: 1\n", r"decisions:6: rank 1 has two lists|decisions:\d+: rank 1 has two lists"),
            (point + "  all: 1\n  1: 1\n", r"decisions:\d+: there is a list of all ranks, and another one"),
            (point + "  all: (1 0)*16777216\n", r"decisions:5: there are more than 16777216 values"),
        ):
            self.refused(text, message)

    def test_options(self):
        self.assertIn("records none", self.run_gnomon("--record-decisions", "a", "--decisions", self.record(self.build()), self.build(), code=2))
        self.assertIn("executes everything", self.run_gnomon("--record-decisions", "a", "--shadow", self.build(), code=2))
        self.assertIn("'maybe' is none of strict, warn, trust", self.run_gnomon("--decisions-check=maybe", self.build(), code=2))
        self.assertRegex(self.run_gnomon("--decisions", "absent", self.build(), code=2), "absent.*No such file")
        self.assertIn("is also the file of", self.run_gnomon("--record-decisions", "a", "--json", "a", self.build(), code=2))
        file = self.record(self.build())
        self.assertIn("the file of --decisions", self.run_gnomon("--decisions", file, "--bursts", file, self.build(), code=2))


class Builds(Decisions):
    def test_moved(self):
        """Lines may move: points are found by name."""
        text = (HERE / "steps.c").read_text()
        file = self.record(self.build())
        moved = self.directory / "steps.c"
        moved.write_text("\n\n" + text)
        prefix = f"-ffile-prefix-map={self.directory}/="
        old = self.build(HERE / "steps.c", "old", f"-ffile-prefix-map={HERE}/=")
        new = self.build(moved, "new", prefix)
        file = self.record(old)
        errors = self.run_gnomon("-n", 4, *GIVEN, "--decisions", file, new)
        self.assertIn("come from another build of the program; its points were found by name", errors)

    def test_other_program(self):
        text = (HERE / "steps.c").read_text()
        other = self.directory / "other.c"
        other.write_text(text)
        file = self.record(self.build())
        errors = self.run_gnomon("-n", 4, *GIVEN, "--decisions", file, self.build(other, "other"), code=2)
        self.assertRegex(errors, r"come from another build, and \d of the program's points are not among them:\n  .*other\.c:38 main #1")


class Threads(Decisions):
    def test_refused(self):
        errors = self.run_gnomon("-n", 2, "--record-decisions", "none", self.build("threads.c"), code=2)
        self.assertRegex(errors, r"a thread that rank \d has started decides at .*threads\.c:13 in solve")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
