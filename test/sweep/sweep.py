#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: `gnomon sweep` runs every combination once, each as `gnomon replay` or `gnomon run` would run it, and tells the
same table however many run at a time. What fails has a row, what is cut short says so and can be gone on with, and a bad
command line runs nothing."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
GNOMON = PREFIX / "bin/gnomon"
sys.path.insert(0, str(SOURCE / "test/support"))

import json_schema  # noqa: E402
import terminal  # noqa: E402

RANKS = 4
LINE = "cluster:n=4,bw=1Gbps,lat=50us,speed=1Gf"
FILE = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="left" prefix="l" suffix="" radical="0-1" speed="{speed}Mf" bw="{bandwidth}MBps" lat="{latency}us"
             bb_bw="{bandwidth}MBps" bb_lat="{latency}us"/>
    <zone id="right" routing="Full">
      <host id="r0" speed="{speed}Mf"/> <host id="r1" speed="{speed}Mf"/>
      <router id="gate"/>
      <link id="one" bandwidth="{bandwidth}MBps" latency="{latency}us"/>
      <link id="two" bandwidth="{bandwidth}MBps" latency="{latency}us" sharing_policy="SPLITDUPLEX"/>
      <route src="r0" dst="r1"><link_ctn id="one"/></route>
      <route src="r0" dst="gate"><link_ctn id="one"/></route>
      <route src="r1" dst="gate"><link_ctn id="one"/></route>
    </zone>
    <link id="between" bandwidth="{bandwidth}MBps" latency="{latency}us"/>
    <zoneRoute src="left" dst="right" gw_src="lleft_router" gw_dst="gate"><link_ctn id="between"/></zoneRoute>
  </zone>
</platform>
"""

# Narrow backbone and limiters, ranks that share hosts, and peers: each figure is one that some message waits for.
CABINETS = """<platform version="4.1">
  <zone id="room" routing="Cluster">
    <router id="switch"/>
    <backbone id="backbone" bandwidth="{bandwidth}kBps" latency="{latency}ms"/>
    <cabinet id="all" prefix="h" suffix="" radical="0-3" speed="{speed}Mf,{speed}Gf" bw="{bandwidth}MBps" lat="{latency}us"/>
  </zone>
</platform>
"""
LIMITERS = """<platform version="4.1">
  <cluster id="all" prefix="h" suffix="" radical="0-1" speed="{speed}Mf" core="2" bw="{bandwidth}MBps" lat="{latency}us"
           limiter_link="{bandwidth}kBps" loopback_bw="{bandwidth}kBps" loopback_lat="{latency}ms"/>
</platform>
"""
PEERS = """<platform version="4.1">
  <zone id="world" routing="Vivaldi">
    <peer id="a" speed="{speed}Mf" bw_in="{bandwidth}kBps" bw_out="{bandwidth}MBps" coordinates="0 0 1"/>
    <peer id="b" speed="{speed}Mf" bw_in="{bandwidth}MBps" bw_out="{bandwidth}kBps" coordinates="3 4 1"/>
    <peer id="c" speed="{speed}Mf" bw_in="{bandwidth}MBps" bw_out="{bandwidth}MBps" coordinates="0 4 1"/>
    <peer id="d" speed="{speed}Mf" bw_in="{bandwidth}MBps" bw_out="{bandwidth}MBps" coordinates="3 0 1"/>
  </zone>
</platform>
"""


class Scratch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        (cls.directory / "tmp").mkdir()
        cls.environment = {**os.environ, "TMPDIR": str(cls.directory / "tmp")}
        cls.program = cls.directory / "ring"
        subprocess.run([GNOMON, "cc", "-O1", HERE / "ring.c", "-o", cls.program], check=True, cwd=cls.directory,
                       env={**os.environ, "GNOMON_WARNINGS": "0"})  # of its execl
        cls.trace = cls.directory / "ring.gtr"
        cls.gnomon("run", "-q", "-n", RANKS, "--compute=counted", "--trace", cls.trace, cls.program)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def tearDown(self):
        self.assertEqual(list((self.directory / "tmp").iterdir()), [], "a temporary file is left")

    @classmethod
    def gnomon(cls, *arguments, code=0):
        command = [GNOMON, *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                                cwd=cls.directory, env=cls.environment)
        assert result.returncode == code, f"{command}: exit code {result.returncode}\n{result.stdout}{result.stderr}"
        return result

    def sweep(self, *arguments, code=0):
        """The JSON of a sweep, whose table and CSV say the same."""
        names = [self.directory / f"sweep.{kind}" for kind in ("json", "csv", "svg")]
        options = [word for name in names for word in (f"--{name.suffix[1:]}", name)]
        result = self.gnomon("sweep", *options, *arguments, code=code)
        table = json_schema.validate(names[0].read_text(), "sweep")
        rows = list(csv.DictReader(names[1].read_text().splitlines()))
        lines = result.stdout.splitlines()
        self.assertEqual(len(rows), len(table["rows"]))
        self.assertEqual(len(lines), len(rows) + 1)
        self.assertEqual(lines[0].split()[:len(table["axes"])], [axis["name"] for axis in table["axes"]])
        for row, cells, line in zip(table["rows"], rows, lines[1:]):
            self.assertEqual([cells[axis["name"]] for axis in table["axes"]], row["values"])
            for key in ("simulated_time", "ratio", "messages", "exit_code"):
                self.assertEqual(float(cells[key] or "nan") if row[key] is not None else None,
                                 None if row[key] is None else float(row[key]), key)
            self.assertEqual(cells["error"], row["error"] or "")
            time_text = "-" if row["simulated_time"] is None else f"{row['simulated_time']:.9g} s"
            self.assertIn(f" {time_text} ", line)
        svg = xml.etree.ElementTree.parse(names[2]).getroot()
        bars = [node for node in svg if node.get("class", "").startswith("bar")]
        self.assertEqual(len(bars), sum(row["simulated_time"] is not None for row in table["rows"]))
        self.table, self.text = table, (result.stdout, names[1].read_text(), names[2].read_text())
        return table["rows"]

    def single(self, *arguments):
        file = self.directory / "single.json"
        self.gnomon(arguments[0], "-q", "--json", file, *arguments[1:])
        return json_schema.validate(file.read_text(), "run")

    def check_row(self, row, single):
        for key in ("simulated_time", "messages", "bytes", "ranks", "exit_code"):
            self.assertEqual(row[key], single[key], key)


class Tables(Scratch):
    def test_each_row_is_what_a_replay_takes_and_the_last_key_varies_fastest(self):
        rows = self.sweep("--platforms", f"default,{LINE}", "--vary", "network=smpi,loggps", "--vary",
                          "coll=allreduce:rdb,lr", self.trace)
        self.assertEqual(len(rows), 8)
        expected = [[p, n, c] for p in ("default", LINE) for n in ("smpi", "loggps") for c in ("rdb", "lr")]
        self.assertEqual([row["values"] for row in rows], expected)
        for row, (platform, network, algorithm) in zip(rows, expected):
            where = [] if platform == "default" else ["--platform", platform]
            single = self.single("replay", *where, "--network", network, "--coll", f"allreduce:{algorithm}", self.trace)
            self.check_row(row, single)
            self.assertEqual(row["ratio"], row["simulated_time"] / rows[0]["simulated_time"])
        self.assertEqual(len({row["simulated_time"] for row in rows}), 8)

    def test_the_same_bytes_however_many_run_at_a_time(self):
        tables = []
        for jobs in (1, 3, 8):
            self.sweep("--jobs", jobs, "--vary", "link/lat=1x,2x,4x", "--platform", LINE, "--vary",
                       "set:smpi/os=0:1us:0,0:2us:0", self.trace)
            self.assertEqual(self.table.pop("host")["jobs"], jobs)
            tables.append((self.table, self.text))
        self.assertEqual(tables[0], tables[1])
        self.assertEqual(tables[0], tables[2])

    def test_a_combination_that_fails_has_a_row_with_its_words_and_the_others_run(self):
        rows = self.sweep("--platforms", f"missing.xml,{LINE},cluster:n=4,bw=ten,lat=1us", "--vary", "link/bw=1x,2x",
                          self.trace, code=1)
        self.assertEqual([row["exit_code"] for row in rows], [2, 2, 0, 0, 2, 2])
        self.assertEqual([row["ratio"] for row in rows], [None] * 6)
        for row in rows[:2]:
            self.assertTrue(row["error"].startswith("missing.xml"), row["error"])
        for row in rows[4:]:
            self.assertIn("bw: not a number: 'ten'", row["error"])
        self.assertEqual(self.text[2].count("exit code 2"), 4)

    def test_traces_of_other_formats(self):
        text = self.directory / "ring.txt"
        self.gnomon("trace", "convert", "--single-file", self.trace, text)
        for row, latency in zip(self.sweep("--vary", "link/lat=1x,2x", "--platform", LINE, text), ("50us", "100us")):
            self.check_row(row, self.single("replay", "--platform", LINE.replace("50us", latency), text))

    def test_a_list_keeps_the_keys_of_an_algorithm_together(self):
        rows = self.sweep("--vary", "coll=bcast:ompi_chain,segment=8192,fanout=4,binomial_tree,allreduce:lr", self.trace)
        self.assertEqual(self.table["axes"][0], {"name": "coll", "values": [
            "bcast:ompi_chain,segment=8192,fanout=4", "bcast:binomial_tree", "allreduce:lr"]})
        self.check_row(rows[2], self.single("replay", "--coll", "allreduce:lr", self.trace))

    def test_an_output_that_cannot_be_written_is_an_error(self):
        result = self.gnomon("sweep", "--vary", "link/bw=1x,2x", "--csv", "/dev/full", self.trace, code=74)
        self.assertIn("cannot write /dev/full: No space left on device", result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 3)


class Variants(Scratch):
    """A varied platform is one whose text has the other figures."""

    FIGURES = {"bandwidth": 125, "latency": 40, "speed": 1000}
    KEYS = (("link/bw", "bandwidth"), ("link/lat", "latency"), ("host/speed", "speed"))

    def check(self, text, *options, keys=KEYS):
        platform, other = self.directory / "platform.xml", self.directory / "other.xml"
        platform.write_text(text.format(**self.FIGURES))
        for key, figure in keys:
            rows = self.sweep("--platform", platform, "--vary", f"{key}=1x,2x,0.5x", *options, self.trace)
            for row, factor in zip(rows, (1, 2, 0.5)):
                other.write_text(text.format(**{**self.FIGURES, figure: self.FIGURES[figure] * factor}))
                self.check_row(row, self.single("replay", "--platform", other, *options, self.trace))
            self.assertEqual(len({row["simulated_time"] for row in rows}), 3, key)

    def test_of_a_file(self):
        self.check(FILE)

    def test_of_cabinets_and_their_backbone(self):
        self.check(CABINETS)

    def test_of_limiters_and_loopbacks(self):
        self.check(LIMITERS, "--host", "h0:2,h1:2")

    def test_of_peers(self):
        self.check(PEERS, keys=(self.KEYS[0], self.KEYS[2]))

    def test_of_one_line(self):
        for key, old, new in (("link/bw", "1Gbps", "2Gbps"), ("link/lat", "50us", "100us"), ("host/speed", "1Gf", "2Gf")):
            rows = self.sweep("--platform", LINE, "--vary", f"{key}=1x,2x", self.trace)
            self.check_row(rows[0], self.single("replay", "--platform", LINE, self.trace))
            self.check_row(rows[1], self.single("replay", "--platform", LINE.replace(old, new), self.trace))
            self.assertNotEqual(rows[0]["simulated_time"], rows[1]["simulated_time"])
        without = LINE.replace(",speed=1Gf", "")
        rows = self.sweep("--platform", without, "--vary", "host/speed=1x,0.1x", self.trace)
        self.check_row(rows[1], self.single("replay", "--platform", LINE, self.trace))

    def test_of_the_default_platform(self):
        default = "cluster:n=4,speed=10Gf,bw=12.5GBps,lat=0.5us,loopback_bw=10GBps,loopback_lat=0.1us"
        for key, old, new in (("link/bw", ",bw=12.5GBps", ",bw=25GBps"), ("link/lat", ",lat=0.5us", ",lat=1us"),
                              ("host/speed", "10Gf", "20Gf")):
            rows = self.sweep("--vary", f"{key}=1x,2x", self.trace)
            self.check_row(rows[0], self.single("replay", self.trace))
            if key == "link/bw":
                new += ",loopback_bw=20GBps"
                platform = default.replace(",loopback_bw=10GBps", "").replace(old, new)
            else:
                platform = default.replace(old, new)
            self.check_row(rows[0], self.single("replay", "--platform", default, self.trace))
            self.check_row(rows[1], self.single("replay", "--platform", platform, self.trace))
            self.assertNotEqual(rows[0]["simulated_time"], rows[1]["simulated_time"])

    def test_faster_hosts_execute_more_instructions_a_second(self):
        rows = self.sweep("--platform", LINE, "--instruction-rate=1e8", "--vary", "host/speed=1x,2x", self.trace)
        faster = LINE.replace("1Gf", "2Gf")
        self.check_row(rows[1], self.single("replay", "--platform", faster, "--instruction-rate=2e8", self.trace))
        self.assertLess(rows[1]["simulated_time"], rows[0]["simulated_time"])

    def test_every_platform_that_is_installed_can_be_varied_or_says_why_not(self):
        refused = 0
        for platform in sorted((SOURCE / "platforms").rglob("*.xml")):
            result = subprocess.run([GNOMON, "sweep", "--json", "all.json", "--platform", platform, "--vary",
                                     "link/bw=1x,4x", self.trace], capture_output=True, text=True, cwd=self.directory,
                                    env=self.environment, check=False)
            rows = json_schema.validate((self.directory / "all.json").read_text(), "sweep")["rows"]
            if rows[0]["exit_code"] == 0 and rows[1]["exit_code"] != 0:
                refused += 1
                self.assertIn("with profiles", rows[1]["error"], platform)
                self.assertEqual(result.returncode, 1)
            elif rows[0]["exit_code"] == 0:
                self.assertLessEqual(rows[1]["simulated_time"], rows[0]["simulated_time"], platform)
        self.assertEqual(refused, 1)


class Programs(Scratch):
    def test_runs_with_numbers_of_ranks(self):
        rows = self.sweep("--compute=counted", "--vary", "n=2,4", "--vary", "link/bw=1x,2x", self.program)
        self.assertEqual([row["ranks"] for row in rows], [2, 2, 4, 4])
        for at, ranks in ((0, 2), (2, 4)):
            self.check_row(rows[at], self.single("run", "-n", ranks, "--compute=counted", self.program))
        default = "cluster:n=4,speed=10Gf,bw=25GBps,lat=0.5us,loopback_bw=20GBps,loopback_lat=0.1us"
        self.check_row(rows[3], self.single("run", "-n", 4, "--compute=counted", "--platform", default, self.program))

    def test_a_measured_program_runs_alone(self):
        result = self.gnomon("sweep", "-n", 2, "--jobs", 4, "--json", "m.json", "--vary", "link/bw=1x,2x", self.program)
        self.assertIn("one run at a time: runs beside each other would slow down", result.stderr)
        table = json_schema.validate((self.directory / "m.json").read_text(), "sweep")
        self.assertEqual((table["kind"], table["host"]["jobs"]), ("program", 1))

    def test_shadow_may_be_on_or_off(self):
        rows = self.sweep("-n", 2, "--vary", "shadow=off,on", self.program)
        self.assertEqual([row["values"] for row in rows], [["off"], ["on"]])

    def test_what_a_program_says_when_it_fails(self):
        rows = self.sweep("-n", 2, "--compute=none", "--vary", "link/bw=1x,2x", self.program, "fail", code=1)
        self.assertEqual([(row["exit_code"], row["error"]) for row in rows], [(7, "ring: no way")] * 2)

    def test_a_program_that_leaves_the_simulation_has_no_figures(self):
        rows = self.sweep("-n", 1, "--compute=none", "--vary", "link/bw=1x,2x", self.program, "leave", code=1)
        for row in rows:
            self.assertEqual((row["exit_code"], row["simulated_time"]), (0, None))
            self.assertIn("wrote no summary", row["error"])


class Refused(Scratch):
    def refused(self, text, *arguments):
        result = self.gnomon("sweep", *arguments, code=2)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_command_lines(self):
        vary = ["--vary", "link/bw=1x,2x"]
        for text, *arguments in (
                ("no trace or program", *vary), ("nothing is varied", self.trace), ("'--vary' needs a value", "--vary"),
                ("expected KEY=V1,V2", "--vary", "link", self.trace), ("a value is empty", "--vary", "link/bw=1x,", self.trace),
                ("there twice", "--vary", "link/bw=1x,1x", self.trace), ("varied twice", *vary, *vary, self.trace),
                ("'2' is no factor", "--vary", "link/bw=1x,2", self.trace), ("'0x' is no factor", "--vary", "link/lat=0x", self.trace),
                ("there are link/bw, link/lat and host/speed", "--vary", "link/bandwidth=1x", self.trace),
                ("expected COLLECTIVE:ALGORITHM first", "--vary", "coll=rdb", self.trace),
                ("did you mean 'network'", "--vary", "netwrok=smpi", self.trace), ("nothing of that name", "--vary", "json=a", self.trace),
                ("nothing of that name", "--vary", "trace=a,b", self.trace), ("expected set:KEY", "--vary", "set:=1", self.trace),
                ("'--trace' names one file", "--trace", "x.gtr", *vary, self.program),
                ("exclude each other", "--platform", LINE, "--platforms", LINE, self.trace),
                ("expected a whole number from 1", "--jobs", "0", *vary, self.trace),
                ("unknown option '--varry'", "--varry", "a=b", self.trace), ("are for 'gnomon run'", "--dry-run", *vary, self.trace),
                ("'list' is for 'gnomon run'", "--vary", "network=smpi,list", self.trace),
                ("'-n RANKS' is missing", *vary, self.program), ("expected a whole number", "--vary", "n=2,many", self.program),
                ("cannot be written", "--csv", "no-such-folder/a.csv", *vary, self.trace),
                ("more than 1000000 combinations", *[word for key in ("link/bw", "link/lat", "host/speed", "set:a", "set:b")
                 for word in ("--vary", f"{key}=" + ",".join(f"{n}x" for n in range(1, 21)))], self.trace)):
            with self.subTest(text=text, arguments=arguments):
                self.refused(text, *arguments)

    def test_damaged_traces(self):
        (self.directory / "damaged.gtr").write_bytes(self.trace.read_bytes()[:-20])
        self.refused("damaged.gtr", "--vary", "link/bw=1x,2x", "damaged.gtr")
        self.refused("absent.gtr", "--vary", "link/bw=1x,2x", "absent.gtr")

    def test_help_and_the_documents_list_what_there_is(self):
        text = self.gnomon("sweep", "--help").stdout
        for word in ("--platforms LIST", "--vary KEY=V1,V2", "--jobs", "--csv", "--json", "--svg", "link/bw", "host/speed"):
            self.assertIn(word, text)


class Interrupted(Scratch):
    def test_what_is_known_is_told_and_no_run_is_left(self):
        pids = self.directory / "pids"
        pids.mkdir()
        command = [GNOMON, "sweep", "--compute=none", "--jobs=2", "--json=cut.json", "--csv=cut.csv", "--vary", "n=2,3,4,5",
                   "--", self.program, "hang", pids]
        sweep = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=self.directory, env=self.environment)
        limit = time.monotonic() + 60
        while len(list(pids.iterdir())) < 2 and time.monotonic() < limit:
            time.sleep(0.02)
        sweep.send_signal(signal.SIGINT)
        output, _ = sweep.communicate(timeout=60)
        self.assertEqual(sweep.returncode, 130)
        self.assertEqual(output.splitlines()[-1], "INCOMPLETE: 0 of 4 combinations")
        self.assertEqual((self.directory / "cut.csv").read_text().splitlines()[-1], "# INCOMPLETE: 0 of 4 combinations")
        table = json_schema.validate((self.directory / "cut.json").read_text(), "sweep")
        self.assertEqual((table["complete"], table["combinations"], table["rows"]), (False, 4, []))
        for pid in pids.iterdir():
            with self.assertRaises(ProcessLookupError):
                os.kill(int(pid.name), 0)

    def test_runs_end_when_the_sweep_is_killed(self):
        pids = self.directory / "killed"
        pids.mkdir()
        sweep = subprocess.Popen([GNOMON, "sweep", "--compute=none", "--jobs=1", "--vary", "n=2,3", "--", self.program, "hang",
                                  pids], stdout=subprocess.PIPE, cwd=self.directory,
                                 env={**os.environ, "TMPDIR": str(self.directory)})
        limit = time.monotonic() + 60
        while not list(pids.iterdir()) and time.monotonic() < limit:
            time.sleep(0.02)
        sweep.kill()
        sweep.communicate(timeout=60)
        pid, = (int(file.name) for file in pids.iterdir())
        while time.monotonic() < limit:
            try:
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except FileNotFoundError:
                return
            if state == "Z":
                return
            time.sleep(0.02)
        self.fail("a run goes on without its sweep")


class Resumed(Scratch):
    """A sweep of a program on 2 to 5 ranks, of which those on 4 and 5 wait for a file."""

    def setUp(self):
        self.marks = pathlib.Path(tempfile.mkdtemp(dir=self.directory))
        self.output = self.marks.with_suffix(".json")
        self.words = ["sweep", "--compute=none", "--jobs=1", "--json", self.output, "--csv", self.output.with_suffix(".csv"),
                      "--vary", "n=2,3,4,5", "--", self.program, "wait", self.marks]

    def runs(self):
        """How often it ran, by ranks."""
        ranks = [int(mark.name.split("-")[0]) for mark in self.marks.glob("*-*")]
        return {number: ranks.count(number) for number in set(ranks)}

    def known(self):
        return json.loads(self.output.read_text())["rows"] if self.output.exists() else []

    def interrupted(self, number, **options):
        sweep = subprocess.Popen([GNOMON, *map(str, self.words)], text=True, cwd=self.directory,
                                 env={**os.environ, "TMPDIR": tempfile.mkdtemp(dir=self.directory)}, **options)
        limit = time.monotonic() + 60
        while (len(self.known()) < 2 or 4 not in self.runs()) and time.monotonic() < limit:
            time.sleep(0.02)
        sweep.send_signal(number)
        return sweep, *sweep.communicate(timeout=60)

    def resumed(self, code=0):
        return self.gnomon("sweep", "--resume", *self.words[1:], code=code)

    def whole(self):
        """What is written of the sweep but for the machine's part."""
        table = json_schema.validate(self.output.read_text(), "sweep")
        del table["host"]
        return table, self.output.with_suffix(".csv").read_text()

    def test_what_a_killed_sweep_knew_is_there_and_the_rest_is_run_later(self):
        self.interrupted(signal.SIGKILL, stdout=subprocess.DEVNULL)
        table, rows = self.whole()
        self.assertEqual((table["complete"], [row["values"] for row in table["rows"]]), (False, [["2"], ["3"]]))
        self.assertEqual(rows.splitlines()[-1], "# INCOMPLETE: 2 of 4 combinations")
        (self.marks / "go").touch()
        result = self.resumed()
        self.assertIn("2 of 4 combinations are known", result.stderr)
        self.assertEqual(self.runs(), {2: 1, 3: 1, 4: 2, 5: 1})
        resumed, text = self.whole(), result.stdout
        self.assertEqual(self.gnomon(*self.words).stdout, text)
        self.assertEqual(self.whole(), resumed)
        self.assertTrue(resumed[0]["complete"])

    def test_a_complete_one_runs_nothing(self):
        (self.marks / "go").touch()
        first = self.resumed()  # there is no file: it begins
        self.assertEqual(self.resumed().stdout, first.stdout)
        self.assertEqual(self.runs(), {2: 1, 3: 1, 4: 1, 5: 1})

    def test_a_signal_ends_it_with_what_is_known_and_how_to_go_on(self):
        sweep, output, errors = self.interrupted(signal.SIGTERM, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(sweep.returncode, 143)
        self.assertEqual(output.splitlines()[-1], "INCOMPLETE: 2 of 4 combinations")
        self.assertIn("the same command with --resume goes on", errors)

    def test_what_failed_is_run_again(self):
        (self.marks / "go").touch()
        (self.marks / "no").touch()
        self.gnomon(*self.words, code=1)
        self.assertEqual([row["exit_code"] for row in self.known()], [0, 7, 0, 0])
        (self.marks / "no").unlink()
        self.resumed()
        self.assertEqual([row["exit_code"] for row in self.known()], [0, 0, 0, 0])
        self.assertEqual(self.runs(), {2: 1, 3: 2, 4: 1, 5: 1})

    def test_a_terminal_sees_each_result(self):
        (self.marks / "go").touch()
        text = terminal.told([GNOMON, *self.words], stdout=subprocess.DEVNULL, cwd=self.directory, env=self.environment)
        for row in self.known():
            self.assertIn(f"{row['values'][0]}: {row['simulated_time']:.9g} s", text)


class Other(Scratch):
    """What --resume refuses."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.platform = cls.directory / "platform.xml"
        cls.profile = cls.directory / "speed.txt"
        cls.profile.write_text("0 1.0\n")
        cls.platform.write_text(FILE.format(bandwidth=125, latency=40, speed=1000).replace(
            'id="r0"', 'id="r0" availability_file="speed.txt"'))
        cls.json = cls.directory / "part.json"
        cls.options = ["--json", cls.json, "--platform", cls.platform]
        cls.vary = ["--vary", "coll=allreduce:rdb,lr"]
        cls.gnomon("sweep", *cls.options, *cls.vary, cls.trace)
        cls.whole = cls.json.read_text()

    def refused(self, text, *arguments):
        self.json.write_text(self.whole)
        result = self.gnomon("sweep", "--resume", *arguments, code=2)
        self.assertIn(text, result.stderr)
        self.assertEqual(self.json.read_text(), self.whole)

    def changed(self, file, content):
        before = file.read_bytes()
        file.write_bytes(content)
        self.refused(f"'{file}' is another file", *self.options, *self.vary, self.trace)
        file.write_bytes(before)

    def test_another_sweep(self):
        self.gnomon("sweep", "--resume", *self.options, *self.vary, self.trace)
        self.refused("--json", *self.vary, self.trace)
        self.refused("what is varied was 'coll:allreduce', and is 'network'", *self.options, "--vary", "network=smpi,loggps",
                     self.trace)
        self.refused("values of coll:allreduce", *self.options, "--vary", "coll=allreduce:rdb,lr,redbcast", self.trace)
        self.refused("the list of options", *self.options, "--scale-compute=2", *self.vary, self.trace)
        self.refused("the kind of input was 'trace'", *self.options, *self.vary, "-n", 4, "--compute=none", self.program)

    def test_other_files(self):
        other = self.directory / "other.gtr"
        self.gnomon("run", "-q", "-n", RANKS, "--compute=none", "--trace", other, self.program)
        self.changed(self.trace, other.read_bytes())
        self.changed(self.platform, self.platform.read_bytes() + b"\n")
        self.changed(self.profile, b"0 0.5\n")

    def test_damaged_files(self):
        table = json.loads(self.whole)
        row, origin = table["rows"][0], table["origin"]
        for text, damaged in (
                ("no JSON object", self.whole[:-20]), ("no JSON object", "[]"), ("no JSON object", "not JSON"), ("'kind' is missing", "{}"),
                ("an earlier version", {key: value for key, value in table.items() if key != "origin"}),
                ("'gnomon' is missing", {**table, "origin": []}),
                ("the version was 'gnomon 0'", {**table, "origin": {**origin, "gnomon": "gnomon 0"}}),
                ("'files' is no list", {**table, "origin": {**origin, "files": "a"}}),
                ("'name' is missing", {**table, "origin": {**origin, "files": [1]}}),
                ("'rows' is no list", {**table, "rows": 3}), ("'values' is missing", {**table, "rows": [3]}),
                ("'values' has more than texts", {**table, "rows": [{**row, "values": [1]}]}),
                ("not among those that are varied", {**table, "rows": [{**row, "values": ["ring"]}]}),
                ("'exit_code' is no whole number", {**table, "rows": [{**row, "exit_code": -1}]}),
                ("'simulated_time' is no time", {**table, "rows": [{**row, "simulated_time": -1}]}),
                ("'simulated_time' is no time", {**table, "rows": [{**row, "simulated_time": "1"}]}),
                ("'messages' is no whole number", {**table, "rows": [{**row, "messages": 1.5}]}),
                ("'axes' is no list", {**table, "axes": {}})):
            with self.subTest(text=text):
                self.json.write_text(damaged if isinstance(damaged, str) else json.dumps(damaged))
                result = self.gnomon("sweep", "--resume", *self.options, *self.vary, self.trace, code=2)
                self.assertIn(text, result.stderr)
                self.assertIn("part.json", result.stderr)


if __name__ == "__main__":
    unittest.main()
