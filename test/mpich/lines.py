# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines of MPICH's testlist files, and what became of each when the suite's own `runtests` ran it."""

import collections
import dataclasses
import html
import os
import re
import subprocess
import threading

CATEGORIES = ("attr", "coll", "comm", "datatype", "errhan", "errors", "group", "info", "init", "io", "perf", "pt2pt", "rma",
              "topo", "spawn", "threads", "mpi_t", "f77", "f90", "f08", "cxx")
# Categories of what Gnomon does not have, by decision: their lines are counted as failed, and not built.
NOT_SUPPORTED = {"cxx": "MPI's C++ bindings, which MPI 3.0 removed, are not supported"}
CPU_LIMIT = 128 + 24  # killed by SIGXCPU
WALL_LIMIT = 124  # timeout's own


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of a testlist file."""

    folder: str  # relative to the suite: coll, f90/rma
    text: str  # the line without comments, single blanks
    again: int  # 1 for a line that the file has a second time

    @property
    def category(self):
        return self.folder.split("/")[0]

    @property
    def program(self):
        return self.text.split()[0]

    @property
    def key(self):
        return f"{self.folder}/{self.text}" + (f" #{self.again + 1}" if self.again else "")


def _testlist(folder, build, suite):
    for root in (build, suite):
        if (root / folder / "testlist").is_file():
            return (root / folder / "testlist").read_text()
    return ""


def read(folder, build, suite):
    """The lines of a folder and of the folders that its testlist names, in their order."""
    lines, seen = [], collections.Counter()
    for raw in _testlist(folder, build, suite).splitlines():
        text = " ".join(raw.split("#")[0].split())
        if not text or text.startswith("!"):
            continue
        if (build / folder / text).is_dir():
            lines += read(f"{folder}/{text}", build, suite)
        else:
            lines.append(Line(folder, text, seen[text]))
            seen[text] += 1
    return lines


def units(lines):
    """Groups of lines that may run at the same time: those of one program use one executable, those of an io folder files
    of the same names. The groups of a folder lie together."""
    groups = collections.defaultdict(list)
    for line in lines:
        serial = "io" in line.folder.split("/")
        groups[line.folder, "" if serial else line.program].append(line)
    return list(groups.values())


def shared_objects(makefile):
    """The objects that more than one program of a folder is linked from, of the text of the folder's Makefile: two programs that
    are built at a time would write them at a time."""
    programs = collections.defaultdict(set)
    for program, objects in re.findall(r"^(?:am_+)?(\w+)_OBJECTS *=((?:.*\\\n)*.*)$", makefile, re.M):
        for name in re.findall(r"([\w./-]+)\.\$\(OBJEXT\)", objects):
            programs[f"{name}.o"].add(program)
    return sorted(name for name, users in programs.items() if len(users) > 1)


def _first(pattern, text):
    found = re.search(pattern, text, re.M)
    return found[1].strip() if found else ""


def reason(output, code, strict_end):
    """One line for a failed test, from what it printed and the code that mpiexec ended with (None: it was not built)."""
    if code is None:
        error = _first(r"error: (?!Semantic errors in)(.*)$", output) or _first(r"(No rule to make target.*)$", output)
        return f"does not build: {error[:110]}" if error else "does not build"
    if code in (CPU_LIMIT, WALL_LIMIT):
        return "time limit" if code == CPU_LIMIT else "time limit, waiting"
    missing = _first(r"\bP?(MPI_\w+)[^\n]*not supported by Gnomon", output)
    if missing:
        return f"unimplemented: {missing}"
    if "deadlock" in output:
        return "deadlock"
    if strict_end and code == 0:
        return "ends with code 0 where an error must end it"
    rest = [t.strip() for t in output.splitlines() if t.strip() and not re.match(r"\s*(No [Ee]rrors|Test Passed)\s*$", t)]
    if not rest:
        return f"no output 'No Errors', exit code {code}"
    chosen = next((t for t in rest if re.search(r"error:|MPI_ERR_|signal", t)), rest[0])
    # What differs from run to run is left out, so that a reason is renewed only when it is another one.
    text = re.sub(r"0x[0-9a-f]+|/\S*/|gnomon: rank \d+ at \S+ s: ", "", chosen)
    return f"exit code {code}: {text[:120]}" if code else f"wrong result: {text[:120]}"


def more_seconds(text):
    """Seconds of processor time that a testlist line has beyond the others, for the memory that it says it touches
    (`mem=`, GB): a kernel may take 1.5 s and more to hand out a gigabyte in pages of 4 kB."""
    return round(2.5 * float(_first(r"\bmem=([\d.]+)", text) or 0))


class Runner:
    """Runs groups of lines by the suite's `runtests`, each in the folder of its programs."""

    def __init__(self, build, suite, mpiexec, directory, jobs, memory, endless=frozenset()):
        self.build, self.suite, self.mpiexec, self.directory = build, suite, mpiexec, directory
        self.endless = endless
        self.lock = threading.Lock()
        self.shared = {}
        # What ends a hang is processor time (write_mpiexec); runtests' own limit goes by the clock and stays behind that.
        # flang's STOP says so on stderr unless it is told not to; gfortran's, which the suite is kept with, does not.
        self.environment = dict(os.environ, NO_STOP_MESSAGE="1", MPITEST_TIMEOUT="900", MPITEST_CLEANUP="0",
                                USER=os.environ.get("USER", "root"), MPITEST_MEMORY_TOTAL=f"{memory:.0f}", MPITEST_MEMORY_MULTIPLIER=str(jobs))

    def __call__(self, unit, number):
        """Gives (line, reason or None, seconds) for each line of the group."""
        if unit[0].category in NOT_SUPPORTED:
            return [(line, NOT_SUPPORTED[line.category], 0.0) for line in unit]
        work = self.directory / "runs" / str(number)
        work.mkdir(parents=True, exist_ok=True)
        shared = self._build_shared(unit[0].folder)
        results = [self._one(line, work, index) for index, line in enumerate(unit)]
        for program in {line.program for line in unit}:
            (self.build / unit[0].folder / program).unlink(missing_ok=True)
            if f"{program}.o" not in shared:
                (self.build / unit[0].folder / f"{program}.o").unlink(missing_ok=True)
        return results

    def _build_shared(self, folder):
        """Builds what programs of the folder share, once; what does not build is told when its program is. Gives the names."""
        with self.lock:
            if folder not in self.shared:
                makefile = self.build / folder / "Makefile"
                self.shared[folder] = shared_objects(makefile.read_text(errors="replace")) if makefile.is_file() else []
                if self.shared[folder]:
                    subprocess.run(["make", "-k", *self.shared[folder]], cwd=self.build / folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            return self.shared[folder]

    def _one(self, line, work, index):
        tests, xml, code = (work / f"{name}.{index}" for name in ("testlist", "xml", "code"))
        tests.write_text(line.text + "\n")
        for old in (xml, code):
            old.unlink(missing_ok=True)
        folder = self.build / line.folder
        environment = dict(self.environment, GNOMON_MPICH_CODE=str(code), GNOMON_MPICH_MORE=str(more_seconds(line.text)))
        if line.key in self.endless:
            environment["GNOMON_MPICH_LIMIT"] = "1"
        subprocess.run(["perl", self.build / "runtests", f"-srcdir={self.suite / line.folder}", f"-mpiexec={self.mpiexec}",
                        f"-tests={tests}", f"-xmlfile={xml}"], cwd=folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                       env=environment)
        return (line, *self._verdict(line, xml, code))

    @staticmethod
    def _verdict(line, xml, code):
        text = xml.read_text(errors="replace") if xml.is_file() else ""
        seconds = float(_first(r"<TIME>([\d.]+)</TIME>", text) or 0)
        ended = int(code.read_text()) if code.is_file() and code.read_text().strip() else None
        if "<STATUS>pass</STATUS>" in text and ended not in (CPU_LIMIT, WALL_LIMIT):
            return None, seconds
        if "<STATUS>" not in text and ended is None:
            return "not run: needs more memory than there is" if "mem=" in line.text else "not run by runtests", seconds
        diff = re.search(r"<TESTDIFF>(.*)</TESTDIFF>", text, re.S)
        return reason(html.unescape(diff[1]) if diff else "", ended, "resultTest=" in line.text), seconds
