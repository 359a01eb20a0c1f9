#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: `gnomon check` and `gnomon run` say the same of every bad platform, host file and one-line platform (table.py):
the place, the attribute, the remedy, exit code 2; in seconds and in bounded memory, whatever the input.

The argument is `check` or `run`.
"""

import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.dont_write_bytecode = True
import json_schema  # noqa: E402
from table import FILES, LINES  # noqa: E402

GNOMON = pathlib.Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
SECONDS = 300  # the slowest takes 10, of waiting; a hang ends here
GIBIBYTES = 4
SMALL = "cluster:n=4,bw=1Gbps,lat=5us"


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (GIBIBYTES << 30, GIBIBYTES << 30))


class Inputs(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.directory = pathlib.Path(cls.scratch.name)

    def start(self, *arguments):
        result = subprocess.run([str(GNOMON), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                                cwd=HERE, timeout=SECONDS, preexec_fn=limit_memory)
        return result.returncode, (result.stdout + result.stderr).decode(errors="replace")

    def expect(self, name, verdict, fragments, *options):
        code, output = self.ask(name, *options)
        self.assertEqual(code, 2 if verdict == 2 else 0, output[:500])
        for fragment in fragments:
            self.assertIn(fragment.replace("{file}", str(name)), output[:2000])
        self.assertLess(len(output), 20000, "a message is no place for a whole file")

    def ask(self, platform, *options):
        raise NotImplementedError

    def write(self, name, text):
        path = self.directory / name
        path.write_bytes(text)
        return path

    def test_every_file_has_a_row(self):
        names = {name for name, _, _ in FILES}
        files = {str(path.relative_to(HERE)) for path in HERE.rglob("*") if path.suffix in (".xml", ".hosts")}
        self.assertEqual(files, names)
        self.assertEqual(len(names), len(FILES))

    def test_files(self):
        for name, verdict, fragments in FILES:
            with self.subTest(name):
                if name.endswith(".hosts"):
                    code, output = self.ask(SMALL, "--hostfile", name)
                    self.assertEqual(code, verdict, output)
                    for fragment in fragments:
                        self.assertIn(fragment.replace("{file}", name), output)
                else:
                    self.expect(name, verdict, fragments)

    def test_one_line_platforms(self):
        for text, verdict, fragments in LINES:
            with self.subTest(text):
                self.expect(text, verdict, fragments)

    def test_what_is_no_file(self):
        self.expect(self.directory, 2, ["is a directory"])
        self.expect("/dev/zero", 2, ["/dev/zero: is neither a file nor a pipe"])
        self.expect("/dev/null", 2, ["/dev/null: is neither a file nor a pipe"])
        self.expect(self.directory / "dangling", 2, ["cannot be read"])
        code, output = self.ask(SMALL, "--hostfile", self.directory)
        self.assertEqual(code, 2)
        self.assertIn("is a directory", output)

    def test_unreadable_file(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        path = self.write("secret.xml", b"<platform/>")
        path.chmod(0)
        self.expect(path, 2, ["cannot be read: Permission denied"])

    def test_pipe_without_a_writer(self):
        path = self.directory / "silent"
        os.mkfifo(path)
        self.expect(path, 2, ["is a pipe into which nobody writes"])

    def test_pipe_with_a_writer(self):
        path = self.directory / "talking"
        os.mkfifo(path)
        text = (HERE / "quantity/latency-nan.xml").read_bytes()
        writer = threading.Thread(target=lambda: path.write_bytes(text))
        writer.start()
        self.expect(path, 2, ["talking:8: latency: not a number: 'nan'"])
        writer.join()

    def test_huge_file(self):
        path = self.directory / "huge.xml"
        with open(path, "wb") as file:
            file.truncate(1 << 40)
        self.expect(path, 2, ["is larger than 256 MiB"])

    def test_deep_nesting(self):
        depth = 100000
        zones = "".join(f"<zone id='z{i}' routing='Full'>\n" for i in range(depth))
        path = self.write("deep.xml", f"<platform version='4.1'>{zones}{'</zone>' * depth}</platform>".encode())
        self.expect(path, 2, ["deep.xml:65: zones are nested more than 64 deep"])

    def test_many_elements(self):
        path = self.write("many.xml", b"<platform version='4.1'><zone id='z' routing='Full'>" + b"<a/>" * 5000000)
        self.expect(path, 2, ["many.xml:1: not well-formed XML"])

    def test_long_names(self):
        name = b"x" * 20000000
        path = self.write("long.xml", b"<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
                          b"<link id='l' bandwidth='1Gbps'/><route src='a' dst='" + name + b"'/></zone></platform>")
        self.expect(path, 2, ["long.xml:1: unknown host, router or zone 'xxx"])

    def test_long_route(self):
        """A route of a million links between every two of 200 hosts: four billion steps."""
        hosts = "".join(f"<host id='h{i}' speed='1Gf'/>" for i in range(200))
        spokes = "".join(f"<route src='h{i}' dst='r'><link_ctn id='l'/></route>" for i in range(100))
        far = "".join(f"<route src='h{i}' dst='s'><link_ctn id='l'/></route>" for i in range(100, 200))
        path = self.write("route.xml", (
            "<platform version='4.1'><zone id='z' routing='Floyd'>" + hosts + "<router id='r'/><router id='s'/>"
            "<link id='l' bandwidth='1Gbps' latency='1ns'/>" + spokes + far + "<route src='r' dst='s'>" +
            "<link_ctn id='l'/>" * 1000000 + "</route></zone></platform>").encode())
        code, output = self.ask(path)
        self.assertEqual(code, 0, output[:500])

    def test_many_clusters(self):
        """A thousand zones of a thousand hosts each, all reached through one router."""
        count = 1000
        zones = "".join(f"<cluster id='c{i}' prefix='n{i}-' suffix='' radical='0-999' speed='1Gf' bw='1Gbps' lat='1us' "
                        f"router_id='r{i}'/>\n" for i in range(count))
        routes = "".join(f"<zoneRoute src='c0' dst='c{i}' gw_src='r0' gw_dst='r{i}'><link_ctn id='l'/></zoneRoute>\n"
                         for i in range(1, count))
        path = self.write("zones.xml", ("<platform version='4.1'><zone id='z' routing='Floyd'>\n" + zones +
                          "<link id='l' bandwidth='1Gbps' latency='1us'/>\n" + routes + "</zone></platform>").encode())
        code, output = self.ask(path)
        self.assertEqual(code, 0, output[:500])


class Check(Inputs):
    def ask(self, platform, *options):
        code, output = self.start("check", *options, platform)
        return code, re.sub(r": (?:error|warning|note): ", ": ", output)

    def test_warnings_are_errors_when_asked(self):
        for name, verdict, _ in FILES:
            if name.endswith(".xml") and verdict < 2:
                self.assertEqual(self.start("check", "--werror", name)[0], verdict, name)

    def test_every_finding_of_the_table_has_a_place_and_an_id(self):
        for name, verdict, fragments in FILES:
            if not name.endswith(".xml") or verdict == 0 or not any(part.startswith("{file}:") for part in fragments):
                continue
            code, output = self.start("check", "--json", name)
            findings = json_schema.validate(output, "check")[0]["findings"]
            serious = [f for f in findings if f["severity"] != "note"]
            self.assertTrue(serious, name)
            self.assertEqual(serious[0]["file"], name)
            if any(part.startswith("{file}:") and part[7:8].isdigit() for part in fragments):
                self.assertIsNotNone(serious[0]["line"], name)


class Run(Inputs):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        source = cls.directory / "program.c"
        source.write_text("#include <mpi.h>\nint main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n"
                          "  MPI_Finalize();\n  return 0;\n}\n")
        cls.program = cls.directory / "program"
        subprocess.run([GNOMON, "cc", "-O1", source, "-o", cls.program], check=True)

    def ask(self, platform, *options):
        return self.start("run", "-n", 2, "--platform", platform, *options, self.program)


if __name__ == "__main__":
    chosen = {"check": Check, "run": Run}[sys.argv.pop(1)]
    result = unittest.TextTestRunner(verbosity=1).run(unittest.TestLoader().loadTestsFromTestCase(chosen))
    sys.exit(0 if result.wasSuccessful() else 1)
