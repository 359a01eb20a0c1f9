#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one privatisation case with the flag and runs it: see README.md. Fails with the reason on stderr."""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = {"clang": "clang-22", "clang++": "clang++-22", "flang": "flang-22"}
RANKS = 3


def fail(text):
    print("case.py: " + text, file=sys.stderr)
    sys.exit(1)


def run(command, **options):
    print("+ " + " ".join(command), flush=True)
    return subprocess.run(command, **options)


def must(command, **options):
    result = run(command, **options)
    if result.returncode:
        fail("exit code %d of: %s" % (result.returncode, " ".join(command)))


def flag(prefix):
    return "--config-user-dir=" + os.path.join(prefix, "share/gnomon/clang")


def build(prefix, arguments, options, directory, extra=()):
    """The program in a directory of its own, with its library; returns its path."""
    os.makedirs(directory, exist_ok=True)
    environment = dict(os.environ, GNOMON_VERIFY="1")
    common = [flag(prefix), "-I" + os.path.join(HERE, "cases")] + options
    objects = list(extra)
    library = arguments.archive or arguments.shared
    if library:
        position = ["-fPIC"] if arguments.shared else []
        target = os.path.join(directory, "lib.so" if arguments.shared else "lib.o")
        kept = [option for option in common if "pie" not in option] if arguments.shared else common
        must([COMPILERS["clang++" if library.endswith(".cpp") else "clang"], *kept, *position, "-shared" if arguments.shared else "-c", os.path.join(HERE, library), "-o", target],
             env=environment)
        if arguments.archive:
            archive = os.path.join(directory, "lib.a")
            if os.path.exists(archive):
                os.remove(archive)
            must(["ar", "rc", archive, target])
            target = archive
        objects.append(target)
    program = os.path.join(directory, "program")
    sources = [os.path.join(HERE, source) for source in arguments.sources]
    must([COMPILERS[arguments.compiler], *common, *sources, *objects, "-o", program], env=environment)
    return program


def check_on_mini(arguments, options):
    directory = os.path.join(arguments.directory, "mini")
    program = build(arguments.mini, arguments, options, directory)
    must([program], cwd=directory, env=dict(os.environ, MINI_RANKS=str(RANKS)), timeout=60)
    shared = run([program], cwd=directory, env=dict(os.environ, MINI_RANKS=str(RANKS), MINI_SHARED="1"), timeout=60,
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if shared.returncode == 0:
        fail("the case does not notice that all ranks share one copy")


def check_on_gnomon(arguments, options):
    gnomon = os.path.join(arguments.prefix, "bin/gnomon")
    if not os.path.exists(gnomon) or not os.path.exists(os.path.join(arguments.prefix, "lib/libgnomon.so")):
        fail("no %s: build the runtime and the driver first" % gnomon)
    directory = os.path.join(arguments.directory, "gnomon")
    os.makedirs(directory, exist_ok=True)
    # rank_number and its kin on MPI, compiled apart: flang takes no C.
    glue = os.path.join(directory, "rank_mpi.o")
    must([COMPILERS["clang"], flag(arguments.prefix), "-c", os.path.join(HERE, "cases/rank_mpi.c"), "-o", glue])
    program = build(arguments.prefix, arguments, options, directory, [glue])
    must([program], cwd=directory, timeout=60)
    must([gnomon, "run", "-q", "-n", str(RANKS), program], cwd=directory, timeout=120)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mini", required=True, help="prefix with the mini-runtime")
    parser.add_argument("--prefix", required=True, help="staged prefix")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--compiler", choices=COMPILERS, required=True)
    parser.add_argument("--archive")
    parser.add_argument("--shared")
    parser.add_argument("sources", nargs="+")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    arguments, options = parser.parse_args(words[:split]), words[split + 1:]
    shutil.rmtree(arguments.directory, ignore_errors=True)
    check_on_mini(arguments, options)
    check_on_gnomon(arguments, options)


main()
