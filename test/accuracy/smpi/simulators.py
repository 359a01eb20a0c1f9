# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One program under Debian's SMPI and under Gnomon, on the same platform, and the comparison of what they print.

Both print lines `NAME VARIANT RANK VALUE`; a value is simulated seconds or a count."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

RELATIVE = 1e-6
# Both simulators let events within 1 ns of each other happen together (precision/timing), at a date that depends on
# how they number events: shorter differences of dates mean nothing.
TIMING_PRECISION = 1e-9
PACKAGE = "libsimgrid-dev"
SKIPPED = 77


def require_smpi():
    """Ends as a skipped test when the referee is not there."""
    for tool in ("smpirun", "smpicc"):
        if not shutil.which(tool):
            print(f"skipped: no {tool}; the Debian package {PACKAGE} has it")
            sys.exit(SKIPPED)


# What polls cost in SMPI; Gnomon's default is another (docs/models.md, section 6).
SMPI_POLLS = {"smpi/test": "100us", "smpi/iprobe": "100us", "smpi/grow-injected-times": "yes"}


class Case:
    """What one run is: a platform file, the ranks' hosts, parameters (SMPI's keys) and a program's arguments."""

    def __init__(self, name, platform, hosts, arguments, settings=(), smpi=(), gnomon=(), precision=TIMING_PRECISION):
        self.name, self.platform, self.hosts = name, platform, hosts
        self.arguments = [str(argument) for argument in arguments]
        self.settings = {"smpi/wtime": "0", "surf/precision": repr(precision), **dict(settings)}
        self.smpi, self.gnomon, self.precision = list(smpi), list(gnomon), precision


class Referee:
    """Compiles a program for both simulators once, then runs and compares cases; or for Gnomon alone."""

    def __init__(self, source, directory, smpi=True):
        if smpi:
            require_smpi()
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.gnomon = Path(os.environ["GNOMON_PREFIX"]) / "bin/gnomon"
        self.programs = {name: self.directory / f"{Path(source).stem}.{name}" for name in ("smpi", "gnomon")}
        self.bad, self.cases, self.values = [], 0, 0
        if smpi:
            command("smpicc", "-O1", source, "-o", self.programs["smpi"], cwd=self.directory)
        command(self.gnomon, "cc", "-O1", source, "-o", self.programs["gnomon"], cwd=self.directory)

    def run_smpi(self, case, hostfile):
        options = [f"--cfg={key}:{value}" for key, value in case.settings.items()]
        return command("smpirun", "-np", len(case.hosts), "-platform", case.platform, "-hostfile", hostfile,
                       "--cfg=smpi/simulate-computation:no", "--cfg=network/optim:Full", "--log=root.thresh:critical",
                       *options, *case.smpi, self.programs["smpi"], *case.arguments, cwd=self.directory)

    def run_gnomon(self, case, hostfile):
        settings = {**SMPI_POLLS, **case.settings}
        options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        return command(self.gnomon, "run", "-q", "-n", len(case.hosts), "--platform", case.platform, "--hostfile",
                       hostfile, "--compute=none", *options, *case.gnomon, self.programs["gnomon"], *case.arguments,
                       cwd=self.directory)

    def hostfile(self, case):
        path = self.directory / "hosts"
        path.write_text("".join(host + "\n" for host in case.hosts))
        return path

    def both(self, case):
        """The values that each simulator printed: {(name, variant, rank): value}, twice."""
        hostfile = self.hostfile(case)
        return read(self.run_smpi(case, hostfile)), read(self.run_gnomon(case, hostfile))

    def alone(self, case):
        """What Gnomon printed."""
        return read(self.run_gnomon(case, self.hostfile(case)))

    def check(self, case, ours, known, tolerance):
        """One value against a known one, in seconds."""
        self.cases += 1
        self.values += 1
        if abs(ours - known) > tolerance:
            self.bad.append(f"{case.name}: known {known:.12g}, Gnomon {ours:.12g}")

    def compare(self, case, expected=lambda key, value: value):
        """Runs \p case; notes each value that differs. expected(key, value) may correct the referee's value where its
        version is known to differ from the one that Gnomon follows, or say None where it cannot be used."""
        theirs, ours = self.both(case)
        theirs = {key: expected(key, value) for key, value in theirs.items()}
        for key in [key for key, value in theirs.items() if value is None]:
            del theirs[key], ours[key]
        bad = [f"{case.name}: only one simulator prints {key}" for key in sorted(set(theirs) ^ set(ours))]
        worst = 0.0
        for key in sorted(set(theirs) & set(ours)):
            difference = abs(ours[key] - theirs[key])
            if difference > case.precision * 1.5:
                worst = max(worst, difference / abs(theirs[key]) if theirs[key] else float("inf"))
            if difference > max(RELATIVE * abs(theirs[key]), case.precision * 1.5):
                name, variant, rank = key
                bad.append(f"{case.name}: {name} {variant}, rank {rank}: SMPI {theirs[key]:.12g}, "
                           f"Gnomon {ours[key]:.12g}")
        if not theirs:
            bad.append(f"{case.name}: nothing printed")
        self.bad += bad
        self.cases += 1
        self.values += len(theirs)
        print(f"{case.name}: {len(theirs)} values, {len(bad)} differ; greatest relative difference {worst:.1e}",
              flush=True)

    def finish(self):
        for line in self.bad[:40]:
            print("DIFFERS", line)
        print(f"{self.cases} runs, {self.values} values, {len(self.bad)} differ")
        sys.exit(1 if self.bad or not self.values else 0)


def command(*words, cwd):
    words = [str(word) for word in words]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-1500:]}")
    return done.stdout


def read(text):
    values = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) != 4:
            sys.exit(f"not NAME VARIANT RANK VALUE: {line}")
        key = (words[0], int(words[1]), int(words[2]))
        if key in values:
            sys.exit(f"printed twice: {line}")
        values[key] = float(words[3])
    return values
