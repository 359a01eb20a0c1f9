#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: clang-tidy's checks of .clang-tidy hold. With arguments, only for sources under those folders.

The test runs it on the folders where a mistake hurts most and that are quick to parse; `ninja tidy` on all.
"""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
BUILD = pathlib.Path(os.environ["GNOMON_BUILD"])
TIDY = "clang-tidy-22"


def check(directory, path):
    result = subprocess.run([TIDY, "--quiet", "-p", directory, str(path)], capture_output=True, text=True)
    return path, result.returncode, result.stdout


def first_commands():
    """One command for each source: clang-tidy looks at a source as often as it is compiled, and tests and fuzzers compile some of
    the product's again, with the same declarations. The product's command comes first."""
    commands = {}
    for command in json.loads((BUILD / "compile_commands.json").read_text()):
        commands.setdefault(pathlib.Path(command["file"]), command)
    return commands


def main():
    if not shutil.which(TIDY):
        print(f"{TIDY} is not installed")
        sys.exit(77)
    folders = [SOURCE / folder for folder in sys.argv[1:] or ["runtime", "driver", "llvm-pass", "clang-plugin"]]
    commands = first_commands()
    files = sorted(file for file in commands if any(file.is_relative_to(folder) for folder in folders))
    failed = 0
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(os.cpu_count()) as pool:
        pathlib.Path(directory, "compile_commands.json").write_text(json.dumps([commands[file] for file in files]))
        for path, code, output in pool.map(functools.partial(check, directory), files):
            if code != 0:
                failed += 1
                print(f"--- {path.relative_to(SOURCE)}\n{output}")
    print(f"{len(files)} files, {failed} with findings")
    sys.exit(1 if failed or not files else 0)


if __name__ == "__main__":
    main()
