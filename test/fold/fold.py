#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: under --shadow ranks share arrays from which nothing that must be right is read; the communication, the
simulated time and what is kept stay as they are, the memory shrinks, and what cannot be said with --fold is refused."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
RANKS, FIELD = 16, (512 + 2) * 512 * 8
# Each rank executes the first instance of each burst, so that it touches what it has.
SKIPPING = ["--compute=counted", "--shadow", "--sample=local,n=1"]


class Folding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        cls.program = cls.directory / "fields"
        subprocess.run([GNOMON, "cc", "-O2", "-g", HERE / "fields.c", "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_gnomon(self, *arguments, code=0, addresses=resource.RLIM_INFINITY):
        command = [str(argument) for argument in (GNOMON, "run", *arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=self.directory,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, self.directory)
        return result

    def run_fields(self, name, *options):
        """Its JSON and its trace."""
        file, trace = self.directory / f"{name}.json", self.directory / f"{name}.trace"
        self.run_gnomon("-n", RANKS, "--json", file, "--comm-trace", trace, *options, self.program)
        return json.loads(file.read_text()), trace.read_text()

    @staticmethod
    def of_fields(run):
        """Bytes that were shared of what is free from the start."""
        return sum(site["folded_bytes"] for site in run["bursts"]["folding"]["sites"] if site["phase"] == 0)

    def test_what_is_shared_changes_nothing_but_memory(self):
        exact, trace = self.run_fields("exact", "--compute=counted")
        apart, apart_trace = self.run_fields("apart", *SKIPPING, "--fold=off")
        shared, shared_trace = self.run_fields("shared", *SKIPPING)
        self.assertEqual(apart_trace, trace)
        self.assertEqual(shared_trace, trace)
        self.assertEqual(shared["simulated_time"], apart["simulated_time"])
        self.assertEqual(exact["bursts"]["folding"]["folded_bytes"], 0)
        self.assertEqual(apart["bursts"]["folding"]["folded_bytes"], 0)
        self.assertEqual(self.of_fields(shared), 2 * RANKS * FIELD)
        saved = apart["host"]["peak_rss_bytes"] - shared["host"]["peak_rss_bytes"]
        self.assertGreater(saved, (2 * RANKS - 4) * FIELD)
        self.assertLess(shared["host"]["folded_resident_bytes"], 2.1 * FIELD)

    def test_what_decides_is_kept_and_said_why(self):
        shared, _ = self.run_fields("sites", *SKIPPING)
        kept = [site for site in shared["bursts"]["folding"]["sites"] if site["kept_because"]]
        self.assertEqual([site["bytes"] for site in kept], [RANKS * 4 * (1 << 18)])
        self.assertIn("MPI_Bcast", kept[0]["kept_because"])
        self.assertGreater(kept[0]["phase"], 0)

    def test_the_table_and_the_summary_name_sites(self):
        result = self.run_gnomon("-n", RANKS, *SKIPPING, "--bursts=-", self.program)
        self.assertRegex(result.stderr, r"16 +16 MiB .*  fields\.c:\d+ main: kept before phase \d+: the count of MPI_Bcast")
        self.assertIn("gnomon: ranks share ", result.stderr)

    def test_measured_ranks_keep_their_own(self):
        shared, trace = self.run_fields("measured", "--shadow", "--sample=n=1")
        witnesses = 8
        self.assertGreater(self.of_fields(shared), 0)
        self.assertLessEqual(self.of_fields(shared), 2 * (RANKS - witnesses) * FIELD)
        self.assertEqual(trace, self.run_fields("executed")[1])

    def test_what_a_limit_on_addresses_keeps_apart_is_said(self):
        file, limit = self.directory / "limited.json", 8_000_000_000
        shared = self.run_gnomon("-n", RANKS, "--json", file, *SKIPPING, self.program, addresses=limit)
        self.assertEqual(self.of_fields(json.loads(file.read_text())), 2 * RANKS * FIELD)
        self.assertRegex(shared.stderr, "note: 16 MiB that ranks could share .*ulimit")  # the table, in its last phase
        # Blocks from before the first skip are libc's then, and no pages can be mapped over them.
        apart = self.run_gnomon("-n", RANKS, "--json", file, "--shadow", "--sample=n=1", self.program, addresses=limit)
        folding = json.loads(file.read_text())["bursts"]["folding"]
        self.assertGreater(folding["no_address_bytes"], 0)
        self.assertRegex(apart.stderr, r"gnomon: note: \S+ MiB that ranks could share are each rank's own, because the process may "
                                       r"have 8 GB of addresses \(ulimit -v\): lift that limit")

    def test_decisions_that_are_executed_keep_what_they_rest_on(self):
        """Of three arrays: the third one's contents come from the second one's."""
        program, file, recorded = self.directory / "apart", self.directory / "apart.json", self.directory / "apart.dec"
        subprocess.run([GNOMON, "cc", "-O2", "-g", HERE.parent / "bursts/decided/apart.c", "-o", program], check=True)
        traces = [self.directory / f"apart{number}.trace" for number in range(2)]
        self.run_gnomon("-n", 4, "--compute=none", "--record-decisions", recorded, "--comm-trace", traces[0], program)
        points = recorded.read_text().split("\npoint ")
        self.assertEqual(len(points), 4)
        for executed, kept in ((None, []), (1, [0]), (2, [1]), (3, [1, 2])):
            text = list(points)
            if executed:
                head, what, values = text[executed].partition("\n  what ")
                first, _, others = values.partition("\n")
                text[executed] = f"{head}{what}{first}\n  execute\n{others}"
            given = self.directory / "apart-given.dec"
            given.write_text("\npoint ".join(text))
            self.run_gnomon("-n", 4, "--compute=none", "--shadow", "--fold=poison", "--decisions", given, "--json", file,
                            "--comm-trace", traces[1], program)
            self.assertEqual(traces[1].read_text(), traces[0].read_text(), executed)
            sites = json.loads(file.read_text())["bursts"]["folding"]["sites"]
            self.assertEqual([site["folded_bytes"] > 0 for site in sites], [number not in kept for number in range(3)], executed)

    def test_small_blocks_are_left_alone(self):
        shared, _ = self.run_fields("large", *SKIPPING, "--fold=16MiB")
        self.assertEqual(shared["bursts"]["folding"]["sites"], [])

    def test_poison_changes_no_communication(self):
        poisoned, trace = self.run_fields("poisoned", *SKIPPING, "--fold=poison")
        self.assertEqual(trace, self.run_fields("unpoisoned", "--compute=counted")[1])
        self.assertEqual(self.of_fields(poisoned), 2 * RANKS * FIELD)

    def test_indices_are_shared_where_nobody_reads_by_them(self):
        """From the start where nothing takes time or all costs are given; else when hardly anything is executed any more."""
        program = self.directory / "indirect"
        subprocess.run([GNOMON, "cc", "-O2", "-g", HERE / "indirect.c", "-o", program], check=True)
        slow = ["--platform", f"cluster:n={RANKS},speed=1Mf,bw=10Gbps,lat=2us"]
        indices, all_blocks = RANKS * (4 << 17), RANKS * (20 << 17)
        self.run_gnomon("-n", RANKS, "--record-profile", "profile", program)
        for name, options in (("none", ["--compute=none"]), ("settled", ["--compute=counted", "--sample=n=1", *slow]),
                              ("profile", ["--compute=profile=profile"])):
            file, traces = self.directory / f"{name}.json", []
            for skipping in ([], ["--shadow", "--fold=off"], ["--shadow"]):
                trace = self.directory / f"{name}.trace"
                self.run_gnomon("-n", RANKS, "--json", file, "--comm-trace", trace, *options, *skipping, program)
                traces.append((trace.read_text(), json.loads(file.read_text())["simulated_time"] if skipping else 0))
            self.assertEqual(traces[2], traces[1])
            self.assertEqual(traces[2][0], traces[0][0])
            folding = json.loads(file.read_text())["bursts"]["folding"]
            self.assertEqual((folding["bytes"], folding["folded_bytes"]), (all_blocks, all_blocks), name)
        # While instances of the burst are executed, its indices are each rank's own.
        self.run_gnomon("-n", RANKS, "--json", file, "--compute=counted", "--shadow", program)
        folding = json.loads(file.read_text())["bursts"]["folding"]
        self.assertEqual(folding["folded_bytes"], all_blocks - indices)
        kept = [site for site in folding["sites"] if site["kept_because"]]
        self.assertIn("executed while its cost is learnt", kept[0]["kept_because"])

    def test_a_thread_of_a_library_without_the_flag(self):
        """It executes what may only be skipped where indices are shared. Where the link sees the thread, they are not."""
        hidden, seen, thread = self.directory / "hidden", self.directory / "seen", self.directory / "thread.o"
        subprocess.run([GNOMON, "cc", "-O2", "-fno-lto", "-c", HERE / "thread.c", "-o", thread], check=True)
        for program, part in ((hidden, thread), (seen, HERE / "thread.c")):
            subprocess.run([GNOMON, "cc", "-O2", "-g", "-DTHREAD", HERE / "indirect.c", part, "-o", program], check=True)
        options = ("-n", 4, "--compute=none", "--shadow")
        refused = self.run_gnomon(*options, hidden, code=2)
        self.assertRegex(refused.stderr, r"error: rank \d starts a thread, .*: run with --fold=off")
        self.run_gnomon(*options, "--fold=off", hidden)
        file = self.directory / "seen.json"
        self.run_gnomon(*options, "--json", file, seen)
        kept = [site for site in json.loads(file.read_text())["bursts"]["folding"]["sites"] if site["kept_because"]]
        self.assertEqual([site["bytes"] for site in kept], [4 * (4 << 17)])

    def test_variables_are_shared_part_by_part(self):
        program, fields, table = self.directory / "globals", RANKS * 2 * (1 << 20), RANKS * (4 << 17)
        subprocess.run([GNOMON, "fc", "-O2", "-g", HERE / "globals.f90", "-o", program], check=True)
        file, trace = self.directory / "globals.json", self.directory / "globals.trace"

        def run(*options):
            self.run_gnomon("-n", RANKS, "--json", file, "--comm-trace", trace, *options, program)
            run = json.loads(file.read_text())
            return run, trace.read_text(), {site["function"]: site for site in run["bursts"]["folding"]["sites"]}

        _, executed, _ = run("--compute=none")
        apart, _, _ = run("--compute=none", "--shadow", "--fold=off")
        for poison in ([], ["--fold=poison"]):
            shared, skipped, sites = run("--compute=none", "--shadow", *poison)
            self.assertEqual(skipped, executed)
            self.assertEqual(shared["simulated_time"], apart["simulated_time"])
            kept = [site for site in sites.values() if site["kept_because"]]
            self.assertEqual([(site["function"], site["bytes"]) for site in kept], [("'table_'", table)])
            self.assertEqual(sites["'fields_'"]["folded_bytes"], fields / 2)
            self.assertGreater(shared["bursts"]["folding"]["folded_bytes"], fields)
            self.assertIn("'start::first' from byte 8000 on", sites)
            if not poison:  # the values that the module begins with are in memory once in any case
                self.assertLess(shared["host"]["peak_rss_bytes"] - apart["host"]["peak_rss_bytes"], 1 << 20)
        # Each rank touches what it executes; the summary counts a page that ranks share once.
        touched, _, _ = run(*SKIPPING)
        touched_apart, _, _ = run(*SKIPPING, "--fold=off")
        saved = touched_apart["host"]["peak_rss_bytes"] - touched["host"]["peak_rss_bytes"]
        self.assertGreater(saved, RANKS * (7 << 16))

    def build_locals(self):
        """Arrays on the stack of C (of a fixed size, of a computed one, a table), and Fortran's automatic ones (no line tables)."""
        programs = []
        for compiler, source in (("cc", "locals.c"), ("fc", "automatic.f90")):
            program = self.directory / source.split(".")[0]
            subprocess.run([GNOMON, compiler, "-O2", *(["-g"] if compiler == "cc" else []), HERE / source, "-o", program],
                           check=True)
            programs.append(program)
        return programs

    def test_local_arrays_are_shared(self):
        """Two, or one, of 2 MiB in each step decide nothing; one, which is as large, does."""
        steps, table = 6, 2 << 20

        def run(program, *options):
            file, trace = self.directory / "locals.json", self.directory / "locals.trace"
            self.run_gnomon("-n", RANKS, "--json", file, "--comm-trace", trace, *options, program)
            return json.loads(file.read_text()), trace.read_text()

        for program, fields in zip(self.build_locals(), (2, 1)):
            executed, trace = run(program, "--compute=none")
            self.assertEqual(executed["bursts"]["folding"]["folded_bytes"], 0)
            apart, _ = run(program, "--compute=none", "--shadow", "--fold=off")
            for poison in ([], ["--fold=poison"]):
                shared, skipped = run(program, "--compute=none", "--shadow", *poison)
                self.assertEqual(skipped, trace)
                self.assertEqual(shared["simulated_time"], apart["simulated_time"])
                folding = shared["bursts"]["folding"]
                self.assertEqual(folding["folded_bytes"], RANKS * steps * fields * (2 << 20))
                kept = [site for site in folding["sites"] if site["kept_because"]]
                self.assertEqual([site["bytes"] for site in kept], [RANKS * steps * table])
                self.assertIn("MPI_", kept[0]["kept_because"])
                saved = executed["host"]["peak_rss_bytes"] - shared["host"]["peak_rss_bytes"]
                if not poison:  # each rank has its table; in C it lies where the fields did
                    self.assertGreater(saved, (RANKS - 4) * (2 << 20))
            # What the first call, which is executed, leaves on the stack stays each rank's.
            shared, skipped = run(program, *SKIPPING)
            self.assertEqual(skipped, trace)
            self.assertGreaterEqual(shared["bursts"]["folding"]["folded_bytes"], RANKS * (steps - 1) * fields * (2 << 20))

    def test_bad_input(self):
        for value, text in (("1KiB", "below 4096 bytes"), ("some", "some"), ("-1", "-1")):
            result = self.run_gnomon("-n", 2, "--shadow", f"--fold={value}", self.program, code=2)
            self.assertIn("--fold", result.stderr)
            self.assertIn(text, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=2)
