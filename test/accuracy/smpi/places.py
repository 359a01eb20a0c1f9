# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Platforms and hosts on them for random traffic: the project's own files, and topologies written here."""
from pathlib import Path

PLATFORMS = Path(__file__).resolve().parents[3] / "platforms"

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
"""
LOOPBACK = 'loopback_bw="100MBps" loopback_lat="1us"'
LIMITER = 'limiter_link="150MBps"'
SHARED = 'sharing_policy="SHARED"'
BACKBONE = 'bb_bw="300MBps" bb_lat="10us"'
FATPIPE_BACKBONE = BACKBONE + ' bb_sharing_policy="FATPIPE"'

# name: topology, parameters, hosts, attributes
TOPOLOGIES = {
    "torus-12-loopback": ("TORUS", "3,2,2", 12, LOOPBACK),
    "torus-16-shared": ("TORUS", "4,4", 16, SHARED),
    "torus-60-limiter": ("TORUS", "5,4,3", 60, LIMITER),
    "fat-tree-16-loopback": ("FAT_TREE", "2;4,4;1,2;1,2", 16, LOOPBACK),
    "fat-tree-24-limiter": ("FAT_TREE", "3;4,3,2;1,2,3;1,2,1", 24, LIMITER),
    "fat-tree-24-shared": ("FAT_TREE", "3;4,3,2;1,2,3;1,2,1", 24, SHARED),
    "dragonfly-36": ("DRAGONFLY", "2,1;3,2;2,2;3", 36, ""),
    "dragonfly-36-shared": ("DRAGONFLY", "2,1;3,2;2,2;3", 36, SHARED),
    "dragonfly-120-limiter-loopback": ("DRAGONFLY", "3,4;4,3;5,1;2", 120, f"{LOOPBACK} {LIMITER}"),
    "flat-12": ("FLAT", "", 12, ""),
    "flat-12-shared": ("FLAT", "", 12, SHARED),
    "flat-12-backbone": ("FLAT", "", 12, BACKBONE),
    "flat-12-backbone-fat": ("FLAT", "", 12, FATPIPE_BACKBONE),
    "flat-12-limiter": ("FLAT", "", 12, LIMITER),
    "flat-12-everything": ("FLAT", "", 12, f"{BACKBONE} {LOOPBACK} {LIMITER}"),
}


def write_cluster(directory, name, topology, parameters, hosts, attributes):
    """A platform of one cluster; its hosts are n0, n1 …"""
    path = Path(directory) / f"{name}.xml"
    kind = "" if topology == "FLAT" else f'topology="{topology}" topo_parameters="{parameters}"'
    path.write_text(f'{HEAD}  <cluster id="c" {kind} prefix="n" suffix="" radical="0-{hosts - 1}" speed="1Gf"\n'
                    f'           bw="125MBps" lat="50us" {attributes}/>\n</zone></platform>\n')
    return path


def numbered(prefix, suffix, numbers):
    return [f"{prefix}{number}{suffix}" for number in numbers]


def write_crossbar(directory, name, hosts, sharing):
    """Every route crosses a link of each host; FATPIPE: the links never limit."""
    path = Path(directory) / f"{name}.xml"
    numbers = range(hosts)
    lines = [f'<host id="n{i}" speed="1Gf"/>' for i in numbers]
    lines += [f'<link id="{way}{i}" bandwidth="12.5GBps" latency="500ns" sharing_policy="{sharing}"/>'
              for i in numbers for way in ("up", "down")]
    lines += [f'<route src="n{i}" dst="n{j}" symmetrical="NO"><link_ctn id="up{i}"/><link_ctn id="down{j}"/></route>'
              for i in numbers for j in numbers if i != j]
    path.write_text(HEAD + "\n".join(lines) + "\n</zone></platform>\n")
    return path


def topologies(directory):
    for name, figures in TOPOLOGIES.items():
        path, count = write_cluster(directory, name, *figures), figures[2]
        yield name, path, numbered("n", "", range(0, count, count // 12))
        if "limiter" in name or "loopback" in name:
            yield f"{name}, two ranks a host", path, 2 * numbered("n", "", range(0, count, count // 6))


def machines(_):
    def cluster(name, suffix, numbers):
        return name, PLATFORMS / f"machines/{name}.xml", numbered(f"{name}-", suffix, numbers)

    def generic(name, hosts):
        return name, PLATFORMS / f"generic/{name}.xml", hosts

    yield generic("cluster", numbered("node-", "", range(16)))
    yield generic("cluster-backbone", numbered("node-", "", range(16)))
    for name in ("torus", "fat-tree", "dragonfly"):
        yield generic(name, numbered("node-", "", range(3, 64, 4)))
    yield generic("two-clusters", numbered("east-", "", range(8)) + numbered("west-", "", range(8)) + ["desk"])
    yield cluster("griffon", ".nancy.grid5000.fr", range(1, 81, 5))
    yield cluster("griffon", ".nancy.grid5000.fr", (1, 1, 2, 2, 40, 40, 80, 80))
    yield cluster("gdx", ".orsay.grid5000.fr", (1, 2, 3, 19, 20, 21, 37, 38, 312, 311))
    yield cluster("graphene", ".nancy.grid5000.fr", range(1, 145, 11))
    yield cluster("tibidabo", "", range(1, 129, 11))


def write_disks(directory, disks):
    """Hosts with a disk each, {host: (read bandwidth, write bandwidth)}, on one link."""
    path = Path(directory) / "disks.xml"
    lines = [f'<host id="{host}" speed="1Gf"><disk id="d" read_bw="{read}" write_bw="{write}"/></host>'
             for host, (read, write) in disks.items()]
    names = list(disks)
    lines += ['<link id="l" bandwidth="125MBps" latency="50us"/>']
    lines += [f'<route src="{a}" dst="{b}"><link_ctn id="l"/></route>'
              for i, a in enumerate(names) for b in names[i + 1:]]
    path.write_text(HEAD + "\n".join(lines) + "\n</zone></platform>\n")
    return path
