# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: figures that SMPI 4.1.1 printed come out of Gnomon to every digit, where no SMPI is installed.
"""references.py DIRECTORY. The figures are those of SimGrid 4.1.1 (3.32 printed the same) for 16 ranks and 4 MiB a rank,
counted from an MPI_Barrier, the last rank's, and for half a round trip."""
import sys

from compare import GRIFFON, HERE, RAW, griffon
from simulators import Case, Referee

MIB = 2**20

# place, parameters, pattern, seconds
MAXIMA = """
griffon-1   default scatter_smallest_first 0.933006890
griffon-3   default scatter_smallest_first 0.933516642
graphene-1  default scatter_smallest_first 0.933006890
graphene-4  default scatter_smallest_first 0.934585445
griffon-1   default alltoall_pair          0.907366595
griffon-3   default alltoall_pair          0.709245146
graphene-1  default alltoall_pair          0.699931795
graphene-4  default alltoall_pair          0.577087989
griffon-1   default alltoall_ring          0.907366595
griffon-3   default alltoall_ring          0.761430935
graphene-1  default alltoall_ring          0.699931795
graphene-4  default alltoall_ring          0.613098955
griffon-1   raw     scatter_smallest_first 0.872896512
griffon-3   raw     scatter_smallest_first 0.872919872
graphene-1  raw     scatter_smallest_first 0.872896512
graphene-4  raw     scatter_smallest_first 0.872992320
griffon-1   raw     alltoall_pair          0.806079360
griffon-3   raw     alltoall_pair          0.625258496
graphene-1  raw     alltoall_pair          0.620238720
graphene-4  raw     alltoall_pair          0.504712128
"""
HALF_ROUND_TRIPS = {  # 1 B, 64 KiB, 1 MiB, 16 MiB; the first with five significant digits
    "griffon-1": (9.6872e-5, 1.116371e-3, 9.476496e-3, 0.143238506),
    "griffon-3": (1.45224e-4, 1.395817e-3, 9.755943e-3, 0.143517952),
    "graphene-1": (9.6872e-5, 1.116371e-3, 9.476496e-3, 0.143238506),
    "graphene-4": (1.93576e-4, 1.675263e-3, 1.0035389e-2, 0.143797399)}
SIZES = (1, 2**16, MIB, 16 * MIB)


def write_graphene(directory):
    """The graphene of these figures: as platforms/machines/graphene.xml, but without limiters of nodes, and with the
    limiter of a cabinet as its backbone, which messages within the cabinet cross as well."""
    text = "<?xml version='1.0'?>\n<platform version='4.1'><zone id='graphene' routing='Full'>\n"
    for i in range(1, 5):
        text += (f"<cluster id='c{i}' prefix='c{i}-' suffix='' radical='0-15' speed='1Gf' bw='125MBps' lat='24us' "
                 f"bb_bw='1.625GBps' bb_lat='0' router_id='r{i}'/>\n"
                 f"<link id='up{i}' bandwidth='1.25GBps' latency='24us' sharing_policy='SPLITDUPLEX'/>\n")
    for i, j in [(i, j) for i in range(1, 5) for j in range(i + 1, 5)]:
        text += (f"<zoneRoute src='c{i}' dst='c{j}' gw_src='r{i}' gw_dst='r{j}'>"
                 f"<link_ctn id='up{i}' direction='UP'/><link_ctn id='up{j}' direction='DOWN'/></zoneRoute>\n")
    path = directory / "graphene.xml"
    path.write_text(text + "</zone></platform>\n")
    return path


def places(directory):
    graphene = write_graphene(directory)
    return {"griffon-1": (GRIFFON, griffon(*range(1, 17))),
            "griffon-3": (GRIFFON, griffon(*range(1, 7), *range(34, 39), *range(61, 66))),
            "graphene-1": (graphene, [f"c1-{i}" for i in range(16)]),
            "graphene-4": (graphene, [f"c{i // 4 + 1}-{i % 4}" for i in range(16)])}


def main(directory):
    gnomon = Referee(HERE / "patterns.c", directory, smpi=False)
    where = places(gnomon.directory)
    for line in MAXIMA.split("\n")[1:-1]:
        place, model, pattern, seconds = line.split()
        case = Case(f"{place}, {model}, {pattern}", *where[place], ["barrier," + pattern, 4 * MIB],
                    RAW if model == "raw" else {})
        gnomon.check(case, max(gnomon.alone(case).values()), float(seconds), 0.5001e-9)
    for place, (platform, hosts) in where.items():
        case = Case(f"{place}, pingpong", platform, [hosts[0], hosts[-1]], ["barrier,pingpong", *SIZES])
        values = gnomon.alone(case)
        for size, seconds in zip(SIZES, HALF_ROUND_TRIPS[place]):
            gnomon.check(case, values["pingpong.round", size, 0] / 2, seconds, 0.5001e-9)
    gnomon.finish()


if __name__ == "__main__":
    main(sys.argv[1])
