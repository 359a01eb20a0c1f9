#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: the program that measures real machines writes what docs/calibration-format.md says, goes on after a kill, and finds
what a simulated machine is known to have; it runs under real MPI libraries and over shaped networks.

usage: measure.py [class…]
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
PROGRAM = PREFIX / "share/gnomon/calibrate"
HEADER = "experiment,ranks,node,bytes,repetition,count,seconds,rank"
sys.path += [str(SOURCE / "test/support"), str(SOURCE / "test/accuracy/shaped")]

import json_schema  # noqa: E402
import shaped  # noqa: E402

Sample = collections.namedtuple("Sample", HEADER.split(","))
# Experiments that each participant times.
ALL_TIME = {"exchange", "bidirectional-stream", "barrier", "bcast", "allreduce", "alltoall"}


class File:
    """A file of samples, read as strictly as the format is described."""

    def __init__(self, text):
        self.text, self.keys, self.samples = text, {}, []
        assert text.endswith("\n") and text.startswith("# gnomon-calibration: 1\n"), text[:80]
        assert text.count(HEADER + "\n") == 1, "one header line"
        for line in text.splitlines():
            if line.startswith("# "):
                key, value = line[2:].split(": ", 1)
                self.keys[key] = value
            elif line != HEADER:
                self.samples.append(self.sample(line))

    @staticmethod
    def sample(line):
        fields = line.split(",")
        assert len(fields) == 8, line
        sample = Sample(fields[0], int(fields[1]), fields[2], *map(int, fields[3:6]), float(fields[6]), int(fields[7]))
        assert sample.node in ("inter", "intra") and sample.bytes >= 0 and sample.count >= 1 and sample.seconds >= 0, line
        return sample

    def of(self, experiment, **fields):
        return [sample for sample in self.samples
                if sample.experiment == experiment and all(getattr(sample, key) == value for key, value in fields.items())]

    def points(self):
        return {(sample.experiment, sample.ranks, sample.node, sample.bytes) for sample in self.samples}


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def call(self, *command, code=0, **options):
        result = subprocess.run([str(word) for word in command], cwd=self.directory, capture_output=True, text=True, **options)
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(result.returncode, codes, f"{command}\n{result.stdout}{result.stderr}")
        return result

    def read(self, name="samples.csv"):
        return File((self.directory / name).read_text())

    def build(self, *compiler):
        self.call(*compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", *sorted(PROGRAM.glob("*.c")), "-o", "measure", "-lm")


class Simulated(Scratch):
    program = None  # built once

    def setUp(self):
        super().setUp()
        if not Simulated.program:
            self.build(GNOMON, "cc")
            Simulated.program = (self.directory / "measure").read_bytes()
        (self.directory / "measure").write_bytes(self.program)
        (self.directory / "measure").chmod(0o755)

    def measure(self, *options, ranks=4, run=(), code=0, hosts=4, cores=1):
        platform = f"cluster:n={hosts},cores={cores},bw=1GBps,lat=10us"
        return self.call(GNOMON, "run", "-q", "-n", ranks, "--compute=none", "--platform", platform, *run, "./measure", "-q",
                         "-o", "samples.csv", *options, code=code)


class Gnomon(Simulated):
    def test_keys_and_samples_are_as_described(self):
        self.measure("--budget", "6", "--sizes", "6", "--max", "256k", ranks=8, hosts=4, cores=2)
        file = self.read()
        described = (SOURCE / "docs/calibration-format.md").read_text()
        for key in file.keys:
            self.assertTrue(f"`{key}`" in described or key.startswith("plan-"), key)
        self.assertEqual(file.keys["ranks"], "8")
        self.assertEqual(len(file.keys["hosts"].split()), 8)
        self.assertEqual(len(file.keys["group-inter"].split()), 4)
        self.assertEqual(len(file.keys["group-intra"].split()), 2)
        self.assertRegex(file.text.splitlines()[-1], r"^# complete: (\d+) of \1 points within 5 %$")
        described_experiments = set(re.findall(r"`([a-z-]+)`", described))
        self.assertLess({sample.experiment for sample in file.samples}, described_experiments)
        for sample in file.of("barrier") + file.of("test") + file.of("iprobe"):
            self.assertEqual(sample.bytes, 0)
        self.assert_whole(file)

    def assert_whole(self, file):
        """Each repetition has a line of each rank that times the experiment, and none twice."""
        groups = {node: list(map(int, file.keys[f"group-{node}"].split())) for node in ("inter", "intra")}
        who = collections.defaultdict(list)
        for sample in file.samples:
            who[sample[:5]].append(sample.rank)
        for (experiment, ranks, node, *_), measured in who.items():
            participants = groups[node][:ranks]
            if experiment in ALL_TIME:
                self.assertEqual(sorted(measured), participants)
            else:
                second = experiment in ("or", "os-arrival", "stream-arrival", "eager-delay", "absent-delay")
                self.assertEqual(measured, [participants[1 if second else 0]], experiment)

    def test_both_limits_are_the_simulators(self):
        self.measure("--experiments", "pingpong", "--budget", "2", "--sizes", "2", "--max", "1M")
        self.assertEqual(self.read().keys["eager-limit-inter"], "65535")
        sizes = {sample.bytes for sample in self.read().of("pingpong")}
        self.assertLess({32767, 65535, 65536, 131070, 262140}, sizes)
        self.measure("--experiments", "pingpong", "--budget", "2", "--sizes", "2", "--force",
                     run=("--set", "smpi/send-is-detached-thresh=1000"))
        self.assertEqual(self.read().keys["eager-limit-inter"], "999")
        self.assertEqual(self.read().keys["absent-limit-inter"], "999")
        self.assertGreaterEqual(len(self.read().of("eager-probe")), 10)
        self.measure("--experiments", "pingpong", "--budget", "2", "--sizes", "2", "--max", "500", "--force")
        self.assertEqual(self.read().keys["eager-limit-inter"], "none")

    def test_times_are_the_models(self):
        # --network=fluid: a message takes the route's latency and its bytes by the bandwidth.
        self.measure("--experiments", "pingpong,stream", "--budget", "2", "--sizes", "8", "--max", "60k",
                     run=("--network=fluid", "--set", "smpi/wtime=0"))
        file = self.read()
        (small, *_, large) = sorted(file.of("pingpong", node="inter"), key=lambda sample: sample.bytes)
        each = [sample.seconds / sample.count for sample in (small, large)]
        self.assertAlmostEqual((each[1] - each[0]) / ((large.bytes - small.bytes) / 1e9), 1, delta=1e-3)
        arrival = max(file.of("stream-arrival", node="inter"), key=lambda sample: sample.bytes)
        # In this model the messages of a window share the bandwidth and end together, so that the pipe runs empty now and then.
        rate = arrival.bytes * arrival.count / arrival.seconds
        self.assertTrue(0.7e9 < rate < 1.001e9, rate)

    def test_sizes_are_random_in_equal_parts_of_their_logarithms(self):
        for seed in ("1", "2"):
            self.measure("--experiments", "pingpong", "--budget", "2", "--sizes", "10", "--max", "1024", "--min", "1",
                         "--seed", seed, "--force")
            sizes = sorted({sample.bytes for sample in self.read().of("pingpong", node="inter")})
            for part in range(3, 10):  # the first parts are of less than a byte
                inside = [size for size in sizes if 2 ** part <= size + 0.5 and size - 0.5 < 2 ** (part + 1)]
                self.assertTrue(inside, (part, sizes))
            if seed == "2":
                self.assertNotEqual(sizes, first)
            first = sizes

    def test_a_budget_that_does_not_suffice_is_said(self):
        result = self.measure("--budget", "0.05", code=3)
        self.assertIn("--resume goes on", result.stderr)
        self.assertNotIn("# complete", self.read().text)
        self.measure("--budget", "5", "--resume")
        self.assertIn("# complete", self.read().text)


class Resumed(Simulated):
    OPTIONS = ("--budget", "2", "--sizes", "4", "--max", "64k", "--experiments", "pingpong,stream,exchange,incast")

    def test_a_run_that_was_cut_goes_on_where_it_was(self):
        self.measure(*self.OPTIONS)
        whole = self.read()
        lines = whole.text.splitlines(keepends=True)
        first = lines.index(HEADER + "\n") + 1
        # In the head of the samples, among the probes, in the middle of a line, at the end.
        cuts = [len("".join(lines[:count])) for count in (first, first + 7, first + len(lines) // 2)]
        for cut in (*cuts, cuts[2] + 9, len(whole.text) - 3):
            text = whole.text[:cut]
            (self.directory / "samples.csv").write_text(text)
            self.measure("--budget", "2", "--resume")
            file = self.read()
            self.assertEqual(file.points(), whole.points())
            keys = [sample[:5] + sample[-1:] for sample in file.samples if "probe" not in sample.experiment and
                    "delay" not in sample.experiment]
            self.assertEqual(len(keys), len(set(keys)), "a repetition is there twice")
            Gnomon.assert_whole(self, self.with_groups(file))
            self.assertIn("\n# complete: ", file.text)
            if cut > cuts[1]:  # what was whole is kept
                self.assertTrue(file.text.startswith("".join(text.splitlines(keepends=True)[:-9])))

    @staticmethod
    def with_groups(file):
        file.keys.setdefault("group-intra", "")
        return file

    def test_other_ranks_or_another_file_are_refused(self):
        self.measure(*self.OPTIONS)
        text = self.read().text
        self.assertIn("'ranks' was '4'", self.measure("--resume", ranks=2, code=2).stderr)
        self.assertIn("--resume goes on with it", self.measure(code=2).stderr)
        self.assertEqual(self.read().text, text)
        (self.directory / "samples.csv").write_text("something else\n")
        self.assertIn("is not a file of samples", self.measure("--resume", code=2).stderr)
        (self.directory / "samples.csv").write_text(text.replace("# seed: 1", "# seed: x"))
        self.assertIn("head of the file is damaged", self.measure("--resume", code=2).stderr)


class CommandLine(Simulated):
    def test_what_is_wrong_is_said(self):
        for options, text in ((("--budget", "0"), "--budget: '0' is no number from"), (("--sizes",), "'--sizes' needs a value"),
                              (("--max", "4X"), "--max: '4X'"), (("--min", "10", "--max", "5"), "--min is more than --max"),
                              (("--experiments", "pingpong,pong"), "there is no 'pong'"), (("-x",), "unknown argument '-x'")):
            self.assertIn(text, self.measure(*options, code=2).stderr)
        self.assertIn("one rank has nobody", self.measure(ranks=1, code=2).stderr)
        self.assertFalse((self.directory / "samples.csv").exists())

    def test_an_output_that_cannot_be_written(self):
        self.assertIn("cannot be written", self.measure("-o", "none/samples.csv", "--budget", "1", code=74).stderr)

    def test_help_needs_no_launcher(self):
        text = self.call("./measure", "--help").stdout
        for option in ("--output", "--budget", "--precision", "--min", "--max", "--sizes", "--seed", "--experiments", "--resume",
                       "--force", "--quiet"):
            self.assertIn(option, text)


class Driver(Scratch):
    def test_the_program_is_handed_out_and_runs_by_its_script(self):
        self.assertIn(str(PROGRAM), self.call(GNOMON, "calibrate", "measure").stdout)
        self.call(GNOMON, "calibrate", "measure", "-o", "there/calibrate")
        self.assertIn("already", self.call(GNOMON, "calibrate", "measure", "-o", "there/calibrate", code=2).stderr)
        self.call("there/calibrate/build-and-run.sh", GNOMON, "run", "-q", "-n", "2", "--compute=none", "--", "--budget", "1",
                  "--sizes", "2", "--max", "1k", "-o", "samples.csv",
                  env={**os.environ, "MPICC": str(PREFIX / "libexec/gnomon/bin/mpicc")})
        self.assertIn("complete", self.read().keys)
        self.call("there/calibrate/build-and-run.sh", code=2)
        self.assertIn("LAUNCHER", self.call("there/calibrate/build-and-run.sh", "--help").stderr)

    def test_the_host_is_measured(self):
        text = self.call(GNOMON, "calibrate", "cpu", "--sample", "2", "-o", "cpu.json").stdout
        self.assertRegex(text, r"--host-speed=[\d.]+Gf")
        found = json_schema.validate((self.directory / "cpu.json").read_text(), "calibrate-cpu")
        self.assertEqual([kernel["name"] for kernel in found["kernels"]], ["flops", "cache", "memory"])
        for kernel in found["kernels"]:
            self.assertEqual((kernel["points"][0]["busy"], kernel["points"][0]["slowness"]), (1, 1))
            self.assertEqual(kernel["points"][-1]["busy"], found["cores"])
            for point in kernel["points"]:
                alone = kernel["points"][0]["rate_per_second"]
                self.assertAlmostEqual(point["slowness"] * point["rate_per_second"] / alone, 1, delta=1e-9)
        self.assertGreater(found["speed_flops"], 1e6)
        self.call(GNOMON, "calibrate", "cpu", "--sample", "1", "-o", "none/cpu.json", code=74)
        self.assertIn("no file is read", self.call(GNOMON, "calibrate", "cpu", "file", code=2).stderr)
        self.assertIn("no file is read", self.call(GNOMON, "calibrate", "measure", "file", code=2).stderr)


class Real(Scratch):
    """How long things take is the machine's; what is looked at is that all of it is there."""
    OPTIONS = ("--budget", "2", "--sizes", "3", "--max", "32k", "-q", "-o", "samples.csv")

    def run_real(self, mpi, *launcher):
        missing = [tool for tool in (f"mpicc.{mpi}", launcher[0]) if not shutil.which(tool)]
        if missing:
            self.skipTest(f"no {' '.join(missing)}")
        self.build(f"mpicc.{mpi}")
        self.call(*launcher, "-n", "2", "./measure", *self.OPTIONS, code=(0, 3), timeout=300)
        file = self.read()
        self.assertRegex(file.keys["mpi"], "Open MPI" if mpi == "openmpi" else "MPICH")
        self.assertIn("eager-limit-intra", file.keys)
        self.assertGreater(len(file.of("eager-probe")), 5)
        self.assertEqual({sample.node for sample in file.samples}, {"intra"})


class OpenMpi(Real):
    def test_on_this_host(self):
        self.run_real("openmpi", "mpirun.openmpi", "--allow-run-as-root", "--oversubscribe")


class Mpich(Real):
    def test_on_this_host(self):
        self.run_real("mpich", "mpiexec.mpich")


class Shaped(Scratch):
    RATE, BURST, DELAY = 20e6 / 8, 3000, 2000  # bytes/s, bytes, microseconds

    def test_no_stream_is_faster_than_the_port_and_no_message_than_the_cable(self):
        if not shutil.which("mpicc.openmpi"):
            self.skipTest("no mpicc.openmpi")
        self.build("mpicc.openmpi")
        try:
            with shaped.Network(hosts=4, rate="20mbit", burst=self.BURST, delay=self.DELAY, prefix="gcaltest") as network:
                network.run("openmpi", 4, [self.directory / "measure", "--budget", "8", "--sizes", "4", "--max", "32k",
                                           "--experiments", "pingpong,stream,exchange,incast", "-q"],
                            directory=self.directory, timeout=300, stderr=subprocess.PIPE)
        except shaped.Unavailable as reason:
            self.skipTest(str(reason))
        self.assertNotIn("gcaltest", subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout)
        file = self.read("gnomon-calibration.csv")
        self.assertEqual(file.keys["hosts"].split(), ["gcaltest1", "gcaltest2", "gcaltest3", "gcaltest4"])
        self.assertEqual(file.keys["group-inter"], "0 1 2 3")
        for sample in file.of("pingpong"):
            self.assertGreaterEqual(sample.seconds, self.DELAY * 1e-6 * sample.count)
        streams = file.of("stream")
        self.assertTrue(streams)
        for sample in streams:  # two buckets may have been full
            self.assertLessEqual(sample.bytes * sample.count, self.RATE * sample.seconds * 1.001 + 2 * self.BURST)


if __name__ == "__main__":
    unittest.main()
