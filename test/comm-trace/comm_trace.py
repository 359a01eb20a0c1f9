#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: --comm-trace writes what decides the communication, the same bytes in every run that communicates in the
same way, and other bytes where a peer, a size, a tag, an order or a communicator differs."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import comm_trace_diff  # noqa: E402

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"


class CommTrace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        cls.program = cls.directory / "calls"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "calls.c", "-o", cls.program], check=True)
        cls.plain = cls.trace("")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def trace(cls, change, *options, code=0, name=None):
        file = cls.directory / (name or f"{change or 'plain'}.txt")
        command = [GNOMON, "run", "-q", "-n", "4", "--comm-trace", file, *options, cls.program, change]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        assert result.returncode == code, result.stdout + result.stderr
        return file

    def difference(self, other):
        return comm_trace_diff.first_difference(str(self.plain), str(other))


class Equal(CommTrace):
    def test_a_second_run_gives_the_same_bytes(self):
        self.assertEqual(self.trace("", name="again.txt").read_bytes(), self.plain.read_bytes())

    def test_dates_and_values_do_not_show(self):
        slow = ["--set", "network/latency-factor=50", "--set", "network/bandwidth-factor=0.01"]
        for change, options in (("poll", []), ("late", []), ("value", []), ("", slow), ("", ["--compute", "none"])):
            with self.subTest(change=change, options=options):
                self.assertIsNone(self.difference(self.trace(change, *options, name="same.txt")))

    def test_compressed(self):
        file = self.trace("", name="calls.zst")
        self.assertEqual(file.read_bytes()[:4], b"\x28\xb5\x2f\xfd")
        self.assertLess(file.stat().st_size, self.plain.stat().st_size)


class Different(CommTrace):
    def check(self, change, rank, left, right):
        found = self.difference(self.trace(change))
        self.assertIsNotNone(found, change)
        self.assertEqual(found[0], rank)
        self.assertTrue(found[2].startswith(left), found)
        self.assertTrue(found[3].startswith(right), found)

    def test_each_change_shows_where_it_is(self):
        irecv = "MPI_Irecv buf=32B source={} tag=7 comm=world request=1"
        self.check("peer", 0, irecv.format(1), irecv.format(2))
        isend = "MPI_Isend buf={} dest=1 tag=7 comm=world request=2"
        self.check("size", 0, isend.format("32B"), isend.format("24B"))
        got = "MPI_Irecv buf=4B source=any tag=any comm=world request=3 got=1,{},4B"
        self.check("tag", 0, got.format(11), got.format(12))
        self.check("colour", 0, "MPI_Comm_split comm=world color=0 key=0 newcomm=1 rank=0 members=[0,2]",
                   "MPI_Comm_split comm=world color=0 key=0 newcomm=1 rank=0 members=[0,1]")
        self.check("op", 0, "MPI_Allreduce sendbuf=in-place recvbuf=16B op=MPI_SUM comm=1",
                   "MPI_Allreduce sendbuf=in-place recvbuf=16B op=MPI_MAX comm=1")
        self.check("root", 0, "MPI_Gather sendbuf=8B recvbuf=8B root=0 comm=1", "MPI_Gather sendbuf=8B root=1 comm=1")
        self.check("counts", 0, "MPI_Allgatherv sendbuf=8B recvbuf=[8B*3,16B] comm=world",
                   "MPI_Allgatherv sendbuf=8B recvbuf=[8B,0B,8B,16B] comm=world")
        self.check("order", 0, "MPI_Bcast buffer=12B root=0 comm=2", "MPI_Barrier comm=2")

    def test_windows(self):
        put = "MPI_Put origin_addr=4B target_rank=1 target_disp={} target_count=1 win=1"
        self.check("displacement", 0, put.format(2), put.format(3))

    def test_a_rank_that_ends_early(self):
        short = self.directory / "short.txt"
        lines = self.plain.read_text().splitlines(keepends=True)
        del lines[lines.index("rank 1\n") - 1]
        short.write_text("".join(lines))
        found = self.difference(short)
        self.assertEqual((found[0], found[2], found[3]), (0, "MPI_Finalize", comm_trace_diff.END))


class Content(CommTrace):
    def test_queries_are_left_out(self):
        text = self.plain.read_text()
        for name in ("Comm_rank", "Wtime", "MPI_Test"):
            self.assertNotIn(name, text)

    def test_windows_are_numbered_and_their_addresses_left_out(self):
        text = self.plain.read_text()
        self.assertIn("MPI_Win_create_dynamic comm=world win=2\n", text)
        self.assertIn("MPI_Accumulate origin_addr=4B target_rank=0 target_count=1 op=MPI_SUM win=2\n", text)
        self.assertIn("MPI_Win_free win=2\nMPI_Win_free win=1\n", text)
        self.assertNotIn("MPI_Win_sync", text)

    def test_started_wildcards_tell_what_they_got(self):
        starts = [line for line in self.plain.read_text().splitlines() if "Startall" in line]
        self.assertEqual(len(starts), 8)
        self.assertRegex(starts[0], r"^MPI_Startall count=2 array_of_requests=\[4,5\] got=3,3,4B *$")

    def test_blocking_wildcards_tell_what_they_got(self):
        line = "MPI_Sendrecv sendbuf=8B dest=1 sendtag=1 recvbuf=16B source=3 recvtag=any comm=world got=3,1,8B\n"
        self.assertIn(line, self.plain.read_text().split("rank 1\n")[0])

    def test_communicators_are_numbered_and_freed(self):
        rank0 = self.plain.read_text().split("rank 1\n")[0]
        self.assertIn("newcomm=1 rank=0 members=[0,2]", rank0)
        self.assertIn("MPI_Cart_create comm_old=world ndims=2 dims=[2*2] periods=[0,1] reorder=0 comm_cart=2", rank0)
        self.assertIn("MPI_Comm_free comm=2\nMPI_Comm_free comm=1\n", rank0)

    def test_intercommunicators_tell_both_groups(self):
        ranks = self.plain.read_text().split("rank ")[1:]
        create = "MPI_Intercomm_create local_comm=3 local_leader=0 peer_comm=world remote_leader={} tag=6 newintercomm=4 "
        self.assertIn(create.format(2) + "rank=1 members=[0,1] remote=[2,3]\n", ranks[1])
        self.assertIn(create.format(0) + "rank=1 members=[2,3] remote=[0,1]\n", ranks[3])
        for rank, told in enumerate(("buffer=4B root=root", "root=null", "buffer=4B root=0", "buffer=4B root=0")):
            self.assertIn(f"MPI_Bcast {told} comm=4\n", ranks[rank])

    def test_a_run_cut_short_is_marked(self):
        text = self.trace("abort", code=9).read_text()
        self.assertTrue(text.startswith("# gnomon communication trace 1: 4 ranks INCOMPLETE\n"))
        self.assertTrue(text.endswith("INCOMPLETE: the run was cut short\n"))
        self.assertIn("MPI_Abort comm=world errorcode=9\n", text)
        with self.assertRaises(comm_trace_diff.NotATrace):
            self.difference(self.directory / "abort.txt")

    def test_a_place_that_cannot_be_written_is_bad_input(self):
        command = [GNOMON, "run", "-n", "4", "--comm-trace", self.directory / "no/where", self.program]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, f"gnomon: error: {self.directory}/no/where: cannot be written: No such file or directory\n")


if __name__ == "__main__":
    unittest.main()
