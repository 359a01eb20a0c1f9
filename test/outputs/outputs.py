#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: no file that a run writes overwrites what it reads or another one, each is tried before the start, nobody can
lead it elsewhere, and nothing is left behind when the run is cut short; the ranks' output is not held in memory."""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import json_schema  # noqa: E402

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
GNOMON = PREFIX / "bin/gnomon"
#: Every option that names a file to write.
OUTPUTS = ("--json", "--bursts", "--record-profile", "--record-decisions", "--coll-messages", "--comm-trace")
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">
    <host id="a" speed="1Gf" speed_file="speeds"/>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""


class Outputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.built = pathlib.Path(cls.scratch.name) / "built"
        subprocess.run([GNOMON, "cc", "-O2", "-g", HERE / "writes.c", "-o", cls.built], check=True, stderr=subprocess.DEVNULL)

    def setUp(self):
        self.folder = pathlib.Path(self.scratch.name) / self.id().rsplit(".", 1)[1]
        self.folder.mkdir()
        self.program = self.folder / "program"
        shutil.copy(self.built, self.program)

    def gnomon(self, *arguments, code=0, **options):
        # The standard streams are pipes, which are no files of the run.
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder, **options}
        command = [str(word) for word in (GNOMON, "run", *arguments)]
        result = subprocess.run(command, text=True, **options)
        self.assertEqual(result.returncode, code, f"{result.stdout}{result.stderr}")
        if code != 2:
            json_schema.written(command, self.folder)
        return result

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Refused(Outputs):
    """Exit code 2, and every file as it was."""

    def refused(self, said, *arguments, **options):
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        result = self.gnomon("-n", 2, *arguments, code=2, **options)
        self.assertIn(f"gnomon: error: {said}\n", result.stderr)
        self.assertNotIn("has started", result.stdout or "")
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def test_the_program(self):
        for option in OUTPUTS:
            with self.subTest(option):
                self.refused(f"{option}: 'program' is the program; name another file", option, "program", "./program")

    def test_the_program_by_another_name(self):
        (self.folder / "link").symlink_to("program")
        self.refused("--json: 'link' is the program; name another file", "--json", "link", "./program")
        self.refused("--json: './../test_the_program_by_another_name/program' is the program; name another file", "--json",
                     "./../test_the_program_by_another_name/program", "./program")

    def test_another_program_of_the_run(self):
        shutil.copy(self.built, self.folder / "other")
        self.refused("--json: 'other' is the program after ':'; name another file", "--json", "other", "./program", ":", "-n", 1,
                     "./other")

    def test_a_library_of_the_program(self):
        library = self.folder / "libgnomon.so"
        shutil.copy(PREFIX / "lib/libgnomon.so", library)
        self.refused("--json: 'libgnomon.so' is a library of the program; name another file", "--json", "libgnomon.so", "./program",
                     env=dict(os.environ, LD_PRELOAD=str(library)))

    def test_inputs(self):
        self.write("speeds", "0 1\n")
        self.write("platform.xml", PLATFORM)
        self.write("hosts", "a\nb\n")
        self.write("curves", "allreduce linear latency=5us bandwidth=1GBps\n")
        self.gnomon("-n", 2, "--record-profile", "profile", "./program")
        inputs = ("--platform", "platform.xml", "--hostfile", "hosts", "--coll-model", "curves", "--compute=profile=profile")
        for name, what in (("platform.xml", "the file of --platform"), ("hosts", "the file of --hostfile"),
                           ("curves", "the file of --coll-model"), ("profile", "the file of --compute"),
                           ("speeds", "a profile of the platform")):
            with self.subTest(name):
                self.refused(f"--bursts: '{name}' is {what}; name another file", "--bursts", name, *inputs, "./program")

    def test_each_other(self):
        self.refused("--bursts: './out' is also the file of --json; name another file", "--json", "out", "--bursts", "./out", "./program")
        self.write("out", "there already\n")
        os.link(self.folder / "out", self.folder / "same")
        self.refused("--comm-trace: 'same' is also the file of --json; name another file", "--json", "out", "--comm-trace", "same",
                     "./program")

    def test_the_standard_streams(self):
        self.write("in", "words\n")
        with open(self.folder / "in") as stream:
            self.refused("--json: 'in' is the standard input; name another file", "--json", "in", "./program", stdin=stream)
        for name, what in (("stdout", "output"), ("stderr", "error")):
            with open(self.folder / "out", "w+") as stream:
                result = subprocess.run([GNOMON, "run", "-n", "2", "--json", "out", "./program"], cwd=self.folder, text=True,
                                        stdin=subprocess.DEVNULL, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, name: stream})
                stream.seek(0)
                said = result.stderr or stream.read()
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"gnomon: error: --json: 'out' is the standard {what}; name another file\n", said)

    def test_devices_may_stand_twice(self):
        self.gnomon("-n", 2, "--json", "/dev/null", "--bursts", "/dev/null", "./program")
        result = subprocess.run([GNOMON, "run", "-n", "2", "-q", "--json", "/dev/stdout", "./program"], cwd=self.folder, text=True,
                                check=True, capture_output=True)
        self.assertIn('"exit_code": 0', result.stdout)
        self.assertEqual(result.stdout.count("has started"), 2)


class BeforeTheStart(Outputs):
    def test_a_folder_that_is_not_there(self):
        for option in OUTPUTS:
            with self.subTest(option):
                result = self.gnomon("-n", 2, option, "no/out", "./program", code=2)
                self.assertIn("gnomon: error: no/out: cannot be written: No such file or directory\n", result.stderr)
                self.assertNotIn("has started", result.stdout)

    def test_a_folder_itself(self):
        (self.folder / "out").mkdir()
        result = self.gnomon("-n", 2, "--json", "out", "./program", code=2)
        self.assertIn("gnomon: error: out: cannot be written: Is a directory\n", result.stderr)


class Names(Outputs):
    def test_links_that_were_planted_are_not_followed(self):
        victim = self.folder / "victim"
        victim.write_text("precious\n")
        script = " ".join(f"ln -s {victim} out/{option}.tmp$$;" for option in OUTPUTS) + f" exec {GNOMON} run -q -n 2 "
        (self.folder / "out").mkdir()
        subprocess.run(["sh", "-c", script + " ".join(f"{option} out/{option}" for option in OUTPUTS) + " ./program"], check=True,
                       cwd=self.folder, stdout=subprocess.DEVNULL)
        self.assertEqual(victim.read_text(), "precious\n")
        for option in OUTPUTS:
            self.assertFalse((self.folder / "out" / option).is_symlink(), option)

    def test_a_link_is_replaced(self):
        victim = self.folder / "victim"
        victim.write_text("precious\n")
        (self.folder / "out").symlink_to(victim)
        self.gnomon("-n", 2, "--json", "out", "./program")
        self.assertEqual(victim.read_text(), "precious\n")
        self.assertEqual(json.loads((self.folder / "out").read_text())["exit_code"], 0)

    def test_mode_as_the_umask_says(self):
        self.gnomon("-n", 2, "--json", "out", "--comm-trace", "trace", "./program", preexec_fn=lambda: os.umask(0o027))
        for name in ("out", "trace"):
            self.assertEqual((self.folder / name).stat().st_mode & 0o777, 0o640)

    def test_relative_to_where_the_user_is(self):
        inside = self.folder / "inside"
        inside.mkdir()
        options = [word for option in OUTPUTS for word in (option, option[2:])]
        self.gnomon("-n", 2, "-wdir", "inside", *options, self.program)
        self.assertEqual(list(inside.iterdir()), [])
        self.assertEqual(self.names(), sorted(["inside", "program", *(option[2:] for option in OUTPUTS)]))
        self.gnomon("-n", 2, "-wdir", "inside", "--compute=profile=record-profile", "--bursts=-", self.program)
        self.assertEqual(list(inside.iterdir()), [])


class Interrupted(Outputs):
    def test_tables_say_incomplete(self):
        result = self.gnomon("-n", 2, "--bursts", "bursts", "--coll-messages", "messages", "--comm-trace", "trace", "--json", "run.json",
                             "--record-profile", "profile", "./program", "abort", code=5)
        for name in ("bursts", "messages", "trace"):
            self.assertIn("INCOMPLETE", (self.folder / name).read_text().splitlines()[0], name)
        self.assertFalse(json.loads((self.folder / "run.json").read_text())["complete"])
        self.assertNotIn("profile", self.names())
        self.assertIn("gnomon: note: profile is not written: the run was cut short\n", result.stderr)
        result = self.gnomon("-n", 2, "--bursts=-", "./program", "abort", code=5)
        self.assertIn("\nINCOMPLETE: the run was cut short\n", result.stderr)

    def test_signals_leave_nothing_behind(self):
        for number, code in ((signal.SIGHUP, 129), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            with self.subTest(number.name):
                options = [word for option in OUTPUTS for word in (option, option[2:])]
                process = subprocess.Popen([GNOMON, "run", "-n", "2", *options, "./program", "spin"], cwd=self.folder, text=True,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                while "spinning" not in process.stdout.readline():
                    pass
                process.send_signal(number)
                errors = process.communicate()[1]
                self.assertEqual(process.returncode, code, errors)
                if number != signal.SIGKILL:
                    self.assertIn(f"stopped by {number.name}", errors)
                known = {option[2:] for option in OUTPUTS} | {"program"}
                self.assertLessEqual(set(self.names()), known)

    def limited(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return subprocess.run([str(word) for word in (GNOMON, "run", "-n", "2", *arguments)], cwd=self.folder, text=True,
                              capture_output=True, preexec_fn=limit)

    def test_limit_on_the_size_of_files(self):
        result = self.limited("--comm-trace", "trace", "./program", "calls", "20000")
        self.assertEqual(result.returncode, 74, result.stderr)
        self.assertIn("gnomon: error: cannot write trace: File too large\n", result.stderr)
        self.assertEqual(self.names(), ["program"])

    def test_limit_on_the_size_of_the_ranks_files(self):
        result = self.limited("--json", "run.json", "./program", "file", "large")
        self.assertEqual(result.returncode, 128 + signal.SIGXFSZ, result.stderr)
        self.assertRegex(result.stderr, r"gnomon: rank 0 at \S+ s: ended by signal 25 \(File size limit exceeded\)")
        self.assertFalse(json.loads((self.folder / "run.json").read_text())["complete"])


class Streams(Outputs):
    def test_closed_stdout_ends_with_a_word(self):
        result = subprocess.run(["sh", "-c", f"{GNOMON} run -n 2 --comm-trace trace ./program >&-"], cwd=self.folder, text=True,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 74, result.stderr)
        self.assertIn("gnomon: cannot write standard output: Bad file descriptor\n", result.stderr)
        self.assertNotIn("has started", (self.folder / "trace").read_text())

    def test_a_reader_who_left_ends_with_a_word(self):
        process = subprocess.Popen([GNOMON, "run", "-n", "2", "./program", "lines", "1"], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(), 74, errors)
        self.assertIn("gnomon: cannot write standard output: Broken pipe\n", errors)

    def test_output_between_calls_is_not_held_in_memory(self):
        with open(self.folder / "out", "w") as out:
            self.gnomon("-n", 2, "--json", "run.json", "./program", "lines", 150, stdout=out)
        host = json.loads((self.folder / "run.json").read_text())["host"]
        self.assertLess(host["peak_rss_bytes"], 150e6)
        expected = {rank: 0 for rank in "01"}
        with open(self.folder / "out") as lines:
            for line in lines:
                rank, number = line.split()
                self.assertEqual(int(number), expected[rank])
                expected[rank] += 1
        self.assertEqual(expected, {"0": 1500000, "1": 1500000})


if __name__ == "__main__":
    unittest.main()
