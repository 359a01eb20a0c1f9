# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Intent: collectives send the messages that a real Open MPI 4.1 and a real MPICH 4.0 send, pair by pair.
"""real.py ompi|mpich|all [--ranks 8,7] [--only COLLECTIVE,…] [--brief] [--directory DIR]: see README.md. Run by hand."""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77

# Both sides of switch points for few ranks, and what lies far from them; bytes, or integers of a reduction.
BYTES = [1, 3, 100, 300, 600, 1500, 3000, 5000, 10000, 12289, 20000, 40000, 100000, 300000, 600000]
INTEGERS = [1, 3, 7, 20, 100, 500, 1500, 3000, 10000, 40000, 100000, 300000]
ROOTED = {"bcast", "reduce", "gather", "gatherv", "scatter", "scatterv"}
REDUCTIONS = {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}
COLLECTIVES = ("barrier bcast reduce allreduce gather gatherv scatter scatterv allgather allgatherv alltoall "
               "alltoall_inplace alltoallv alltoallw reduce_scatter reduce_scatter_block scan exscan").split()

# Algorithms by the libraries' names; Open MPI numbers them.
FORCED = {
    "ompi": {
        "barrier": "linear double_ring recursive_doubling bruck two_proc tree",
        "bcast": "basic_linear chain pipeline split_binary_tree binary_tree binomial knomial scatter_allgather "
                 "scatter_allgather_ring",
        "reduce": "linear chain pipeline binary binomial in_order_binary rabenseifner",
        "allreduce": "basic_linear nonoverlapping recursive_doubling ring segmented_ring rabenseifner",
        "gather": "basic_linear binomial linear_sync", "scatter": "basic_linear binomial linear_nb",
        "allgather": "linear bruck recursive_doubling ring neighbor two_proc",
        "allgatherv": "default bruck ring neighbor two_proc",
        "alltoall": "linear pairwise modified_bruck linear_sync two_proc", "alltoallv": "basic_linear pairwise",
        "reduce_scatter": "non_overlapping recursive_halving ring butterfly",
        "reduce_scatter_block": "basic_linear recursive_doubling recursive_halving butterfly",
        "scan": "linear recursive_doubling", "exscan": "linear recursive_doubling"},
    "mpich": {
        "barrier": "dissemination",
        "bcast": "binomial scatter_recursive_doubling_allgather scatter_ring_allgather",
        "reduce": "binomial reduce_scatter_gather", "allreduce": "recursive_doubling reduce_scatter_allgather",
        "gather": "binomial", "scatter": "binomial", "allgather": "brucks recursive_doubling ring",
        "allgatherv": "brucks recursive_doubling ring", "alltoall": "brucks pairwise scattered",
        "alltoallv": "scattered", "alltoallw": "scattered",
        "reduce_scatter": "noncommutative pairwise recursive_doubling recursive_halving",
        "reduce_scatter_block": "noncommutative pairwise recursive_doubling recursive_halving",
        "scan": "recursive_doubling", "exscan": "recursive_doubling"}}
# Sizes for those, and segments where Open MPI's algorithm takes them.
FORCED_COUNTS = [20, 100, 1000, 9000]
SEGMENTED = {"bcast": "chain pipeline split_binary_tree binary_tree binomial knomial",
             "reduce": "chain pipeline binary binomial in_order_binary", "allreduce": "segmented_ring"}
SEGMENT = 1024


def run(words, cwd, **environment):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


class OpenMpi:
    """Open MPI, its point-to-point layer watched by its own monitoring component; sums for each pair."""
    name, compiler, launcher = "ompi", "mpicc.openmpi", "mpiexec.openmpi"

    def __init__(self, directory):
        self.directory = directory
        self.program = directory / "collectives.ompi"
        run([self.compiler, "-O1", HERE / "collectives.c", "-o", self.program], directory)

    def options(self, collective, algorithm, segment):
        if not algorithm:
            return []
        number = FORCED["ompi"][collective].split().index(algorithm) + 1
        options = ["--mca", "coll_tuned_use_dynamic_rules", 1, "--mca", f"coll_tuned_{collective}_algorithm", number]
        if segment:
            options += ["--mca", f"coll_tuned_{collective}_algorithm_segmentsize", segment]
        return options

    def messages(self, ranks, arguments, collective="", algorithm="", segment=0):
        for old in self.directory.glob("sent.*"):
            old.unlink()
        run([self.launcher, "--allow-run-as-root", "--oversubscribe", "-n", ranks, "--mca", "pml_monitoring_enable", 2,
             "--mca", "pml_monitoring_enable_output", 3, "--mca", "pml_monitoring_filename", self.directory / "sent",
             *self.options(collective, algorithm, segment), self.program, *arguments], self.directory)
        pairs = {}
        for path in self.directory.glob("sent.*.prof"):
            for line in path.read_text().splitlines():
                if found := re.match(r"I\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs", line):
                    source, dest, size, count = map(int, found.groups())
                    if source != dest:
                        pairs[source, dest] = (count, size)
        return pairs


class Mpich:
    """MPICH, each rank as if on a host of its own, the messages that it hands to UCX recorded in their order."""
    name, compiler, launcher = "mpich", "mpicc.mpich", "mpiexec.mpich"

    def __init__(self, directory):
        self.directory = directory
        self.program = directory / "collectives.mpich"
        self.tracer = directory / "ucp-trace.so"
        run([self.compiler, "-O1", HERE / "collectives.c", "-o", self.program], directory)
        run(["cc", "-shared", "-fPIC", "-O1", HERE / "ucp-trace.c", "-o", self.tracer, "-ldl"], directory)
        self.dests = {}

    def trace(self, ranks, arguments, **environment):
        for old in self.directory.glob("sent.*"):
            old.unlink()
        run([self.launcher, "-n", ranks, "-genv", "LD_PRELOAD", self.tracer, self.program, *arguments], self.directory,
            UCP_TRACE=str(self.directory / "sent"), MPIR_CVAR_NOLOCAL="1", **environment)
        lines = {}
        for rank in range(ranks):
            text = (self.directory / f"sent.{rank}").read_text()
            lines[rank] = [tuple(map(int, line.split())) for line in text.splitlines()]
        return lines

    def messages(self, ranks, arguments, collective="", algorithm="", segment=0):
        if ranks not in self.dests:  # message i of `each` has i + 1 bytes and goes to rank i
            self.dests[ranks] = {rank: {endpoint: size - 1 for endpoint, size in lines}
                                 for rank, lines in self.trace(ranks, ["each", 1, 0, "sum"]).items()}
        environment = {}
        if algorithm:
            environment[f"MPIR_CVAR_{collective.upper()}_INTRA_ALGORITHM"] = algorithm
        traced = self.trace(ranks, arguments, **environment)
        return {rank: [(self.dests[ranks][rank][endpoint], size) for endpoint, size in lines
                       if self.dests[ranks][rank][endpoint] != rank] for rank, lines in traced.items()}


class Gnomon:
    def __init__(self, directory):
        self.directory = directory
        self.gnomon = Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
        self.program = directory / "collectives.gnomon"
        run([self.gnomon, "cc", "-O1", HERE / "collectives.c", "-o", self.program], directory)

    def messages(self, ranks, arguments, *options):
        path = self.directory / "messages"
        run([self.gnomon, "run", "-q", "-n", ranks, "--compute=none", "--coll-messages", path, *options, self.program,
             *arguments], self.directory)
        by_rank = collections.defaultdict(list)
        for line in path.read_text().splitlines()[1:]:
            source, dest, size = map(int, line.split())
            by_rank[source].append((dest, size))
        return by_rank


def sized(theirs, ours):
    """\p theirs with the sizes that the tracer could not see (-1) taken from \p ours, message by message."""
    return {rank: [(dest, ours.get(rank, [])[i][1] if size < 0 and i < len(ours.get(rank, [])) else size)
                   for i, (dest, size) in enumerate(messages)] for rank, messages in theirs.items()}


def by_pair(by_rank):
    pairs = collections.defaultdict(lambda: (0, 0))
    for source, messages in by_rank.items():
        for dest, size in messages:
            count, total = pairs[source, dest]
            pairs[source, dest] = (count + 1, total + size)
    return dict(pairs)


class Comparison:
    """One library against Gnomon; a row of results for each collective and algorithm."""

    def __init__(self, library, gnomon, step):
        self.library, self.gnomon, self.step = library, gnomon, step
        self.rows = collections.defaultdict(lambda: [0, 0, 0, []])  # runs, equal, in the same order, the others

    def compare(self, label, ranks, collective, arguments, algorithm="", segment=0):
        key = collective.split("_inplace")[0]
        if algorithm:
            parameters = f",segment={segment}" if self.library.name == "ompi" else ""
            # What a collective is made of is chosen as the library does.
            options = [f"--coll-selector={self.library.name}", "--coll",
                       f"{key}:{self.library.name}_{algorithm}{parameters}"]
        else:
            options = [f"--coll-selector={self.library.name}"]
        row = self.rows[label]
        row[0] += 1
        case = f"{ranks} ranks, {' '.join(map(str, arguments))}" + (f", segment {segment}" if segment else "")
        try:
            theirs = self.library.messages(ranks, arguments, key, algorithm, segment)
            ours = self.gnomon.messages(ranks, arguments, *options)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            row[3].append(f"{case}: {str(error)[:160]}")
            return
        if not theirs and "alltoall" in collective:
            row[0] -= 1  # started as persistent requests, which the monitoring does not count
            return
        if self.library.name == "mpich":
            theirs = sized(theirs, ours)
        pairs = by_pair(theirs) if self.library.name == "mpich" else theirs
        if pairs == by_pair(ours):
            row[1] += 1
            row[2] += self.library.name == "mpich" and all(theirs[rank] == ours.get(rank, []) for rank in theirs)
        else:
            wrong = [f"{pair}: {pairs.get(pair)} not {by_pair(ours).get(pair)}"
                     for pair in sorted(set(pairs) | set(by_pair(ours))) if pairs.get(pair) != by_pair(ours).get(pair)]
            row[3].append(f"{case}: {len(wrong)} pairs, {'; '.join(wrong[:3])}")

    def choices(self, ranks, only):
        for collective in COLLECTIVES:
            if only and collective not in only:
                continue
            counts = INTEGERS if collective in REDUCTIONS else BYTES
            for count in counts[:1] if collective == "barrier" else counts[::self.step]:
                for op in ("sum", "ordered") if collective in REDUCTIONS else ("sum",):
                    for root in (0, 3) if collective in ROOTED else (0,):
                        self.compare(f"{collective} (chosen)", ranks, collective, [collective, count, root, op])

    def algorithms(self, ranks, only):
        for collective, names in FORCED[self.library.name].items():
            if only and collective not in only:
                continue
            for name in names.split():
                if "two_proc" in name and ranks != 2:
                    continue
                if ranks == 7 and self.library.name == "mpich" and name in ("recursive_doubling", "noncommutative") and \
                        collective not in ("allreduce", "scan", "exscan"):
                    continue  # the library falls back on what its tables choose
                for count in FORCED_COUNTS[:1] if collective == "barrier" else FORCED_COUNTS[::self.step]:
                    for root in (0, 3) if collective in ROOTED else (0,):
                        arguments = [collective, count, min(root, ranks - 1), "sum"]
                        self.compare(f"{collective} {name}", ranks, collective, arguments, name)
                        if name in SEGMENTED.get(collective, "").split() and self.library.name == "ompi":
                            self.compare(f"{collective} {name}", ranks, collective, arguments, name, SEGMENT)

    def print(self):
        ordered = self.library.name == "mpich"
        print(f"| {self.library.name} | runs | equal |" + (" in the same order |" if ordered else ""))
        print("|---|---|---|" + ("---|" if ordered else ""))
        for label, (runs, equal, order, others) in self.rows.items():
            print(f"| {label} | {runs} | {equal} |" + (f" {order} |" if ordered else ""))
        bad = 0
        for label, (runs, equal, order, others) in self.rows.items():
            for line in others:
                print(f"DIFFERS {label}: {line}")
                bad += 1
        return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", choices=["ompi", "mpich", "all"])
    parser.add_argument("--ranks", default="8,7,2")
    parser.add_argument("--only", default="")
    parser.add_argument("--directory", type=Path)
    parser.add_argument("--brief", action="store_true", help="a third of the sizes")
    options = parser.parse_args()
    directory = options.directory or Path(tempfile.mkdtemp())
    directory.mkdir(parents=True, exist_ok=True)
    directory = directory.resolve()
    only = set(filter(None, options.only.split(",")))
    bad = compared = 0
    for kind in (OpenMpi, Mpich):
        if options.library not in (kind.name, "all"):
            continue
        missing = [tool for tool in (kind.compiler, kind.launcher) if not shutil.which(tool)]
        if missing:
            print(f"skipped: no {' '.join(missing)} (Debian packages openmpi-bin, libopenmpi-dev, mpich, libmpich-dev)")
            continue
        comparison = Comparison(kind(directory), Gnomon(directory), 3 if options.brief else 1)
        for ranks in map(int, options.ranks.split(",")):
            comparison.choices(ranks, only)
            comparison.algorithms(ranks, only)
        bad += comparison.print()
        compared += 1
    sys.exit(SKIPPED if not compared else 1 if bad else 0)


if __name__ == "__main__":
    main()
