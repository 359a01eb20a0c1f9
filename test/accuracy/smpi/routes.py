# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: every route of every topology is SimGrid's, link by link: names, bandwidths, order, latency.
"""routes.py PROGRAM DIRECTORY: PROGRAM is routes.cpp of this folder, built; its sibling routes-simgrid.cpp is built here with
Debian's SimGrid."""
import subprocess
import sys
from pathlib import Path

import places
from simulators import command, require_smpi

TORI = [("2", 2), ("5", 5), ("8", 8), ("4,4", 16), ("3,2,2", 12), ("5,4,3", 60), ("2,3,1,4", 24), ("6,6,6", 216)]
FAT_TREES = [("1;4;1;1", 4), ("1;4;2;3", 4), ("2;4,4;1,2;1,2", 16), ("2;4,4;2,2;2,3", 16), ("3;4,3,2;1,2,3;1,2,1", 24),
             ("3;2,3,4;2,2,2;3,2,4", 24), ("4;2,2,2,3;1,2,2,2;2,1,3,2", 24), ("3;8,8,4;1,8,4;1,1,2", 256)]
DRAGONFLIES = [("1,1;1,1;4,1;2", 8), ("3,4;4,3;5,1;2", 120), ("2,1;3,2;2,2;3", 36), ("4,2;2,1;4,3;1", 32),
               ("5,1;3,1;6,2;2", 180), ("1,1;3,2;1,1;4", 12)]
TOPOLOGIES = {"TORUS": TORI, "FAT_TREE": FAT_TREES, "DRAGONFLY": DRAGONFLIES, "FLAT": [("", 1), ("", 2), ("", 24)]}
LOOPBACK = 'loopback_bw="1GBps" loopback_lat="1us"'
ATTRIBUTES = ["", places.SHARED, LOOPBACK, places.LIMITER, f"{places.SHARED} {LOOPBACK} {places.LIMITER}"]
BACKBONES = [places.BACKBONE, places.FATPIPE_BACKBONE, f"{places.BACKBONE} {LOOPBACK} {places.LIMITER}"]
# What SimGrid 3.32 cannot do: it gives limiters of a fat tree's switches and hosts the same names when there are more
# switches than hosts; it connects no trace to a link; and it has no way from a host to itself where the zone's routing is None.
SIMGRID_REFUSES = ("declared several times", "Cannot set a bandwidth profile once the Link is sealed",
                   "There can't be route in an Empty zone")


def platforms(directory):
    for topology, sizes in TOPOLOGIES.items():
        for parameters, hosts in sizes:
            for attributes in ATTRIBUTES + (BACKBONES if topology == "FLAT" else []):
                path = places.write_cluster(directory, "platform", topology, parameters, hosts, attributes)
                yield f"{topology} {parameters} {attributes}", path
    for path in sorted(path for path in places.PLATFORMS.glob("*/*.xml") if path.parent.name != "mpi"):
        yield path.name, path


def main(program, directory):
    require_smpi()
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    theirs = directory / "routes-simgrid"
    command("clang++-22", "-std=c++17", "-O1", Path(__file__).with_name("routes-simgrid.cpp"), "-lsimgrid", "-o", theirs,
            cwd=directory)
    compared = refused = wrong = 0
    for name, path in platforms(directory):
        done = subprocess.run([theirs, path], cwd=directory, capture_output=True, text=True)
        if done.returncode != 0 and any(text in done.stderr for text in SIMGRID_REFUSES):
            refused += 1
            continue
        expected, routes = sorted(done.stdout.splitlines()), sorted(command(program, path, cwd=directory).splitlines())
        compared += len(expected)
        if done.returncode == 0 and expected and expected == routes:
            continue
        wrong += 1
        print(f"DIFFERS {name}: {done.stderr[-300:]}")
        for line in [f"  SimGrid: {a}\n  Gnomon:  {b}" for a, b in zip(expected, routes) if a != b][:3]:
            print(line)
    print(f"{compared} routes compared; {wrong} platforms differ; SimGrid refuses {refused}")
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2])
