#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs keep their meaning on every rank.

csmith generates a program by seed; compiled without the flag it prints a checksum of all its global variables. Compiled with
the flag and run on three ranks of the mini-runtime, which alternate in the middle of the computation, each rank must print the
same. Programs that run longer than a few seconds without the flag are skipped, and counted; at least --programs are
compared. The first mismatch is kept with its seed."""
import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys

RANKS = 3
# Small enough for some 40 programs in a minute and a half; globals of every shape, no volatile-only noise.
CSMITH = ["--max-funcs", "6", "--max-block-depth", "4", "--max-block-size", "4", "--max-expr-complexity", "6",
          "--max-array-dim", "2", "--max-array-len-per-dim", "6", "--no-argc"]
# Ranks change places at every call of a function: the generated source needs no change for it.
ALTERNATE = """
extern void rank_switch(void);
extern int rank_count(void);
static unsigned alternations;
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *c) {
  (void)f; (void)c;
  if (++alternations % 64 == 0 && rank_count() > 0) rank_switch();
}
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *c) { (void)f; (void)c; }
"""


def output(command, seconds, **options):
    """stdout, or None after so many seconds of CPU time; raises on failure."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    result = subprocess.run(command, stdout=subprocess.PIPE, preexec_fn=limit, **options)
    if result.returncode == -signal.SIGXCPU:
        return None
    if result.returncode:
        raise RuntimeError("exit code %d of: %s" % (result.returncode, " ".join(command)))
    return result.stdout.decode()


def compile_c(words, source, program, **options):
    output(["clang-22", "-w", "-I/usr/include/csmith", *words, source, "-o", program], 120, **options)


def discard(path):
    for suffix in (".c", ".serial", ".ranks"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def compare(seed, level, flag, directory):
    """True when the program was compared, False when it was skipped."""
    path = os.path.join(directory, "seed%d" % seed)
    source, alternate = path + ".c", os.path.join(directory, "alternate.c")
    output(["csmith", "--seed", str(seed), *CSMITH, "-o", source], 30)
    compile_c([level], source, path + ".serial")
    expected = output([path + ".serial"], 2)
    if expected is None:
        discard(path)
        return False
    compile_c([level, flag, "-finstrument-functions-after-inlining", alternate], source, path + ".ranks",
              env=dict(os.environ, GNOMON_VERIFY="1"))
    # Many times what the serial program may take: only what hangs gets there.
    got = output([path + ".ranks"], 600, env=dict(os.environ, MINI_RANKS=str(RANKS)))
    if got is None:
        raise RuntimeError("hangs on %d ranks" % RANKS)
    if sorted(got.split()) != sorted(expected.split() * RANKS):
        raise RuntimeError("ranks print %r, the serial program %r" % (got, expected))
    discard(path)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mini", required=True, help="prefix with the mini-runtime")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("-O0", dest="level", action="store_const", const="-O0")
    parser.add_argument("-O2", dest="level", action="store_const", const="-O2")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.directory, ignore_errors=True)
    os.makedirs(arguments.directory)
    with open(os.path.join(arguments.directory, "alternate.c"), "w") as file:
        file.write(ALTERNATE)
    flag = "--config-user-dir=" + os.path.join(arguments.mini, "share/gnomon/clang")
    compared, skipped, seed = 0, 0, arguments.first
    while compared < arguments.programs:
        try:
            done = compare(seed, arguments.level or "-O2", flag, arguments.directory)
        except RuntimeError as error:
            sys.exit("csmith.py: seed %d, %s: %s; kept in %s" % (seed, arguments.level, error, arguments.directory))
        compared, skipped, seed = compared + done, skipped + (not done), seed + 1
        if skipped > arguments.programs:
            sys.exit("csmith.py: too many programs do not end")
    print("csmith.py: %d programs on %d ranks equal their serial selves at %s, %d skipped"
          % (compared, RANKS, arguments.level, skipped))


main()
