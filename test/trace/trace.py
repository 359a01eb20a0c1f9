#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: `gnomon trace` says what is in a trace, converts, joins, cuts and compares traces, and names file and place where it
cannot; what it writes for SimGrid replays there in the same time."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402
import terminal  # noqa: E402

PAIR = "0 init\n0 compute 500\n0 send 1 7 800 6\n0 allreduce 4 20 0\n0 finalize\n" \
       "1 init\n1 recv 0 7 800 6\n1 allreduce 4 20 0\n1 finalize\n"
GOAL = "num_ranks 2\nrank 0 {\nl1: calc 1000\nl2: send 80b to 1 tag 3\nl2 requires l1\n}\n" \
       "rank 1 {\nl1: recv 80b from 0 tag 3\n}\n"
DIMEMAS = '#DIMEMAS:"app":0:2(1,1),1\nd:1:1:2:0:1\n1:0:0:0.5\n2:0:0:1:-1:80:3:1:0\n3:1:0:0:-1:80:3:1:0\n'


def wavefront(columns, rows, iterations):
    """The lines of each rank of a sweep over a grid of ranks and back, as NPB LU does it: messages to neighbours with computation
    between, then an exchange with requests, and now and then a sum of all."""
    texts = []
    for rank in range(columns * rows):
        x, y = rank % columns, rank // columns
        north, south = (rank - columns if y else None), (rank + columns if y + 1 < rows else None)
        west, east = (rank - 1 if x else None), (rank + 1 if x + 1 < columns else None)
        lines = ["init"]
        for iteration in range(iterations):
            for tag, before, behind in ((0, (north, west), (south, east)), (1, (south, east), (north, west))):
                for _ in range(12):
                    lines += [f"recv {peer} {tag} 150 6" for peer in before if peer is not None]
                    lines += ["compute 60000"]
                    lines += [f"send {peer} {tag} 150 6" for peer in behind if peer is not None]
            peers = [peer for peer in (north, south, west, east) if peer is not None]
            lines += [f"irecv {peer} 2 2500 6" for peer in peers] + [f"send {peer} 2 2500 6" for peer in peers]
            lines += [f"wait {peer} {rank} 2" for peer in peers] if iteration % 2 else ["waitall"]
            if iteration % 3 == 0:
                lines += ["allreduce 5 100 0"]
        texts.append("".join(f"{rank} {line}\n" for line in lines + ["finalize"]))
    return texts


def goal_left_over(text):
    """What never runs when each operation runs as soon as what it requires allows it: sends do not wait, and a receive takes a
    message of its sender, tag and size."""
    operations, rank = {}, None
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["rank"]:
            rank = int(words[1])
        elif len(words) == 3 and words[1] in ("requires", "irequires"):
            operations[rank, words[0]][1].append((words[1], (rank, words[2])))
        elif words and words[0].endswith(":"):
            operations[rank, words[0][:-1]] = (words[1:], [])
    started, finished, sent, changed = set(), set(), [], True
    while changed:
        before = len(started) + len(finished)
        for key, (words, needs) in operations.items():
            if key in finished or not all(need in (finished if how == "requires" else started) for how, need in needs):
                continue
            if words[0] == "send":
                sent.append((key[0], int(words[3]), words[5], words[1]))
            message = (int(words[3]), key[0], words[5], words[1]) if words[0] == "recv" else None
            started.add(key)
            if message is None or message in sent:
                finished.add(key)
                if message:
                    sent.remove(message)
        changed = len(started) + len(finished) > before
    return [key for key in operations if key not in finished] + sent


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def path(self, name):
        return self.directory / name

    def write(self, name, text):
        self.path(name).write_text(text)
        return self.path(name)

    def trace(self, *arguments, code=0):
        result = subprocess.run([str(GNOMON), "trace", *map(str, arguments)], capture_output=True, text=True, cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def refused(self, words, *arguments):
        result = self.trace(*arguments, code=2)
        self.assertTrue(result.stderr.startswith("gnomon: error: "), result.stderr)
        self.assertIn(words, result.stderr)

    def records(self, name, rank=0):
        return [line.split(": ", 1)[1] for line in self.trace("info", name, "--rank", rank).stdout.splitlines()]

    def pair(self):
        self.write("pair.txt", PAIR)
        self.trace("convert", "pair.txt", "pair.gtr")
        return "pair.gtr"


class Command(Scratch):
    def test_help_lists_every_command_and_option(self):
        for arguments in (["--help"], ["info", "--help"], ["cmp", "-h"]):
            text = self.trace(*arguments).stdout
            for word in ("info", "convert", "merge", "slice", "extrapolate", "cmp", "--drop-unmatched", "--no-volumes"):
                self.assertIn(word, text)

    def test_wrong_command_lines_are_refused(self):
        self.refused("a command is missing: info, convert", *[])
        self.refused("there is no command 'covnert'; did you mean 'convert'?", "covnert")
        self.refused("unknown option '--jsno'; did you mean '--json'?", "info", "--jsno", "x")
        self.refused("unknown option '--rate'", "info", "--rate=5", "x")
        self.refused("'--json' takes no value", "info", "--json=x", "x")
        self.refused("'--rank' needs a value", "info", "x", "--rank")
        self.refused("1 file is expected, and 0 given", "info")
        self.refused("2 files are expected, and 1 given", "convert", "x")
        self.refused("there is no format 'simgird'", "convert", "--from", "simgird", "x", "y")
        self.refused("exclude each other", "info", "--from=goal", "--reader=x.so", "x")
        self.refused("--first and --count are for --rank", "info", self.pair(), "--first", "1")
        self.refused("what is to be kept", "slice", "x", "y")
        self.refused("'--output OUT' is missing", "merge", "x")
        self.refused("--rate: ", "convert", "--rate=fast", "x", "y.txt")

    def test_info_counts_calls_bytes_and_volumes(self):
        self.write("pair.txt", PAIR)
        self.trace("convert", "pair.txt", "pair.gtr")
        text = self.trace("info", "pair.gtr").stdout
        self.assertRegex(text, r"^pair.gtr: 2 ranks, 11 records\n")
        for line in (r"MPI_Send +1 +800", r"MPI_Allreduce +2 +64", r"MPI_Recv +1 +0", r"compute +3 +0",
                     r"messages: 1, 800 B\n +512 B and more +1", r"\(between bursts\) +1 +500", r"MPI_Allreduce +2 +40 "):
            self.assertRegex(text, line)

    def test_info_as_json(self):
        value = json_schema.validate(self.trace("info", "--json", self.pair()).stdout, "trace")
        self.assertEqual((value["ranks"], value["records"], value["messages"], value["message_bytes"]), (2, 11, 1, 800))
        self.assertEqual(value["message_sizes"], [{"least_bytes": 512, "messages": 1}])
        self.assertEqual(value["of_rank"]["instructions"], {"least": 20, "mean": 270, "most": 520, "sum": 540})
        self.assertEqual(value["file_bytes"], self.path("pair.gtr").stat().st_size)
        self.assertEqual(value["bursts"][0], {"name": "", "times": 1, "instructions": 500, "seconds": 0})

    def test_info_prints_records(self):
        text = self.trace("info", self.pair(), "--rank", "0", "--first=1", "--count", "2").stdout
        self.assertEqual(text, '1: compute burst="" instructions=500 seconds=-\n'
                               "2: MPI_Send buf.count=800 buf.size=1 dest=1 tag=7 comm=world\n")
        self.assertEqual(self.trace("info", "pair.txt", "--rank", "0", "--first=1", "--count", "2").stdout, text)
        self.assertEqual(self.trace("info", "pair.gtr", "--rank", "0", "--first=99").stdout, "")
        self.refused("there is no rank 2", "info", "pair.gtr", "--rank", "2")

    def test_cmp_says_where_traces_differ_first(self):
        self.pair()
        self.assertEqual(self.trace("cmp", "pair.gtr", "pair.txt").stdout, "")
        for old, new, place in (("0 7 800", "0 7 801", "rank 1, record 1"), ("1 7 800", "1 8 800", "rank 0, record 2"),
                                ("1 finalize", "1 barrier\n1 finalize", "rank 1, record 4")):
            self.write("other.txt", PAIR.replace(old, new))
            self.assertIn(f"differ: {place}\n< MPI_", self.trace("cmp", "pair.gtr", "other.txt", code=1).stdout)
        self.write("other.txt", PAIR.replace("compute 500", "compute 501").replace("4 20 0", "4 0 0"))
        self.assertIn("instructions=501", self.trace("cmp", "pair.gtr", "other.txt", code=1).stdout)
        self.trace("cmp", "--no-volumes", "pair.gtr", "other.txt")
        self.write("other.txt", PAIR + "2 init\n2 finalize\n")
        self.assertIn("the whole\n< 2 ranks\n> 3 ranks", self.trace("cmp", "pair.gtr", "other.txt", code=1).stdout)

    def test_damage_is_named_with_its_place(self):
        self.write("bad.txt", PAIR.replace("1 recv", "1 rcev"))
        self.refused("bad.txt:7: SimGrid has no action 'rcev'", "info", "bad.txt")
        self.refused("bad.txt:7: SimGrid has no action 'rcev'", "convert", "bad.txt", "bad.gtr")
        self.assertFalse(self.path("bad.gtr").exists())
        self.write("bad.gtr", "no trace")
        self.refused("bad.gtr", "info", "bad.gtr")
        self.write("bad.goal", GOAL.replace("calc", "clac"))
        self.refused("bad.goal:3: 'clac' is no operation", "convert", "bad.goal", "x.gtr")
        self.write("bad.dim", DIMEMAS.replace("1:0:0:0.5", "1:0:0:x"))
        self.refused("bad.dim:3: a burst's seconds", "convert", "bad.dim", "x.gtr")

    def test_output_that_cannot_be_written_is_74(self):
        result = self.trace("convert", self.pair(), "--to", "simgrid", "--single-file", "/dev/full", code=74)
        self.assertIn("/dev/full: No space left on device", result.stderr)
        self.refused("no/such/folder", "convert", "pair.gtr", "no/such/folder/x.gtr")


class Conversion(Scratch):
    def test_simgrids_text_comes_back(self):
        self.trace("convert", self.pair(), "--single-file", "back.txt")
        self.assertEqual(self.path("back.txt").read_text(), PAIR)

    def test_files_of_ranks_with_a_list(self):
        self.trace("convert", self.pair(), "list.txt")
        self.assertEqual(self.path("list.txt").read_text().splitlines(),
                         [str(self.path(f"list.txt.ranks/{rank}.txt").resolve()) for rank in (0, 1)])
        self.trace("cmp", "pair.gtr", "list.txt")

    def test_goal_with_rate_and_expanded_collectives(self):
        self.refused("MPI_Allreduce: GOAL has no collectives; '--expand-collectives'", "convert", "--rate=1Gf", self.pair(), "a.goal")
        self.refused("rank 0, record 1: compute: no seconds were measured; '--rate R'", "convert", "pair.gtr", "a.goal")
        self.trace("convert", "--rate=1Gf", "--expand-collectives", "pair.gtr", "a.goal")
        text = self.path("a.goal").read_text()
        self.assertIn("l1: calc 500\nl2: send 800b to 1 tag 7\nl2 requires l1\n", text)
        self.trace("convert", "a.goal", "b.gtr")
        self.trace("convert", "b.gtr", "b.goal")
        self.assertEqual(self.path("b.goal").read_text(), text)

    def nonblocking(self):
        subprocess.run([GNOMON, "cc", "-O1", HERE / "nonblocking.c", "-o", "program"], check=True, cwd=self.directory)
        subprocess.run([GNOMON, "run", "-q", "-n", "4", "--compute=none", "--trace", "run.gtr", "./program"], check=True,
                       cwd=self.directory)
        return "run.gtr"

    def test_nonblocking_collectives_for_simgrid(self):
        self.refused("'--blocking-collectives' writes it as a blocking one where it is waited for", "convert", self.nonblocking(),
                     "--single-file", "a.txt")
        notes = self.trace("convert", "run.gtr", "--single-file", "--blocking-collectives", "a.txt").stderr
        self.assertIn("MPI_Ibarrier: written as MPI_Barrier where it is waited for; what a rank does meanwhile no longer overlaps "
                      "with it (4 times)", notes)
        words = [line.split()[1] for line in self.path("a.txt").read_text().splitlines() if line.startswith("0 ")]
        self.assertEqual(words, ["init", "irecv", "send", "wait", "allreduce", "barrier", "send", "recv", "finalize"])

    def test_nonblocking_collectives_for_goal(self):
        self.refused("MPI_Iallreduce: GOAL has no collectives", "convert", self.nonblocking(), "a.goal")
        self.trace("convert", "--expand-collectives", "run.gtr", "a.goal")
        text = self.path("a.goal").read_text()
        self.assertEqual(goal_left_over(text), [])
        tags = set(re.findall(r"tag (\d+)", text))
        self.assertEqual(len(tags), 4, tags)  # of both collectives, and of both messages
        # The message to the next rank waits for neither collective, the one behind the waits for both.
        lines = text[:text.index("rank 1")].splitlines()
        first = next(line.split(":")[0] for line in lines if line.endswith("tag 1") and "recv" in line)
        last = next(line.split(":")[0] for line in lines if line.endswith("tag 2") and "send" in line)
        self.assertFalse([line for line in lines if line.startswith(f"{first} requires")])
        self.assertGreater(len([line for line in lines if line.startswith(f"{last} requires")]), 2)

    def test_seconds_for_simgrid(self):
        self.write("a.goal", GOAL)
        self.refused("'--rate R' gives operations a second", "convert", "a.goal", "a.txt")
        self.trace("convert", "--rate=2e9", "a.goal", "a.txt", "--single-file")
        self.assertIn("0 compute 2000\n0 send 1 3 80 6\n", self.path("a.txt").read_text())

    def test_dimemas_is_read_and_not_written(self):
        self.write("a.dim", DIMEMAS)
        self.trace("convert", "a.dim", "a.gtr")
        self.assertEqual(self.records("a.gtr"), ['compute burst="" instructions=- seconds=0.5',
                                                 "MPI_Send buf.count=80 buf.size=1 dest=1 tag=3 comm=world"])
        self.refused("read and not written", "convert", "a.gtr", "b.dim")

    def test_formats_by_option_whatever_the_name(self):
        self.write("trace", PAIR)
        self.trace("convert", "--from=simgrid", "--to=gnomon", "trace", "out.txt")
        self.trace("cmp", "--from=gnomon", "out.txt", self.pair())

    def test_what_is_left_out_is_told(self):
        self.write("a.txt", PAIR.replace("0 compute 500", "0 comm_dup"))
        self.assertIn("gnomon: note: 'comm_dup': SimGrid's replay does nothing there", self.trace("convert", "a.txt", "a.gtr").stderr)

    def test_a_trace_is_copied_as_it_is(self):
        self.trace("convert", self.pair(), "copy.gtr")
        self.trace("cmp", "pair.gtr", "copy.gtr")

    def test_progress_is_for_terminals_only(self):
        self.write("long.txt", "0 init\n" + "0 compute 5\n" * 70000 + "0 finalize\n")
        self.assertEqual(self.trace("convert", "long.txt", "long.gtr").stderr, "")
        text = terminal.told([GNOMON, "trace", "convert", "long.txt", "long.gtr"], cwd=self.directory)
        self.assertRegex(text, r"^(\r\x1b\[Kgnomon trace: +\d+ %)+\r\x1b\[K$")


class Recording(Scratch):
    def recorded(self, name, *options):
        subprocess.run([GNOMON, "run", "-q", "-n", "4", "--compute=none", "--trace", name, *options, "./program"], check=True,
                       cwd=self.directory)
        return name

    def test_collectives_are_told_in_either_way_alike(self):
        """Beside a trace of communication a call names each field, alone it has a form: the file is the same."""
        subprocess.run([GNOMON, "cc", "-O1", HERE / "collectives.c", "-o", "program"], check=True, cwd=self.directory)
        self.recorded("run.gtr")
        self.recorded("named.gtr", "--comm-trace", "calls.txt")
        self.assertEqual(self.path("run.gtr").read_bytes(), self.path("named.gtr").read_bytes())
        roots = [[line for line in self.records("run.gtr", rank) if line.startswith("MPI_Reduce")][:2] for rank in (0, 1)]
        sent, got = "sendbuf.count=1 sendbuf.size=8", "recvbuf.count=1 recvbuf.size=8"
        first, second = 'op="MPI_SUM" root=0 comm=world', 'op="MPI_MAX" root=1 comm=world'
        self.assertEqual(roots, [[f"MPI_Reduce {sent} {got} {first}", f"MPI_Reduce {sent} {second}"],
                                 [f"MPI_Reduce {sent} {first}", f"MPI_Reduce {sent} {got} {second}"]])


class Slices(Scratch):
    RING = "".join(f"{rank} init\n{rank} irecv {(rank - 1) % 4} 1 8\n{rank} isend {(rank + 1) % 4} 1 8\n{rank} compute 5\n"
                   f"{rank} waitall\n{rank} barrier\n{rank} finalize\n" for rank in range(4))

    def ring(self):
        self.write("ring.txt", self.RING)
        self.trace("convert", "ring.txt", "ring.gtr")
        return "ring.gtr"

    def test_ranks_are_numbered_anew_and_what_loses_its_peer_goes(self):
        self.refused("rank 1, record 1: MPI_Irecv: what it belongs to is not all in the cut; '--drop-unmatched'", "slice", self.ring(),
                     "s.gtr", "--ranks", "1-2")
        self.assertFalse(self.path("s.gtr").exists())
        notes = self.trace("slice", "ring.gtr", "s.gtr", "--ranks", "1-2", "--drop-unmatched").stderr
        self.assertIn("MPI_Barrier: not all of it is in the cut (2 times)", notes)
        self.assertEqual(self.records("s.gtr", 0),
                         ["MPI_Init", "MPI_Isend buf.count=8 buf.size=1 dest=1 tag=1 comm=world request=1",
                          'compute burst="" instructions=5 seconds=-', "MPI_Waitall requests=[1]", "MPI_Finalize"])
        self.assertEqual(self.records("s.gtr", 1)[1], "MPI_Irecv buf.count=8 buf.size=1 source=0 tag=1 comm=world request=1")

    def test_all_ranks_are_all_of_it(self):
        self.trace("slice", self.ring(), "s.gtr", "--ranks", "0,2-3,1")
        self.trace("cmp", "ring.gtr", "s.gtr")

    def test_calls_that_are_whole_for_all(self):
        self.trace("slice", self.ring(), "s.gtr", "--calls", "..4")
        self.assertEqual(self.records("s.gtr", 3)[-3:], ['compute burst="" instructions=5 seconds=-', "MPI_Waitall requests=[1 2]",
                                                         "MPI_Finalize"])
        self.trace("slice", "ring.gtr", "s.gtr", "--calls=5..")
        self.assertEqual(self.records("s.gtr", 3), ["MPI_Init", "MPI_Barrier comm=world", "MPI_Finalize"])

    def test_calls_that_are_not(self):
        self.refused("MPI_Isend: what it belongs to is not all in the cut", "slice", self.ring(), "s.gtr", "--calls", "2..6")
        self.trace("slice", "ring.gtr", "s.gtr", "--calls", "2..6", "--drop-unmatched")
        self.assertEqual(self.records("s.gtr"), ["MPI_Init", 'compute burst="" instructions=5 seconds=-', "MPI_Barrier comm=world",
                                                 "MPI_Finalize"])
        self.refused("a request that it completes is not in the cut", "slice", "ring.gtr", "s.gtr", "--calls", "3..")

    def test_ranges_that_are_none(self):
        self.refused("'--ranks': the value is empty", "slice", self.ring(), "s.gtr", "--ranks=")
        for ranks in ("4", "0-4", "2-1", "x", "0,", "-1"):
            self.refused("is no range of the trace's ranks 0 to 3", "slice", self.ring(), "s.gtr", f"--ranks={ranks}")
        for calls in ("5", "x..", "..x", "5..4", "-1..2"):
            self.refused("--calls: ", "slice", "ring.gtr", "s.gtr", f"--calls={calls}")

    def test_wildcards_cannot_be_cut(self):
        self.write("any.txt", "0 init\n0 recv -555 -444 8\n0 finalize\n1 init\n1 send 0 0 8\n1 finalize\n")
        self.refused("rank 0, record 1: MPI_Recv: its peer is not known", "slice", "any.txt", "s.gtr", "--ranks=0-1")


    def test_volumes_are_what_stands_for_time(self):
        lines = "".join(f"{rank} {line}\n" for rank in range(2) for line in
                        ("init", f"compute {100 * (rank + 1)}", "barrier", "compute 50", "barrier", "finalize"))
        self.write("steps.txt", lines)
        self.trace("convert", "steps.txt", "steps.gtr")
        self.trace("slice", "steps.gtr", "s.gtr", "--volume", "200..", "--drop-unmatched")
        self.assertEqual(self.records("s.gtr", 0), ["MPI_Init", "MPI_Finalize"])
        self.assertEqual(self.records("s.gtr", 1), ["MPI_Init", 'compute burst="" instructions=50 seconds=-', "MPI_Finalize"])
        self.trace("slice", "steps.gtr", "s.gtr", "--volume=100..150", "--drop-unmatched")
        self.assertEqual(self.records("s.gtr", 0), ["MPI_Init", 'compute burst="" instructions=50 seconds=-', "MPI_Finalize"])
        self.assertEqual(self.records("s.gtr", 1), ["MPI_Init", "MPI_Finalize"])  # which has computed 200 at once
        self.trace("slice", "steps.gtr", "s.gtr", "--volume=..251")
        self.trace("cmp", "steps.gtr", "s.gtr")
        for volume in ("5", "..", "x..", "5..4", "1s..2", "-1..2"):
            self.refused("--volume: ", "slice", "steps.gtr", "s.gtr", f"--volume={volume}")
        self.refused("rank 0, record 1: compute: no seconds were measured", "slice", "steps.gtr", "s.gtr", "--volume=0s..1s")
        self.refused("exclude each other", "slice", "steps.gtr", "s.gtr", "--volume=..5", "--calls=..5")


class SlicesOfFiles(Scratch):
    """Of a program with MPI-IO on all ranks and on each alone."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        program, cls.recorded = pathlib.Path(cls.folder.name) / "files", pathlib.Path(cls.folder.name) / "files.gtr"
        subprocess.run([GNOMON, "cc", "-O1", HERE / "files.c", "-o", program], check=True)
        subprocess.run([GNOMON, "run", "-q", "-n", "4", "--compute=none", "--trace", cls.recorded, program], check=True,
                       cwd=cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def numbers(self, *names):
        """Numbers of rank 0's records with these functions."""
        return [next(i for i, line in enumerate(self.records(self.recorded)) if line.split()[0] == name) for name in names]

    def cut(self, *options):
        notes = self.trace("slice", self.recorded, "s.gtr", *options).stderr
        subprocess.run([GNOMON, "replay", "-q", self.path("s.gtr")], check=True)
        return notes, [[line.split()[0] for line in self.records("s.gtr", rank)] for rank in range(2)]

    def test_all_of_it(self):
        self.cut("--ranks=0-3")
        self.trace("cmp", self.recorded, "s.gtr")

    def test_a_file_that_is_open_at_the_end_is_closed_there(self):
        write, close = self.numbers("MPI_File_write_all", "MPI_File_close")
        self.assertLess(write, close)
        _, calls = self.cut("--calls", f"..{write + 1}")
        self.assertEqual(calls[0][-3:], ["MPI_File_write_all", "MPI_File_close", "MPI_Finalize"])
        self.assertEqual(calls[0], calls[1])

    def test_a_file_that_was_opened_before(self):
        write, = self.numbers("MPI_File_write_all")
        self.refused("the file was opened before the cut; begin it earlier", "slice", self.recorded, "s.gtr", "--calls", f"{write}..")
        _, calls = self.cut("--calls", f"{write}..", "--drop-unmatched")
        self.assertIn("MPI_File_open", calls[0])  # of later files
        self.assertNotIn("MPI_File_write_all", calls[0])

    def test_the_halves_of_a_call_stay_together(self):
        begin, end = self.numbers("MPI_File_write_at_all_begin", "MPI_File_write_at_all_end")
        self.assertEqual(end, begin + 1)
        _, calls = self.cut("--calls", f"..{end}", "--drop-unmatched")
        self.assertNotIn("MPI_File_write_at_all_begin", calls[0])
        self.assertIn("MPI_File_write_at_all_begin", self.cut("--calls", f"..{end + 1}")[1][0])

    def test_files_of_ranks_that_go(self):
        notes, calls = self.cut("--ranks=1-2", "--drop-unmatched")
        self.assertIn("MPI_File_open: not all of it is in the cut", notes)
        self.assertNotIn("MPI_File_write_all", calls[0])
        self.assertEqual([name for name in calls[0] if "File" in name],  # of MPI_COMM_SELF
                         ["MPI_File_open", "MPI_File_write", "MPI_File_close"])
        self.assertIn("fh=1 ", next(line for line in self.records("s.gtr") if line.startswith("MPI_File_write ")))


class Merging(Scratch):
    def test_files_of_single_ranks(self):
        for rank in (0, 1, 2, 9, 10):
            self.write("one.txt", f"0 init\n0 compute {rank + 1}\n0 finalize\n")
            self.trace("convert", "one.txt", f"run.{rank}.gtr")
        names = [f"run.{rank}.gtr" for rank in (10, 9, 2, 1, 0)]
        self.trace("merge", "-o", "all.gtr", *names)
        self.assertEqual([self.records("all.gtr", rank)[1] for rank in range(5)],
                         [f'compute burst="" instructions={rank + 1} seconds=-' for rank in (0, 1, 2, 9, 10)])

    def test_other_names_are_taken_in_their_order(self):
        for name in ("b", "a"):
            self.write("one.txt", f"0 init\n0 compute {ord(name)}\n0 finalize\n")
            self.trace("convert", "one.txt", f"{name}.gtr")
        self.trace("merge", "--output=all.gtr", "b.gtr", "a.gtr")
        self.assertIn("instructions=98", self.records("all.gtr", 0)[1])

    def test_what_does_not_fit_is_refused(self):
        self.refused("has 1 ranks, and pair.gtr has 2", "merge", "-o", "x.gtr", self.pair(), self.single())
        self.refused("rank 0 has records here and in pair.gtr", "merge", "-o", "x.gtr", "pair.gtr", "pair.gtr")
        self.refused("no traces", "merge", "-o", "x.gtr")
        self.refused("no-such.gtr", "merge", "-o", "x.gtr", "no-such.gtr")

    def single(self):
        self.write("one.txt", "0 init\n0 finalize\n")
        self.trace("convert", "one.txt", "one.gtr")
        return "one.gtr"


class OwnReader(Scratch):
    def setUp(self):
        super().setUp()
        compiler = shutil.which("gcc") or "clang-22"
        subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{PREFIX}/include/gnomon",
                        str(HERE / "own_reader.c"), "-o", str(self.path("own.so"))], check=True)

    def test_a_format_of_ones_own_is_read(self):
        self.write("run.mine", "ranks 2\n0 works 1.5e6\n0 sends 1 800\n1 gets 0 800\n")
        self.trace("convert", "--reader", "./own.so", "run.mine", "run.gtr")
        self.assertEqual(self.records("run.gtr"), ['compute burst="own.c:1 work" instructions=1500000 seconds=-',
                                                   "MPI_Send buf.count=800 buf.size=1 dest=1 tag=0 comm=world"])
        self.assertIn("2 ranks, 3 records", self.trace("info", "--reader=own.so", "run.mine").stdout)

    def test_its_errors_name_the_file_and_the_line(self):
        self.write("run.mine", "ranks 2\n0 works 5\n0 sleeps\n")
        self.refused("run.mine:3: this is neither work, nor a message", "convert", "--reader=own.so", "run.mine", "run.gtr")
        self.write("run.mine", "ranks 2\n2 works 5\n")
        self.refused("own.so: while reading 'run.mine': a record of rank 2 of 2", "convert", "--reader=own.so", "run.mine", "run.gtr")
        self.refused("no-such.mine: No such file", "convert", "--reader=own.so", "no-such.mine", "run.gtr")

    def test_what_is_no_reader_is_named(self):
        self.refused("cannot be loaded", "info", "--reader=no-such.so", "x")
        self.write("empty.c", "int nothing;\n")
        subprocess.run(["clang-22", "-shared", "-fPIC", str(self.path("empty.c")), "-o", str(self.path("empty.so"))], check=True)
        self.refused("empty.so: has no function gnomon_read_trace", "info", "--reader=empty.so", "x")


class Replay(Scratch):
    PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" bw="1.25GBps" lat="5us"/>
</platform>
"""

    def lines(self, name, ranks):
        """What SMPI's replay says of each action, with its date; the last line is the simulated time."""
        self.write("cluster.xml", self.PLATFORM.format(last=ranks - 1))
        self.write("hosts", "".join(f"node-{rank}\n" for rank in range(ranks)))
        command = ["smpirun", "-np", str(ranks), "-platform", "cluster.xml", "-hostfile", "hosts", "-replay", name,
                   "--log=replay.thresh:critical", "--log=smpi_replay.thresh:verbose", "--log=no_loc",
                   "--log=smpi_config.thresh:warning", "--log=xbt_cfg.thresh:warning"]
        result = subprocess.run(command, capture_output=True, text=True, cwd=self.directory)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        lines = (result.stdout + result.stderr).splitlines()
        self.assertRegex(lines[-1], r"Simulation time \d+\.\d+$")
        return lines

    def same(self, ranks):
        """Converted to ours and back, the list of files list.txt replays with the same dates."""
        self.trace("convert", "list.txt", "a.gtr")
        self.trace("convert", "a.gtr", "back.txt")
        self.trace("cmp", "list.txt", "back.txt")
        lines = self.lines("list.txt", ranks)
        self.assertEqual(self.lines("back.txt", ranks)[-1], lines[-1])
        return lines, self.lines("back.txt", ranks)

    def setUp(self):
        super().setUp()
        if not shutil.which("smpirun"):
            self.skipTest("no smpirun: install libsimgrid-dev")

    def test_a_wavefront_of_16_ranks(self):
        names = [self.write(f"rank-{rank}.txt", text) for rank, text in enumerate(wavefront(4, 4, 5))]
        self.write("list.txt", "".join(f"{name}\n" for name in names))
        before, after = self.same(16)
        self.assertEqual(before, after)
        self.assertGreater(float(re.search(r"[\d.]+$", before[-1])[0]), 0.005)

    def test_every_action(self):
        actions = ["compute 3e6", "sleep 0.001", "barrier", "bcast 5e4", "bcast 300 1 1", "reduce 500 1e6 2 0", "allreduce 5e4 5e5",
                   "scan 40 1e5 0", "exscan 40 0 1", "alltoall 500 500 0 0", "allgather 70 70", "gather 68 68 0 0 0",
                   "scatter 68 68 1 1 1", "gatherv 10 10 10 10 0 0 0", "allgatherv 7 7 7 7 0 0", "scatterv 9 9 9 9 2 0 0",
                   "reducescatter 300 200 100 1e5 0", "alltoallv 30 10 10 10 30 10 10 10 0 0", "location a.c 3"]
        ring = ["irecv {before} 4 1000 0", "isend {after} 4 1000 0", "test {before} {rank} 4", "waitall", "irecv {before} 5 90000",
                "send {after} 5 90000", "wait {before} {rank} 5", "sendRecv 100 {after} 100 {before} 0 0"]
        text = ""
        for rank in range(3):
            places = {"rank": rank, "before": (rank - 1) % 3, "after": (rank + 1) % 3}
            text += "".join(f"{rank} {line.format(**places)}\n" for line in ["init 1", *actions, *ring, "finalize"])
        self.write("all.txt", text)
        self.write("list.txt", f"{self.path('all.txt')}\n")
        self.same(3)

    def test_a_cut_replays(self):
        names = [self.write(f"rank-{rank}.txt", text) for rank, text in enumerate(wavefront(4, 2, 3))]
        self.write("list.txt", "".join(f"{name}\n" for name in names))
        self.trace("slice", "list.txt", "cut.gtr", "--ranks=0-2,5", "--calls=20..90", "--drop-unmatched")
        self.trace("convert", "cut.gtr", "cut.txt")
        self.lines("cut.txt", 4)


if __name__ == "__main__":
    unittest.main()
