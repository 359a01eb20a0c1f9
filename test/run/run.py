#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what `gnomon run` promises beyond the ranks' own results: summary, JSON, placement, environment, repeatable
runs, and a message with exit code 2 for every bad input."""

import json
import math
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
PLATFORM = HERE / "platform.xml"
SUMMARY = r"^gnomon: simulated time \S+ s, 4 ranks, 8 messages, 32 B sent; wall time \S+ s, peak memory \S+ MB\n?$"
KEYS = {"simulated_time", "ranks", "messages", "bytes", "host", "bursts", "exit_code"}


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        cls.program = cls.directory / "where"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "where.c", "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_gnomon(self, *arguments, code=0, launcher=(GNOMON, "run"), **options):
        command = [str(argument) for argument in (*launcher, *arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, options.get("cwd", "."))
        return result

    def hosts(self, text, ranks, *options):
        file = self.directory / "hosts"
        file.write_bytes(text.encode())
        result = self.run_gnomon("-n", ranks, "--platform", PLATFORM, "--hostfile", file, *options, self.program)
        return re.findall(r"^rank \d+ on (\w+)", self.ordered(result.stdout), re.MULTILINE), result.stderr

    @staticmethod
    def ordered(text):
        return "\n".join(sorted(text.splitlines()))


class Summary(Run):
    def test_one_line_on_stderr(self):
        result = self.run_gnomon("-n", 4, self.program)
        lines = result.stderr.splitlines()
        self.assertRegex(lines[0], SUMMARY)
        # What --shadow would skip, where there is anything to skip.
        self.assertTrue(all("--shadow would skip" in line for line in lines[1:]), result.stderr)
        self.assertLessEqual(len(lines), 2)

    def test_quiet_and_mpiexec_leave_stderr_clean(self):
        self.assertEqual(self.run_gnomon("-q", "-n", 4, self.program).stderr, "")
        launcher = (PREFIX / "libexec/gnomon/bin/mpiexec",)
        self.assertEqual(self.run_gnomon("-n", 4, self.program, launcher=launcher).stderr, "")
        self.assertRegex(self.run_gnomon("-v", "-n", 4, self.program, launcher=launcher).stderr, SUMMARY)

    def test_json_holds_the_summary(self):
        file = self.directory / "run.json"
        self.run_gnomon("-n", 4, "--json", file, self.program)
        summary = json.loads(file.read_text())
        self.assertLessEqual(KEYS, set(summary))
        self.assertEqual((summary["ranks"], summary["exit_code"]), (4, 0))
        self.assertGreater(summary["simulated_time"], 0)
        self.assertGreater(summary["messages"], 0)
        self.assertGreater(summary["bytes"], 0)
        self.assertGreater(summary["host"]["peak_rss_bytes"], 1 << 20)

    def test_json_has_the_exit_code(self):
        file = self.directory / "failed.json"
        self.run_gnomon("-n", 4, "--json", file, self.program, 7, code=7)
        self.assertEqual(json.loads(file.read_text())["exit_code"], 7)

    def test_json_that_cannot_be_written(self):
        errors = self.run_gnomon("-n", 2, "--json", "/dev/full", self.program, code=74).stderr
        self.assertIn("\ngnomon: error: cannot write /dev/full: No space left on device\n", errors)

    def test_peak_memory_is_the_programs_own(self):
        """A launcher's is none of it: ru_maxrss survives exec."""
        file = self.directory / "small"
        launcher = ("import subprocess, sys; b = bytearray(300 << 20); b[::4096] = b'x' * len(b[::4096]); "
                    "subprocess.run(sys.argv[1:], check=True)")
        command = [sys.executable, "-c", launcher, GNOMON, "run", "-n", "2", "--json", file, self.program]
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        self.assertLess(json.loads(file.read_text())["host"]["peak_rss_bytes"], 100 << 20)

    def test_memory_is_checked_before_the_start(self):
        """At the least: what ranks touch before they do anything. And addresses, which stacks take whole."""
        result = self.run_gnomon("-n", 16_000_000, self.program, code=2)
        self.assertRegex(result.stderr, r"^gnomon: error: cannot simulate 16000000 ranks: they need \S+ GiB at the least \(for each 4 KiB "
                                        r"of stack, 1\.25 KiB of MPI's state and \S+ KiB of globals\), and (this machine has|its control "
                                        r"group leaves) \S+ [GM]iB free; use fewer ranks\n$")
        limit = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)); os.execv(sys.argv[1], sys.argv[1:])"
        result = self.run_gnomon("-n", 1000, "--stack-size=8MiB", self.program, code=2, launcher=(sys.executable, "-c", limit, GNOMON, "run"))
        self.assertRegex(result.stderr, r"need 7.81 GiB at the least \(addresses for each one's stack of 8 MiB .*\), and the limit on "
                                        r"addresses \(ulimit -v\) leaves \S+ MiB free; use a smaller --stack-size or fewer ranks\n$")

    def test_alone_is_one_rank_without_summary(self):
        result = self.run_gnomon(launcher=(self.program,))
        self.assertEqual(result.stderr, "")
        self.assertRegex(result.stdout, r"(?m)^rank 0 on \S+")


class Polls(Run):
    """Rank 0 polls 20 times in vain, at 25 ns or, by SMPI's rule, 100 us, 200 us…; then two messages of 1 ms follow."""
    SMPI = ("--set", "smpi/test=100us", "--set", "smpi/grow-injected-times=yes")

    def polls(self, *options):
        program, file = self.directory / "polls", self.directory / "polls.json"
        if not program.exists():
            subprocess.run([GNOMON, "cc", "-O2", HERE / "polls.c", "-o", program], check=True)
        errors = self.run_gnomon("-n", 2, "--compute=none", "--platform", "cluster:n=2,bw=1GBps,lat=500us", "--network=fluid",
                                 "--json", file, *options, program).stderr
        return errors, json.loads(file.read_text())

    def test_they_cost_what_a_real_mpi_takes(self):
        errors, summary = self.polls()
        self.assertNotIn("note", errors)
        self.assertAlmostEqual(summary["polls"]["seconds"], 20 * 25e-9, places=15)

    def test_a_note_says_that_they_dominate(self):
        errors, summary = self.polls(*self.SMPI)
        polls, whole = summary["polls"], summary["simulated_time"]
        self.assertAlmostEqual(polls["seconds"], 100e-6 * sum(range(1, 21)), places=12)
        self.assertAlmostEqual(polls["share"], polls["seconds"] / whole, places=12)
        self.assertAlmostEqual(polls["share_of_all"], polls["share"] / 2, places=12)
        self.assertEqual(polls["rank"], 0)
        self.assertEqual(errors.count("gnomon: note: "), 1, errors)
        self.assertIn(f"note: {100 * polls['share']:.3g} % of the simulated time on rank 0, {50 * polls['share']:.3g} % on all",
                      errors)
        self.assertEqual(self.polls("-q", *self.SMPI)[0], "")

    def test_what_the_note_names_mends_it(self):
        options = re.findall(r"--set \S+=\S+", self.polls(*self.SMPI)[0])
        self.assertEqual(len(options), 3)
        errors, summary = self.polls(*self.SMPI, *" ".join(options).split())
        self.assertNotIn("note", errors)
        self.assertAlmostEqual(summary["polls"]["seconds"], 20 * 25e-9, places=15)
        self.assertLess(summary["polls"]["share"], 0.1)


class Placement(Run):
    def test_host_file_forms(self):
        hosts, _ = self.hosts("# three forms, and a line of Windows\r\ngamma:2\r\n\nalpha slots=1\nbeta\n", 4)
        self.assertEqual(hosts, ["gamma", "gamma", "alpha", "beta"])

    def test_more_ranks_than_hosts_go_round_with_a_note(self):
        hosts, errors = self.hosts("beta\nalpha\n", 5)
        self.assertEqual(hosts, ["beta", "alpha", "beta", "alpha", "beta"])
        self.assertIn("gnomon: note: 5 ranks on 2 slots: placed round robin\n", errors)

    def test_hosts_on_the_command_line(self):
        result = self.run_gnomon("-n", 3, "--platform", PLATFORM, "-host", "gamma,alpha:2", self.program)
        hosts = re.findall(r"^rank \d on (\w+)", self.ordered(result.stdout), re.MULTILINE)
        self.assertEqual(hosts, ["gamma", "alpha", "alpha"])

    def test_names_of_the_simulated_host(self):
        result = self.run_gnomon("-n", 3, "--platform", PLATFORM, self.program)
        self.assertNotIn("NAMES DIFFER", result.stdout)


class Environment(Run):
    def test_variables_and_directory(self):
        result = self.run_gnomon("-x", "WHERE_VARIABLE=set by x", "-wdir", "/usr", "-n", 2, self.program)
        self.assertEqual(result.stdout.count("variable set by x directory /usr\n"), 2)
        result = self.run_gnomon("-genv", "WHERE_VARIABLE", "7", "-n", 2, self.program)
        self.assertEqual(result.stdout.count("variable 7 "), 2)


class Cache(Run):
    def test_is_the_builds(self):
        """What a run that has seen enough of its core keeps for later ones is none of the tester's."""
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", ""))
        self.assertEqual(cache, pathlib.Path(os.environ["GNOMON_BUILD"]) / "cache", "run tests by ctest, in the build's folder")
        program = self.directory / "computes"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "computes.c", "-o", program], check=True)
        cores, home = cache / "gnomon/cores", self.directory / "home"
        home.mkdir()
        cores.unlink(missing_ok=True)
        self.run_gnomon("-n", 2, program, env=dict(os.environ, HOME=str(home)))
        self.assertTrue(cores.read_text().startswith("gnomon cores "))
        self.assertEqual(list(home.iterdir()), [])
        # It would be there if nobody had said so.
        self.run_gnomon("-n", 2, program, env={name: value for name, value in dict(os.environ, HOME=str(home)).items() if name != "XDG_CACHE_HOME"})
        self.assertTrue((home / ".cache/gnomon/cores").exists())


class EarlierRuns(Run):
    """What equal work took in earlier runs of the same program counts (docs/adr/0048)."""

    def setUp(self):
        super().setUp()
        self.built = self.directory / "computes"
        subprocess.run([GNOMON, "cc", "-O2", "-DSTEPS=20", HERE / "computes.c", "-o", self.built], check=True)
        self.cache = self.directory / self.id()
        self.work = self.cache / "gnomon/work"

    def host(self, *options, ranks=2):
        path = self.directory / "run.json"
        self.run_gnomon("-n", ranks, "--json", path, *options, self.built, env=dict(os.environ, XDG_CACHE_HOME=str(self.cache)))
        return json.loads(path.read_text())["host"]

    def earlier(self, *options, ranks=2):
        return self.host(*options, ranks=ranks)["equal_work_earlier_runs"]

    def test_are_those_of_the_same_program(self):
        self.assertEqual([self.earlier(), self.earlier()], [0, 1])
        self.assertEqual(self.earlier(ranks=3), 0)
        self.assertEqual(self.earlier("--speed=measured"), 0)

    def test_count_unless_the_user_says_otherwise(self):
        kept = [self.earlier("--equal-work=run"), self.earlier("--equal-work=measured"), self.earlier("--compute=counted")]
        self.assertEqual(kept, [0, 0, 0])
        self.assertFalse(self.work.exists())

    def test_move_the_time(self):
        self.earlier()
        (file,) = self.work.iterdir()
        heading, works = file.read_text().split("\n", 4)[:4], file.read_text().split("\n", 4)[4].splitlines()
        lines = []
        for line in works:
            *name, seconds = line.split()
            lines.append(" ".join([*name, *(f"{factor * float(seconds):.4g}" for factor in (0.6, 1, 1.5))]))
        file.write_text("\n".join([*heading, *lines]) + "\n")
        host = self.host()
        self.assertEqual(host["equal_work_earlier_runs"], 3)
        self.assertNotEqual(host["equal_work_earlier_seconds"], 0)

    def test_a_damaged_file_is_as_good_as_none(self):
        self.earlier()
        (file,) = self.work.iterdir()
        file.write_text(file.read_text() + "work 1 x\n")
        self.assertEqual([self.earlier(), self.earlier()], [0, 1])


class Repeatable(Run):
    def test_same_inputs_give_the_same_bytes(self):
        options = ("-n", 16, "--compute=none", self.program)
        first, second = self.run_gnomon(*options).stdout, self.run_gnomon(*options).stdout
        self.assertEqual(first, second)

    def test_parameters_change_the_time(self):
        def time(*options):
            result = self.run_gnomon("-n", 3, "--compute=none", "--platform", PLATFORM, *options, self.program)
            return float(re.search("^time (.*)$", result.stdout, re.MULTILINE).group(1))

        plain = time()
        self.assertGreater(time("--cfg=network/latency-factor:10"), plain)
        self.assertEqual(time("--set", "network/latency-factor=10"), time("--cfg=network/latency-factor:10"))
        self.assertNotEqual(time("--coll", "allreduce:lr"), 0)

    def test_collectives_are_chosen_and_watched(self):
        program = self.directory / "collectives"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "collectives.c", "-o", program], check=True)

        def messages(*options):
            path = self.directory / "messages"
            self.run_gnomon("-n", 6, "--compute=none", "--coll-messages", path, *options, program, 100)
            head, *lines = path.read_text().splitlines()
            self.assertEqual(head, "# messages of collectives: sender receiver bytes")
            return [tuple(map(int, line.split())) for line in lines]

        linear, doubled = messages("--coll", "barrier:ompi_linear"), messages("--coll", "barrier:ompi_bruck")
        self.assertTrue(set((0, r, 0) for r in range(1, 6)) <= set(linear))
        self.assertIn((5, 0, 0), doubled)
        self.assertNotEqual(messages("--coll-selector=mpich"), messages("--coll-selector=ompi"))
        self.assertEqual(messages("--coll-selector", "default"), messages())

    def test_the_network_model_changes_the_time(self):
        def time(*options):
            result = self.run_gnomon("-n", 3, "--compute=none", "--platform", PLATFORM, *options, self.program)
            return float(re.search("^time (.*)$", result.stdout, re.MULTILINE).group(1))

        names = ("smpi", "hybrid", "ib", "fluid", "nocontention", "affine", "constant", "loggps", "simple", "bus", "in-link",
                 "out-link", "pmac")
        times = {name: time("--network", name) for name in names}
        self.assertEqual(times["smpi"], time())
        self.assertLess(times["fluid"], times["smpi"])
        self.assertLessEqual(times["simple"], times["bus"])
        self.assertEqual(times["ib"], time("--cfg=network/model:IB"))
        self.assertEqual(times["constant"], time("--cfg=network/model:Constant"))
        self.assertGreater(time("--network=constant", "--set", "constant/time=3"), 2.5 * times["constant"])
        self.assertGreater(time("--network=loggps", "--set", "loggps/o=1ms"), times["loggps"])


class Networks(Run):
    """Closed forms through MPI_Send and MPI_Recv: the worked examples of docs/models.md, section 4."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ping = cls.directory / "ping"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "ping.c", "-o", cls.ping], check=True)

    def ends(self, network, size, *settings):
        """When sender and receiver of one message are through, in microseconds."""
        options = [word for setting in ("smpi/wtime=0", *settings) for word in ("--set", setting)]
        result = self.run_gnomon("-n", 2, "--compute=none", "--platform", "cluster:n=2,bw=125MBps,lat=24us",
                                 "--network", network, *options, self.ping, size)
        return [float(time) * 1e6 for _, time in sorted(re.findall(r"^rank (\d) at (.*)$", result.stdout, re.MULTILINE))]

    def check(self, sender, receiver, ends):
        self.assertAlmostEqual(ends[0], sender, places=6)
        self.assertAlmostEqual(ends[1], receiver, places=6)

    def test_loggps(self):
        figures = ("loggps/L=10us", "loggps/o=1us", "loggps/g=2ns", "loggps/G=1ns", "loggps/s=1000")
        self.check(1, 16, self.ends("loggps", 3000, *figures))
        self.check(137, 137, self.ends("loggps", 100000, *figures))

    def test_hybrid(self):
        costs = ("network/model=raw", "smpi/os=0:5us:0.5ns", "smpi/or=0:5us:0.5ns")
        self.check(5.5, 67.128, self.ends("hybrid", 1000, *costs))
        # Detached, below 327680: the sender goes on after os; from there on both wait.
        self.check(5 + 163.8395, 2 * (5 + 163.8395) + 48 + 327695 / 125, self.ends("hybrid", 327679, *costs))
        self.check(48 + 327696 / 125, 48 + 327696 / 125, self.ends("hybrid", 327680, *costs))

    def test_ports(self):
        still = ("ports/jitter=0s", "ports/window=1MB", "ports/initial-window=1MB")
        self.check(0, 48 + (1022 + 66) / 125, self.ends("ports", 1000, *still))
        # Request and answer, then the socket takes all: 100,022 bytes are 70 frames.
        answered = 2 * 48 + (40 + 66 + 64 + 66) / 125
        data = 48 + (100022 + 70 * 66) / 125
        self.check(answered, answered + data, self.ends("ports", 100000, *still))
        # The message's end is told to the sender before the rest has arrived, or with it.
        times = self.ends("ports", 100000, *still, "ports/socket=0")
        self.check(answered + data, answered + data, times)

    def test_jitter_is_the_same_in_each_run(self):
        times = [self.ends("ports", 1000, "ports/jitter=1ms", f"ports/seed={seed}") for seed in (1, 1, 2)]
        self.assertEqual(times[0], times[1])
        self.assertNotEqual(times[0], times[2])

    def test_an_mpi_library_is_data(self):
        def ends(library, *settings):
            options = [word for setting in ("smpi/wtime=0", "ports/jitter=0s", *settings) for word in ("--set", setting)]
            result = self.run_gnomon("-n", 2, "--compute=none", "--platform", "cluster:n=2,bw=125MBps,lat=24us", "--network=ports",
                                     f"--mpi={library}", *options, self.ping, 30000)
            return [float(time) for _, time in sorted(re.findall(r"^rank (\d) at (.*)$", result.stdout, re.MULTILINE))]

        eager, long = ends("openmpi-4.1-tcp"), ends("mpich-4.0-ucx-tcp")
        self.assertEqual(eager[0], 0)
        self.assertEqual(long[0], long[1])
        self.assertGreater(long[1], eager[1] + 2 * 48e-6)
        mine = self.directory / "mine.xml"
        mine.write_text("<platform version='4.1'><config><prop id='smpi/send-is-detached-thresh' value='1000'/></config></platform>")
        self.assertGreater(ends(mine)[0], 0)
        # What is said by hand wins.
        self.assertEqual(ends(mine, "smpi/send-is-detached-thresh=65481", "smpi/async-small-thresh=65481")[0], 0)

    def test_a_library_that_is_not_there(self):
        result = self.run_gnomon("--mpi=lam-7", self.ping, 1, code=2)
        self.assertIn("--mpi=lam-7: there is no such file", result.stderr)
        self.assertIn("openmpi-4.1-tcp", result.stderr)

    def test_models_without_costs_of_the_cpu(self):
        self.check(0, 2.01467 * 48 + 17 / (0.812084 * 125), self.ends("nocontention", 1))
        self.check(2.01467 * 48 + 1e6 / 115, 2.01467 * 48 + 1e6 / 115, self.ends("affine", 1000000))
        self.check(0, 7, self.ends("constant", 100, "constant/time=7us"))
        for network in ("simple", "bus", "in-link", "out-link", "pmac"):
            self.check(0, 48 + 10000 / 125, self.ends(network, 10000))


class Collectives(Run):
    """Collectives timed as wholes, by PSINS's formulas and by fitted curves (docs/models.md, section 4)."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.collectives = cls.directory / "collectives"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "collectives.c", "-o", cls.collectives], check=True)

    def times(self, *options, ranks=5, count=1000):
        file = self.directory / "run.json"
        result = self.run_gnomon("-n", ranks, "--compute=none", "--platform", "cluster:n=64,bw=100MBps,lat=5us", "--set",
                                 "smpi/wtime=0", "--json", file, *options, self.collectives, count)
        self.assertNotIn("WRONG", result.stdout)
        self.messages = json.loads(file.read_text())["messages"]
        return {name: float(time) for name, time in re.findall(r"^(\w+) ([0-9.]+)$", result.stdout, re.MULTILINE)}

    def test_formulas_of_psins(self):
        for network in ("simple", "bus", "in-link", "out-link", "pmac"):
            times = self.times("--network", network)
            step = 10e-6 + 4000 / 100e6
            for name in ("allreduce", "iallreduce", "reduce", "scan", "bcast"):
                self.assertAlmostEqual(times[name], 3 * step, places=8, msg=network + " " + name)
            self.assertAlmostEqual(times["barrier"], 3 * 10e-6, places=8)
            for name in ("allgather", "gather", "alltoall"):
                self.assertAlmostEqual(times[name], 4 * step, places=8, msg=network + " " + name)
            self.assertEqual(self.messages, 0)

    def test_of_messages(self):
        whole = self.times("--network=simple")
        parts = self.times("--network=simple", "--set", "psins/collectives=messages")
        self.assertGreater(self.messages, 0)
        self.assertNotEqual(whole, parts)

    def test_curves_under_any_model(self):
        curves = self.directory / "curves"
        curves.write_text("# two of them\nallreduce logarithmic latency=7us bandwidth=1GBps\nbarrier constant latency=1ms\n")
        for network in ("smpi", "ib", "constant", "pmac"):
            times = self.times("--network", network, "--coll-model", curves)
            self.assertAlmostEqual(times["allreduce"], 3 * (7e-6 + 4e-6), places=8)
            self.assertAlmostEqual(times["iallreduce"], times["allreduce"], places=8)
            self.assertAlmostEqual(times["barrier"], 1e-3, places=8)
        self.assertAlmostEqual(times["bcast"], 3 * (10e-6 + 4000 / 100e6), places=8)  # pmac's own

    def test_the_largest_block_to_another_rank_counts(self):
        # Every collective takes 1 us, and 1 us for each byte of its largest block.
        program, curves = self.directory / "timed", self.directory / "bytes"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "timed.c", "-o", program], check=True)
        curves.write_text("".join(f"{name} constant latency=1us bandwidth=1MBps\n" for name in (
            "allreduce bcast reduce gather scatter gatherv scatterv allgather allgatherv scan exscan reduce_scatter alltoall "
            "alltoallv alltoallw neighbor barrier").split()))
        result = self.run_gnomon("-n", 5, "--compute=none", "--platform", "cluster:n=5,bw=1Gbps,lat=1us", "--set",
                                 "smpi/wtime=0", "--coll-model", curves, program)
        self.assertNotIn("WRONG", result.stdout)
        times = [(name, round(float(time) * 1e6, 3)) for name, time in re.findall(r"^(.+) ([0-9.]+)$", result.stdout, re.MULTILINE)]
        ints = {"bcast": [10], "reduce": [9], "gather": [3], "scatter": [5], "gatherv": [4, 1], "scatterv": [4, 1],
                "allgather": [3], "allgatherv": [5], "allreduce": [8], "scan": [7], "exscan": [6], "reduce_scatter": [5, 3],
                "alltoall": [4], "alltoallv": [3, 3], "alltoallw": [6], "neighbor": [4, 3], "one of two": [8], "again": [8, 8, 8]}
        expected = [(name, 1 + 4 * count) for name, list in ints.items() for count in list]
        # Two at a time, after one of 8 ints; what moves nothing, and what a rank does alone.
        expected += [("late", (1 + 4 * 8) + (1 + 4)), ("nothing", 0), ("alone", 0)]
        self.assertEqual(sorted(times), sorted(expected))

    def test_curves_are_fitted_to_measured_times(self):
        times = {"allreduce": lambda ranks, size: math.ceil(math.log2(ranks)) * (5e-6 + size / 3e7 / size ** 0.25),
                 "alltoall": lambda ranks, size: (ranks - 1) * (7e-6 + size / 2e8), "barrier": lambda ranks, size: 3e-6}
        measured = "".join(f"{name} {ranks} {size} {time(ranks, size) if size else time(ranks, 1e-30)}\n"
                           for name, time in times.items() for ranks in (2, 5, 64)
                           for size in ((0,) if name == "barrier" else (0, 100, 4000, 30000, 1000000)))
        fit = subprocess.run([PREFIX / "share/gnomon/fit-collectives.py"], input=measured, capture_output=True, text=True)
        self.assertEqual(fit.returncode, 0, fit.stderr)
        self.assertIn("barrier constant", fit.stdout)
        curves = self.directory / "fitted"
        curves.write_text(fit.stdout)
        predicted = self.times("--coll-model", curves)
        for name, time in times.items():
            self.assertAlmostEqual(predicted[name], time(5, 4000), places=8, msg=fit.stdout)
        wrong = subprocess.run([PREFIX / "share/gnomon/fit-collectives.py"], input="bcast 1 1 nan\n", capture_output=True,
                               text=True)
        self.assertIn("line 1: expected NAME RANKS BYTES SECONDS", wrong.stderr)

    def test_what_is_done_leaves_no_memory_behind(self):
        program, file = self.directory / "many", self.directory / "run.json"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "many.c", "-o", program], check=True)

        def memory(count):
            self.run_gnomon("-n", 2, "--compute=none", "--json", file, program, count)
            return json.loads(file.read_text())["host"]["peak_rss_bytes"]

        self.assertLess(memory(20000), memory(1000) + (1 << 20))

    def test_many_ranks(self):
        times = self.times("--network=pmac", ranks=1000, count=1)
        self.assertAlmostEqual(times["allreduce"], 10 * (10e-6 + 4 / 100e6), places=8)

    def test_polling_for_a_long_one_is_not_in_vain(self):
        curves = self.directory / "long"
        curves.write_text("allreduce constant latency=100s\n")
        times = self.times("--coll-model", curves, "--set", "smpi/test=40us", "--set", "smpi/grow-injected-times=no", ranks=2)
        self.assertAlmostEqual(times["allreduce"], 100, delta=1e-3)  # a barrier of messages before it

    def test_who_is_missing_is_told(self):
        result = self.run_gnomon("-n", 4, "--network=simple", "--compute=none", self.collectives, 1, "stop", code=3)
        self.assertRegex(result.stderr, r"^gnomon: deadlock at \S+ s: 3 of 4 ranks wait for ever\n")
        for rank in (1, 2, 3):
            self.assertRegex(result.stderr, rf"\n  rank {rank}: MPI_Barrier at collectives.c:\d+ in main: "
                                            "1 other rank of MPI_COMM_WORLD to call barrier\n")

    def test_bad_files(self):
        curves = self.directory / "bad"
        curves.write_text("allreduce linear latency=5us\nallredcue linear latency=5us\n")
        for text, path in (("bad:2: unknown collective 'allredcue'; did you mean 'allreduce'", curves),
                           ("no-such: cannot be read: No such file or directory", "no-such")):
            result = self.run_gnomon("-n", 2, "--coll-model", path, self.collectives, 1, code=2)
            self.assertIn(text, result.stderr)


class Profiles(Run):
    """Links and hosts that change while ranks talk."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ping = cls.directory / "ping"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "ping.c", "-o", cls.ping], check=True)

    def send(self, kind, element, steps, code=0):
        """20 MB from alpha to beta, with a profile whose first step stands on line 14 of the platform."""
        trace = (f'<trace id="t" periodicity="0">\n{steps}</trace>\n'
                 f'<trace_connect kind="{kind}" trace="t" element="{element}"/>\n')
        platform = self.directory / "profile.xml"
        platform.write_text(PLATFORM.read_text().replace("</zone>", trace + "</zone>"))
        return self.run_gnomon("-n", 2, "--compute=none", "--platform", platform, "--set", "smpi/wtime=0", self.ping,
                               20000000, code=code)

    def test_bandwidth_of_a_message_under_way(self):
        times = re.findall(r"^rank \d at (.*)$", self.send("BANDWIDTH", "wire", "0.1 50e6\n").stdout, re.MULTILINE)
        # The way back crosses the same link: 1.05 of the rate in all.
        factor = 0.940694 / 1.05
        moved = (0.1 - 11.6436 * 50e-6) * 125e6 * factor
        self.assertEqual(len(times), 2)
        for time in times:
            self.assertAlmostEqual(float(time), 0.1 + (20000016 - moved) / (50e6 * factor), places=9)

    def test_link_that_is_off(self):
        errors = self.send("LINK_AVAIL", "wire", "0.05 0\n", code=1).stderr
        self.assertIn("gnomon: error: at 0.05 s link 'wire' is off (", errors)
        self.assertIn("profile.xml:14)", errors)
        self.assertIn("a message of 20000000 bytes from host 'alpha' (rank 0) to host 'beta' (rank 1) needs it", errors)
        self.assertRegex(errors, r"rank 0: MPI_Send at ping.c:\d+")
        self.assertRegex(errors, r"rank 1: MPI_Recv at ping.c:\d+")

    def test_host_that_is_off(self):
        errors = self.send("HOST_AVAIL", "beta", "0.05 0\n", code=1).stderr
        self.assertIn("gnomon: error: at 0.05 s host 'beta' (rank 1) is off (", errors)
        self.assertRegex(errors, r"rank 1: MPI_Recv at ping.c:\d+")

    def test_what_nobody_needs_may_be_off(self):
        self.send("HOST_AVAIL", "gamma", "0 0\n")
        self.send("LINK_AVAIL", "wire", "0 0\n0.0 1\n9 0\n")


class Checks(Run):
    """What --check finds in a program with one mistake."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.directory / "checks"
        subprocess.run([GNOMON, "cc", "-O1", "-g", HERE / "checks.c", "-o", cls.program], check=True)

    def check(self, mistake, *options, code=0):
        # Without times of this machine: which rank comes to a mistake first must not hang on them.
        return self.run_gnomon("-n", 2, "--compute=none", *options, self.program, mistake, code=code).stderr

    def test_nothing_to_say(self):
        self.assertNotIn("note", self.check("", "--check=all"))

    def test_leaks(self):
        text = self.check("leaks")
        self.assertIn("not freed when MPI_Finalize was called: 2 communicators on 2 ranks", text)
        self.assertRegex(text, r"the first on rank 0, made at checks.c:14 in main")
        self.assertNotIn("not freed", self.check("leaks", "--check=none"))
        self.assertEqual("", self.check("leaks", "-q"))
        self.assertIn("not freed", self.check("leaks", "-q", "--check=leaks"))

    def test_types(self):
        text = self.check("types")
        self.assertRegex(text, r"note: rank 1: MPI_Recv: a receive of 8-byte floating-point numbers got what rank 0 of "
                               r".* sent as 4-byte integers, tag 0 \[checks.c:19 in main\]")
        self.assertRegex(self.check("types", "--check=types", code=1),
                         r"gnomon: rank 1 at \S+ s: MPI_Recv: a receive of 8-byte floating-point numbers got what rank 0 of .* "
                         r"sent as 4-byte integers, tag 0 \(MPI_ERR_TYPE\) \[checks.c:19 in main\]\n")
        self.assertNotIn("note", self.check("types", "--check=none"))

    def test_buffers(self):
        self.assertNotIn("note", self.check("buffers"))
        self.assertRegex(self.check("buffers", "--check=buffers"),
                         r"MPI_Isend: its buffer is that of an operation under way, MPI_Irecv from rank 1, tag 1")

    def test_collectives(self):
        text = self.check("collectives", code=1)
        self.assertRegex(text, r"MPI_Bcast with root \d on rank \d of .*, where rank \d calls MPI_Bcast with root \d "
                               r"\[checks.c:27 in main\] \(MPI_ERR_NOT_SAME\)")

    def test_unknown(self):
        self.assertIn("gnomon: error: --check: unknown check 'tipes'; there are leaks, collectives, types, buffers, all, none; "
                      "did you mean 'types'?\n", self.check("", "--check=tipes", code=2))

    def test_contradictions(self):
        for text, first, second in (("none,all", "none", "all"), ("all,none", "all", "none"), ("leaks,none", "leaks", "none")):
            self.assertIn(f"gnomon: error: --check: '{first}' and '{second}' contradict each other\n",
                          self.check("", "--check", text, code=2))
        self.check("", "--check=none,leaks")
        self.check("", "--check=all", "--check=none")

    def test_mpiexec_timeout(self):
        environment = dict(os.environ, MPIEXEC_TIMEOUT="1")
        launcher = (PREFIX / "libexec/gnomon/bin/mpiexec",)
        result = self.run_gnomon("-n", 1, self.program, "spin", code=4, launcher=launcher, env=environment)
        self.assertRegex(result.stderr, r"^gnomon: rank 0 at \S+ s: the time limit of 1 s of wall time \(--timeout\) is over, in "
                                        r"MPI_Wtime called at checks.c:\d+ in main\n|"
                                        r"^gnomon: rank 0 at \S+ s: the time limit of 1 s of wall time \(--timeout\) is over, at checks.c:\d+ in main\n")


class BadInput(Run):
    def bad(self, text, *arguments):
        """The whole message, less what is before the file's name and behind the text."""
        result = self.run_gnomon(*arguments, self.program, code=2)
        self.assertRegex(result.stderr, rf"^gnomon: error: ({re.escape(str(self.directory))}/)?{re.escape(text)}")
        self.assertNotIn("rank 0", result.stdout)

    def file(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path

    def test_platform(self):
        self.bad("no-such.xml: cannot be read: No such file or directory\n", "--platform", "no-such.xml")
        self.bad("broken.xml:3: not well-formed XML: Start-end tags mismatch\n", "--platform",
                 self.file("broken.xml", "<?xml version='1.0'?>\n<platform>\n<zone>\n"))
        text = PLATFORM.read_text()
        self.bad("units.xml:7: speed: unknown unit 'Gx' in '1Gx'; expected a speed such as 10Gf\n", "--platform",
                 self.file("units.xml", text.replace('id="beta" speed="1Gf"', 'id="beta" speed="1Gx"')))
        self.bad("nan.xml:9: bandwidth: not a number: 'nan'\n", "--platform", self.file("nan.xml", text.replace("125MBps", "nan")))

    def test_no_room_for_stacks(self):
        command = f"ulimit -v 8000000; exec {GNOMON} run -n 2000 --compute=none {self.program}"
        result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("use a smaller --stack-size or fewer ranks", result.stderr)

    def test_host_file(self):
        self.bad("h:2: the platform has no host 'delta'; did you mean 'beta'?\n", "--platform", PLATFORM, "--hostfile",
                 self.file("h", "alpha\ndelta\n"))
        self.bad("no-such: cannot be read: No such file or directory\n", "--hostfile", "no-such")
        self.bad("empty: the host file names no host\n", "--hostfile", self.file("empty", "# nothing\n"))
        self.bad("many:1: number of slots: 99999999999 is not between 1 and 1048576\n", "--platform", PLATFORM, "--hostfile", self.file("many", "alpha:99999999999\n"))

    def test_values(self):
        self.bad("--compute: 'guessed' is not a mode; measured, counted, profile=FILE and none are\n", "--compute", "guessed")
        self.bad("--host-speed: negative number: '-1'\n", "--host-speed", "-1")
        self.bad("--pages: 'free' is none of steady, measured\n", "--pages", "free")
        self.bad("--speed: 'free' is none of steady, measured\n", "--speed", "free")
        self.bad("--equal-work: 'free' is none of steady, run, measured\n", "--equal-work", "free")
        for drift in ("-1", "101", "much", "%"):
            self.bad(f"--host-drift: '{drift}' is no percentage from 0 to 100, such as 3%\n", f"--host-drift={drift}")
        self.bad("--set: unknown parameter 'no-such-key'\n", "--set", "no-such-key=1")
        self.bad("--coll=allreduce:no-such: unknown algorithm 'no-such' of collective 'allreduce'; known are: rdb, rab, lr, ",
                 "--coll", "allreduce:no-such")
        self.bad("--network: there is no model 'no-such-model'; the models are smpi, hybrid, ib, ports, fluid, nocontention, affine, "
                 "constant, loggps, simple, bus, in-link, out-link, pmac, or ./FILE.so for one of your own\n",
                 "--network", "no-such-model")
        self.assertRegex(self.run_gnomon("--network", "fluidd", self.program, code=2).stderr,
                         r"^gnomon: error: --network: there is no model 'fluidd'; the models are .*; did you mean 'fluid'\?\n")
        self.bad("--set: unknown parameter 'gnomon/spawn-tim'; did you mean 'gnomon/spawn-time'?\n", "--set", "gnomon/spawn-tim=1")
        self.bad("--set: unknown parameter 'smpi/allredcue'; did you mean 'smpi/allreduce'", "--set", "smpi/allredcue=rdb")
        self.bad("--stack-size: a rank needs at least 16KiB of stack\n", "--stack-size", "1")
        self.bad("--huge-pages: 'always' is none of auto, yes, no\n", "--huge-pages", "always")
        self.bad("--merge-pages: pages of 2 MiB (--huge-pages=yes) are not merged; take one of the two options\n", "--merge-pages", "--huge-pages=yes")
        self.bad("--coll-selector=openmpi: unknown selector 'openmpi'; known are: default, ompi, mpich\n", "--coll-selector=openmpi")


if __name__ == "__main__":
    unittest.main()
