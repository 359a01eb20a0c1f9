# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MPICH's test suite: Debian's source package, fetched and unpacked, and configured with Gnomon's compilers.

Nothing of the system changes: apt gets a configuration, lists and a cache of its own, in which every package source of the
system's is one of source packages too. Nothing that is fetched belongs to this repository.
"""

import os
import pathlib
import re
import shutil
import subprocess


# clang makes errors of what gcc 12, which the suite is kept with, warns of: some programs pass an attribute function of the
# wrong kind, say.
C_FLAGS = "-g -O2 " + " ".join(f"-Wno-error={name}" for name in (
    "incompatible-function-pointer-types", "incompatible-pointer-types", "int-conversion", "implicit-function-declaration"))


class Unavailable(Exception):
    """The source package cannot be had here; says why."""


class Broken(Exception):
    """The suite was fetched and cannot be configured or built; says where to look."""


def _deb822(text):
    """The entries of a .sources file, as entries of source packages; those of other archives than Debian's are left out."""
    kept = [entry for entry in re.split(r"\n\s*\n", text) if re.search(r"^Types:.*\bdeb\b", entry, re.M) and "debian" in entry]
    return "\n\n".join(re.sub(r"^Types:.*$", "Types: deb-src", entry, flags=re.M).strip() for entry in kept)


def _one_line(text):
    """The lines of a .list file, as lines of source packages."""
    found = re.findall(r"^deb(?:-src)?\s+(\S.*)$", text, re.M)
    return "\n".join(dict.fromkeys(f"deb-src {rest}" for rest in found if "debian" in rest))


def apt_options(directory, etc=pathlib.Path("/etc/apt")):
    """Writes apt's private configuration to `directory`; gives the options that make apt-get use it."""
    for folder in ("parts", "lists/partial", "cache/archives/partial"):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    files = [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]
    for file in (f for f in files if f.is_file()):
        convert = {".sources": _deb822, ".list": _one_line}.get(file.suffix)
        text = convert(file.read_text(errors="replace")) if convert else ""
        if text:
            (directory / "parts" / file.name).write_text(text + "\n")
    values = {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": directory / "parts",
              "Dir::State::lists": directory / "lists", "Dir::Cache": directory / "cache", "APT::Sandbox::User": "",
              "Acquire::Retries": 0, "Acquire::http::Timeout": 20, "Acquire::https::Timeout": 20}
    return [f"-o{name}={value}" for name, value in values.items()]


def _call(command, cwd, log, error, what):
    with open(log, "a") as out:
        try:
            code = subprocess.run(command, cwd=cwd, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  check=False).returncode
        except FileNotFoundError as missing:
            raise error(f"{what}: {missing.filename} is not installed") from missing
    if code:
        last = next((t for t in reversed(pathlib.Path(log).read_text(errors="replace").splitlines()) if t.strip()), "no output")
        raise error(f"{what} failed ({last.strip()}); --keep DIR keeps {log.name}")


def fetch(directory):
    """Fetches and unpacks the source package into `directory`, once; gives the folder of its test suite."""
    suite = directory / "source"
    if (suite / "configure").is_file():
        return suite
    package = directory / "package"
    package.mkdir(parents=True, exist_ok=True)
    log = directory / "fetch.log"
    options = apt_options((directory / "apt").resolve())
    _call(["apt-get", *options, "update"], package, log, Unavailable, "apt-get update")
    _call(["apt-get", *options, "source", "--download-only", "mpich"], package, log, Unavailable, "apt-get source mpich")
    descriptions = sorted(package.glob("mpich_*.dsc"))
    if not descriptions:
        raise Unavailable(f"apt-get source mpich gave no .dsc file")
    whole = directory / "whole"
    for old in (whole, suite):
        shutil.rmtree(old, ignore_errors=True)
    _call(["dpkg-source", "-x", descriptions[-1].resolve(), whole.resolve()], package, log, Unavailable, "dpkg-source")
    (whole / "test/mpi").rename(suite)
    shutil.rmtree(whole)
    return suite


def _stamp(prefix):
    """What the suite was built with: when these change, what was built does not tell anything about them."""
    files = ("bin/gnomon", "lib/libgnomon.so", "lib/gnomon/GnomonPass.so", "include/gnomon/mpi.h", "share/gnomon/clang/clang.cfg")
    present = [prefix / name for name in files if (prefix / name).is_file()]
    return "".join(f"{file} {file.stat().st_mtime_ns}\n" for file in present)


def _use_fortran_2008(build, log):
    """The suite's configure builds what the f08 programs share only when MPICH's own configure calls it (a FIXME there)."""
    status = build / "config.status"
    text = status.read_text().replace('S["HAS_F08_TRUE"]="#"', 'S["HAS_F08_TRUE"]=""')
    status.write_text(text.replace('S["HAS_F08_FALSE"]=""', 'S["HAS_F08_FALSE"]="#"'))
    _call(["./config.status"], build, log, Broken, "config.status")


def configure(suite, directory, prefix, jobs):
    """Configures the suite in `directory`/build with the compilers of `prefix` and builds what its programs share."""
    build = directory / "build"
    stamp = directory / "built-with"
    if stamp.is_file() and stamp.read_text() == _stamp(prefix) and (build / "runtests").is_file():
        return build
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    log = directory / "configure.log"
    log.unlink(missing_ok=True)
    compilers = {"CC": "mpicc", "CXX": "mpicxx", "FC": "mpifort", "F77": "mpif77"}
    wrappers = prefix / "libexec/gnomon/bin"
    settings = [f"{name}={wrappers / compiler}" for name, compiler in compilers.items()]
    settings += [f"MPI{name}={wrappers / compiler}" for name, compiler in compilers.items()]
    _call([suite.resolve() / "configure", "--disable-dependency-tracking", "--enable-fortran=all", "--enable-xfail",
           "--enable-threads=multiple", f"--with-mpi={prefix}", f"CFLAGS={C_FLAGS}", *settings], build, log, Broken, "configure")
    _use_fortran_2008(build, log)
    for shared in ("util", "dtpools"):
        _call(["make", f"-j{jobs}", "-C", shared], build, log, Broken, f"make -C {shared}")
    stamp.write_text(_stamp(prefix))
    return build


def memory_gigabytes():
    """What a test may use: the machine's available memory."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
