# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: simulated times equal SMPI's, for every rank, to 1e-6.
"""compare.py GROUP DIRECTORY [PLATFORM HOSTFILE]: programs of this folder under Debian's SMPI and under Gnomon; see README.md."""
import sys
from pathlib import Path

import places
from simulators import Case, Referee

HERE = Path(__file__).resolve().parent
GRIFFON, GRAPHENE = (places.PLATFORMS / f"machines/{name}.xml" for name in ("griffon", "graphene"))

# 0 B to 16 MiB, and both sides of every threshold: 16 bytes of envelope below those of the factors (257, 732, 1426, 3484,
# 5776, 9376, 15424, 65472), the payload's own for the regimes and costs (1420, 32768, 65536, 327680).
SIZES = [0, 1, 2, 16, 241, 242, 716, 717, 1410, 1411, 1420, 1421, 3468, 3469, 5760, 5761, 9360, 9361, 15408, 15409,
         32768, 32769, 65456, 65457, 65535, 65536, 65537, 131072, 327679, 327680, 327681, 2**20, 2**22, 2**24]

# No factor, no cross-traffic, no window: what `network/model=raw` is.
RAW = {"smpi/bw-factor": "0:1", "smpi/lat-factor": "0:1", "network/crosstraffic": "no", "network/weight-S": "0",
       "network/TCP-gamma": "0"}
# The regimes of Bedaride et al. 2013 and their sections. The paper prints no costs; these are round numbers.
HYBRID_THRESHOLDS = {"smpi/async-small-thresh": "65536", "smpi/send-is-detached-thresh": "327680"}
HYBRID_COSTS = {
    "smpi/os": "0:9e-6:3e-10;1420:1.1e-5:4e-10;32768:1.3e-5:4e-10;65536:2.1e-5:2e-10;327680:2.3e-5:1e-10",
    "smpi/or": "0:8e-6:2e-10;1420:1e-5:5e-10;32768:1.4e-5:6e-10;65536:1.7e-5:3e-10;327680:1.9e-5:2e-10",
    "smpi/ois": "0:4e-6:1e-10;1420:5e-6:2e-10;32768:6e-6:2e-10;65536:7e-6:1e-10;327680:8e-6:1e-10",
    "smpi/bw-factor": "0:0.45;1420:0.62;32768:0.83;65536:0.9;327680:0.94",
    "smpi/lat-factor": "0:1.1;1420:1.3;32768:1.7;65536:2.4;327680:3.1"}
HYBRID_FIRST_COSTS = 9e-6 + 8e-6  # os and or of a message of no bytes in SMPI 3.32
MODELS = {"default": {}, "raw": RAW, "hybrid": {**HYBRID_THRESHOLDS, **HYBRID_COSTS}}
NETWORK = {"hybrid": ["--network=hybrid"]}


def griffon(*numbers):
    return [f"griffon-{number}.nancy.grid5000.fr" for number in numbers]


def graphene(*numbers):
    return [f"graphene-{number}.nancy.grid5000.fr" for number in numbers]


# Sixteen hosts of one cabinet, and of all cabinets in turn.
CLUSTERS = {"griffon, one cabinet": (GRIFFON, griffon(*range(1, 17))),
            "griffon, three cabinets": (GRIFFON, griffon(*[1 + 5 * i for i in range(16)])),
            "graphene, one cabinet": (GRAPHENE, graphene(*range(1, 17))),
            "graphene, four cabinets": (GRAPHENE, graphene(*[1 + 9 * i for i in range(16)]))}


def cases(arguments, clusters=CLUSTERS, models=MODELS, ranks=None, **more):
    for place, (platform, hosts) in clusters.items():
        for model, settings in models.items():
            chosen = hosts if ranks is None else [hosts[i] for i in ranks]
            yield Case(f"{place}, {model}, {str(arguments[0])[:40]}", platform, chosen, arguments, settings,
                       gnomon=NETWORK.get(model, []), **more)


def pingpong(referee):
    def expected(key, value):
        """SMPI 3.32 charges the first section of os and or to a message of no bytes; 4.1.1, which Gnomon follows,
        nothing. A round trip is two messages; the first depends on the messages before it as well."""
        name, bytes_, _ = key
        if bytes_ == 0 and "smpi/os" in case.settings:
            return value - 2 * HYBRID_FIRST_COSTS if name == "pingpong.round" else None
        return value

    for case in cases(["pingpong", *SIZES], ranks=(0, 15)):
        referee.compare(case, expected)


def collective(referee):
    for case in cases(["scatter,alltoall_pair,alltoall_ring", 1, 1000, 30000, 100000, 2**22]):
        referee.compare(case)


def protocol(referee):
    regimes = [1, 1421, 65535, 65536, 65537, 327680, 10**6]
    for patterns in ("alltoall_flood,incast,incast_ordered,sendrecv,overlap",
                     "late_receiver,late_sender,late_receiver_isend,synchronous,self", "test,iprobe"):
        for case in cases([patterns, *regimes]):
            referee.compare(case)
    for case in cases(["waitany", *(16 * size for size in regimes)]):
        referee.compare(case)
    calls = {"calls": {"smpi/wtime": "1e-6", "smpi/test": "5e-5", "smpi/iprobe": "3e-5", "smpi/init": "0.01",
                       "smpi/grow-injected-times": "no"}}
    for case in cases(["test,iprobe,pingpong", *regimes], models=calls):
        referee.compare(case)
    # SMPI charges os to a detached message of a persistent request and nothing to others, Gnomon ois to all of them.
    # On graphene's four cabinets SMPI 3.32 ends in a deadlock of its own.
    for case in cases(["persistent", *regimes], {key: CLUSTERS[key] for key in CLUSTERS if "four" not in key},
                      {"default": {}, "raw": RAW}):
        referee.compare(case)


# On fast links, and where many ranks meet on links, the default timing precision of 1 ns shows in sums of many dates.
FINE = {"precision": 1e-12}

# Algorithms of collectives that send the same messages in both (docs/models.md, section 10, has those that do not), on
# 16 ranks and, where no name follows the bar, on 7 and on 100; `ours=…` after a name: what it is to Gnomon.
ALGORITHMS = {
    "allgather": "bruck ring NTSLR spreading_simple | rdb pair ompi_neighborexchange",
    "allgatherv": "ring ompi_bruck mpich_ring=mpich_ring,segment=0 | pair mpich_rdb ompi_neighborexchange",
    "allreduce": "rdb ompi_ring_segmented | rab",
    "alltoall": "basic_linear bruck ring | pair",
    "alltoallv": "ompi_basic_linear ring | pair",
    "barrier": "ompi_basic_linear ompi_tree ompi_bruck ompi_recursivedoubling ompi_doublering mvapich2_pair",
    "bcast": "binomial_tree flattree scatter_LR_allgather ompi_pipeline ompi_split_bintree | scatter_rdb_allgather",
    "gather": "ompi_basic_linear ompi_binomial ompi_linear_sync",
    "reduce": "binomial flat_tree ompi_basic_linear ompi_chain ompi_pipeline ompi_binary ompi_binomial "
              "ompi_in_order_binary | scatter_gather",
    "reduce_scatter": "ompi_basic_recursivehalving mpich_pair mpich_rdb ompi_butterfly ompi_ring | mpich_noncomm",
    "scatter": "ompi_basic_linear ompi_linear_nb"}
# Integers from or to each rank; fewer where all ranks are to hold a hundred times as many.
COUNTS, COUNTS_OF_100 = [1, 300, 20000, 100000], [1, 300, 3000]
# These have the messages of all pairs of ranks under way at once: on 100 ranks SMPI takes 12 s and more a call for it, on 72 one.
# So they run on 72 hosts in place of 100, from all four cabinets in place of three, with one count more.
ALL_AT_ONCE = {("allgather", "spreading_simple"), ("alltoall", "basic_linear"), ("alltoallv", "ompi_basic_linear")}
RANKS_AT_ONCE, COUNTS_AT_ONCE = 72, [1, 300, 1000, 3000]
# The counts for which both do the same, by (collective, algorithm): SMPI cuts vectors that the ranks do not divide
# evenly as older MPICHs did; its split tree takes no message shorter than two segments; it has no ring of its own
# beneath the segmented one, which begins at 2^18 integers a rank.
ONLY_COUNTS = {("allreduce", "rab"): [20000, 100000], ("reduce", "scatter_gather"): [20000, 100000],
               ("bcast", "ompi_split_bintree"): [3000, 20000, 100000],
               ("allreduce", "ompi_ring_segmented"): [4300000]}
# What differs, and where: SMPI's alltoallv ring takes rank xor i on a power of two; 99 steps of a ring of 100 ranks make
# rounding visible, in each simulator by itself (docs/models.md, section 10); the segmented ring would need 26 million
# integers on 100 ranks.
DIFFERENT = {("alltoallv", "ring"): (16,), ("reduce_scatter", "ompi_ring"): (100,),
             ("allreduce", "ompi_ring_segmented"): (100,)}


def names_of(collective):
    """(SMPI's name, Gnomon's name, whether any number of ranks will do)."""
    for part, names in enumerate(ALGORITHMS[collective].split("|")):
        for name in names.split():
            theirs, _, ours = name.partition("=")
            yield theirs, ours or theirs, part == 0


def case_of(collective, theirs, ours, ranks):
    """An algorithm on so many ranks; 100 stands for many."""
    if ranks < 100:
        platform, hosts, counts = GRIFFON, griffon(*[1 + 5 * i for i in range(ranks)]), COUNTS
    elif (collective, theirs) in ALL_AT_ONCE:
        platform, hosts, counts = GRAPHENE, graphene(*range(1, 2 * RANKS_AT_ONCE, 2)), COUNTS_AT_ONCE
    else:
        platform, hosts, counts = GRAPHENE, graphene(*range(1, 101)), COUNTS_OF_100
    if (collective, theirs) in ONLY_COUNTS:
        counts = [count for count in ONLY_COUNTS[collective, theirs] if ranks < 100 or count <= COUNTS_OF_100[-1]]
    return Case(f"{collective}:{theirs}, {len(hosts)} ranks", platform, hosts, [collective, *counts],
                smpi=[f"--cfg=smpi/{collective}:{theirs}"], gnomon=[f"--coll={collective}:{ours}"], **(FINE if ranks == 100 else {}))


def algorithms(referee):
    for ranks in (16, 7, 100):
        for collective in ALGORITHMS:
            for theirs, ours, any_size in names_of(collective):
                if (ranks == 16 or any_size) and ranks not in DIFFERENT.get((collective, theirs), ()):
                    referee.compare(case_of(collective, theirs, ours, ranks))


# Seed, messages, greatest size.
TRAFFIC = [(1, 50, 100000), (2, 200, 1000000), (3, 1000, 20000), (4, 100, 8000000), (5, 400, 300), (6, 300, 65600)]
# The hybrid costs with nothing for messages of 0 and 1 byte, so that SMPI's versions agree on empty ones.
HYBRID_BUT_EMPTY = {key: text.replace("0:", "0:0:0;1:", 1) if "fact" not in key else text
                    for key, text in MODELS["hybrid"].items()}
SETTINGS = {"LV08": {"network/model": "LV08"}, "CM02": {"network/model": "CM02"},
            "no cross-traffic": {"network/crosstraffic": "no"}, "small window": {"network/TCP-gamma": "5000"},
            "thresholds": {"smpi/async-small-thresh": "1000", "smpi/send-is-detached-thresh": "100000"},
            "raw": RAW, "hybrid": HYBRID_BUT_EMPTY}


def traffic(referee, source=places.machines):
    for name, platform, hosts in source(referee.directory):
        for case in TRAFFIC:
            referee.compare(Case(f"{name}, {len(hosts)} ranks, {case}", platform, hosts, case, **FINE))


def topologies(referee):
    traffic(referee, places.topologies)


def file(referee):
    """A platform and a host file of the caller's."""
    platform, hosts = (Path(name).resolve() for name in sys.argv[3:5])
    for case in TRAFFIC:
        referee.compare(Case(f"{platform.name}, {case}", platform, hosts.read_text().split(), case, **FINE))


def infiniband(referee):
    """SMPI 3.32 takes the factors of its Ethernet model for IB, 4.1 none: factors of 1 are given to both."""
    for sharing in ("SHARED", "FATPIPE"):
        platform = places.write_crossbar(referee.directory, sharing, 8, sharing)
        for factors in ("0.965;0.925;1.35", "0.9;1.1;2"):
            keys = {"smpi/bw-factor": "0:1.0", "smpi/lat-factor": "0:1.0", "smpi/IB-penalty-factors": factors}
            for pattern in ("fanout", "fanin", "pairs", "shift", "alltoall"):
                for size in (1000, 100000, 4000000):
                    referee.compare(Case(f"{sharing}, {factors}, {pattern} {size}", platform, places.numbered("n", "", range(8)),
                                         [pattern, size], keys, smpi=["--cfg=network/model:IB"], gnomon=["--network=ib"],
                                         **FINE))


def disks(referee):
    """MPI-IO's reads and writes against those of SimGrid's disks, which round what an access has moved to whole bytes at
    every event: small sizes are such that accesses have moved whole bytes when others end. Ranks start together to the
    nanosecond; one that starts a nanosecond late waits that much less for each of the others."""
    def compare(name, hosts, sizes):
        referee.compare(Case(name, platform, list(hosts), sizes, {"surf/precision": "1e-9"}, precision=1e-9 * len(hosts)))

    platform = places.write_disks(referee.directory, {"a": ("200MBps", "100MBps"), "b": ("80MBps", "120MBps"),
                                                      "c": ("100MBps", "100MBps")})
    for hosts in ("a", "aa", "aabb", "aaabbbbc", "abcabcabcabcabca"):
        referee.compare(Case(f"disks of {hosts}", platform, list(hosts), [10**7, 12345678]))
    for hosts in ("a", "aa", "aaa", "bbbb", "bbbbb", "cccccccc"):
        compare(f"small, disk of {hosts}", hosts, [1000, 4096, 30000, 10**5, 10**6])
    for hosts in ("ab", "aabb", "aaabbbbc", "abcabcabcabcabca"):
        compare(f"small, disks of {hosts}", hosts, [28800, 288000, 1440000])


def settings(referee):
    for place, (platform, hosts) in CLUSTERS.items():
        for name, values in SETTINGS.items():
            for case in TRAFFIC[1:3]:
                referee.compare(Case(f"{place}, {name}, {case}", platform, hosts, case, values, **FINE))


GROUPS = {"pingpong": ("patterns.c", pingpong), "collective": ("patterns.c", collective),
          "protocol": ("patterns.c", protocol), "algorithms": ("collectives.c", algorithms),
          "traffic": ("traffic.c", traffic), "topologies": ("traffic.c", topologies),
          "settings": ("traffic.c", settings), "file": ("traffic.c", file), "infiniband": ("nodes.c", infiniband),
          "disks": ("files.c", disks)}

if __name__ == "__main__":
    program, group = GROUPS[sys.argv[1]]
    referee = Referee(HERE / program, sys.argv[2])
    group(referee)
    referee.finish()
