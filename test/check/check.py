#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: `gnomon check` finds what Lints.def lists, at its place, and nothing in the platforms of the project; its summary
is right for platforms whose figures are known; its pictures are well-formed, repeatable and complete."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PREFIX = pathlib.Path(os.environ["GNOMON_PREFIX"])
SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
SVG = "{http://www.w3.org/2000/svg}"
sys.path.insert(0, str(SOURCE / "test/support"))

import json_schema  # noqa: E402


def machines():
    """The files of platforms/ that describe machines; platforms/mpi has MPI libraries."""
    return [path for path in SOURCE.glob("platforms/*/*.xml") if path.parent.name != "mpi"]


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)

    def gnomon(self, *arguments, code=0, **options):
        result = subprocess.run([PREFIX / "bin/gnomon", "check", *map(str, arguments)], capture_output=True, text=True,
                                **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def platform(self, text, config=""):
        """Lines 3 and on are those of `text`."""
        path = self.directory / "platform.xml"
        path.write_text(f"<platform version='4.1'>{config}\n<zone id='all' routing='Full'>\n{text}\n</zone>\n</platform>\n")
        return path

    def json(self, path, code=0, *options):
        return json_schema.validate(self.gnomon("--json", *options, path, code=code).stdout, "check")[0]


HOSTS = "<host id='a' speed='1Gf'/>\n<host id='b' speed='1Gf'/>\n"  # lines 3 and 4
WIRE = "<link id='wire' bandwidth='1Gbps' latency='10us'/>"         # line 5 in most
ROUTE = "<route src='a' dst='b'><link_ctn id='wire'/></route>"


class Lints(Case):
    def program(self):
        """A program that ends at once."""
        program = self.directory / "program"
        if not program.exists():
            source = self.directory / "program.c"
            source.write_text("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n")
            subprocess.run([PREFIX / "bin/gnomon", "cc", source, "-o", program], check=True)
        return program

    def found(self, text, identity, line, attribute=None, config="", code=0, says=None):
        findings = self.json(self.platform(text, config), code)["findings"]
        wanted = [finding for finding in findings if finding["id"] == identity]
        self.assertEqual(len(wanted), 1, findings)
        self.assertEqual((wanted[0]["line"], wanted[0]["attribute"]), (line, attribute), wanted)
        if says:
            self.assertEqual(wanted[0]["text"], says)
        return wanted[0]

    def clean(self, text, *allowed):
        findings = self.json(self.platform(text))["findings"]
        self.assertEqual([finding for finding in findings if finding["id"] not in allowed], [])

    def link(self, attributes):
        return HOSTS + f"<link id='wire' {attributes}/>\n" + ROUTE

    def test_a_plain_platform_is_clean(self):
        self.clean(HOSTS + WIRE + ROUTE)

    def test_bad_input(self):
        self.found(self.link("bandwidth='nan'"), "bad-input", 5, "bandwidth", code=2, says="not a number: 'nan'")

    def test_unreachable_counts_both_ways(self):
        text = HOSTS + "<host id='c' speed='1Gf'/>\n" + WIRE + ROUTE
        finding = self.found(text, "unreachable", 2, code=2, says="no route from 'a' to 'c' (and 3 more pairs)")
        self.assertEqual(finding["remedy"], 'write a route, or use routing="Floyd" to join routes')
        self.found(text, "isolated-host", 5, code=2, says="host 'c' reaches no other host")

    def test_bad_config(self):
        def config(key, value):
            return f"<config id='c'><prop id='{key}' value='{value}'/></config>"
        text = HOSTS + WIRE + ROUTE
        self.found(text, "bad-config", 1, "value", config("network/TCP-gama", "1"), 2,
                   "unknown parameter 'network/TCP-gama'; did you mean 'network/TCP-gamma'?")
        self.found(text, "bad-config", 1, "value", config("network/crosstraffic", "maybe"), 2,
                   "network/crosstraffic: expected yes or no, found 'maybe'")
        self.found(text, "ignored", 1, "network/optim", config("network/optim", "Full"),
                   says="the parameter 'network/optim' has no effect here")
        self.found(text, "config-twice", 1, "id", config("network/TCP-gamma", "1") + config("network/TCP-gamma", "2"))
        # What other rooms than the models take.
        for key, good, bad, fragment in (
                ("smpi/allreduce", "rdb", "yes", "unknown algorithm 'yes' of collective 'allreduce'; known are: "),
                ("smpi/barrier-finalization", "yes", "perhaps", "expected yes or no, not 'perhaps'"),
                ("smpi/finalization-barrier", "off", "", "expected yes or no, not ''"),
                ("smpi/grow-injected-times", "no", "NO", "expected yes or no, not 'NO'"),
                ("gnomon/spawn-time", "1s", "-1", "expected a number of seconds, 0 or more, not '-1'")):
            self.assertEqual(self.json(self.platform(text, config(key, good)))["findings"], [])
            self.assertIn(fragment, self.found(text, "bad-config", 1, "value", config(key, bad), 2)["text"])
            # A run refuses it in the same words.
            run = subprocess.run([PREFIX / "bin/gnomon", "run", "--platform", self.platform(text, config(key, bad)), self.program()],
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(fragment, run.stderr)

    def test_absurd_bandwidth(self):
        self.found(self.link("bandwidth='11Tbps' latency='1us'"), "absurd-bandwidth", 5, "bandwidth", says="link 'wire' has 11 Tbit/s")
        self.found(self.link("bandwidth='999bps' latency='1us'"), "absurd-bandwidth", 5, "bandwidth", says="link 'wire' has 999 bit/s")
        self.clean(self.link("bandwidth='10Tbps' latency='1us'"))
        self.clean(self.link("bandwidth='1kbps' latency='1us'"))

    def test_absurd_latency(self):
        findings = self.json(self.platform(self.link("bandwidth='1Gbps' latency='1001ms'")))["findings"]
        places = {(finding["line"], finding["attribute"]) for finding in findings if finding["id"] == "absurd-latency"}
        self.assertEqual(places, {(5, "latency"), (2, None)})  # of the link, and of the route
        self.clean(self.link("bandwidth='1Gbps' latency='1s'"))

    def test_no_latency(self):
        text = self.link("bandwidth='1Gbps' latency='0s'")
        self.found(text, "zero-latency-route", 2, says="a message from 'a' to 'b' takes no latency (and 1 more pairs)")
        self.found(text, "zero-latency-link", 5, "latency")
        limited = HOSTS + WIRE + "\n<link id='limiter' bandwidth='1Gbps' latency='0s'/>\n" + ROUTE.replace(
            "<link_ctn", "<link_ctn id='limiter'/><link_ctn")
        self.found(limited, "zero-latency-link", 6, "latency", says="link 'limiter' takes no time")
        self.clean(limited, "zero-latency-link")

    def test_absurd_speed(self):
        for speed, words in (("2Pf", "2 Pflop/s"), ("900kf", "900 kflop/s")):
            text = f"<host id='a' speed='{speed}'/>\n<host id='b' speed='1Gf'/>\n" + WIRE + ROUTE
            self.found(text, "absurd-speed", 3, "speed", says=f"a core of host 'a' does {words}")

    def test_bits_or_bytes(self):
        self.found(self.link("bandwidth='10GBps' latency='1us'"), "bits-or-bytes", 5, "bandwidth", says="link 'wire' has 10 GB/s, 8 times a usual rate in bits")
        self.found(self.link("bandwidth='125Mbps' latency='1us'"), "bits-or-bytes", 5, "bandwidth", says="link 'wire' has 125 Mbit/s, an eighth of a usual rate")
        for plausible in ("125MBps", "1.25GBps", "1Gbps", "25GBps", "100Mbps"):
            self.clean(self.link(f"bandwidth='{plausible}' latency='1us'"))
        loopback = "\n<link id='self' bandwidth='10GBps' latency='1us'/><route src='a' dst='a'><link_ctn id='self'/></route>"
        self.clean(HOSTS + WIRE + ROUTE + loopback)

    def test_no_unit(self):
        self.found(self.link("bandwidth='125000000' latency='1us'"), "no-unit", 5, "bandwidth", says='"125000000" has no unit, taken in bytes/s')
        self.found(self.link("bandwidth='1Gbps' latency='1e-6'"), "no-unit", 5, "latency", says='"1e-6" has no unit, taken in seconds')

    def test_asymmetric(self):
        other = "\n<link id='slow' bandwidth='1Gbps' latency='20us'/>\n"
        one_way = ROUTE.replace("dst='b'", "dst='b' symmetrical='NO'")
        back = "<route src='b' dst='a' symmetrical='NO'><link_ctn id='slow'/></route>"
        self.found(HOSTS + WIRE + other + one_way + back, "asymmetric", 2,
                   says="from 'a' to 'b' it is 10 us and 1 Gbit/s, and back 20 us and 1 Gbit/s")
        other = other.replace("1Gbps", "2Gbps").replace("20us", "10us")
        self.found(HOSTS + WIRE + other + one_way + back, "asymmetric-bandwidth", 2, says="from 'a' to 'b' it is 10 us and 1 Gbit/s, and back 10 us and 2 Gbit/s")
        self.clean(HOSTS + WIRE + other + one_way + back, "asymmetric-bandwidth")

    def test_unused_link(self):
        text = HOSTS + WIRE + "\n<link id='spare' bandwidth='1Gbps' latency='1us'/>\n" + ROUTE
        self.found(text, "unused-link", 6, says="link 'spare' is crossed by no route between hosts")

    def test_ignored(self):
        path = self.directory / "cluster.xml"
        path.write_text("<platform version='4.1'>\n<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='1Gbps' "
                        "lat='1us' topology='TORUS' topo_parameters='2,2' bb_bw='1Gbps'/></platform>")
        findings = {finding["id"]: finding for finding in self.json(path)["findings"]}
        self.assertEqual((findings["ignored"]["line"], findings["ignored"]["attribute"]), (2, "bb_bw"))
        # A ring of two hosts has two cables between them, and routes take one for each direction.
        self.assertIn("idle-cables", findings)
        text = HOSTS.replace("speed='1Gf'/>\n", "speed='1Gf'><prop id='x' value='y'/></host>\n") + WIRE + ROUTE
        self.found(text, "properties", 3)

    def test_topologies_differ_by_design(self):
        findings = self.json("dragonfly:groups=3,chassis=2,blades=3,nodes=1,bw=1Gbps,lat=1us")["findings"]
        self.assertEqual([finding["id"] for finding in findings if finding["severity"] != "note"], [])
        self.assertIn("asymmetric-topology", [finding["id"] for finding in findings])


class Summary(Case):
    def test_closed_forms(self):
        """A torus of 4 x 6: farthest pair 2 + 3 hops; a fat tree of two levels: 4 links at most."""
        torus = self.json("torus:dims=4x6,bw=1Gbps,lat=1us,cores=3")["summary"]
        self.assertEqual((torus["hosts"], torus["cores"], torus["links"], torus["pairs"]), (24, 72, 96, 24 * 23))
        self.assertEqual((torus["diameter_links"], torus["all_pairs"], torus["routing"]), (5, True, {"TORUS": 1}))
        self.assertAlmostEqual(torus["latency_seconds"]["greatest"], 5e-6, 12)
        self.assertAlmostEqual(torus["latency_seconds"]["least"], 1e-6, 12)
        tree = self.json("fattree:down=4x4,up=1x2,bw=1Gbps,lat=1us")["summary"]
        self.assertEqual((tree["hosts"], tree["diameter_links"]), (16, 4))
        cluster = self.json("cluster:n=5,bw=1Gbps,lat=1us,bb_bw=100Mbps,bb_lat=3us,loopback_bw=1GBps")["summary"]
        self.assertEqual((cluster["hosts"], cluster["links"], cluster["fat_pipes"], cluster["routers"]), (5, 16, 5, 1))
        self.assertEqual(cluster["bottleneck_bytes_per_second"], {"least": 12500000.0, "greatest": 12500000.0})
        self.assertAlmostEqual(cluster["latency_seconds"]["least"], 5e-6, 12)

    def test_large_platforms_are_sampled_and_say_so(self):
        self.assertTrue(self.json("cluster:n=1024,bw=1Gbps,lat=1us")["summary"]["all_pairs"])
        self.assertFalse(self.json("cluster:n=1025,bw=1Gbps,lat=1us")["summary"]["all_pairs"])
        self.assertIn("an evenly spaced sample", self.gnomon("cluster:n=1025,bw=1Gbps,lat=1us").stdout)

    def test_missing_routes_are_found_in_large_platforms(self):
        hosts = "".join(f"<cluster id='c{i}' prefix='n{i}-' suffix='' radical='0-799' speed='1Gf' bw='1Gbps' lat='1us'/>"
                        for i in range(2))
        findings = self.json(self.platform(hosts), 2)["findings"]
        self.assertIn("unreachable", [finding["id"] for finding in findings])

    def test_configuration_is_listed(self):
        path = SOURCE / "platforms/generic/two-clusters.xml"
        self.assertIn({"key": "network/TCP-gamma", "value": "16777216"}, self.json(path)["summary"]["config"])
        self.assertIn("sets        network/TCP-gamma = 16777216", self.gnomon(path).stdout)


class CommandLine(Case):
    def test_exit_codes(self):
        warned = self.platform(HOSTS + WIRE.replace("10us", "2s") + ROUTE)
        self.gnomon(warned)
        self.gnomon("--werror", warned, code=1)
        bad = self.directory / "bad.xml"
        bad.write_text("<platform/>")
        self.gnomon("cluster:n=2,bw=1Gbps,lat=1us", bad, warned, code=2)
        self.gnomon("--werror", "cluster:n=2,bw=1Gbps,lat=1us")

    def test_host_file(self):
        hosts = self.directory / "hosts"
        hosts.write_text("node-0\nnode-7\n")
        result = self.gnomon("--hostfile", hosts, "cluster:n=2,bw=1Gbps,lat=1us", code=2)
        self.assertIn(f"{hosts}:2: error: the platform has no host 'node-7'", result.stdout)
        self.gnomon(f"--hostfile={hosts}", "cluster:n=8,bw=1Gbps,lat=1us")

    def test_bad_command_lines(self):
        for arguments, text in (((), "no platform"), (("--svgg", "x"), "did you mean '--svg'"), (("--svg",), "needs a value"),
                                (("--svg", "a.svg", "x", "y"), "draws one platform")):
            self.assertIn(text, self.gnomon(*arguments, code=2).stderr)

    def test_help_lists_options_and_lints(self):
        text = self.gnomon("--help").stdout
        for word in ("--svg FILE", "--json", "--werror", "--hostfile FILE", "unused-link"):
            self.assertIn(word, text)

    def test_output_that_cannot_be_written(self):
        self.gnomon("--svg", "/dev/full", "cluster:n=2,bw=1Gbps,lat=1us", code=74)
        self.gnomon("--svg", self.directory / "no/such.svg", "cluster:n=2,bw=1Gbps,lat=1us", code=74)

    def test_decimal_comma_of_the_locale_changes_nothing(self):
        environment = {**os.environ, "LC_ALL": "de_DE.UTF-8"}
        arguments = ("torus:dims=3x3,bw=1.5Gbps,lat=1.5us", "--json")
        self.assertEqual(self.gnomon(*arguments, env=environment).stdout, self.gnomon(*arguments).stdout)


    def test_a_mistake_on_every_line_is_printed_twenty_times(self):
        links = "".join(f"<link id='l{i}' bandwidth='1Gbps' latency='1us'/>\n" for i in range(50))
        path = self.platform(HOSTS + WIRE + ROUTE + links)
        text = self.gnomon(path).stdout
        self.assertEqual(text.count("[unused-link]"), 20 + 1)
        self.assertIn("and 30 more [unused-link]; --json lists all", text)
        self.assertEqual(len(self.json(path)["findings"]), 50)


class Platforms(Case):
    def test_the_projects_platforms_are_clean(self):
        files = sorted(machines())
        self.assertGreater(len(files), 15)
        for path in files:
            with self.subTest(path.name):
                self.gnomon("--werror", path)

    def test_one_line_forms_in_the_examples_mean_the_same(self):
        """Each "The same in one line" of platforms/generic has the summary of its file."""
        tried = 0
        for path in sorted(SOURCE.glob("platforms/generic/*.xml")):
            for line in path.read_text().splitlines():
                if "The same in one line: " in line:
                    tried += 1
                    text = line.split("The same in one line: ")[1].strip()
                    self.assertEqual(self.json(text)["summary"], self.json(path)["summary"], path.name)
        self.assertGreaterEqual(tried, 4)


class Drawings(Case):
    def draw(self, platform):
        path = self.directory / "drawing.svg"
        self.gnomon("--svg", path, platform)
        return path.read_bytes()

    def parts(self, platform):
        root = xml.etree.ElementTree.fromstring(self.draw(platform))
        classes = [element.get("class") for element in root]
        texts = [element.text for element in root.iter(SVG + "text")]
        return root, classes, texts

    def test_everything_is_inside_the_picture(self):
        names = [*machines(), "cluster:n=1024,bw=10Gbps,lat=2us", "torus:dims=20,bw=1Gbps,lat=1us",
                 "torus:dims=8x8,bw=1Gbps,lat=1us", "torus:dims=3x3x3x3,bw=1Gbps,lat=1us",
                 "fattree:down=16x16x4,up=1x8x8,bw=1Gbps,lat=1us", "fattree:down=2x2,up=2x2,cables=1x2,bw=1Gbps,lat=1us",
                 "dragonfly:groups=20,chassis=6,blades=20,nodes=4,bw=1Gbps,lat=1us",
                 "dragonfly:groups=1,chassis=1,blades=1,nodes=1,bw=1Gbps,lat=1us", "cluster:n=1,bw=1Gbps,lat=1us"]
        for name in names:
            with self.subTest(str(name)):
                root, _, texts = self.parts(name)
                width, height = float(root.get("width")), float(root.get("height"))
                for element in root:
                    for attribute, limit in (("x", width), ("y", height), ("x1", width), ("x2", width), ("y1", height),
                                             ("y2", height), ("cx", width), ("cy", height)):
                        if element.get(attribute):
                            self.assertTrue(0 <= float(element.get(attribute)) <= limit, element.attrib)
                    if element.tag == SVG + "rect" and element.get("x"):
                        self.assertLessEqual(float(element.get("x")) + float(element.get("width")), width + 0.1)
                        self.assertLessEqual(float(element.get("y")) + float(element.get("height")), height + 0.1)
                self.assertIn("host", texts)
                self.assertLess(max(width, height), 4000)

    def test_same_bytes_again(self):
        for name in (SOURCE / "platforms/machines/graphene.xml", "dragonfly:groups=4,chassis=2,blades=4,nodes=2,bw=1Gbps,lat=1us"):
            self.assertEqual(self.draw(name), self.draw(name))

    def test_every_host_of_a_small_platform_is_drawn(self):
        _, classes, texts = self.parts(SOURCE / "test/run/platform.xml")
        self.assertEqual(classes.count("host"), 3 + 1)  # and the legend's
        self.assertEqual(classes.count("cable"), 3 + 1)
        for name in ("alpha", "beta", "gamma"):
            self.assertIn(name, texts)
        self.assertEqual(texts.count("1 Gbit/s, 50 us"), 3)

    def test_a_large_cluster_is_drawn_once(self):
        _, classes, texts = self.parts("cluster:n=1024,bw=10Gbps,lat=2us")
        self.assertLess(len(classes), 30)
        self.assertIn("cluster: cluster of 1,024 hosts", texts)
        self.assertIn("10 Gbit/s, 2 us each", texts)

    def test_topologies_are_drawn_as_what_they_are(self):
        _, classes, texts = self.parts("torus:dims=4x3,bw=10Gbps,lat=2us")
        self.assertEqual(classes.count("host"), 12 + 1)
        # Inner cables 3 x 3 + 4 x 2, and one that closes each of 3 rows and 4 columns; one in the legend.
        self.assertEqual(classes.count("cable"), 9 + 8 + 7 + 1)
        _, classes, _ = self.parts("fattree:down=4x2,up=1x2,bw=10Gbps,lat=2us")
        self.assertEqual(classes.count("router"), 4 + 1)
        self.assertEqual(classes.count("cable"), 8 + 4 + 1)
        _, classes, _ = self.parts("dragonfly:groups=3,chassis=2,blades=3,nodes=1,bw=10Gbps,lat=2us")
        self.assertEqual((classes.count("blue"), classes.count("green"), classes.count("router")), (3, 3 * 2 * 2, 18 + 1))

    def test_wider_links_are_thicker(self):
        wide = WIRE.replace("1Gbps", "100Gbps")
        widths = []
        for wire in (WIRE, wide):
            root, _, _ = self.parts(self.platform(HOSTS + wire + ROUTE))
            widths.append([float(line.get("stroke-width")) for line in root.iter(SVG + "line")][0])
        self.assertEqual(widths, [2, 5])

    def test_names_are_escaped(self):
        text = HOSTS.replace("'a'", "'&lt;script>&amp;\"'") + WIRE + ROUTE.replace("'a'", "'&lt;script>&amp;\"'")
        _, _, texts = self.parts(self.platform(text))
        self.assertIn("<script>&\"", texts)

    def test_names_that_are_no_text_are_replaced(self):
        path = self.directory / "bytes.xml"
        path.write_bytes(b"<platform version='4.1'><cluster id='c\xff\x01' prefix='\xc3' suffix='\xed\xa0\x80' radical='0-1' "
                         b"speed='1Gf' bw='1Gbps' lat='1us'/></platform>")
        self.parts(path)
        self.json(path)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
