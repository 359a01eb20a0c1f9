#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the `gnomon` command that need no simulation: what it prints, what it refuses, what it would run."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
GNOMON = PREFIX / "bin/gnomon"
WRAPPERS = PREFIX / "libexec/gnomon/bin"
sys.path.insert(0, str(SOURCE / "test/support"))

import json_schema  # noqa: E402


def gnomon(*arguments, program=GNOMON, **options):
    return subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, **options)


class Scratch(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.directory = pathlib.Path(self.scratch.name)

    def write(self, name, text, mode=0o644):
        path = self.directory / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def compile(self, text="int main(void) { return 0; }\n", *arguments, compiler="clang-22", name="program"):
        source = self.write(name + ".c", text)
        program = self.directory / name
        subprocess.run([compiler, str(source), "-o", str(program), *arguments], check=True)
        return program

    def refused(self, text, *arguments, **options):
        result = gnomon(*arguments, **options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(text, result.stderr)
        self.assertTrue(result.stderr.startswith("gnomon: error: "), result.stderr)
        return result


class General(Scratch):
    def test_flag_names_the_configuration_directory(self):
        self.assertEqual(gnomon("--flag").stdout, f"--config-user-dir={PREFIX}/share/gnomon/clang\n")

    def test_trace_flag_names_a_configuration_directory_of_its_own(self):
        flag = gnomon("--trace-flag").stdout
        self.assertEqual(flag, f"--config-user-dir={PREFIX}/share/gnomon/clang-trace\n")
        self.assertTrue((PREFIX / "share/gnomon/clang-trace/flang.cfg").exists())

    def test_flag_follows_a_moved_program(self):
        (self.directory / "bin").mkdir()
        moved = self.directory / "bin/gnomon"
        moved.write_bytes(GNOMON.read_bytes())
        moved.chmod(0o755)
        expected = f"--config-user-dir={self.directory.resolve()}/share/gnomon/clang\n"
        self.assertEqual(gnomon("--flag", program=moved).stdout, expected)

    def test_help_and_version_go_to_stdout_with_code_0(self):
        for option, text in (("--help", "Subcommands"), ("--help-all", "--stall-timeout"), ("--version", "gnomon ")):
            result = gnomon(option)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(text, result.stdout)

    def test_first_page_of_run_has_ten_options_at_most(self):
        lines = gnomon("run", "--help").stdout.splitlines()
        self.assertLessEqual(sum(line.startswith("  -") for line in lines), 10)

    def test_no_page_lists_an_option_twice(self):
        for command, page in (("run", "--help-all"), ("replay", "--help-all"), ("trace", "--help"), ("sweep", "--help"),
                              ("check", "--help"), ("calibrate", "--help")):
            options = re.findall(r"(?m)^  (--[a-z-]+)", gnomon(command, page).stdout)
            self.assertGreater(len(options), 3)
            self.assertEqual(len(options), len(set(options)), command)

    def test_network_models_are_listed(self):
        for arguments in (["--network=list"], ["--network", "help"], ["-n", "4", "--network=list", "./no-such-program"]):
            result = gnomon("run", *arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for name in ("smpi", "hybrid", "ib", "fluid", "nocontention", "affine", "constant", "loggps", "simple", "bus",
                         "in-link", "out-link", "pmac", "./MODEL.so"):
                self.assertRegex(result.stdout, f"(?m)^  {name} +[^ ]")
            self.assertIn(result.stdout.split(":\n", 1)[1], gnomon("run", "--help").stdout)

    def test_unknown_words_suggest_the_nearest(self):
        self.refused("unknown option '--flga'; did you mean '--flag'?", "--flga")
        self.refused("unknown subcommand 'rnu'", "rnu")

    def test_later_subcommands_are_refused_by_name(self):
        for name in ("report", "diff"):
            self.refused("is not available in this version", name)

    def test_man_page_and_completion_list_every_option(self):
        manual = (PREFIX / "share/man/man1/gnomon.1").read_text().replace("\\-", "-")
        completion = (PREFIX / "share/bash-completion/completions/gnomon").read_text()
        for option in ("--ranks", "--platform", "--stall-timeout", "--genv", "--cfg", "--svg", "--werror"):
            self.assertIn(option, manual)
            self.assertIn(option, completion)
        subprocess.run(["bash", "-n"], input=completion, text=True, check=True)

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([GNOMON, "--help"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 74)

    def test_exit_codes_are_those_of_the_readme(self):
        readme = re.findall(r"^\| (\d+|other) \| (.+?) \| (.+) \|$", (SOURCE / "README.md").read_text(), re.MULTILINE)
        self.assertGreaterEqual(len(readme), 8)
        manual = (PREFIX / "share/man/man1/gnomon.1").read_text().replace("\\-", "-")
        section = re.search(r"\.SH EXIT STATUS OF RUN\n(.*?)\.SH", manual, re.DOTALL)[1]
        expected = [(code, f"{word}: {text.replace('`', '')}") for code, word, text in readme]
        self.assertEqual(re.findall(r"\.TP\n\.B (.+)\n(.+)\n", section), expected)
        for code, text in expected:
            self.assertRegex(gnomon("run", "--help-all").stdout, f"(?m)^  {code} +{re.escape(text)}$")


class RunOptions(Scratch):
    """`--dry-run` prints GNOMON_RUN and argv; the program is one that says it needs libgnomon.so."""

    def setUp(self):
        super().setUp()
        self.compile("int gnomon_start(void) { return 0; }\n", "-shared", "-fPIC", "-Wl,-soname,libgnomon.so",
                     name="libgnomon.so")
        self.program = self.compile("int gnomon_start(void);\nint main(void) { return gnomon_start(); }\n",
                                    str(self.directory / "libgnomon.so"))

    def dry(self, *arguments, launcher=("run",), program=GNOMON):
        result = gnomon(*launcher, "--dry-run", *arguments, program=program)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def values(self, *arguments):
        text = self.dry(*arguments, self.program).stdout
        return text[text.index("\n") + 1:text.index("program:")].splitlines()

    def test_one_rank_by_default(self):
        self.assertEqual(self.values(), ["ranks=1"])

    def test_spellings_of_the_number_of_ranks(self):
        for spelling in (["-n", "7"], ["-np", "7"], ["--np", "7"], ["--ranks", "7"], ["--ranks=7"], ["-c", "7"]):
            self.assertEqual(self.values(*spelling), ["ranks=7"])

    def test_the_last_of_several_values_counts(self):
        self.assertEqual(self.values("-n", "7", "-n", "8"), ["ranks=8"])

    def test_every_option_reaches_the_runtime(self):
        self.assertEqual(
            self.values("--platform", "p.xml", "-f", "h", "--compute=none", "--host-speed=1Gf", "--coll",
                        "allreduce:rdb", "--coll", "bcast:binomial", "--network", "fluid", "--coll-model", "curves",
                        "--set", "a=b", "--json", "o.json", "--timeout",
                        "2.5", "--stall-timeout", "3", "--stack-size", "1MiB", "--huge-pages=no", "-q", "-host", "a,b:2", "-n", "2"),
            ["platform=p.xml", "hostfile=h", "compute=none", "host-speed=1Gf", "coll=allreduce:rdb",
             "coll=bcast:binomial", "network=fluid", "coll-model=curves", "set=a=b", "json=o.json", "timeout=2.5", "stall-timeout=3", "stack-size=1MiB", "huge-pages=no",
             "quiet=1", "host=a,b:2", "ranks=2"])

    def test_collectives_are_listed(self):
        for spelling in ("--list-coll", "-help-coll", "--help-coll"):
            text = gnomon("run", spelling).stdout
            self.assertIn("\nallreduce\n  rdb\n      recursive doubling of whole vectors\n", text)
            self.assertIn("\nreduce_scatter_block\n", text)
        one = gnomon("run", "--list-coll", "barrier").stdout
        self.assertTrue(one.startswith("barrier\n  ompi_basic_linear\n"))
        self.assertNotIn("bcast\n", one)
        self.refused("unknown collective 'barier'; known are: barrier, bcast", "run", "--list-coll", "barier")

    def test_simgrid_keys_become_set(self):
        self.assertEqual(self.values("--cfg=smpi/os:0:8.9e-6:7.2e-10", "--cfg=network/latency-factor:2"),
                         ["ranks=1", "set=smpi/os=0:8.9e-6:7.2e-10", "set=network/latency-factor=2"])

    def test_host_file_spellings(self):
        for spelling in ("-hostfile", "--hostfile", "-machinefile", "--machinefile", "-f"):
            self.assertEqual(self.values(spelling, "hosts"), ["ranks=1", "hostfile=hosts"])

    def test_options_stop_at_the_program(self):
        text = self.dry("-n", "3", self.program, "-n", "4", "--timeout", "x").stdout
        self.assertIn("ranks=3\n", text)
        self.assertIn("argv[1]: -n\nargv[2]: 4\nargv[3]: --timeout\nargv[4]: x\n", text)

    def test_wdir_keeps_the_users_paths(self):
        values = gnomon("run", "--dry-run", "-wdir", self.directory, "--json", "o.json", "--coll-model", "curves",
                        "--network", "./libmine.so", "./program", cwd="/").stdout
        self.assertIn("json=/o.json\n", values)
        self.assertIn("coll-model=/curves\n", values)
        self.assertIn("network=/./libmine.so\n", values)
        self.assertIn("program: ./program\n", values)

    def test_options_without_effect_are_noted(self):
        result = self.dry("--bind-to", "core", "--mca", "btl", "tcp", self.program)
        self.assertEqual(result.stderr.count("gnomon: note: "), 2)

    def test_mpiexec_is_quiet(self):
        result = self.dry("-np", "2", "--oversubscribe", self.program, launcher=(), program=WRAPPERS / "mpiexec")
        self.assertEqual(result.stderr, "")
        self.assertIn("quiet=1", result.stdout)
        result = self.dry("-v", "-np", "2", self.program, launcher=(), program=WRAPPERS / "mpirun")
        self.assertNotIn("quiet=1", result.stdout)

    def test_bad_values(self):
        for value in ("0", "-1", "abc", "1.5", "99999999999999999999", ""):
            self.refused(f"'-n {value}': expected a whole number, 1 or more", "run", "-n", value, self.program)
        for value in ("-1", "nan", "inf", "0x10", "1e400", "5x"):
            self.refused(f"'--timeout {value}': expected a number of seconds, 0 or more", "run", "--timeout", value, self.program)
        self.refused("'--set smpi/os': expected KEY=VALUE", "run", "--set", "smpi/os", self.program)
        self.refused("'--coll allreduce': expected NAME:ALGORITHM", "run", "--coll", "allreduce", self.program)
        self.refused("'-n' needs a value", "run", "-n")
        self.refused("'--platform': a value cannot contain a line break", "run", "--platform", "a\nranks=5", self.program)
        self.refused("'--quiet' takes no value", "run", "--quiet=yes", self.program)
        self.refused("'-x GNOMON_NO_SUCH': the environment has no such variable", "run", "-x", "GNOMON_NO_SUCH", self.program)

    def test_unknown_and_refused_options(self):
        self.refused("unknown option '--jsno'; did you mean '--json'?", "run", "--jsno", "x", self.program)
        self.refused("'-configfile' (a file of several programs) is not available in this version", "run", "-configfile", "x")
        self.refused("no program after ':'", "run", self.program, ":")


class Programs(Scratch):
    def test_programs_that_cannot_be_run(self):
        self.refused("no program to run; see 'gnomon run --help'", "run", "-n", "2")
        self.refused(f"program '{self.directory}/nothing' does not exist", "run", self.directory / "nothing")
        self.refused("program 'gnomon-no-such-program' is not in PATH", "run", "gnomon-no-such-program")
        self.refused(f"'{self.directory}' is a directory, not a program", "run", self.directory)
        self.refused(f"'{self.directory}/data' is not executable", "run", self.write("data", "x"))
        for name, text in (("script", "#!/bin/sh\n"), ("empty", "")):
            self.refused(f"'{self.directory}/{name}' is not a program but a script or data; name the program itself", "run",
                         self.write(name, text, 0o755))

    def test_program_beside_the_user_is_suggested(self):
        self.compile()
        self.refused("did you mean './program'?", "run", "program", cwd=self.directory)

    def test_program_without_the_flag(self):
        remedy = "build it with the flag that 'gnomon --flag' prints"
        self.refused(f"'{self.directory}/program' is not built for Gnomon; {remedy}", "run", self.compile())
        self.refused(f"'{self.directory}/program' is statically linked and not built for Gnomon; {remedy}, without -static", "run",
                     self.compile("int main(void) { return 0; }\n", "-static"))

    def test_program_that_the_pass_did_not_see(self):
        flag, text = gnomon("--flag").stdout.strip(), "int main(void) { return 0; }\n"
        refusal = (f"the main of '{self.directory}/program' was linked without Gnomon's pass (-fno-lto, -flto=thin, or an object "
                   "compiled without the flag), so its ranks would share all variables; compile everything with the flag that "
                   "'gnomon --flag' prints, without those options, and link it again")
        for option in ("-fno-lto", "-flto=thin"):
            program = self.compile(text, flag, "-O0", "-Wl,--no-as-needed", option)
            self.refused(refusal, "run", "-n", "2", program)
        self.compile(text, "-c", "-fPIE", name="native.o")
        program = self.compile("int other;\n", flag, str(self.directory / "native.o"), "-Wl,--no-as-needed")
        self.refused(refusal, "run", "-n", "2", program)
        self.assertEqual(gnomon("run", "-q", "-n", "2", self.compile(text, flag)).returncode, 0)

    def test_program_of_another_mpi(self):
        text = "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n"
        tried = 0
        for compiler, name in (("mpicc.openmpi", "Open MPI"), ("mpicc.mpich", "MPICH")):
            try:
                program = self.compile(text, compiler=compiler)
            except FileNotFoundError:
                continue
            tried += 1
            self.refused(f"'{program}' is built with {name}; build it with the flag that 'gnomon --flag' prints", "run", program)
        if tried == 0:
            self.skipTest("no other MPI is installed")

    def test_truncated_elf_files_are_refused(self):
        whole = self.compile().read_bytes()
        for size in (4, 16, 63, 64, 100, 700, len(whole) // 2):
            path = self.directory / f"cut{size}"
            path.write_bytes(whole[:size])
            path.chmod(0o755)
            self.assertEqual(gnomon("run", path).returncode, 2)

    def test_compiler_can_be_chosen(self):
        fake = self.write("fake", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n", 0o755)
        for subcommand, variable in (("cc", "GNOMON_CC"), ("cxx", "GNOMON_CXX"), ("fc", "GNOMON_FC")):
            result = gnomon(subcommand, "-c", "a b.c", env={**os.environ, variable: str(fake)})
            flag = gnomon("--flag").stdout
            self.assertEqual(result.stdout, f"{flag}-c\na b.c\n")
            self.refused(f"cannot start '/no/such': No such file or directory; install it or set {variable}", subcommand, env={**os.environ, variable: "/no/such"})


class Wrappers(Scratch):
    def ask(self, wrapper, *arguments):
        result = gnomon(*arguments, program=WRAPPERS / wrapper)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.strip()

    def test_answers_have_expanded_flags(self):
        for wrapper, compiler in (("mpicc", "clang-22"), ("mpicxx", "clang++-22"), ("mpif90", "flang-22")):
            for query in ("-show", "-showme", "-compile-info", "-link-info"):
                text = self.ask(wrapper, query)
                self.assertTrue(text.startswith(compiler + " "), text)
                self.assertIn(f"-I{PREFIX}/include/gnomon", text)
                self.assertIn(f"-L{PREFIX}/lib", text)
                self.assertIn("-lgnomon", text)
                self.assertNotIn("CFGDIR", text)
                self.assertNotIn("$", text)

    def test_parts(self):
        self.assertEqual(self.ask("mpicc", "-showme:command"), "clang-22")
        self.assertEqual(self.ask("mpicc", "-showme:incdirs"), f"{PREFIX}/include/gnomon")
        self.assertIn(f"{PREFIX}/lib", self.ask("mpifort", "-showme:libdirs").split())
        self.assertEqual(self.ask("mpic++", "-showme:libs"), "gnomon")
        self.assertIn("gnomon", self.ask("mpiCC", "-showme:version"))
        self.assertNotIn("-lgnomon", self.ask("mpicc", "-showme:compile"))
        self.assertNotIn("-I", self.ask("mpicc", "-showme:link"))

    def test_arguments_appear_in_show(self):
        self.assertTrue(self.ask("mpicc", "-show", "-c", "x.c").endswith(" -c x.c"))

    def test_unknown_query_is_refused(self):
        self.refused("mpicc: unknown query '-showme:all'; -show, -showme and -showme:{compile,link,command,incdirs,libdirs,libs,version} "
                     "are known", "-showme:all", program=WRAPPERS / "mpicc")


class Doctor(Scratch):
    def test_json_lists_subjects(self):
        findings = json_schema.validate(gnomon("doctor", "--json").stdout, "doctor")
        self.assertIn("vm.max_map_count", [finding["subject"] for finding in findings])

    def test_everything_is_found(self):
        result = gnomon("doctor")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_missing_compiler_has_a_remedy(self):
        result = gnomon("doctor", env={**os.environ, "GNOMON_FC": "/no/such"})
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get install flang-22", result.stdout)

    def test_unknown_argument(self):
        self.refused("unknown argument '--what' of 'gnomon doctor'; --json is the only one", "doctor", "--what")


if __name__ == "__main__":
    unittest.main()
