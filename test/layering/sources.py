#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: every source opens with its licence, every room has a README, and no file and no folder outgrows its limit."""

import collections
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
CODE = re.compile(r"\.(c|cpp|h|py|f90|F90|f|def|cmake|sh)$|(^|/)(CMakeLists\.txt|bootstrap|run)$")
LONGEST_FILE = 800
MOST_FILES = 60  # of a folder, at one level: more cannot be surveyed
# Folders that are no rooms: headers for others, and what the build makes of llvm-pass/.
WITHOUT_README = {"include", "config", "flang-runtime"}


def tracked():
    # A new file counts before it is committed; a deleted one no longer does.
    result = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=SOURCE,
                            capture_output=True, text=True)
    names = result.stdout.splitlines()
    if result.returncode != 0:  # a tree without git
        names = [str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*") if "build" not in path.parts]
    return [name for name in names if (SOURCE / name).is_file()]


def check_file(name):
    lines = (SOURCE / name).read_text(encoding="utf-8", errors="replace").splitlines()
    if not any(LICENCE in line for line in lines[:3]):
        yield f"{name}: the first lines lack '{LICENCE}'"
    if name.endswith((".cpp", ".h")) and len(lines) > LONGEST_FILE:
        yield f"{name}: {len(lines)} lines, more than {LONGEST_FILE}"


def main():
    errors = []
    names = [name for name in tracked() if CODE.search(name)]
    for name in names:
        errors += check_file(name)
    for room in [*(SOURCE / "runtime").iterdir(), *(SOURCE / "llvm-pass").iterdir()]:
        if room.is_dir() and room.name not in WITHOUT_README and not (room / "README.md").exists():
            errors.append(f"{room.relative_to(SOURCE)}: no README.md")
    folders = collections.Counter(str(pathlib.PurePosixPath(name).parent) for name in tracked())
    errors += [f"{folder}: {count} files at one level, more than {MOST_FILES}"
               for folder, count in sorted(folders.items()) if count > MOST_FILES]
    if len(names) < 50:
        errors.append(f"only {len(names)} files found: this test looks in the wrong place")
    print("\n".join(errors) or f"{len(names)} files: fine")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
