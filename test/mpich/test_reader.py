#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: no line of MPICH's suite is lost or judged better than it is: testlist files are read whole, a test that is killed never
passes, a failure that is not expected fails the command, and the list of expected ones only shrinks."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import lines
import mpich
import source

# Stands for the suite's runtests: runs mpiexec, and like it calls any nonzero code of a test with resultTest a success.
RUNTESTS = r"""
my %o = map { /^-(\w+)=(.*)/ } @ARGV;
open F, $o{tests}; my $line = <F>; chomp $line; my ($program, $np) = split / /, $line;
exit 0 if $program eq "huge";
my $out = `$o{mpiexec} -n $np ./$program 2>&1`; my $code = $?;
my $good = $line =~ /resultTest/ ? $code != 0 : ($out =~ /^ No Errors$/ && $code == 0);
open X, ">$o{xmlfile}";
print X "<MPITEST><TIME>0.5</TIME>", $good ? "<STATUS>pass</STATUS>" : "<STATUS>fail</STATUS><TESTDIFF>$out</TESTDIFF>";
"""


class Directory(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.directory = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text, mode=0o644):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


class Testlists(Directory):
    def read(self):
        self.write("build/f90/testlist", "# comment\ncoll\n\nown 2 arg=-x   timeLimit=9 # end\n")
        self.write("suite/f90/coll/testlist", "a 4\n  b 1\na 4\n#c 1\na 7\n")
        (self.directory / "build/f90/coll").mkdir(exist_ok=True)
        return lines.read("f90", self.directory / "build", self.directory / "suite")

    def test_lines(self):
        self.assertEqual([line.key for line in self.read()], ["f90/coll/a 4", "f90/coll/b 1", "f90/coll/a 4 #2", "f90/coll/a 7",
                                                              "f90/own 2 arg=-x timeLimit=9"])
        self.assertEqual({line.category for line in self.read()}, {"f90"})

    def test_units(self):
        self.assertEqual([len(unit) for unit in lines.units(self.read())], [3, 1, 1])
        files = [lines.Line("f90/io", name, 0) for name in ("a 1", "b 1", "c 1")]
        self.assertEqual([len(unit) for unit in lines.units(files)], [3])

    def test_shared_objects(self):
        makefile = ("am_a_OBJECTS = a.$(OBJEXT) utils.$(OBJEXT)\na_OBJECTS = $(am_a_OBJECTS)\n"
                    "am_b_OBJECTS = b.$(OBJEXT) \\\n\tutils.$(OBJEXT)\nc_OBJECTS = c.$(OBJEXT)\n"
                    "am_d_OBJECTS = d-c.$(OBJEXT)\n")
        self.assertEqual(lines.shared_objects(makefile), ["utils.o"])


class Verdicts(Directory):
    def run_line(self, text, program, limit=1, endless=frozenset()):
        self.write("build/coll/p", "#!/bin/sh\n" + program, 0o755)
        self.write("build/runtests", RUNTESTS)
        self.write("prefix/libexec/gnomon/bin/mpiexec", '#!/bin/sh\nshift 2\nexec "$@"\n', 0o755)
        mpiexec = mpich.write_mpiexec(self.directory, self.directory / "prefix", limit)
        runner = lines.Runner(self.directory / "build", self.directory, mpiexec, self.directory, 1, 1, endless)
        return runner([lines.Line("coll", text, 0)], 0)[0][1]

    def test_pass(self):
        self.assertIsNone(self.run_line("p 2", "echo ' No Errors'"))
        self.assertFalse((self.directory / "build/coll/p").exists(), "the next prefix builds it anew")

    def test_failures(self):
        self.assertEqual(self.run_line("p 2", "echo 'Found 3 errors'"), "wrong result: Found 3 errors")
        self.assertEqual(self.run_line("p 2", ":"), "no output 'No Errors', exit code 0")
        self.assertEqual(self.run_line("p 2", "exit 3"), "no output 'No Errors', exit code 3")
        self.assertEqual(self.run_line("huge 2 mem=900", ":"), "not run: needs more memory than there is")

    def test_must_end_with_an_error(self):
        self.assertIsNone(self.run_line("p 2 resultTest=TestErrFatal", "exit 1"))
        self.assertIn("code 0", self.run_line("p 2 resultTest=TestErrFatal", "exit 0"))

    def test_killed_never_passes(self):
        endless = "while :; do :; done"
        self.assertEqual(self.run_line("p 2", endless), "time limit")
        self.assertEqual(self.run_line("p 2 resultTest=TestErrFatal", endless), "time limit")

    def test_nobody_waits_for_a_known_time_limit(self):
        tell = "echo limit $(ulimit -S -t)"
        self.assertEqual(self.run_line("p 2", tell, limit=50), "wrong result: limit 51")
        self.assertEqual(self.run_line("p 2", tell, limit=50, endless={"coll/p 2"}), "wrong result: limit 2")
        self.assertEqual(mpich.endless({"a/b 2": "the test waits: time limit", "a/c 2": "deadlock"}), {"a/b 2"})

    def test_time_for_memory(self):
        self.assertEqual([lines.more_seconds(t) for t in ("p 2", "p 2 mem=0.4", "p 3 mem=6.5")], [0, 1, 16])
        self.assertIsNone(self.run_line("p 2 mem=0.4", "[ $(ulimit -S -t) = 3 ] && echo ' No Errors'"))
        self.assertEqual(self.run_line("p 2", "[ $(ulimit -S -t) = 3 ] && echo ' No Errors'"), "no output 'No Errors', exit code 1")

    def test_reasons(self):
        self.assertEqual(lines.reason("x.c:3:1: error: no such thing\n", None, False), "does not build: no such thing")
        self.assertEqual(lines.reason("gnomon: MPI_Win_test: not supported by Gnomon 1\n", 1, False), "unimplemented: MPI_Win_test")
        self.assertEqual(lines.reason("gnomon: deadlock: 2 ranks\n", 4, False), "deadlock")


class Judgement(Directory):
    ONE = lines.Line("coll", "one 2", 0)
    TWO = lines.Line("coll", "two 2", 0)

    def judge(self, results, expected):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = mpich.judge(results, expected)
        return code, out.getvalue()

    def test_exit_code(self):
        results = [(self.ONE, None, 0.1), (self.TWO, "deadlock", 0.1)]
        self.assertEqual(self.judge(results, {"coll/two 2": "time limit"}), (0, ""))
        code, text = self.judge(results, {"coll/one 2": "deadlock"})
        self.assertEqual(code, 1)
        self.assertIn("passes now, take it out of expected.txt (--shrink): coll/one 2", text)
        self.assertIn("FAILS, and is not in expected.txt: coll/two 2 : deadlock", text)

    def test_category_that_is_not_supported(self):
        line = lines.Line("cxx/attr", "attrtx 2", 0)
        results = lines.Runner(*[pathlib.Path("unused")] * 4, 1, 1)([line], 0)
        self.assertEqual([(line, lines.NOT_SUPPORTED["cxx"], 0.0)], results)
        self.assertEqual(self.judge(results, {})[0], 1)
        self.assertEqual(self.judge(results, {"cxx/*": "by decision"}), (0, ""))

    def test_shrinks_only(self):
        path = self.write("expected.txt", "# why\ncoll/one 2 : old\ncoll/three 1 : kept\ncoll/four 1 : old\n"
                          "coll/five 1 : the test is wrong\ncoll/six 1 : the test is wrong\n")
        others = [(lines.Line("coll", f"{name} 1", 0), why, 0) for name, why in (("four", "new"), ("five", "new"), ("six", None))]
        mpich.shrink([(self.ONE, None, 0), (self.TWO, "new", 0), *others], path)
        self.assertEqual(path.read_text(), "# why\ncoll/three 1 : kept\ncoll/four 1 : new\ncoll/five 1 : the test is wrong\n")

    def test_expected_is_sound(self):
        known = mpich.read_expected()
        self.assertEqual([k for k in known if k.split("/")[0] not in lines.CATEGORIES], [])
        self.assertTrue(all(known.values()), "a line without a reason")

    def test_table(self):
        rows = mpich.table([(self.ONE, None, 0.25), (self.TWO, "x", 0.25)]).splitlines()
        self.assertEqual(rows[1].split(), ["coll", "1", "2", "0.5"])


class Apt(Directory):
    def test_private_configuration(self):
        self.write("etc/sources.list", "# x\ndeb http://packages.example/debian bookworm main\ndeb http://other.org x main\n")
        self.write("etc/sources.list.d/debian.sources", "Types: deb\nURIs: http://packages.example/debian\nSuites: a\n\n"
                   "Types: deb\nURIs: http://other.org\nSuites: b\n")
        options = source.apt_options(self.directory / "apt", self.directory / "etc")
        self.assertIn(f"-oDir::State::lists={self.directory}/apt/lists", options)
        self.assertEqual((self.directory / "apt/parts/sources.list").read_text(),
                         "deb-src http://packages.example/debian bookworm main\n")
        text = (self.directory / "apt/parts/debian.sources").read_text()
        self.assertEqual(text, "Types: deb-src\nURIs: http://packages.example/debian\nSuites: a\n")


if __name__ == "__main__":
    unittest.main()
