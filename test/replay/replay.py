#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a run recorded by --trace and played by `gnomon replay` takes the same simulated time to the last bit and
sends the same messages, with counted computation; on another platform a replay takes what a run takes there. What
cannot be played is refused by name, and ends with exit code 2."""

import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402
import terminal  # noqa: E402

TESTS = HERE.parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
SLOW = "cluster:n={n},bw=1Gbps,lat=50us,speed=1Gf"


class Scratch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def build(cls, source, *options):
        program = cls.directory / pathlib.Path(source).name.replace(".", "_")
        compiler = "fc" if source.endswith("90") else "cc"
        command = [GNOMON, compiler, "-O2", *options, TESTS / source, "-o", program, "-lm"]
        subprocess.run(command, check=True, cwd=cls.directory)
        return program

    @classmethod
    def gnomon(cls, *arguments, code=0):
        command = [GNOMON, *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                                cwd=cls.directory)
        assert result.returncode == code, f"{command}: exit code {result.returncode}\n{result.stdout}{result.stderr}"
        return result

    @classmethod
    def simulate(cls, *arguments):
        """The summary of a run or a replay."""
        file = cls.directory / "summary.json"
        cls.gnomon(*arguments[:1], "-q", "--json", file, *arguments[1:])
        return json_schema.validate(file.read_text(), "run")

    def record(self, ranks, program, *arguments, options=()):
        trace = self.directory / f"{program.name}.gtr"
        run = self.simulate("run", "-n", ranks, "--compute=counted", *options, "--trace", trace, program, *arguments)
        return trace, run

    def check_same(self, played, run):
        for figure in ("simulated_time", "messages", "bytes", "ranks", "exit_code"):
            self.assertEqual(played[figure], run[figure], figure)


class Equal(Scratch):
    """Programs of other tests, each with calls of another chapter."""

    def check(self, source, ranks, *arguments):
        program = self.build(source)
        trace, run = self.record(ranks, program, *arguments)
        self.check_same(self.simulate("replay", trace), run)
        if source == "e2e/topologies/neighbors.c":
            return  # computes otherwise on another platform
        slow = ["--platform", SLOW.format(n=ranks)]
        other = self.simulate("run", "-n", ranks, "--compute=counted", *slow, program, *arguments)
        self.assertNotEqual(other["simulated_time"], run["simulated_time"])
        self.check_same(self.simulate("replay", *slow, trace), other)

    def test_messages_and_collectives(self):
        self.check("e2e/patterns/linear_solve.c", 4)
        self.check("e2e/patterns/integer_sort.c", 4)

    def test_nonblocking_and_persistent_collectives(self):
        self.check("e2e/topologies/persistent.c", 4)
        self.check("e2e/topologies/neighbors.c", 4)
        self.check("e2e/topologies/fortran_mpi.f90", 4)

    def test_intercommunicators(self):
        self.check("e2e/patterns/intercommunicators.c", 4)

    def test_fortran(self):
        self.check("e2e/patterns/conjugate_gradient.f90", 4)
        self.check("e2e/patterns/wavefront.f90", 6)

    def test_clocks_sleeps_wildcards_and_computation(self):
        self.check("replay/volumes.c", 4)

    def test_a_selection_of_algorithms_is_the_replays(self):
        program = self.build("replay/volumes.c")
        trace, run = self.record(4, program)
        options = ["--coll", "allreduce:lr", "--network", "loggps"]
        other = self.simulate("run", "-n", 4, "--compute=counted", *options, program)
        self.assertNotEqual(other["messages"], run["messages"])
        self.check_same(self.simulate("replay", *options, trace), other)

    def test_who_else_listens_changes_no_record(self):
        """Sends, receives and waits are told in another way where a communication trace is written, too, and bursts where a
        summary is."""
        for source, ranks in (("replay/volumes.c", 4), ("trace/nonblocking.c", 4), ("e2e/patterns/wavefront.f90", 6)):
            program = self.build(source)
            first = self.record(ranks, program)[0].read_bytes()
            quiet, beside = self.directory / "quiet.gtr", self.directory / "beside.gtr"
            options = ["run", "-q", "-n", ranks, "--compute=counted"]
            self.gnomon(*options, "--trace", quiet, program)
            self.gnomon(*options, "--trace", beside, "--comm-trace", self.directory / "calls.txt", program)
            self.assertEqual(quiet.read_bytes(), first, source)
            self.assertEqual(beside.read_bytes(), first, source)

    def test_the_same_run_gives_the_same_bytes(self):
        program = self.build("replay/volumes.c")
        first = self.record(4, program)[0].read_bytes()
        self.assertEqual(self.record(4, program)[0].read_bytes(), first)


class Polls(Scratch):
    """A program polls as often as time permits: a replay polls at the dates of the run on the run's machine, and as often as it
    takes on another."""

    WAITS = 16  # of polls.c

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.build("replay/polls.c")

    def test_on_the_same_machine_a_replay_polls_at_the_same_dates(self):
        for options in ([], ["--set", "smpi/test=1e-6", "--set", "smpi/iprobe=3e-6"], ["--set", "smpi/test=0"],
                        ["--set", "smpi/or=0:1e-6:1e-9"]):
            trace, run = self.record(2, self.program, options=options)
            self.check_same(self.simulate("replay", *options, trace), run)

    def test_polls_end_at_the_same_dates_whatever_ends_them(self):
        program = self.build("replay/exchange.c")
        for seed in range(4, 9):
            trace, run = self.record(8, program, 30, seed)
            self.check_same(self.simulate("replay", trace), run)

    def test_recording_changes_no_date(self):
        _, recorded = self.record(2, self.program)
        self.check_same(recorded, self.simulate("run", "-n", 2, "--compute=counted", self.program))

    def test_on_another_machine_it_polls_as_often_as_it_takes(self):
        slow, fast = "cluster:n=2,bw=1Gbps,lat=2ms,speed=1Gf", "cluster:n=2,bw=1Gbps,lat=1us,speed=1Gf"
        for recorded, played in ((slow, fast), (fast, slow)):
            trace, before = self.record(2, self.program, "loops", options=["--platform", recorded])
            run = self.simulate("run", "-n", 2, "--compute=counted", "--platform", played, self.program, "loops")
            replay = self.simulate("replay", "--platform", played, trace)
            self.assertGreater(abs(run["simulated_time"] - before["simulated_time"]), 5e-3)
            # A poll and what the loop computes for it, for each time that it waits.
            self.assertAlmostEqual(replay["simulated_time"], run["simulated_time"], delta=self.WAITS * 200e-9)


class Volumes(Scratch):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.build("replay/volumes.c", "-g")

    def test_each_burst_has_its_own(self):
        trace, _ = self.record(2, self.program)
        info = json_schema.validate(self.gnomon("trace", "info", "--json", trace).stdout, "trace")
        bursts = {row["name"]: row["instructions"] for row in info["bursts"]}
        named = [name for name in bursts if "volumes.c:11" in name]
        self.assertTrue(named, bursts)
        self.assertGreater(sum(bursts[name] for name in named), 0.5 * sum(bursts.values()))

    def test_seconds_are_recorded_beside_instructions(self):
        trace = self.directory / "measured.gtr"
        run = self.simulate("run", "-n", 2, "--trace", trace, self.program)
        played = self.simulate("replay", "--volumes=seconds", trace)
        self.assertAlmostEqual(played["simulated_time"], run["simulated_time"], delta=1e-3 * run["simulated_time"])
        counted = self.simulate("run", "-n", 2, "--compute=counted", self.program)
        by_count = self.simulate("replay", "--volumes=instructions", trace)
        self.assertAlmostEqual(by_count["simulated_time"], counted["simulated_time"],
                               delta=1e-3 * counted["simulated_time"])

    def test_seconds_that_were_not_measured_are_refused(self):
        trace, _ = self.record(2, self.program)
        error = self.gnomon("replay", "--volumes=seconds", trace, code=2).stderr
        self.assertIn("--host-speed", error)
        error = self.gnomon("replay", "--volumes=seconds", "--host-speed=1Gf", trace, code=2).stderr
        self.assertIn("seconds were not measured; replay with --volumes=instructions", error)

    def test_a_profile_rates_each_burst(self):
        profile = self.directory / "profile.json"
        self.gnomon("run", "-q", "-n", 2, "--record-profile", profile, self.program)
        by_profile = [f"--compute=profile={profile}"]
        run = self.simulate("run", "-n", 2, *by_profile, self.program)
        trace, counted = self.record(2, self.program)
        self.assertNotEqual(run["simulated_time"], counted["simulated_time"])
        played = self.simulate("replay", *by_profile, trace)
        self.assertAlmostEqual(played["simulated_time"], run["simulated_time"], delta=1e-12 * run["simulated_time"])
        self.assertEqual(played["messages"], run["messages"])

    def test_a_profile_says_how_bursts_load_memory(self):
        profile = self.directory / "profile.json"
        self.gnomon("run", "-q", "-n", 2, "--record-profile", profile, self.program)
        recorded = json.loads(profile.read_text())
        trace, _ = self.record(2, self.program)
        host = ["--platform=cluster:n=1,cores=2,bw=1GBps,lat=1us", f"--compute=profile={profile}"]

        def seconds(share, *options):
            for burst in recorded["bursts"]:
                burst.pop("memory_share", None)
                burst |= {} if share is None else {"memory_share": share}
            profile.write_text(json.dumps(recorded))
            run = self.simulate("run", "-n", 2, *host, *options, self.program)["simulated_time"]
            played = self.simulate("replay", *host, *options, trace)["simulated_time"]
            self.assertAlmostEqual(played / run, 1, delta=1e-12)
            return run

        # Code between bursts has the model's own share: none here.
        slow = ["--set", "cpu/slowness=2:3", "--set", "cpu/memory-share=0"]
        alone = seconds(None)
        self.assertEqual(seconds(None, *slow), alone)
        self.assertEqual(seconds(0, *slow), alone)
        self.assertGreater(seconds(0.5, *slow), 1.2 * alone)
        self.assertGreater(seconds(1, *slow), seconds(0.5, *slow))
        profile.write_text(json.dumps(recorded | {"bursts": [recorded["bursts"][0] | {"memory_share": 1.5}]}))
        self.assertIn("bursts[0].memory_share: must be 1 or less", self.gnomon("run", *host, self.program, code=2).stderr)

    def test_computations_are_scaled(self):
        trace, run = self.record(2, self.program)
        same = self.simulate("replay", "--scale-compute=1", trace)
        self.check_same(same, run)
        none = self.simulate("replay", "--compute=none", trace)["simulated_time"]
        nothing = self.simulate("replay", "--scale-compute", "0", trace)["simulated_time"]
        self.assertEqual(nothing, none)
        burst = f"{TESTS}/replay/volumes.c:11"
        one = self.simulate("replay", f"--scale-compute={burst}=1000", trace)["simulated_time"]
        every = self.simulate("replay", "--scale-compute=1000", trace)["simulated_time"]
        self.assertLess(run["simulated_time"], one)
        self.assertLess(one, every)
        last = self.simulate("replay", "--scale-compute=1000", f"--scale-compute={burst}=1", trace)["simulated_time"]
        self.assertLess(last, one)
        for text, words in (("much", "neither a factor"), ("-1", "neither a factor"), ("other.c=2", "no burst of the trace")):
            self.assertIn(words, self.gnomon("replay", f"--scale-compute={text}", trace, code=2).stderr)
        for option in ("--scale-compute=2", "--volumes=auto"):
            self.assertIn("is for gnomon replay", self.gnomon("run", option, self.program, code=2).stderr)

    def test_an_instruction_rate(self):
        trace, run = self.record(2, self.program)
        options = ["--instruction-rate", "1e8"]
        other = self.simulate("run", "-n", 2, "--compute=counted", *options, self.program)
        self.assertGreater(other["simulated_time"], 2 * run["simulated_time"])
        self.check_same(self.simulate("replay", *options, trace), other)


class Files(Scratch):
    """MPI-IO: what disks, servers, views, pointers and hints make of it, without a byte of data."""

    DISKS = TESTS / "e2e/files/disks.xml"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.build("replay/files.c")
        (cls.directory / "hosts").write_text("a\nb\na\nc\n")
        (cls.directory / "there.dat").write_bytes(bytes(25000))

    def machines(self):
        """Disks of their own, other ones, and servers."""
        yield ["--platform", SLOW.format(n=4)]
        disks = ["--platform", self.DISKS, "--hostfile", self.directory / "hosts"]
        yield disks
        yield [*disks, "--io-servers=s,t"]
        yield [*disks, "--io-servers=s,t", "--network=loggps"]

    def test_files_take_the_time_of_the_run(self):
        scratch = "--io=scratch"
        times = set()
        trace, run = self.record(4, self.program, options=[scratch])
        self.check_same(self.simulate("replay", trace), run)
        for options in self.machines():
            other = self.simulate("run", "-n", 4, "--compute=counted", scratch, *options, self.program)
            self.check_same(self.simulate("replay", *options, trace), other)
            times.add(other["simulated_time"])
        self.assertEqual(len(times), 4)

    def test_nothing_is_read_or_written(self):
        trace, run = self.record(4, self.program, options=["--io=scratch"])
        (self.directory / "there.dat").rename(self.directory / "gone.dat")
        try:
            self.check_same(self.simulate("replay", trace), run)
        finally:
            (self.directory / "gone.dat").rename(self.directory / "there.dat")
        left = sorted(file.name for file in self.directory.glob("*.dat"))
        self.assertEqual(left, ["there.dat"])
        self.assertIn("'--io' is for programs", self.gnomon("replay", "--io=scratch", trace, code=2).stderr)

    def test_programs_of_other_tests(self):
        for name, ranks in (("access", 4), ("properties", 3), ("errors", 3), ("atomic", 4)):
            program = self.build(f"e2e/files/{name}.c")
            with tempfile.TemporaryDirectory() as directory:
                trace, run = self.record(ranks, program, options=["--wdir", directory])
            self.check_same(self.simulate("replay", trace), run)

    def test_fortran(self):
        trace, run = self.record(4, self.build("replay/files.f90"), options=["--io=scratch"])
        self.check_same(self.simulate("replay", trace), run)

    def test_what_the_file_system_refused_is_not_played_as_if_it_had_done_well(self):
        trace, run = self.record(3, self.build("e2e/files/collective_errors.c"), options=["--io=scratch"])
        errors = [self.gnomon("trace", "info", "--rank", rank, trace).stdout for rank in range(3)]
        if any("MPI_Wait" in line and "error=" in line for line in "".join(errors).splitlines()):
            error = self.gnomon("replay", trace, code=2).stderr
            self.assertRegex(error, r"rank 0, record \d+, MPI_File_write_at_all: did well, where the recorded call failed")
        else:  # a file system that holds files of 2^60 bytes
            self.check_same(self.simulate("replay", trace), run)


class Processes(Scratch):
    """Sessions, ranks that are started in the middle of a run, and groups that connect."""

    def test_a_session(self):
        trace, run = self.record(3, self.build("replay/session.c"))
        self.check_same(self.simulate("replay", trace), run)

    def test_started_ranks_and_ports(self):
        program = self.build("replay/processes.c")
        trace, run = self.record(4, program)
        self.assertEqual(run["ranks"], 9)
        self.check_same(self.simulate("replay", trace), run)
        self.check_same(self.simulate("replay", "-n", 4, trace), run)
        self.assertNotIn("not freed", self.gnomon("replay", trace).stderr)
        self.assertIn("4 ranks", self.gnomon("replay", "-n", 9, trace, code=2).stderr)
        machine = "cluster:n={n},bw={bw},lat=1us,speed={speed}"
        firsts = set()
        # On a slow network rank 0's job is the first, on slow hosts that of the last rank.
        for n, bw, speed in ((8, "1Mbps", "1Tf"), (3, "100Gbps", "10Mf")):
            options = ["--platform", machine.format(n=n, bw=bw, speed=speed)]
            other = self.directory / "other.gtr"
            run = self.simulate("run", "-n", 4, "--compute=counted", *options, "--trace", other, program)
            self.check_same(self.simulate("replay", *options, trace), run)
            firsts.add(re.search(r"MPI_Comm_spawn .*first=(\d)", self.gnomon("trace", "info", "--rank", 0, other).stdout)[1])
        self.assertEqual(firsts, {"4", "7"})
        run = self.simulate("run", "-n", 4, "--compute=counted", "--universe=5", program)
        self.check_same(self.simulate("replay", "--universe=5", trace), run)

    def test_hosts_of_started_ranks(self):
        program = self.build("replay/processes.c")
        (self.directory / "eight.xml").write_text(Smpi.PLATFORM)
        (self.directory / "four.xml").write_text(Smpi.PLATFORM.replace("0-7", "0-3"))
        machine = ["--platform", self.directory / "eight.xml"]
        trace, run = self.record(4, program, "node-6", options=machine)
        self.check_same(self.simulate("replay", *machine, trace), run)
        error = self.gnomon("replay", "--platform", self.directory / "four.xml", trace, code=2).stderr
        self.assertRegex(error, r"rank 3, record \d+, MPI_Comm_spawn: fails with MPI error class")

    def test_programs_of_another_test(self):
        for name in ("spawner", "worker"):
            program = self.build(f"spawn/{name}.c")
            program.rename(self.directory / name)
        (self.directory / "elsewhere").mkdir()
        machine = ["--platform", self.directory / "platform.xml"]
        machine[1].write_text(Smpi.PLATFORM)
        trace, run = self.record(3, self.directory / "spawner", options=machine)
        self.check_same(self.simulate("replay", *machine, trace), run)


class Scaled(Scratch):
    """--scale-bytes: a replay of scaled messages takes what a run takes whose messages have that size."""

    MESSAGES = ("MPI_Send", "MPI_Isend", "MPI_Sendrecv")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.build("replay/scaled.c")

    def run_of(self, messages, others):
        trace = self.directory / f"{messages}-{others}.gtr"
        run = self.simulate("run", "-n", 4, "--compute=none", "--trace", trace, self.program, messages, others)
        return trace, run

    def replay_of(self, trace, *factors):
        return self.simulate("replay", "--compute=none", *(f"--scale-bytes={factor}" for factor in factors), trace)

    def test_all_messages(self):
        small, one = self.run_of(1, 1)
        large, three = self.run_of(3, 3)
        self.assertLess(one["simulated_time"], three["simulated_time"])
        self.check_same(self.replay_of(small, 3), three)
        self.check_same(self.replay_of(large, 1 / 3), one)
        self.check_same(self.replay_of(small, 1), one)
        self.check_same(self.replay_of(small, 7, 3), three)  # the last one counts
        for option in (["--platform", SLOW.format(n=4)], ["--network=loggps", "--coll=allreduce:lr"]):
            other = self.simulate("run", "-n", 4, "--compute=none", *option, self.program, 3, 3)
            self.check_same(self.simulate("replay", "--compute=none", "--scale-bytes=3", *option, small), other)

    def test_those_of_a_function(self):
        trace, one = self.run_of(1, 1)
        _, three = self.run_of(3, 1)
        self.check_same(self.replay_of(trace, *(f"{name}=3" for name in self.MESSAGES)), three)
        self.check_same(self.replay_of(trace, 3, 1), one)
        _, rest = self.run_of(1, 3)
        self.check_same(self.replay_of(trace, 3, *(f"{name}=1" for name in self.MESSAGES)), rest)
        reduced = self.replay_of(trace, "MPI_Allreduce=3")
        self.assertLess(one["simulated_time"], reduced["simulated_time"])
        self.assertLess(reduced["simulated_time"], rest["simulated_time"])

    def test_bytes_are_rounded_the_same_at_both_ends(self):
        trace, one = self.run_of(1, 1)
        for factor in (0, 0.01, 0.33, 1.7, 12.345):
            self.assertEqual(self.replay_of(trace, factor)["ranks"], 4)  # no buffer is too short
        isend, sendrecv, alltoallv = 4 * 40000, 4 * 80, 4 * 3 * 640  # bytes that are sent to other ranks
        for name, sent, scaled in (("MPI_Isend=0.33", isend, 4 * 13200), ("MPI_Sendrecv=0.33", sendrecv, 4 * 26),
                                   ("MPI_Sendrecv=0", sendrecv, 0), ("MPI_Alltoallv=0.33", alltoallv, 4 * 3 * 211)):
            self.assertEqual(self.replay_of(trace, name)["bytes"], one["bytes"] - sent + scaled)

    def test_what_cannot_be_scaled(self):
        trace, _ = self.run_of(1, 1)
        files, _ = self.record(2, self.build("replay/datarep.c"), options=["--io=scratch"])
        for file, factor, words in ((trace, "MPI_Recv=2", "the trace has no calls of 'MPI_Recv'"),
                                    (trace, "MPI_Alreduce=2", "did you mean 'MPI_Allreduce'"),
                                    (trace, "MPI_Win_fence=2", "move no bytes"), (trace, "much", "neither a factor"),
                                    (trace, "-1", "neither a factor"), (trace, "1e30", "more than 1e18 bytes"),
                                    (files, "MPI_File_write_ordered=2", "accesses to files are not scaled")):
            self.assertIn(words, self.gnomon("replay", f"--scale-bytes={factor}", file, code=2).stderr)
        self.assertIn("is for gnomon replay", self.gnomon("run", "--scale-bytes=2", self.program, code=2).stderr)


class Progress(Scratch):
    """A replay that takes some seconds, unless it is stopped: what a cheap run recorded, on a network with contention
    and by an algorithm of many messages."""

    LINE = re.compile(r"gnomon replay: (\d+) %, ([0-9.e-]+) s simulated, ([0-9.]+)( [kM])? actions/s, (\d+) s left")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.build("replay/reductions.c")
        cls.trace = cls.directory / "reductions.gtr"
        cls.gnomon("run", "-q", "-n", 64, "--compute=none", "--network=loggps", "--trace", cls.trace, cls.program, 3000)

    def start(self, stream):
        command = [GNOMON, "replay", "--coll=allreduce:lr", "--json", self.directory / "summary.json", self.trace]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=stream)

    @staticmethod
    def let_compute(process, seconds):
        """However long that takes a busy machine."""
        while True:
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            if int(fields[11]) >= seconds * os.sysconf("SC_CLK_TCK"):
                return
            time.sleep(0.05)

    def check_stopped(self, replay, text):
        self.assertEqual(replay.wait(), 128 + signal.SIGINT)
        self.assertIn("stopped by SIGINT", text)
        found = re.search(r"INCOMPLETE: simulated time ([0-9.e-]+) s, 64 ranks.*; (\d+) of (\d+) actions played", text)
        self.assertTrue(found, text)
        summary = json_schema.validate((self.directory / "summary.json").read_text(), "run")
        self.assertFalse(summary["complete"])
        self.assertEqual(summary["actions"], {"played": int(found[2]), "total": int(found[3])})
        self.assertAlmostEqual(float(found[1]), summary["simulated_time"], delta=1e-8 * summary["simulated_time"])
        self.assertLess(0, summary["actions"]["played"])
        self.assertLess(summary["actions"]["played"], summary["actions"]["total"])

    def test_a_terminal_is_told_how_far_it_is(self):
        screen, other = pty.openpty()
        with self.start(other) as replay:
            os.close(other)
            text = ""
            while not self.LINE.search(text):
                text += os.read(screen, 4096).decode()
            replay.send_signal(signal.SIGINT)
            text += terminal.rest(screen)
            self.check_stopped(replay, text)
        os.close(screen)
        percent, simulated, rate = (float(self.LINE.search(text)[group]) for group in (1, 2, 3))
        self.assertLess(percent, 100)
        self.assertGreater(simulated, 0)
        self.assertGreater(rate, 0)
        self.assertRegex(text, r"actions/s, \d+ s left\r\x1b\[K")  # the line is gone before anything else is said

    def test_what_is_no_terminal_is_told_the_end_only(self):
        with self.start(subprocess.PIPE) as replay:
            self.let_compute(replay, 1)
            replay.send_signal(signal.SIGINT)
            text = replay.stderr.read().decode()
            self.check_stopped(replay, text)
        self.assertNotIn("actions/s", text)
        self.assertNotIn("\r", text)

    def test_all_actions_are_counted(self):
        trace = self.directory / "few.gtr"
        self.gnomon("run", "-q", "-n", 2, "--compute=none", "--trace", trace, self.program, 10)
        actions = self.simulate("replay", trace)["actions"]
        self.assertEqual(actions["played"], actions["total"])
        info = json_schema.validate(self.gnomon("trace", "info", "--json", trace).stdout, "trace")
        self.assertEqual(actions["total"], info["records"])
        self.assertIsNone(self.simulate("run", "-n", 2, self.program, 10)["actions"])


class Refused(Scratch):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.build("replay/volumes.c")
        cls.file = cls.directory / "good.gtr"
        cls.gnomon("run", "-q", "-n", 4, "--compute=counted", "--trace", cls.file, cls.program)

    def test_damaged_files(self):
        good = self.file.read_bytes()
        damaged = self.directory / "damaged.gtr"
        step = max(1, len(good) // 40)
        for length in range(0, len(good), step):
            damaged.write_bytes(good[:length])
            self.assertIn("damaged.gtr", self.gnomon("replay", damaged, code=2).stderr)
        for place in range(0, len(good), step):
            damaged.write_bytes(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1:])
            self.assertIn("damaged.gtr", self.gnomon("replay", damaged, code=2).stderr)

    def test_no_trace(self):
        self.assertIn("no trace to replay", self.gnomon("replay", code=2).stderr)
        self.assertIn("none.gtr", self.gnomon("replay", self.directory / "none.gtr", code=2).stderr)
        self.assertIn("volumes", self.gnomon("replay", self.program, code=2).stderr)

    def test_options_of_programs(self):
        for option in ("--shadow", "--fold=off", "--bursts=-", "--trace=again.gtr", "--comm-trace=again.txt"):
            self.assertIn(option.split("=")[0], self.gnomon("replay", option, self.file, code=2).stderr)
        self.assertIn("4 ranks", self.gnomon("replay", "-n", "8", self.file, code=2).stderr)
        self.assertIn("measured", self.gnomon("replay", "--compute=measured", self.file, code=2).stderr)

    def test_an_output_never_overwrites_what_is_played(self):
        self.assertIn("the trace that is replayed", self.gnomon("replay", "--json", self.file, self.file, code=2).stderr)

    def test_calls_that_cannot_be_played(self):
        trace, _ = self.record(4, self.build("spawn/ports.c"))
        error = self.gnomon("replay", trace, code=2).stderr
        self.assertRegex(error, r"rank \d, record \d+, MPI_Comm_(connect|accept|join): ")
        trace, _ = self.record(2, self.build("replay/datarep.c"), options=["--io=scratch"])
        error = self.gnomon("replay", trace, code=2).stderr
        self.assertRegex(error, r"rank [01], record \d+, MPI_File_set_view: the data representation 'twice' is the program's own")

    def test_a_run_that_was_cut_short(self):
        trace = self.directory / "cut.gtr"
        self.gnomon("run", "-q", "-n", 2, "--compute=counted", "--limit-time", "1e-4", "--trace", trace, self.program,
                    code=4)
        self.assertIn("INCOMPLETE", self.gnomon("trace", "info", trace).stdout)
        self.assertIn("the recorded run was cut short", self.gnomon("replay", trace, code=1).stderr)


class Turns(Scratch):
    """What goes wrong while records are played without a rank's stack (docs/adr/0038) is told as on the stack, where a
    trace in text is played. The hybrid model's calls take CPU time."""

    @property
    def text(self):
        return self.directory / "turns.txt"

    def converted(self, *ranks):
        """A trace of ours, of a list of SimGrid's actions for each rank. Loops are played in turns."""
        text, trace = self.text, self.directory / "turns.gtr"
        text.write_text("".join(f"{rank} {action}\n" for rank, actions in enumerate(ranks)
                                for action in ("init", *actions, "finalize")))
        self.gnomon("trace", "convert", text, trace)
        return trace

    def check(self, code, expected, *ranks):
        trace = self.converted(*ranks)
        for model in ("smpi", "hybrid"):
            for played in (trace, self.text):
                told = self.gnomon("replay", f"--network={model}", "--platform", SLOW.format(n=len(ranks)), played,
                                   code=code).stderr
                self.assertIn(expected, told)

    def test_messages_that_take_cpu_time(self):
        """Each part of these calls sleeps where it does on the stack; one rank comes first, or the other."""
        there = ["compute 90000", "send 1 0 100 6", "recv 1 0 3000 6", "isend 1 1 100 6", "wait 0 1 1", "send 1 0 90000 6"]
        back = ["recv 0 0 100 6", "send 0 0 3000 6", "compute 20000", "irecv 0 1 100 6", "wait 0 1 1", "recv 0 0 90000 6"]
        trace = self.converted(there * 50, back * 50)
        times = set()
        for costs in ((), ("os",), ("ois",), ("or",), ("os", "ois", "or")):
            options = [f"--set=smpi/{cost}=0:2e-6:1e-10" for cost in costs]
            simulated = [self.simulate("replay", *options, "--platform", SLOW.format(n=2), played)["simulated_time"]
                         for played in (trace, self.text)]
            self.assertEqual(simulated[0], simulated[1])
            times.add(simulated[0])
        self.assertEqual(len(times), 5)

    def test_a_receive_that_nobody_sends(self):
        self.check(3, "rank 0: MPI_Recv at an unknown place: receive from rank 1, tag 0, MPI_COMM_WORLD",
                   ["recv 1 0 100 6"] * 50, ["send 0 0 100 6"] * 49)

    def test_a_send_that_nobody_receives(self):
        self.check(3, "rank 0: MPI_Send at an unknown place: send of 800000 bytes to rank 1, tag 0",
                   ["send 1 0 800000 6"] * 50, ["recv 0 0 800000 6"] * 49)

    def test_a_request_that_nobody_ends(self):
        self.check(3, "rank 0: MPI_Wait at an unknown place: all of 1 request: MPI_Irecv from rank 1, tag 0",
                   ["irecv 1 0 100 6", "wait 1 0 0"] * 50, ["send 0 0 100 6"] * 49)

    def test_a_receive_that_is_too_short(self):
        self.check(2, "rank 0, record 2, MPI_Recv: fails with MPI error class",
                   ["recv 1 0 50 6"] * 50, ["send 0 0 100 6"] * 50)

    def test_two_that_wait_for_each_other(self):
        self.check(3, "cycle: rank 0 waits for rank 1 waits for rank 0",
                   ["recv 1 0 100 6"] * 50, ["recv 0 0 100 6"] * 50)

    def test_a_link_that_goes_off(self):
        """A turn of many ranks stands on the scheduler's stack, which cannot be left."""
        platform, hosts = self.directory / "off.xml", self.directory / "off.hosts"
        (self.directory / "off.state").write_text("0.0005 0\n")
        platform.write_text("""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="10us" state_file="off.state"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
""")
        for ranks in (2, 600):
            hosts.write_text("a\nb\n" * (ranks // 2))
            pairs = [["recv {other} 0 100 6"] * 50, ["send {other} 0 100 6", "compute 30000"] * 50]
            trace = self.converted(*([action.format(other=rank ^ 1) for action in pairs[rank % 2]] for rank in range(ranks)))
            for model in ("smpi", "loggps", "hybrid"):
                told = self.gnomon("replay", f"--network={model}", "--platform", platform, "--hostfile", hosts, trace,
                                   code=1).stderr
                self.assertIn("link 'l' is off (", told)
                self.assertIn("gnomon: INCOMPLETE: ", told)
                self.assertNotIn("segmentation", told)


class Smpi(Scratch):
    """SimGrid's own traces take the time that SMPI's replay says."""

    PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="node-" suffix="" radical="0-7" speed="1Mf" bw="125MBps" lat="50us" sharing_policy="SPLITDUPLEX"/>
</platform>
"""

    def actions(self, rank, ranks, steps):
        yield "init"
        left, right = (rank + ranks - 1) % ranks, (rank + 1) % ranks
        for step in range(steps):
            yield f"compute {60000 + 7919 * rank + 104729 * step}"
            yield f"irecv {left} {step} {3000 * (1 + step)} 6"
            yield f"send {right} {step} {3000 * (1 + step)} 6"
            yield f"wait {left} {rank} {step}"
            yield f"allreduce {10 + step} 0 0"
        yield "finalize"

    def test_the_same_time(self):
        ranks = 8
        platform, hosts, trace = (self.directory / name for name in ("platform.xml", "hosts", "trace.txt"))
        platform.write_text(self.PLATFORM)
        hosts.write_text("".join(f"node-{rank}\n" for rank in range(ranks)))
        trace.write_text("".join(f"{rank} {action}\n" for rank in range(ranks) for action in self.actions(rank, ranks, 12)))
        index = self.directory / "trace.idx"
        index.write_text(f"{trace}\n")
        command = ["smpirun", "-np", str(ranks), "-platform", platform, "-hostfile", hosts, "--cfg=smpi/coll-selector:ompi",
                   "--cfg=smpi/host-speed:1Gf", "-replay", index, "/usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain"]
        smpi = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.directory)
        self.assertEqual(smpi.returncode, 0, smpi.stdout + smpi.stderr)
        expected = float(re.search(r"Simulation time ([0-9.]+)", smpi.stdout + smpi.stderr)[1])
        played = self.simulate("replay", "--platform", platform, "--hostfile", hosts, index)
        self.assertGreater(expected, 1)  # the digits that SMPI prints are a millionth, at least
        self.assertAlmostEqual(played["simulated_time"], expected, delta=1e-6 * expected)


if __name__ == "__main__":
    unittest.main(verbosity=2)
