#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a skipped test fails the run unless the list names it with its reason, and the last line counts the tests."""

import contextlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import report

PASSED = '<testcase name="{}" status="run"><system-out>{}</system-out></testcase>'
FAILED = '<testcase name="{}" status="fail"><failure message=""/><system-out/></testcase>'
SKIPPED = '<testcase name="{}" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out/></testcase>'
DISABLED = '<testcase name="{}" status="disabled"><properties/></testcase>'


class Report(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def report(self, *cases, allowed=""):
        """The lines that are printed, and the exit code."""
        results, names = self.directory / "tests.xml", self.directory / "skipped.txt"
        results.write_text(f'<?xml version="1.0"?>\n<testsuite tests="{len(cases)}">{"".join(cases)}</testsuite>')
        names.write_text(allowed)
        printed = io.StringIO()
        with unittest.mock.patch.object(sys, "argv", ["report.py", str(results), str(names)]):
            with contextlib.redirect_stdout(printed), self.assertRaises(SystemExit) as ended:
                report.main()
        return printed.getvalue().splitlines(), ended.exception.code

    def test_all_passed(self):
        lines = ["2 passed, 0 failed, 0 skipped"]
        self.assertEqual(self.report(PASSED.format("a", ""), PASSED.format("b", "OK")), (lines, 0))

    def test_a_failed_test_is_named(self):
        lines, code = self.report(PASSED.format("a", ""), FAILED.format("b"))
        self.assertEqual((lines, code), (["failed: b", "1 passed, 1 failed, 0 skipped"], 1))

    def test_a_skipped_test_fails_the_run(self):
        for kind in (SKIPPED, DISABLED):
            lines, code = self.report(PASSED.format("a", ""), kind.format("b"))
            self.assertEqual(lines, ["skipped: b: NOT ALLOWED, skipped.txt does not name it", "1 passed, 0 failed, 1 skipped"])
            self.assertEqual(code, 1)

    def test_a_listed_test_may_be_skipped(self):
        allowed = "# a comment\n\nb : needs the moon\n"
        lines, code = self.report(PASSED.format("a", ""), SKIPPED.format("b"), allowed=allowed)
        self.assertEqual((lines, code), (["skipped: b: needs the moon", "1 passed, 0 failed, 1 skipped"], 0))
        lines, code = self.report(PASSED.format("a", ""), PASSED.format("b", ""), allowed=allowed)
        self.assertEqual((lines, code), (["2 passed, 0 failed, 0 skipped"], 0))

    def test_cases_inside_a_test_count_as_well(self):
        for output in ("..s\nRan 3 tests\n\nOK (skipped=1)\n", "  Unsupported:  3 (1.5%)\n  Passed     : 80\n",
                       "[  SKIPPED ] 1 test, listed below:\n"):
            lines, code = self.report(PASSED.format("a", output))
            self.assertEqual(lines[0], "skipped in part: a: NOT ALLOWED, skipped.txt does not name it", output)
            self.assertEqual((lines[-1], code), ("1 passed, 0 failed, 0 skipped", 1))
            self.assertEqual(self.report(PASSED.format("a", output), allowed="a : root reads everything\n")[1], 0)
        self.assertEqual(self.report(PASSED.format("a", "200 executed, 5 skipped\nOK\n"))[1], 0)

    def test_the_list_names_tests_that_exist(self):
        lines, code = self.report(PASSED.format("a", ""), allowed="gone : was slow\n")
        self.assertEqual((lines[0], code), ("no such test: gone (of skipped.txt)", 1))

    def test_each_name_of_the_list_has_a_reason(self):
        for text in ("a\n", "a : \n", "a: no space\n"):
            self.assertIn("is no line 'test : reason'", self.report(PASSED.format("a", ""), allowed=text)[1])

    def test_no_test_at_all_is_no_success(self):
        self.assertEqual(self.report(), (["0 passed, 0 failed, 0 skipped"], 1))

    def test_a_real_run_of_ctest_is_read(self):
        """Tests of all kinds, as this machine's ctest writes them."""
        (self.directory / "CTestTestfile.cmake").write_text(
            'add_test(good /bin/sh -c "seq 9999; echo \'OK (skipped=2)\'")\nadd_test(bad /bin/false)\nadd_test(away /no/such/program)\n'
            'add_test(left /bin/sh -c "exit 77")\nset_tests_properties(left PROPERTIES SKIP_RETURN_CODE 77)\n'
            'add_test(off /bin/true)\nset_tests_properties(off PROPERTIES DISABLED ON)\n')
        command = ["ctest", "--output-junit", "tests.xml", "--test-output-size-passed", "1000000"]
        subprocess.run(command, cwd=self.directory, capture_output=True)
        kinds = report.sort(report.xml.etree.ElementTree.parse(self.directory / "tests.xml").getroot())
        self.assertEqual(kinds["passed"], ["good"])
        self.assertEqual(kinds["skipped in part"], ["good"])
        self.assertEqual(sorted(kinds["failed"] + kinds["skipped"]), ["away", "bad", "left", "off"])
        self.assertIn("left", kinds["skipped"])

    def test_the_list_of_the_suite_can_be_read(self):
        for name, reason in report.read_list(report.LIST).items():
            self.assertRegex(name, r"^[\w.-]+$")
            self.assertGreater(len(re.findall(r"\w+", reason)), 3, name)


if __name__ == "__main__":
    unittest.main()
