#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a program with the flag, or runs it on simulated ranks and compares what it says with what is expected.

The end-to-end tests (gnomon_e2e_test in GnomonTests.cmake) are calls of this script. It prints everything the
program said before it prints why the test failed.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import json_schema

COMPILERS = {".c": "clang-22", ".cpp": "clang++-22", ".f90": "flang-22", ".f": "flang-22", ".F90": "flang-22"}


def show(arguments):
    print("+", " ".join(str(argument) for argument in arguments), flush=True)
    return [str(argument) for argument in arguments]


def build(options, rest):
    flag = subprocess.run([options.prefix / "bin/gnomon", "--flag"], check=True, capture_output=True, text=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    compiler = COMPILERS[options.source.suffix]
    command = [compiler, flag.stdout.strip(), "-O2", "-g", options.source, *rest, "-o", options.output]
    if options.source.suffix == ".cpp":
        command.insert(2, "-std=c++20")
    if options.source.suffix == ".c":
        command.append("-lm")
    # flang writes .mod files where it runs.
    return subprocess.run(show(command), cwd=options.output.parent).returncode


def matches(pattern, text, what):
    if pattern is None or re.search(pattern, text, re.MULTILINE):
        return True
    print(f"FAILED: {what} does not match {pattern!r}")
    return False


def run(options, rest):
    shutil.rmtree(options.directory, ignore_errors=True)
    options.directory.mkdir(parents=True)
    for file in options.file:
        shutil.copy(file, options.directory)
    # Beside the program's folder, not in it: programs look at what they write.
    summary = options.directory.with_suffix(".json")
    summary.unlink(missing_ok=True)
    launcher = [] if options.alone else [options.prefix / "bin/gnomon", "run", "-n", options.ranks, "--json", summary,
                                         *options.option]
    command = show([*launcher, options.program, *rest])
    result = subprocess.run(command, cwd=options.directory, capture_output=True, text=True, errors="replace",
                            stdin=subprocess.DEVNULL)
    for name, text in (("stdout", result.stdout), ("stderr", result.stderr)):
        print(f"--- {name}", text if len(text) < 20000 else text[:10000] + "\n[...]\n" + text[-10000:], sep="\n")
    code = result.returncode if result.returncode >= 0 else 128 - result.returncode
    good = matches(options.expect, result.stdout, "stdout") & matches(options.errors, result.stderr, "stderr")
    if code not in options.exit:
        print(f"FAILED: exit code {code}, expected {' or '.join(map(str, options.exit))}")
    try:
        json_schema.written(command, options.directory, options.prefix)
    except json_schema.Invalid as error:
        print(f"FAILED: {error}")
        good = False
    return 0 if good and code in options.exit else 1


def main():
    own, rest = sys.argv[1:], []
    if "--" in own:
        rest = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    builder = commands.add_parser("build")
    builder.add_argument("--prefix", type=pathlib.Path, required=True)
    builder.add_argument("--output", type=pathlib.Path, required=True)
    builder.add_argument("source", type=pathlib.Path)
    builder.set_defaults(action=build)
    runner = commands.add_parser("run")
    runner.add_argument("--prefix", type=pathlib.Path, required=True)
    runner.add_argument("--ranks", type=int, required=True)
    runner.add_argument("--directory", type=pathlib.Path, required=True)
    runner.add_argument("--expect")
    runner.add_argument("--errors")
    runner.add_argument("--exit", type=lambda codes: [int(code) for code in codes.split(",")], default=[0])
    runner.add_argument("--file", type=pathlib.Path, action="append", default=[])
    runner.add_argument("--option", action="append", default=[])
    runner.add_argument("--alone", action="store_true")
    runner.add_argument("program", type=pathlib.Path)
    runner.set_defaults(action=run)
    options = parser.parse_args(own)
    sys.exit(options.action(options, rest))


if __name__ == "__main__":
    main()
