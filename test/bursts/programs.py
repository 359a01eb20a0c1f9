# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of this folder: what their comments expect, how they are built with the flag and run; see README.md."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import json_schema  # noqa: E402

COMPILERS = {".c": ["clang-22"], ".cpp": ["clang++-22", "-std=c++20"], ".f90": ["flang-22"]}
SECONDS = 60  # no run of these programs takes one; a hang ends here
MARK = re.compile(r"^\s*(?://|!) EXPECT-(RUN|SKIP|GIVEN)(?:: *([^@\n]*?))?(?: *@ *(\d+))? *$")


class Failure(Exception):
    pass


class Expectation:
    """A burst starts at `line` of `file` and may be skipped (`reason` is empty, or "not frail"), or not because of `reason` (a
    part of it; empty: any). Or it may be skipped with decisions (`given`; `reason`: what of the loop)."""

    def __init__(self, file, line, kind, reason):
        self.file, self.line, self.reason = file, line, reason
        self.skipped, self.given = kind == "SKIP", kind == "GIVEN"

    def __str__(self):
        return f"{self.file.name}:{self.line}"


class Program:
    def __init__(self, source):
        self.source = Path(source).resolve()
        text = self.source.read_text()
        self.sources = [self.source] + [self.source.parent / name for name in words(text, "WITH")]
        self.exit = int((words(text, "EXIT") or [0])[0])
        self.ranks = int((words(text, "RANKS") or [4])[0])
        self.shared, self.native = ([self.source.parent / name for name in words(text, key)] for key in ("SHARED", "NATIVE"))
        refused = re.search(r"^(?://|!) REFUSED: *(.+)$", text, re.MULTILINE)
        self.refused = refused[1] if refused else None
        warned = re.search(r"^(?://|!) WARNED: *(.+)$", text, re.MULTILINE)
        self.warned = warned[1] if warned else None
        self.printed = re.findall(r"^(?://|!) PRINTED: *(.+)$", text, re.MULTILINE)
        self.overrides = re.findall(r"^(?://|!) BURSTS: *(.+)$", text, re.MULTILINE)
        self.effects = re.findall(r"^(?://|!) EFFECTS: *(.+)$", text, re.MULTILINE)
        self.expectations = [item for file in (*self.sources, *self.shared, *self.native) for item in expectations(file)]

    def build(self, prefix, program, sources=None, objects=None):
        """Compiles and links into `program`; remarks of the link go to program.yaml, those of a shared library's beside. Objects
        that the folder `objects` has are taken from there."""
        program.parent.mkdir(parents=True, exist_ok=True)
        inputs = [str(self.compiled(prefix, objects or program.parent, Path(source))) for source in sources or self.sources]
        for part in self.shared:
            library = program.parent / f"lib{part.stem}.so"
            self.compile(prefix, program.parent, ["-fPIC", "-shared", part, "-o", library, remarks_to(library)])
            inputs += [str(library), f"-Wl,-rpath,{program.parent}"]
        for part in self.native:
            inputs.append(str(program.parent / f"{part.stem}.o"))
            self.compile(prefix, program.parent, ["-fno-lto", "-c", part, "-o", inputs[-1]])
        overrides = program.parent / "bursts"
        overrides.write_text("".join(f"{line}\n" for line in self.overrides))
        effects = program.parent / "effects"
        effects.write_text("".join(f"{line}\n" for line in self.effects))
        inputs += ["-lm"] if self.source.suffix == ".c" else []
        self.compile(prefix, program.parent, [*inputs, "-o", program, remarks_to(program)], {"GNOMON_BURSTS": str(overrides), "GNOMON_EFFECTS": str(effects)})

    def compiled(self, prefix, folder, source):
        """The object of a source in the folder, which is made unless it is there."""
        target = folder / f"{source.stem}.o"
        if not target.exists():
            self.compile(prefix, folder, ["-c", source, "-o", target], suffix=source.suffix)
        return target

    def compile(self, prefix, folder, arguments, environment=None, suffix=None):
        command = [*COMPILERS[suffix or self.source.suffix], f"--config-user-dir={prefix}/share/gnomon/clang", "-O2", "-g",
                   *map(str, arguments)]
        # flang writes .mod files where it runs.
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                                env=dict(os.environ, **(environment or {})))
        if result.returncode:
            raise Failure(f"not built: {' '.join(command)}\n{result.stderr}")

    def run(self, prefix, program, name, options=(), environment=None):
        """One run under `gnomon run`, in a folder of its own (it may write files)."""
        folder = program.parent / name
        folder.mkdir(exist_ok=True)
        run = Run(name, folder / "trace", folder / "summary.json")
        for file in (run.trace, run.summary):
            file.unlink(missing_ok=True)
        command = [f"{prefix}/bin/gnomon", "run", "-q", "-n", str(self.ranks), "--comm-trace", str(run.trace), "--json",
                   str(run.summary), *options, str(program)]
        try:
            result = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS,
                                    stdin=subprocess.DEVNULL, env=dict(os.environ, **(environment or {})))
            run.exit, run.output, run.errors = result.returncode, result.stdout, result.stderr
            json_schema.written(command, folder, prefix)
        except subprocess.TimeoutExpired:
            run.exit, run.errors = None, f"no end after {SECONDS} s"
        return run


class Run:
    def __init__(self, name, trace, summary):
        self.name, self.trace, self.summary = name, trace, summary
        self.exit, self.output, self.errors = None, "", ""

    def skipped(self):
        """Skipped instances of bursts, as the JSON summary counts them; 0 when nothing was written."""
        try:
            bursts = json.loads(self.summary.read_text()).get("bursts", {})
        except OSError:
            return 0
        return int(bursts.get("skipped", 0)) if isinstance(bursts, dict) else 0


def remarks_to(output):
    return f"-Wl,--opt-remarks-filename,{output}.yaml"


def words(text, key):
    found = re.search(rf"^(?://|!) {key}: *(.+)$", text, re.MULTILINE)
    return found[1].split() if found else []


def expectations(file):
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        found = MARK.match(line)
        if found:
            yield Expectation(file, int(found[3] or number + 1), found[1], found[2] or "")


def difference(left, right):
    """Where two traces part, in words; None when they are equal byte for byte."""
    try:
        first, second = left.trace.read_bytes().splitlines(), right.trace.read_bytes().splitlines()
    except OSError as error:
        return None if not left.trace.exists() and not right.trace.exists() and left.exit else str(error)
    for number in range(max(len(first), len(second))):
        pair = [lines[number].decode(errors="replace") if number < len(lines) else "(ends)" for lines in (first, second)]
        if pair[0] != pair[1]:
            return f"line {number + 1}: {left.name} has '{pair[0]}', {right.name} has '{pair[1]}'"
    return None


def remarks(file):
    """The remarks of a link about bursts, as (kind, file name, line, text)."""
    if not file.exists():
        return
    for document in file.read_text(errors="replace").split("--- !")[1:]:
        place = re.search(r"^DebugLoc:\s*\{\s*File:\s*'?([^',]+)'?,\s*Line:\s*(\d+)", document, re.MULTILINE)
        if place and re.search(r"^Pass: *'?gnomon", document, re.MULTILINE):
            values = re.findall(r"^  - [A-Za-z]+: +(.*(?:\n {6,}.*)*)", document, re.MULTILINE)
            text = "".join(value.strip().strip("'") if value.startswith("'") else value.strip() for value in values)
            yield document.split(None, 1)[0], Path(place[1]).name, int(place[2]), text
