#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: every C and C++ source is formatted as .clang-format says."""

import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
FOLDERS = ("runtime", "driver", "llvm-pass", "clang-plugin", "acquisition", "examples", "test")
FORMAT = "clang-format-22"


def main():
    if not shutil.which(FORMAT):
        print(f"{FORMAT} is not installed")
        sys.exit(77)
    # Inputs of lit tests are written line by line for FileCheck.
    files = [path for folder in FOLDERS for path in sorted((SOURCE / folder).rglob("*"))
             if path.suffix in (".c", ".cpp", ".h") and "lit" not in path.parts]
    result = subprocess.run([FORMAT, "--dry-run", "-Werror", *map(str, files)], cwd=SOURCE)
    print(f"{len(files)} files; to format them: clang-format-22 -i FILES" if result.returncode else "formatted")
    sys.exit(1 if result.returncode or len(files) < 20 else 0)


if __name__ == "__main__":
    main()
