#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: what Gnomon writes to a trace, the example in C and the Python module read again, both from the staged prefix alone;
and both name file and byte of a damaged one.

Arguments: the program that writes traces, then unittest's.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
EXAMPLE = SOURCE / "examples/traces/trace-reader.c"
sys.path.insert(0, str(PREFIX / "share/gnomon/python"))

import gnomon_trace  # noqa: E402

SAMPLE = sys.argv.pop(1)


def text_of(value):
    if isinstance(value, list):
        return ",".join(map(text_of, value))
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, int) else "nan" if value != value else f"{value:.17g}"


def line_of(rank, record):
    return " ".join([str(rank), record.name, *(f"{name}={text_of(value)}" for name, value in record.values.items())])


def lines_in_python(path, rank=None, first=0):
    """As the example prints them."""
    trace = gnomon_trace.Trace(path)
    if rank is not None:
        return [line_of(rank, record) for record in trace.records(rank, first)]
    lines = [f"program {trace.program}, ranks {trace.ranks}, origin {trace.origin}" + ("" if trace.complete else ", INCOMPLETE")]
    for number, (members, _) in enumerate(trace.communicators[2:], 2):
        lines.append(" ".join(map(str, ["communicator", number, *members])))
    for number in range(trace.ranks):
        lines += lines_in_python(path, number)
    return lines


class Traces(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file, self.reader = self.folder / "a.gtr", self.folder / "reader"

    def build(self, source=EXAMPLE):
        subprocess.run(["clang-22", "-Wall", "-Werror", f"-I{PREFIX}/include/gnomon", source, f"-L{PREFIX}/lib", f"-Wl,-rpath,{PREFIX}/lib",
                        "-lgnomon-trace", "-o", self.reader], check=True)

    def write(self, seed):
        result = subprocess.run([SAMPLE, self.file, str(seed)], check=True, capture_output=True, encoding="utf-8")
        return result.stdout.splitlines()

    def run_reader(self, *arguments):
        return subprocess.run([self.reader, *map(str, arguments)], capture_output=True, encoding="utf-8")


class Readers(Traces):
    def test_all_is_read_in_c_and_python(self):
        self.build()
        for seed in range(4):
            written = self.write(seed)
            self.assertGreater(len(written), 200000)
            result = self.run_reader(self.file)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout.splitlines() == written, "C reads something else")
            if seed < 2:
                self.assertTrue(lines_in_python(self.file) == written, "Python reads something else")

    def test_a_rank_is_read_from_a_record_on(self):
        self.build()
        written = [line for line in self.write(5) if line.startswith("1 ")]
        for first in (0, 1, 1000, len(written) - 3, len(written), len(written) + 5):
            self.assertTrue(self.run_reader(self.file, 1, first).stdout.splitlines() == written[first:], first)
            self.assertTrue(lines_in_python(self.file, 1, first) == written[first:], first)
        self.assertEqual(gnomon_trace.Trace(self.file).count(1), len(written))
        result = self.run_reader(self.file, 5)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("there is no rank 5", result.stderr)

    def test_the_reader_of_the_documentation_works(self):
        text = (SOURCE / "docs/trace-format.md").read_text().split("## A reader in C\n")[1].split("\n## ")[0]
        source = self.folder / "doc.c"
        source.write_text("\n".join(line[4:] for line in text.splitlines() if line.startswith("    ")) + "\n")
        self.build(source)
        written = [line.split()[:2] for line in self.write(6)[3:]]
        self.assertTrue([line.split() for line in self.run_reader(self.file).stdout.splitlines()] == written)

    def test_the_functions_and_fields_have_names_and_kinds(self):
        self.write(1)
        functions = gnomon_trace.Trace(self.file).functions
        self.assertEqual(functions[0].name, "MPI_Send")
        self.assertEqual(functions[3].fields[1], gnomon_trace.Field("sources", "Peer", True))

    def test_the_library_exports_its_interface_only(self):
        names = subprocess.run(["nm", "-D", "--defined-only", PREFIX / "lib/libgnomon-trace.so"], check=True, capture_output=True, text=True).stdout
        symbols = {line.split()[-1] for line in names.splitlines()}
        header = (PREFIX / "include/gnomon/gnomon/Trace.h").read_text()
        self.assertIn("gnomon_trace_open", symbols)
        self.assertEqual([name for name in symbols if name + "(" not in header], [])


class Damaged(Traces):
    def check(self, data, text):
        self.file.write_bytes(data)
        result = self.run_reader(self.file)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{self.file}: ", result.stderr)
        self.assertIn(text, result.stderr)
        with self.assertRaisesRegex(gnomon_trace.TraceError, "a.gtr: byte [0-9]+: ") as caught:
            lines_in_python(self.file)
        return str(caught.exception)

    def test_file_and_byte_are_named(self):
        self.build()
        self.write(3)
        good = self.file.read_bytes()
        self.check(b"", "no trace")
        self.check(b"0 init\n", "no trace")
        self.assertIn("version 3", self.check(good[:8] + b"\x03" + good[9:], "version 3"))
        for at in (9, 20, 60, 5000, len(good) // 2, len(good) - 50, len(good) - 30, len(good) - 10):
            self.check(good[:at], "cut short")
            if at > 11:
                self.check(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1:], "byte ")
        self.check(good + b"x", "cut short")
        with self.assertRaises(OSError):
            gnomon_trace.Trace(self.folder / "missing")


if __name__ == "__main__":
    unittest.main()
