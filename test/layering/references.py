#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intent: a file that a comment or a document names exists: who moves one finds here what still sends readers to its old place.

Looked at are comments, and README and other Markdown files but the change log and decisions, which tell of the past. A word with
a `/` is a reference when it begins with a folder that is there, seen from the top, from runtime/, or from where the word
stands; what it says must then be a file or folder, or the beginning of a file's name ("docs/adr/0001", "runtime/launch/Main"). A
word without is one when it ends as our sources do; then some file must be called so.
"""

import os
import pathlib
import re
import sys

import sources

SOURCE = pathlib.Path(os.environ["GNOMON_SOURCE"])
ENDS = r"(?:h|cpp|def|py|cmake)"
WORD = re.compile(r"(?<![\w./$%<>{}*~@+-])(?:\./)?((?:[\w-][\w.-]*/)+[\w.-]*|[\w-]+\." + ENDS + r")(?![\w/*{<$(])")
PAST = re.compile(r"^(CHANGELOG\.md$|docs/adr/)")

# Files by others, or made by the build.
OUTSIDE = {
    # of systems and compilers
    "ISO_Fortran_binding.h", "immintrin.h", "stdlib.h", "sysexits.h", "threads.h", "mpif.h", "mpif-sizeof.h", "omp_lib.h", "openmp.h", "make.def",
    "smpi.h", "surf_interface.hpp",  # SimGrid's
    "mpi.h", "Impl.h", "Entries.h", "MpiRoles.inc", "Standard.h",  # written by the generator
    "lit.site.cfg.py",  # written by CMake
    "app.cpp", "a.cpp", "Mine.cpp",  # the reader's own
}
# Generated headers, an installation's headers, MPICH's folder of tests, and keys of models ("smpi/os"), whose first words are
# folders here as well.
ELSEWHERE = re.compile(r"^(impl/|api/Entries|include/gnomon/|test/mpi$|(ports|smpi|user)/[\w-]+$)")


def comments(name, text):
    """(line number, text) of all that is said to readers in a file."""
    suffix = pathlib.PurePosixPath(name).suffix
    if suffix == ".md":
        patterns = [r"(?s).+"]
    elif suffix in (".c", ".cpp", ".h", ".def", ".inc"):
        patterns = [r"//[^\n]*", r"(?s)/\*.*?\*/"]
    elif suffix in (".f90", ".F90"):
        patterns = [r"![^\n]*"]
    elif suffix in (".py", ".cmake", ".txt", ".sh", ""):
        patterns = [r"(?:^|(?<=\s))#[^\n]*", r'(?s)""".*?"""']
    else:
        return
    for pattern in patterns:
        for found in re.finditer(pattern, text, re.MULTILINE):
            first = text.count("\n", 0, found.start()) + 1
            yield from enumerate(found.group().splitlines(), first)


class Tree:
    def __init__(self, names):
        self.names = sorted(names)
        self.folders = {str(folder) for name in names for folder in pathlib.PurePosixPath(name).parents}
        self.bases = {pathlib.PurePosixPath(name).name for name in names}

    def exists(self, path):
        """Whether this is a folder, a file, or how a file's name begins."""
        path = path.rstrip("/")
        return path in self.folders or any(
            name.startswith(path) and (len(name) == len(path) or name[len(path)] in "./-") for name in self.names)

    def is_stale(self, word, place):
        """Whether a word that stands in the file `place` names what is not there."""
        if "/" not in word:
            return word not in self.bases and word not in OUTSIDE
        if ELSEWHERE.match(word):
            return False
        folder = pathlib.PurePosixPath(place).parent
        starts = ["", "runtime/"] + [f"{above}/" for above in (folder, *folder.parents) if str(above) not in (".", "test")]
        first = word.split("/")[0]
        tried = [start for start in starts if (start + first).rstrip("/") in self.folders]
        return bool(tried) and not any(self.exists(start + word) for start in tried)


def main():
    names = sources.tracked()
    tree = Tree(names)
    errors, words = [], 0
    for name in names:
        if PAST.match(name) or name.startswith("test/platform-inputs/"):
            continue
        try:
            text = (SOURCE / name).read_text()
        except UnicodeDecodeError:
            continue
        for number, line in comments(name, text):
            for word in WORD.findall(line):
                words += 1
                if tree.is_stale(word.rstrip("."), name):
                    errors.append(f"{name}:{number}: there is no '{word.rstrip('.')}'")
    if words < 200:
        errors.append(f"only {words} words looked at: this test misreads the files")
    print("\n".join(errors) or f"{words} words that may be files: those of ours exist")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
