#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: `gnomon calibrate fit` writes a platform that `gnomon check` finds good and on which a simulation takes what was
measured; it says so in text, JSON and SVG, and refuses bad samples and command lines with exit code 2 and their place."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
GNOMON = PREFIX / "bin/gnomon"
sys.path.insert(0, str(SOURCE / "test/support"))

import json_schema  # noqa: E402

HEAD = "# gnomon-calibration: 1\nexperiment,ranks,node,bytes,repetition,count,seconds,rank\n"
# Of another project's shaped network; beside the repository where it was measured, and nowhere else.
SHARED = SOURCE.parent / "shared/accuracy"


def affine(latency=20e-6, bandwidth=1e9, experiment="pingpong"):
    sizes = [int(1.3 ** power) for power in range(8, 58)]
    return "".join(f"{experiment},2,inter,{size},0,2,{2 * (latency + size / bandwidth):.12f},0\n" for size in sizes)


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def gnomon(self, *arguments, code=0):
        result = subprocess.run([GNOMON, *map(str, arguments)], cwd=self.directory, capture_output=True, text=True)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def write(self, name, text):
        (self.directory / name).write_text(text)
        return name

    def fit(self, *files, options=()):
        """What is said, and the JSON."""
        result = self.gnomon("calibrate", "fit", *files, "-o", "machine.xml", "--json", "fit.json", *options)
        return result.stdout, json_schema.validate((self.directory / "fit.json").read_text(), "calibrate-fit")


class Commands(Scratch):
    def test_help_lists_every_option(self):
        text = self.gnomon("calibrate", "--help").stdout
        for option in ("--output", "--json", "--plot", "--hosts", "--cpu", "--cores", "--speed", "--model", "--method", "--segments", "--penalty"):
            self.assertIn(option, text)
        self.assertEqual(text, self.gnomon("calibrate", "fit", "--help").stdout)

    def test_bad_command_lines(self):
        raw = self.write("raw.csv", HEAD + affine() + "# complete\n")
        for arguments, error in (
            ((), "a command is missing: measure, fit, cpu"), (("fitt",), "there is no command 'fitt'; did you mean 'fit'?"),
            (("fit",), "no samples"), (("fit", raw), "'-o MACHINE.xml' is missing"),
            (("fit", raw, "-o"), "'-o' needs a value"), (("fit", raw, "-o="), "'-o': the value is empty"),
            (("fit", raw, "-o", "m.xml", "--modell=smpi"), "unknown option '--modell'; did you mean '--model'?"),
            (("fit", raw, "-o", "m.xml", "--model=tcp"), "--model: expected smpi or ports, found 'tcp'"),
            (("fit", raw, "-o", "m.xml", "--method", "guess"), "--method: expected dp or correlation, found 'guess'"),
            (("fit", raw, "-o", "m.xml", "--penalty=-1"), "--penalty: negative number"),
            (("fit", raw, "-o", "m.xml", "--segments=0"), "expected a whole number from 1"),
            (("fit", raw, "-o", "m.xml", "--hosts=none"), "expected a whole number from 1"),
            (("fit", raw, "-o", "m.xml", "--cores", "0"), "expected a whole number from 1"),
            (("fit", raw, "-o", "m.xml", "--speed=fast"), "--speed: not a number"),
            (("fit", raw, "-o", "m.xml", "--speed=0f"), "a speed must be above zero"),
            (("fit", "none.csv", "-o", "m.xml"), "none.csv")):
            with self.subTest(arguments=arguments):
                self.assertIn(error, self.gnomon("calibrate", *arguments, code=2).stderr)
        self.assertFalse((self.directory / "m.xml").exists())


class Refused(Scratch):
    def test_damaged_samples_name_file_and_line(self):
        for text, place in ((HEAD + affine() + "pingpong,2,inter,1,0,1,zero,0\n", "raw.csv:53: seconds"),
                            (HEAD + "pingpong,2,inter,1,0,1\n", "raw.csv:3: a sample has 8 fields"),
                            ("# OSU MPI Latency Test\n1 1.0\n2 2.x\n", "raw.csv:3: latency"), ("text\n", "raw.csv: not what")):
            with self.subTest(text=text[-40:]):
                self.write("raw.csv", text)
                self.assertIn(place, self.gnomon("calibrate", "fit", "raw.csv", "-o", "m.xml", code=2).stderr)

    def test_absurd_machines(self):
        for samples, reason in ((affine(50), "raw.csv: a latency of 25 s is absurd"), (affine(1e-9, 1e13), "beyond that of any memory"),
                                (affine(experiment="stream"), "there is no ping-pong between hosts")):
            with self.subTest(reason=reason):
                self.write("raw.csv", HEAD + samples)
                self.assertIn(reason, self.gnomon("calibrate", "fit", "raw.csv", "-o", "m.xml", code=2).stderr)
                self.assertFalse((self.directory / "m.xml").exists())

    def test_outputs_that_cannot_be_written(self):
        self.write("raw.csv", HEAD + affine())
        for options in (("-o", "none/m.xml"), ("-o", "m.xml", "--json=none/a"), ("-o", "m.xml", "--plot=none/a")):
            self.assertIn("cannot be written", self.gnomon("calibrate", "fit", "raw.csv", *options, code=74).stderr)


class Outputs(Scratch):
    def test_all_say_the_same_each_time(self):
        self.write("raw.csv", HEAD + affine() + affine(2e-6, 1e9, "stream") + "# complete\n")
        said, fit = self.fit("raw.csv", options=("--plot", "fit.svg", "--model=smpi", "--hosts=16", "--cores", "4", "--speed=2Gf"))
        self.assertIn("machine.xml: 16 hosts, links of 1 GB/s and 9.992 us (model smpi)", said)
        self.assertIn("20 us + b / 1 GB/s", said)
        self.assertEqual(len(fit["fits"][0]["segments"]), 1)
        self.assertAlmostEqual(fit["fits"][0]["segments"][0]["bandwidth"] / 1e9, 1, 3)
        self.assertLess(fit["experiments"][0]["worst_error"], 0.001)
        cluster = xml.etree.ElementTree.parse(self.directory / "machine.xml").find("cluster").attrib
        self.assertEqual((cluster["radical"], cluster["core"], cluster["speed"]), ("0-15", "4", "2Gf"))
        self.assertIn("good", self.gnomon("check", "--werror", "machine.xml").stdout)
        self.assertEqual(xml.etree.ElementTree.parse(self.directory / "fit.svg").getroot().tag, "{http://www.w3.org/2000/svg}svg")
        texts = {name: (self.directory / name).read_text() for name in ("machine.xml", "fit.json", "fit.svg")}
        self.assertEqual(self.fit("raw.csv", options=("--plot", "fit.svg", "--model=smpi", "--hosts=16", "--cores", "4", "--speed=2Gf"))[0], said)
        self.assertEqual({name: (self.directory / name).read_text() for name in texts}, texts)

    def test_methods_and_models(self):
        self.write("raw.csv", HEAD + affine())
        _, fit = self.fit("raw.csv", options=("--method=correlation", "--model=ports", "--penalty=2"))
        self.assertEqual((fit["method"], fit["model"], fit["penalty"], len(fit["fits"][0]["segments"])), ("correlation", "ports", 2, 3))
        _, fit = self.fit("raw.csv", options=("--segments=2", "--model=smpi"))
        self.assertEqual(len(fit["fits"][0]["segments"]), 2)

    def test_the_model_that_is_taken_follows_the_network(self):
        for latency, model in ((20e-6, "ports"), (2e-6, "smpi")):
            self.write("raw.csv", HEAD + affine(latency))
            said, fit = self.fit("raw.csv")
            self.assertEqual(fit["model"], model, said)
            values = {prop.get("id"): prop.get("value")
                      for prop in xml.etree.ElementTree.parse(self.directory / "machine.xml").iter("prop")}
            self.assertEqual(values.get("network/model"), "ports" if model == "ports" else None)

    def test_hosts_are_as_calibrate_cpu_found_them(self):
        self.write("raw.csv", HEAD + affine())
        points = [{"busy": busy, "slowness": slowness} for busy, slowness in ((1, 1), (2, 1.5), (4, 3))]
        host = {"version": 1, "cores": 4, "speed_flops": 2.5e9, "kernels": [{"name": "memory", "points": points}]}
        self.write("cpu.json", json.dumps(host))
        self.fit("raw.csv", options=("--cpu", "cpu.json"))
        tree = xml.etree.ElementTree.parse(self.directory / "machine.xml")
        self.assertEqual((tree.find("cluster").get("core"), tree.find("cluster").get("speed")), ("4", "2.5Gf"))
        self.assertEqual([prop.get("value") for prop in tree.iter("prop") if prop.get("id") == "cpu/slowness"], ["2:1.5;4:3"])
        self.assertIn("good", self.gnomon("check", "--werror", "machine.xml").stdout)
        self.fit("raw.csv", options=("--cpu", "cpu.json", "--cores=8", "--speed=1Gf"))
        cluster = xml.etree.ElementTree.parse(self.directory / "machine.xml").find("cluster")
        self.assertEqual((cluster.get("core"), cluster.get("speed")), ("8", "1Gf"))
        self.write("cpu.json", "{}")
        said = self.gnomon("calibrate", "fit", "raw.csv", "-o", "m.xml", "--cpu=cpu.json", code=2).stderr
        self.assertIn("cpu.json: it is not what 'gnomon calibrate cpu -o FILE' writes", said)

    def test_names_and_facts_from_files_cannot_break_the_xml(self):
        self.write("a--><b>\u00e9.csv", "# gnomon-calibration: 1\n# mpi: --> <platform> \u00e9\n" + HEAD + affine())
        self.fit("a--><b>\u00e9.csv")
        self.gnomon("check", "machine.xml")


class Tables(Scratch):
    def test_of_other_benchmarks_make_the_same_machine(self):
        sizes = [2 ** power for power in range(22)]
        osu = "# OSU MPI Latency Test v7.3\n# Size  Avg Latency(us)\n" + "".join(f"{b} {20 + b / 1000:.4f}\n" for b in sizes)
        rates = "# OSU MPI Bandwidth Test v7.3\n# Size Bandwidth (MB/s)\n" + "".join(f"{b} {b / (1 + b / 1000):.4f}\n" for b in sizes)
        imb = "# Benchmarking PingPong\n# #processes = 2\n #bytes #repetitions t[usec] Mbytes/sec\n" + "".join(
            f"{b} 1000 {20 + b / 1000:.4f} 0\n" for b in sizes)
        skampi = 'begin result "Pingpong_Send_Recv"\n' + "".join(
            f"count= {b} {b} {2 * (20 + b / 1000):.4f} 0.1 16\n" for b in sizes) + 'end result "Pingpong_Send_Recv"\n'
        for files in ((osu, rates), (imb,), (skampi,)):
            with self.subTest(text=files[0][:20]):
                names = [self.write(f"t{number}.txt", text) for number, text in enumerate(files)]
                machine = self.fit(*names, options=("--model=smpi",))[1]["machine"]
                self.assertAlmostEqual(machine["latency"] / 10e-6, 1, 2)
                self.assertAlmostEqual(machine["bandwidth"] / 1e9, 1, 2)


class Simulated(Scratch):
    """What Gnomon simulates on a known machine, calibrated, is that machine."""

    SETTINGS = {"smpi/lat-factor": "0:1;1040:2.5;65552:6", "smpi/bw-factor": "0:0.3;1040:0.7;65552:1",
                "smpi/os": "0:2us:0.1ns", "smpi/or": "0:3us:0.2ns", "smpi/ois": "0:1us:0.05ns",
                "smpi/async-small-thresh": "8192", "smpi/send-is-detached-thresh": "65536", "network/TCP-gamma": "0"}

    def setUp(self):
        super().setUp()
        self.gnomon("cc", HERE / "probe.c", "-O1", "-o", "probe")

    def probe(self, name, *options, arguments=()):
        result = self.gnomon("run", "-q", "-n", "4", "--compute=none", *options, "./probe", *arguments)
        self.write(name, result.stdout)

    def medians(self, name):
        rows = [line.split(",") for line in (self.directory / name).read_text().splitlines() if line[0] != "#"][1:]
        return {(row[0], int(row[3]), row[7]): float(row[6]) for row in rows}

    def test_the_platform_comes_back(self):
        sets = [word for key, value in self.SETTINGS.items() for word in ("--set", f"{key}={value}")]
        self.probe("raw.csv", "--platform=cluster:n=4,bw=100MBps,lat=30us", *sets)
        said, fit = self.fit("raw.csv", options=("--model=smpi",))
        machine = fit["machine"]
        self.assertAlmostEqual(machine["bandwidth"] / 100e6, 1, delta=0.02)
        self.assertAlmostEqual(machine["latency"] / 30e-6, 1, delta=0.02)
        self.assertTrue(50000 < fit["eager_limit"] < 65536 and 6000 < fit["moved_ahead_limit"] < 8192, said)
        segments = fit["fits"][0]["segments"]
        self.assertEqual(len(segments), 3, said)
        for segment, startup, bandwidth in zip(segments, (65.2e-6, 155e-6, 360e-6), (29.7e6, 68.5e6, 100e6), strict=True):
            self.assertAlmostEqual(segment["startup"] / startup, 1, delta=0.02)
            self.assertAlmostEqual(segment["bandwidth"] / bandwidth, 1, delta=0.02)
        # The machine that was written takes the same times, by Gnomon's own account; sizes whose regime is not known, because they lie
        # between the last probe on one side of a threshold and the first on the other, do not occur.
        self.probe("again.csv", "--platform=machine.xml")
        first, again = self.medians("raw.csv"), self.medians("again.csv")
        for key, seconds in first.items():
            if key[0] in ("pingpong", "stream", "exchange"):
                self.assertAlmostEqual(again[key] / seconds, 1, delta=0.03, msg=key)


    def test_ports_come_back(self):
        """A network of 10 Mbit/s whose ports let 3000 bytes go at once, with software that takes 50 us in the mean."""
        self.probe("raw.csv", "--platform=cluster:n=4,bw=1.25MBps,lat=38us", "--network=ports", "--set", "ports/burst=3000B",
                   "--set", "ports/jitter=50us", arguments=("60",))
        said, fit = self.fit("raw.csv")
        settings = {setting["key"]: float(setting["value"].rstrip("sBp")) for setting in fit["machine"]["settings"]
                    if setting["key"] in ("ports/burst", "ports/jitter")}
        self.assertAlmostEqual(fit["machine"]["bandwidth"] / 1.25e6, 1, delta=0.02, msg=said)
        self.assertAlmostEqual(fit["machine"]["latency"] / 38e-6, 1, delta=0.1, msg=said)
        self.assertAlmostEqual(settings["ports/burst"] / 3000, 1, delta=0.05, msg=said)
        self.assertAlmostEqual(settings["ports/jitter"] / 50e-6, 1, delta=0.2, msg=said)
        self.assertIn("gnomon run --platform machine.xml -n RANKS PROGRAM", said)
        # The file names its model: a run needs no --network.
        self.probe("again.csv", "--platform=machine.xml", arguments=("30",))
        again = self.fit("again.csv")[1]["machine"]
        for figure in ("bandwidth", "latency"):
            self.assertAlmostEqual(again[figure] / fit["machine"][figure], 1, delta=0.1)


class Program(Scratch):
    """The same with the program that is installed for real machines, and all of its samples."""

    def measure(self, platform, *options, network=()):
        sources = sorted((PREFIX / "share/gnomon/calibrate").glob("*.c"))
        self.gnomon("cc", "-std=c99", "-O2", *sources, "-o", "measure", "-lm")
        self.gnomon("run", "-q", "-n", "4", "--compute=none", "--platform", platform, *network, "./measure", "-q", "-o", "raw.csv", *options)

    def test_smpis_parameters_come_back(self):
        network = ("--set", "smpi/lat-factor=0:1", "--set", "smpi/bw-factor=0:1", "--set", "smpi/os=0:2us:0.1ns", "--set",
                   "smpi/or=0:3us:0.2ns", "--set", "smpi/send-is-detached-thresh=16384", "--set", "smpi/async-small-thresh=16384")
        self.measure("cluster:n=4,bw=1GBps,lat=10us", "--budget", "2", "--sizes", "16", "--max", "1M", network=network)
        said, fit = self.fit("raw.csv", options=("--model=smpi",))
        self.assertAlmostEqual(fit["machine"]["bandwidth"] / 1e9, 1, delta=0.05, msg=said)
        self.assertAlmostEqual(fit["machine"]["latency"] / 10e-6, 1, delta=0.02, msg=said)
        self.assertEqual((fit["eager_limit"], fit["moved_ahead_limit"]), (16383, 16383))
        settings = {setting["key"]: setting["value"] for setting in fit["machine"]["settings"]}
        # Not so `or`: messages of this model do not wait for each other, and the one that says "it is there" is faster.
        threshold, *figures = settings["smpi/os"].split(":")
        self.assertEqual(threshold, "0")
        for figure, true in zip(figures, (2e-6, 0.1e-9), strict=True):
            self.assertAlmostEqual(float(figure.rstrip("s")) / true, 1, delta=0.05)
        errors = {(series["experiment"], series["ranks"]): series["mean_error"] for series in fit["experiments"]}
        self.assertLess(errors["pingpong", 2], 0.01)


class Measured(Scratch):
    def test_a_real_network(self):
        """Open MPI over ports of 10 Mbit/s: a little less than 1.25 MB/s, less headers."""
        if not (SHARED / "n3-pp.txt").exists():
            self.skipTest("the samples of a real network are not beside the repository (shared/accuracy)")
        said, fit = self.fit(SHARED / "n3-pp.txt", options=("--model=smpi",))
        self.assertTrue(1.17e6 < fit["machine"]["bandwidth"] < 1.2e6, said)
        self.assertTrue(40e-6 < fit["machine"]["latency"] < 90e-6, said)
        self.assertLess(fit["fits"][0]["mean_error"], 0.08)
        self.gnomon("check", "--werror", "machine.xml")


if __name__ == "__main__":
    unittest.main()
