# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: the generator's output for a small table is exactly the reviewed text in golden/expected, and a wrong
table is refused with its file and line.

usage: GeneratorTest.py [--update]   (--update rewrites the expected files, for review with git diff)
"""

import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "generator"))

import emit_acquisition  # noqa: E402
import generate  # noqa: E402
import tables  # noqa: E402

GOLDEN = HERE / "golden"


def expected_file(name):
    return GOLDEN / "expected" / (pathlib.Path(name).name + ".expected")


COMPARED = [
    "generated/impl/Impl.h",
    "generated/impl/ErrorClasses.def",
    "generated/coll/Calls.cpp",
    "generated/replay/Handlers.cpp",
    "generated/api/EntriesPointToPoint.cpp",
    "generated/api/EntriesSmall.cpp",
    "generated/api/FortranSmall.cpp",
    "generated/fortran/mpi_f08_types.f90",
    "generated/fortran/mpi.f90",
    "generated/mpi.exports",
    "generated/llvm-pass/MpiRoles.inc",
    "prefix/include/gnomon/mpif.h",
    "prefix/share/gnomon/mpi-unsupported.txt",
]


def run(folder):
    generate.main(GOLDEN, folder / "generated", folder / "prefix", "1.2.3")


class Golden(unittest.TestCase):
    def test_outputs_are_the_reviewed_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            run(pathlib.Path(folder))
            for name in COMPARED:
                expected = expected_file(name).read_text()
                self.assertEqual(expected, (pathlib.Path(folder) / name).read_text(), name)

    def test_a_second_run_writes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            run(folder)
            before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
            run(folder)
            self.assertEqual(before, {path: path.stat().st_mtime_ns for path in before})


class WrongTables(unittest.TestCase):
    def refuse(self, row, message):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "Wrong.txt"
            table.write_text("# comment\n" + row + "\n")
            with self.assertRaisesRegex(tables.TableError, re.escape(message)):
                tables.read_rows(pathlib.Path(folder), tables.read_kinds(GOLDEN / "kinds.txt"))

    def test_unknown_kind(self):
        self.refuse("+ Send buf:bufer", "Wrong.txt:2: no kind `bufer` in kinds.txt")

    def test_unknown_count(self):
        self.refuse("+ Send buf:buffer[n,type]", "Wrong.txt:2: Send has no parameter `n`")

    def test_unknown_length(self):
        self.refuse("+ Waitall requests:request[n]", "Wrong.txt:2: Waitall has no parameter `n`")

    def test_missing_mark(self):
        self.refuse("Send count:count", "Wrong.txt:2: a row starts with + (implemented) or -")

    def test_same_name_twice(self):
        self.refuse("+ Send count:count\n- Send count:count", "Wrong.txt:3: Send is also at Wrong.txt:2")

    def test_parameter_of_a_collective_in_no_field(self):
        self.refuse(
            "+ Bcast count:count root:root comm:comm @collective BcastArgs count",
            "Wrong.txt:2: 0 fields of BcastArgs take `root` of Bcast",
        )

    def test_parameter_of_a_collective_in_two_fields(self):
        self.refuse(
            "+ Bcast count:count comm:comm @collective BcastArgs count size=count",
            "Wrong.txt:2: 2 fields of BcastArgs take `count` of Bcast",
        )

    def test_field_of_no_parameter(self):
        self.refuse("+ Bcast comm:comm @collective BcastArgs buffer=buf", "Wrong.txt:2: Bcast has no parameter `buf`")

    def test_malformed_field(self):
        self.refuse("+ Bcast comm:comm @collective BcastArgs at()", "Wrong.txt:2: `at()` is not of the form field")

    def test_malformed_parameter(self):
        self.refuse("+ Send count", "Wrong.txt:2: `count` is not of the form name:kind")

    def refuse_constants(self, lines, message):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "Wrong.txt"
            table.write_text(lines + "\n")
            with self.assertRaisesRegex(tables.TableError, re.escape(message)):
                tables.read_constants(table)

    def test_error_class_without_a_text(self):
        self.refuse_constants("[error classes]\nMPI_ERR_TAG int 4 same", "Wrong.txt:2: a constant is NAME type value")

    def test_text_of_what_is_no_error_class(self):
        self.refuse_constants("[numbers]\nMPI_ROOT int 4 same the root", "Wrong.txt:2: a constant is NAME type value")


class Acquisition(unittest.TestCase):
    """Wrappers for a real MPI (acquisition/), by the real tables."""

    @classmethod
    def setUpClass(cls):
        cls.constants, cls.rows = tables.load(HERE.parent)[1:]

    def wrapper(self, name):
        return emit_acquisition.source(self.rows, {f"PMPI_{name}"})

    def test_only_functions_of_the_mpi_have_a_wrapper(self):
        text = emit_acquisition.source(self.rows, {"PMPI_Send", "PMPI_Send_c", "PMPI_Pcontrol"})
        self.assertEqual(re.findall(r"^int (PMPI_\w+)", text, re.M), ["PMPI_Send", "PMPI_Send_c"])
        self.assertIn('Call call("MPI_Send");', text)
        self.assertNotIn('Call call("MPI_Send_c");', text)

    def test_a_poll_that_finds_nothing_is_nothing(self):
        text = self.wrapper("Testany")
        self.assertIn("call.waitsForSome(array_of_requests, count);", text)
        self.assertIn("if (code == MPI_SUCCESS && *flag && *indx != MPI_UNDEFINED) {\n      call.completedRequests(std::array{*indx});", text)
        self.assertIn("} else\n      call.nothing();", text)

    def test_what_counts_at_the_root_only_is_told_there(self):
        text = self.wrapper("Gather")
        self.assertIn("const bool isRoot = atRoot(root, comm);", text)
        self.assertIn("if (isRoot)\n      call.payload(\"recvbuf\", recvbuf, recvcount, recvtype);", text)

    def test_a_persistent_request_is_not_active(self):
        self.assertIn('call.newRequest("request", code ? nullptr : request, false);', self.wrapper("Recv_init"))
        self.assertIn('call.newRequest("request", code ? nullptr : request, true);', self.wrapper("Irecv"))

    def test_files_are_left_out_and_said_to_be(self):
        text = self.wrapper("File_open")
        self.assertIn('leftOut("MPI_File_open")', text)
        self.assertNotIn("Call call", text)

    def test_nothing_of_the_simulations_objects_is_left(self):
        names = {f"PMPI_{row.name}" for row in self.rows}
        self.assertNotRegex(emit_acquisition.source(self.rows, names), r"Object|entry\.|mpi::|line\.")

    def test_numbers_are_the_abis(self):
        text = emit_acquisition.standard(self.constants, {"MPI_THREAD_FUNNELED", "MPI_MODE_NOPUT", "MPI_ERR_TAG"})
        for line in ("if (value == MPI_THREAD_FUNNELED)\n    return 1024;", "if (value & MPI_MODE_NOPUT)\n    bits |= 4096;",
                     "if (value == MPI_ERR_TAG)\n    return 4;"):
            self.assertIn(line, text)
        self.assertNotIn("MPI_THREAD_MULTIPLE", text)


class Constants(unittest.TestCase):
    def test_every_error_code_of_the_abi_is_an_error_class(self):
        constants = tables.read_constants(HERE.parent / "constants.txt")
        codes = {c.name for c in constants if re.match("MPI_(SUCCESS|ERR_)", c.name)}
        classes = [c for c in constants if c.group == tables.ERROR_CLASSES]
        self.assertEqual(codes - {"MPI_ERR_LASTCODE"}, {c.name for c in classes})
        self.assertEqual([int(c.value) for c in classes], list(range(len(classes))))


if __name__ == "__main__":
    if "--update" in sys.argv:
        with tempfile.TemporaryDirectory() as scratch:
            run(pathlib.Path(scratch))
            for compared in COMPARED:
                expected_file(compared).write_text((pathlib.Path(scratch) / compared).read_text())
    else:
        unittest.main()
