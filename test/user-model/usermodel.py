#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a shared object built against the staged prefix alone is a network model: the example's closed form, all of the
interface, thousands of ranks, repeatable runs, and an error with exit code 2 for everything that can be wrong with it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
EXAMPLE = pathlib.Path(os.environ["GNOMON_SOURCE"], "examples/network-model/OneAtATime.cpp")
GNOMON = PREFIX / "bin/gnomon"
PLATFORM = ("--platform", "cluster:n=64,bw=100MBps,lat=1us")
HEAD = "#include <gnomon/Network.h>\n#include <stdexcept>\n#include <string>\nusing namespace gnomon::network;\n"


def model(members, start="schedule.arrive(message.id, schedule.now());"):
    return HEAD + f"""
struct Mine : Model {{
  Schedule &schedule;
  Machine &machine;
  explicit Mine(Context &context) : schedule(context.schedule), machine(context.machine) {{ made(context); }}
  void made(Context &);
  void start(const Message &message) override {{ {start} }}
  {members}
}};
GNOMON_NETWORK_MODEL(Mine)
"""


NOTHING = "void Mine::made(Context &) {}\n"


class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.directory = pathlib.Path(cls.scratch.name)
        cls.program = cls.directory / "fanin"
        subprocess.run([GNOMON, "cc", "-O2", HERE / "fanin.c", "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def build(self, source, name, compiler="clang++-22"):
        """A path in place of a text is taken as it is."""
        if isinstance(source, str):
            path = self.directory / (name + ".cpp")
            path.write_text(source)
            source = path
        subprocess.run([compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                        "-I", PREFIX / "include/gnomon", source, "-o", self.directory / name], check=True)

    def simulate(self, network, *arguments, ranks=4, size=0, code=0):
        command = [GNOMON, "run", "-q", "-n", ranks, "--compute=none", *PLATFORM, "--set", "smpi/wtime=0", "--network",
                   network, *arguments, self.program, size]
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=self.directory,
                                stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        json_schema.written(command, self.directory)
        return result

    def arrivals(self, *arguments, **options):
        text = self.simulate(*arguments, **options).stdout
        return {int(number): float(date) for number, date in re.findall(r"message (\d+) from rank \d+ at (.*)", text)}

    def refused(self, text, *arguments, **options):
        result = self.simulate(*arguments, code=2, **options)
        self.assertIn(f"gnomon: error: {text}", result.stderr)


class Example(Models):
    def test_closed_form_with_two_compilers(self):
        for compiler in ("clang++-22", "g++"):
            self.build(EXAMPLE, "libone.so", compiler)
            at = self.arrivals("./libone.so", "--set", "user/latency=2us", "--set", "user/bandwidth=10Gbps", size=1000000)
            for number in (1, 2, 3):
                self.assertAlmostEqual(at[number], number * (2e-6 + 1e6 / 1.25e9), delta=2e-9)

    def test_figures_of_the_platform(self):
        self.build(EXAMPLE, "libone.so")
        at = self.arrivals("./libone.so", ranks=3, size=1000000)
        self.assertAlmostEqual(at[2], 2 * (2e-6 + 0.01), delta=2e-9)

    def test_thousands_of_ranks_and_repeatable(self):
        self.build(EXAMPLE, "libone.so")
        first = self.simulate("./libone.so", ranks=4096, size=1000)
        self.assertIn("sum 4096\n", first.stdout)
        self.assertEqual(first.stdout, self.simulate("./libone.so", ranks=4096, size=1000).stdout)

    def test_under_150_lines(self):
        self.assertLess(len(EXAMPLE.read_text().splitlines()), 150)


class Interface(Models):
    def test_arrivals_may_be_moved_and_are_told(self):
        # The first message is given 3 s; each start moves it to 1 s after that; its arrival is told, then the others'.
        self.build(model("""
          uint64_t first = 0;
          int started = 0;
          void arrived(const Message &message) override {
            if (message.id == first)
              first = 0;
          }
          void woken(uint64_t argument) override { schedule.arrive(argument, schedule.now() + 0.5); }
        """, """
          if (++started == 1) {
            first = message.id;
            schedule.arrive(message.id, 3);
          } else {
            if (first)
              schedule.arrive(first, 1);
            schedule.wake(schedule.now() + 2, message.id);
          }
        """) + NOTHING, "libmoved.so")
        at = self.arrivals("./libmoved.so")
        self.assertEqual(at, {1: 1.0, 2: 2.5, 3: 2.5})

    def test_the_platform_and_the_parameters(self):
        self.build(model("") + """
          void Mine::made(Context &context) {
            Route route = machine.route(0, 1);
            Link link = machine.link(route.links[1]);
            if (machine.hostCount() != 64 || std::string(machine.hostName(3)) != "node-3" || route.linkCount != 2 ||
                route.latency != 2e-6 || route.bandwidth != 100e6 || link.bandwidth != 100e6 || link.latency != 1e-6 ||
                link.fatPipe || route.links[1] >= machine.linkCount())
              throw std::logic_error("not that platform");
            Parameters &p = context.parameters;
            if (p.number("a", 7) != 7 || p.number("b", 7) != 2 || p.seconds("c", 1) != 3e-6 ||
                p.bytesPerSecond("d", 1) != 1.25e8 || p.bytes("e", 1) != 1024 || std::string(p.text("f", "")) != "word")
              throw std::logic_error("not those parameters");
          }
        """, "libask.so")
        self.simulate("./libask.so", *(word for pair in ("b=2", "c=3us", "d=1Gbps", "e=1KiB", "f=word")
                                       for word in ("--set", "user/" + pair)))

    def test_collectives_as_wholes(self):
        self.build(model("""
          bool times(const char *collective) const override { return std::string(collective) == "allreduce"; }
          double seconds(const Collective &c) override {
            return c.ranks == 5 && c.hosts[4] == 4 && c.bytes == 4 ? 7 : 1000;
          }
        """) + NOTHING, "libcoll.so")
        file = self.directory / "run.json"
        self.assertIn("sum 5\n", self.simulate("./libcoll.so", "--json", file, ranks=5).stdout)
        self.assertRegex(file.read_text(), r'"simulated_time": 7(\.0*)?[,\n]')


class Errors(Models):
    def test_what_is_not_a_model(self):
        self.refused("--network=./no-such.so: there is no such file\n", "./no-such.so")
        self.refused("--network=no-such.so: cannot be loaded: no-such.so: cannot open shared object file: No such file or directory; "
                     "write ./no-such.so for a file of this directory\n", "no-such.so")
        (self.directory / "text.so").write_text("no library\n")
        self.refused("--network=./text.so: cannot be loaded: ./text.so: file too short\n", "./text.so")
        self.build("int unrelated() { return 1; }\n", "libempty.so")
        self.refused("--network=./libempty.so: is not a network model: it has no function gnomon_network_abi; write "
                     "GNOMON_NETWORK_MODEL(Class) in it (gnomon/Network.h)\n", "./libempty.so")

    def test_another_version_of_the_interface(self):
        self.build('extern "C" unsigned gnomon_network_abi() { return 99; }\n'
                   'extern "C" void *gnomon_network_create(void *) { return nullptr; }\n', "libold.so")
        self.refused("--network=./libold.so: was built for version 99 of gnomon/Network.h, this Gnomon has version 1; build it again",
                     "./libold.so")

    def test_parameters(self):
        self.build(EXAMPLE, "libone.so")
        self.refused("--set: unknown parameter 'user/latenci'; the network model's parameters are user/latency, user/bandwidth; "
                     "did you mean 'user/latency'?\n", "./libone.so", "--set", "user/latenci=1us")
        self.refused("--set: user/latency: not a number: 'nan'\n", "./libone.so", "--set", "user/latency=nan")
        self.refused("--network=./libone.so: the model cannot be made: user/bandwidth must be above zero\n", "./libone.so", "--set", "user/bandwidth=0bps")

    def test_exceptions_are_told(self):
        self.build(model("", 'throw std::runtime_error("too much traffic at " + std::to_string(message.destination));') + NOTHING, "libthrows.so")
        self.refused("the network model ./libthrows.so failed in start: too much traffic at 0\n", "./libthrows.so")
        self.build(model("void woken(uint64_t) override { throw 7; }", "schedule.wake(1, message.id);") + NOTHING,
                   "libwoken.so")
        self.refused("the network model ./libwoken.so failed in woken: an exception that is no std::exception\n", "./libwoken.so")

    def test_dates_and_messages_that_are_not(self):
        for start, text in (("schedule.arrive(message.id, -1);", "arrive(): the date -1.000000 s is not a date from now on, which is 0.000000 s"),
                            ("schedule.arrive(message.id, 0 / (schedule.now() - schedule.now()));",
                             "arrive(): the date -nan s is not a date from now on, which is 0.000000 s"),
                            ("schedule.arrive(message.id + 1, 1);", "arrive(): no message under way has the id "),
                            ("machine.route(0, 64); (void)message;", "there is no host 64: there are 64\n")):
            self.build(model("", start) + NOTHING, "libwrong.so")
            self.refused(f"the network model ./libwrong.so failed in start: {text}", "./libwrong.so")

    def test_a_message_that_never_arrives_is_a_deadlock(self):
        self.build(model("", "(void)message;") + NOTHING, "libnever.so")
        errors = self.simulate("./libnever.so", code=3).stderr
        self.assertIn("gnomon: deadlock at 0 s: 4 of 4 ranks wait for ever\n  rank 0: MPI_Waitany at fanin.c:24 in main: one of 3 "
                      "requests: MPI_Irecv from rank 1, tag 0, MPI_COMM_WORLD; ", errors)

    def test_waking_for_ever_keeps_no_run_going(self):
        ticks = "void woken(uint64_t) override { schedule.wake(schedule.now() + 1e-3, 1); }"
        made = "void Mine::made(Context &) { schedule.wake(0, 1); }\n"
        self.build(model(ticks) + made, "ticks.so")
        self.simulate("./ticks.so")
        self.build(model(ticks, start="(void)message;") + made, "never.so")  # and no message ever arrives
        told = " failed in woken: it was woken 10000000 times and no message started or was given a date\n"
        self.refused("the network model ./never.so" + told, "./never.so")
        self.build(model("void woken(uint64_t) override { schedule.wake(schedule.now(), 1); }",
                         start="schedule.arrive(message.id, schedule.now() + 1);") + made, "still.so")
        self.refused("the network model ./still.so" + told, "./still.so")


if __name__ == "__main__":
    unittest.main()
