#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: --io says where MPI-IO's files are (real, scratch, scratch:DIR) and the real ones change only where they should;
the time of an access is what the disks, the ranks that share them and --io-servers give, in closed form."""

import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
MEGABYTES = 4.0


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = tempfile.TemporaryDirectory()
        for name in ("overlay", "times"):
            subprocess.run([GNOMON, "cc", "-O2", HERE / f"{name}.c", "-o", pathlib.Path(cls.programs.name, name)], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.programs.cleanup()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)
        self.temporary = self.directory / "tmp"
        self.temporary.mkdir()

    def run_program(self, name, *options, arguments=(), ranks=2, code=0):
        command = [GNOMON, "run", "-q", "-n", ranks, "--compute=none", *options, pathlib.Path(self.programs.name, name), *arguments]
        done = subprocess.run(list(map(str, command)), cwd=self.directory, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "TMPDIR": str(self.temporary)})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(list(self.temporary.iterdir()), [], "files are left in TMPDIR")
        return done.stdout if code == 0 else done.stderr

    def number(self, at="number.dat"):
        path = self.directory / at
        return struct.unpack("i", path.read_bytes()[:4])[0] if path.exists() else None

    def set_number(self, number):
        (self.directory / "number.dat").write_bytes(struct.pack("i", number))


class Places(Files):
    def test_real_files_are_the_default(self):
        for options in ((), ("--io=real",)):
            self.set_number(7)
            self.assertEqual(self.run_program("overlay", *options), "number 8\n")
            self.assertEqual(self.number(), 8)
            self.assertEqual(self.run_program("overlay", *options, arguments=["3"]), "number 3\n")
            self.assertEqual(self.number(), 3)

    def test_scratch_leaves_real_files_alone(self):
        self.assertEqual(self.run_program("overlay", "--io=scratch"), "number 1\n")
        self.assertIsNone(self.number())
        self.set_number(7)
        self.assertEqual(self.run_program("overlay", "--io=scratch"), "number 8\n")
        self.assertEqual(self.run_program("overlay", "--io=scratch", arguments=["3"]), "number 3\n")
        self.assertEqual((self.directory / "number.dat").read_bytes(), struct.pack("i", 7))

    def test_a_scratch_directory_stays(self):
        self.set_number(7)
        for expected in (8, 9, 10):
            self.assertEqual(self.run_program("overlay", "--io=scratch:kept"), f"number {expected}\n")
        self.assertEqual(self.number(), 7)
        self.assertEqual(self.number(str(self.directory / "kept") + str(self.directory / "number.dat")), 10)
        self.assertEqual(self.run_program("overlay", "--io=scratch:kept", arguments=["3"]), "number 3\n")
        self.assertEqual(self.number(), 7)

    def test_what_may_not_be_written_is_not_in_scratch_either(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everything")
        self.set_number(7)
        (self.directory / "number.dat").chmod(0o400)
        self.assertIn("Permission denied", self.run_program("overlay", "--io=scratch", code=9))

    def test_bad_values(self):
        self.assertIn("--io: 'nowhere' is no place", self.run_program("overlay", "--io=nowhere", code=2))
        self.assertIn("--io-servers: the platform has no host 'nobody'", self.run_program("overlay", "--io-servers=nobody", code=2))


class Times(Files):
    """Figures of disks.xml, in MB/s and MB; a meeting of the ranks costs some microseconds."""

    def times(self, hosts, *options):
        (self.directory / "hosts").write_text("".join(f"{host}\n" for host in hosts))
        text = self.run_program("times", "--platform", HERE / "disks.xml", "--hostfile", "hosts", *options, ranks=len(hosts))
        times = {}
        for line in text.splitlines():
            what, rank, seconds = line.split()
            times.setdefault(what, []).append(float(seconds))
            self.assertEqual(int(rank), len(times[what]) - 1)
        return times

    def check_times(self, got, expected, tolerance=1e-5):
        self.assertEqual(len(got), len(expected))
        for seconds, exact in zip(got, expected):
            self.assertAlmostEqual(seconds, exact, delta=tolerance)

    def test_ranks_share_the_disk_of_their_host(self):
        times = self.times(["a", "a", "b", "c"])
        self.check_times(times["write"], [2 * MEGABYTES / 100] * 2 + [MEGABYTES / 100, MEGABYTES / 510], 1e-6)
        self.check_times(times["read_all"], [2 * MEGABYTES / 200] * 2 + [MEGABYTES / 200, MEGABYTES / 560])
        # Rank 0 writes and rank 1 reads on one disk: 100 MB/s each, the sum being max(200, 100).
        self.check_times(times["mixed"], [MEGABYTES / 100, MEGABYTES / 100, MEGABYTES / 100, MEGABYTES / 560], 1e-6)
        self.check_times(times["started"], [0] * 4, 1e-6)
        self.check_times(times["nothing"], [0] * 4, 1e-6)
        # A poll notices the end at its next turn: the n-th failed one costs n times 100 us.
        for polled, exact in zip(times["polled"], [2 * MEGABYTES / 200] * 2 + [MEGABYTES / 200, MEGABYTES / 560]):
            self.assertLessEqual(exact, polled)
            self.assertLess(polled, exact + 0.003)

    def test_the_disk_of_hosts_without_one_is_a_parameter(self):
        times = self.times(["c"], "--set", "disk/read-bw=20MBps", "--set", "disk/write-bw=10MBps")
        self.check_times(times["write"], [MEGABYTES / 10], 1e-6)
        self.check_times(times["read_all"], [MEGABYTES / 20], 1e-6)

    def test_servers_have_stripes(self):
        # Stripes of 1 MiB alternate between s and t; disks and network work at once.
        stripe = 1.048576
        on_s, on_t = 2 * stripe, MEGABYTES - 2 * stripe
        times = self.times(["a"], "--io-servers=s,t")
        network = on_s / 50  # before the model's bandwidth factor
        self.assertGreaterEqual(times["write"][0], max(on_s / 100, on_t / 50, network))
        self.assertLess(times["write"][0], 1.1 * max(on_s / 100, on_t / 50, network))
        self.assertGreaterEqual(times["read_all"][0], network)
        self.assertLess(times["read_all"][0], 1.1 * network)

    def test_servers_are_shared_by_all_ranks(self):
        # Four ranks, 16 MB onto one disk of 50 MB/s: the disk is what they wait for, on their own links.
        times = self.times(["a", "b", "c", "a"], "--io-servers=t")
        self.check_times(times["write"], [4 * MEGABYTES / 50] * 4, 1e-5)

    def test_a_server_s_own_ranks_need_no_network(self):
        times = self.times(["t"], "--io-servers=t")
        self.check_times(times["write"], [MEGABYTES / 50], 1e-6)
        self.check_times(times["read_all"], [MEGABYTES / 400], 1e-6)


del Files

if __name__ == "__main__":
    unittest.main()
