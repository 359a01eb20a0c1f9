#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: collective buffering, the cost of a request and the locks of atomic mode take the times that docs/models.md,
section 9, states, in closed form; figures are those of disks.xml, in MB/s and MB, messages have the raw model."""

import os
import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
LINK = 50  # of every pair of hosts; a and b share theirs


class Timed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        subprocess.run([GNOMON, "cc", "-O2", HERE / f"{cls.PROGRAM}.c", "-o", cls.directory / cls.PROGRAM], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def times(self, hosts, arguments=(), options=()):
        (self.directory / "hosts").write_text("".join(f"{host}\n" for host in hosts))
        command = [GNOMON, "run", "-q", "-n", len(hosts), "--compute=none", "--set", "network/model=raw", "--platform", HERE / "disks.xml",
                   "--hostfile", "hosts", *options, self.directory / self.PROGRAM, *arguments]
        done = subprocess.run(list(map(str, command)), cwd=self.directory, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        times = {}
        for line in done.stdout.splitlines():
            what, rank, seconds = line.split()
            times.setdefault(what, []).append(float(seconds))
        return times

    def check_times(self, got, expected, tolerance=2e-5):
        """Meetings and latencies take some microseconds."""
        self.assertEqual(len(got), len(expected))
        for seconds, exact in zip(got, expected):
            self.assertAlmostEqual(seconds, exact, delta=tolerance)


class Buffering(Timed):
    PROGRAM = "buffering"

    def test_one_aggregator_takes_all(self):
        times = self.times(["a", "s", "t"], ["cb_nodes=1"])
        # Two messages of 1 MB at once, each on its own 50 MB/s; then 3 MB on the disk of a.
        self.check_times(times["write"], [1 / LINK + 3 / 100] * 3)
        self.check_times(times["read"], [3 / 200 + 1 / LINK] * 3)

    def test_a_rank_without_bytes_waits_for_the_others(self):
        times = self.times(["a", "s", "t"], ["cb_nodes=1"])
        self.check_times(times["iwrite"], [1 / LINK + 2 / 100] * 3)

    def test_each_host_has_an_aggregator(self):
        # Domains of 1 MB: each rank sends half of its own, and the shared link has both halves.
        times = self.times(["a", "b"])
        self.check_times(times["write"], [1 / LINK + 1 / 100] * 2)
        self.check_times(times["read"], [1 / 200 + 1 / LINK] * 2)
        # On one host only: one aggregator; loopback is what other ranks' bytes cost.
        times = self.times(["a", "a"])
        self.assertGreaterEqual(times["write"][0], 2 / 100)
        self.assertLess(times["write"][0], 2 / 100 + 0.005)

    def test_hosts_count_and_not_ranks(self):
        self.assertEqual(self.times(["a", "s", "a", "s"]), self.times(["a", "s", "a", "s"], ["cb_nodes=7"]))

    def test_the_slowest_aggregator_counts(self):
        # Domains of 1 MB on s (100 MB/s) and t (50 MB/s); half of it from the other.
        times = self.times(["s", "t"])
        self.check_times(times["write"], [0.5 / LINK + 1 / 50] * 2)

    def test_rounds_follow_each_other(self):
        # 2 MB in rounds of 250 kB: 8 requests, where 16 MiB are one.
        options = ["--set", "disk/access-latency=10ms", "--set", "disk/write-bw=100MBps", "--set", "disk/read-bw=200MBps"]
        for size, rounds in ((250000, 8), (300000, 7), (2000000, 1), (1 << 24, 1)):
            times = self.times(["c", "a"], ["cb_nodes=1", f"cb_buffer_size={size}"], options)
            self.check_times(times["write"], [1 / LINK + 2 / 100 + rounds * 0.01] * 2, 3e-5)
            self.check_times(times["read"], [1 / LINK + 2 / 200 + rounds * 0.01] * 2, 3e-5)

    def test_each_by_itself(self):
        times = self.times(["a", "t"], ["romio_cb_write=disable"])
        self.check_times(times["write"], [1 / 100, 1 / 50])
        self.check_times(times["read"], [1 / 200 + 1 / LINK / 2] * 2, 3e-3)  # the read is still buffered
        times = self.times(["a", "t"], ["romio_cb_read=disable"])
        self.check_times(times["read"], [1 / 200, 1 / 400])

    def test_only_what_interleaves_is_buffered_unless_it_is_asked_for(self):
        times = self.times(["a", "t"], ["contiguous", "cb_nodes=1"])
        self.check_times(times["write"], [1 / 100, 1 / 50])
        times = self.times(["a", "t"], ["contiguous", "cb_nodes=1", "romio_cb_write=enable", "romio_cb_read=enable"])
        self.check_times(times["write"], [1 / LINK + 2 / 100] * 2)
        self.check_times(times["read"], [1 / LINK + 2 / 200] * 2)

    def test_aggregators_use_servers(self):
        times = self.times(["a", "b"], ["cb_nodes=1"], ["--io-servers=t"])
        self.check_times(times["write"], [1 / LINK + max(2 / LINK, 2 / 50)] * 2)

    def test_striping_factor_and_unit_say_which_servers(self):
        def alone(*hints):
            return self.times(["a"], ["contiguous", *hints], ["--io-servers=s,t"])["alone"]
        self.check_times(alone("striping_unit=500000"), [max(0.5 / LINK, 0.5 / 100, 0.5 / 50)])
        self.check_times(alone("striping_unit=500000", "striping_factor=1"), [max(1 / LINK, 1 / 100)])
        self.check_times(alone("striping_unit=750000"), [max(0.75 / LINK, 0.75 / 100, 0.25 / 50)])
        self.check_times(alone("striping_unit=500000", "striping_factor=9"), [max(0.5 / LINK, 0.5 / 100, 0.5 / 50)])


class Requests(Timed):
    PROGRAM = "buffering"
    OPTIONS = ["--set", "disk/access-latency=1ms", "--set", "disk/write-bw=100MBps"]

    def test_each_run_of_bytes_is_one(self):
        times = self.times(["c", "c"], ["romio_cb_write=disable"], self.OPTIONS)
        self.check_times(times["write"], [2 * (1000 * 0.001 + 1 / 100)] * 2)  # the disk does one thing at a time

    def test_what_touches_is_one_run(self):
        times = self.times(["c"], [], self.OPTIONS)
        self.check_times(times["alone"], [0.001 + 1 / 100])


class Atomic(Timed):
    PROGRAM = "atomic"

    def test_what_overlaps_waits(self):
        times = self.times(["a", "b", "s"])
        self.check_times(times["free"], [1 / 100] * 3)
        for what in ("same",):
            self.check_times(sorted(times[what]), [1 / 100, 2 / 100, 3 / 100])
        # Each meets its neighbour by one byte.
        self.check_times(times["overlap"], [1 / 100, 2 / 100, 3 / 100])
        self.check_times(times["apart"], [1 / 100] * 3)
        self.check_times(times["reads"], [1 / 200, 1 / 200, 1 / 400])
        # Rank 1 writes after rank 0 has read (its lock needs no message); rank 2 asks when rank 1 has asked already.
        self.check_times(times["mixed"], [1 / 200, 1 / 200 + 1 / 100, 1 / 200 + 1 / 100 + 1 / 400])

    def test_a_lock_costs_a_message_there_and_one_back(self):
        options = ["--set", "disk/write-bw=1TBps"]
        here, there = self.times(["c", "a"], options=options)["apart"]
        self.assertAlmostEqual(here, 1e-6, delta=1e-6)
        self.assertAlmostEqual(there - 1 / 100, 2 * (1e-6 + 8 / 50e6), delta=1e-6)


del Timed

if __name__ == "__main__":
    unittest.main()
