#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hosts of one's own: N network namespaces on a switch, each port shaped both ways, and a real MPI over them.

  shaped.py up [--hosts 8] [--rate 10mbit] [--delay MICROSECONDS] [--queue 250000] [--burst BYTES] [--mtu 1500] [--prefix gshape]
  shaped.py run --mpi openmpi|mpich -n RANKS [--per-host 1] [--idle poll|sleep|spin] [--congestion cubic|reno|bbr]
         [--prefix gshape] -- PROGRAM ARGS...
  shaped.py exec HOST [--prefix gshape] -- COMMAND...   in the namespace of host number HOST (tcpdump, tc)
  shaped.py down [--prefix gshape]

README.md says what the network is made of. Needs root, iproute2 and the kernel's tbf; else exit 77 with a reason.
"""
import argparse
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
SUBNET = "10.79.0"  # every network has it: namespaces do not see each other
NETNS_FILES = Path("/etc/netns")  # `ip netns exec` mounts NAME/hosts from here over /etc/hosts
UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}

# Called as `AGENT [-options] HOST COMMAND...` by both launchers, in place of ssh.
AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec ip netns exec "$host" unshare -u sh -c "hostname $host; $*"
"""


class Unavailable(Exception):
    """Namespaces cannot be made here; the text says why."""


def words(*parts):
    return [str(part) for part in parts]


def ip(*parts, check=True):
    done = subprocess.run(words(*parts), capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(words(*parts))}: {done.stderr.strip()}")
    return done.stdout


def bits_per_second(rate):
    found = re.fullmatch(r"([\d.]+)([kmg]?)bit", rate)
    if not found:
        raise ValueError(f"'{rate}' is not a rate such as 10mbit")
    return float(found[1]) * UNITS[found[2]]


@dataclasses.dataclass
class Network:
    """A context manager: the hosts are there inside of it. Host numbers count from 1, as names do: PREFIX1, PREFIX2, …

    rate      of each port, each way, as tc writes it (10mbit)
    delay     microseconds of the cable from a host to the switch: a message pays it once
    queue     bytes that wait in front of a port before packets are dropped
    burst     bytes that an idle port lets go at once; None: two packets, or what the rate moves in 250 us
    """
    hosts: int = 8
    rate: str = "10mbit"
    delay: int = 0
    queue: int = 250_000
    burst: int | None = None
    mtu: int = 1500
    prefix: str = "gshape"
    cable: subprocess.Popen | None = dataclasses.field(default=None, init=False, repr=False)

    def names(self):
        return [f"{self.prefix}{i}" for i in range(1, self.hosts + 1)]

    def address(self, host):
        return f"{SUBNET}.{host}"

    @classmethod
    def existing(cls, prefix):
        """The network that `up` made with this prefix. Its shape is not read back: only names and size count."""
        found = re.findall(rf"^{re.escape(prefix)}(\d+)\b", ip("ip", "netns", "list"), re.MULTILINE)
        if not found:
            raise Unavailable(f"there is no network with prefix '{prefix}': shaped.py up --prefix {prefix}")
        return cls(hosts=max(map(int, found)), prefix=prefix)

    def check(self):
        if os.geteuid() != 0:
            raise Unavailable("network namespaces need root")
        for tool in ("ip", "tc", "unshare"):
            if not shutil.which(tool):
                raise Unavailable(f"no {tool} (Debian packages iproute2, util-linux)")
        if not 1 <= self.hosts <= 250 or not re.fullmatch(r"[a-z]{1,10}", self.prefix):
            raise ValueError("hosts are 1 to 250, a prefix is one to ten small letters")

    def up(self):
        self.check()
        self.down()
        try:
            self.switch()
            for host in range(1, self.hosts + 1):
                self.host(host)
            if self.delay:
                self.lay_cables()
            for host in range(1, self.hosts + 1):
                self.connect(host)
        except RuntimeError as error:
            self.down()
            raise Unavailable(str(error)) from error
        except BaseException:
            self.down()
            raise
        return self

    def switch(self):
        switch = f"{self.prefix}sw"
        ip("ip", "netns", "add", switch)
        ip("ip", "-n", switch, "link", "add", "bridge", "mtu", self.mtu, "type", "bridge")
        ip("ip", "-n", switch, "link", "set", "bridge", "up")

    def host(self, number):
        name, switch, end = f"{self.prefix}{number}", f"{self.prefix}sw", f"{'cable' if self.delay else 'port'}{number}"
        ip("ip", "netns", "add", name)
        files = NETNS_FILES / name
        files.mkdir(parents=True, exist_ok=True)
        (files / "hosts").write_text("127.0.0.1 localhost\n" + "".join(
            f"{self.address(i)} {self.prefix}{i}\n" for i in range(1, self.hosts + 1)))
        ip("ip", "-n", switch, "link", "add", end, "mtu", self.mtu, "type", "veth",
           "peer", "name", "e0", "mtu", self.mtu, "netns", name)
        ip("ip", "-n", switch, "link", "set", end, "up")
        ip("ip", "-n", name, "addr", "add", f"{self.address(number)}/24", "dev", "e0")
        ip("ip", "-n", name, "link", "set", "e0", "up")
        ip("ip", "-n", name, "link", "set", "lo", "up")
        self.shape(name, "e0")

    def lay_cables(self):
        """A process (cable.c) between each host's cableI and portI, which it makes."""
        command = words("ip", "netns", "exec", f"{self.prefix}sw", compiled("cable.c"), self.delay, self.hosts)
        cable = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 start_new_session=True)
        if cable.stdout.readline() != "ready\n":
            raise RuntimeError(cable.stderr.read().strip())
        cable.stdout.close()
        cable.stderr.close()
        self.cable = cable  # down() ends it, as whatever runs in the namespaces

    def connect(self, number):
        switch, port = f"{self.prefix}sw", f"port{number}"
        ip("ip", "-n", switch, "link", "set", port, "mtu", self.mtu, "master", "bridge", "up")
        self.shape(switch, port)

    def shape(self, space, device):
        """The queue and the rate of what leaves by this device."""
        rate = bits_per_second(self.rate)
        burst = self.burst or max(2 * self.mtu, int(rate / 8 * 250e-6))
        ip("tc", "-n", space, "qdisc", "add", "dev", device, "root", "tbf", "rate", f"{rate:.0f}bit", "burst", burst,
           "limit", self.queue)

    def down(self):
        """Takes away what has this prefix, whoever made it, and ends what runs there."""
        self.end_processes()
        if self.cable:
            self.cable.wait()
        for name in self.spaces():
            ip("ip", "netns", "del", name, check=False)
            shutil.rmtree(NETNS_FILES / name, ignore_errors=True)

    def spaces(self):
        """Names of the namespaces with this prefix that are there."""
        return re.findall(rf"^({re.escape(self.prefix)}(?:sw|\d+))\b", ip("ip", "netns", "list", check=False), re.MULTILINE)

    def end_processes(self):
        for name in self.spaces():
            for process in ip("ip", "netns", "pids", name, check=False).split():
                try:
                    os.kill(int(process), signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def __enter__(self):
        return self.up()

    def __exit__(self, *_):
        self.down()

    def inside(self, host, command):
        """\\p command as run on host number \\p host, which knows its own name."""
        name = f"{self.prefix}{host}"
        return words("ip", "netns", "exec", name, "unshare", "-u", "sh", "-c", f'hostname {name}; exec "$@"', "sh", *command)

    def run(self, mpi, ranks, program, *, per_host=1, idle="poll", congestion=None, options=(), environment=None,
            timeout=600, directory=None, **subprocess_options):
        """Runs \\p program (words) under a real MPI on the first hosts; subprocess.CompletedProcess.

        \\p per_host neighbouring ranks share a host. \\p idle: what waiting ranks do (idle.c), spin: as the library does.
        \\p congestion: TCP's congestion control; None: the kernel's.
        \\p options go to mpirun or mpiexec. Raises TimeoutExpired after \\p timeout seconds; nothing is left running.
        """
        if ranks > self.hosts * per_host:
            raise ValueError(f"{ranks} ranks do not fit on {self.hosts} hosts with {per_host} each")
        with tempfile.TemporaryDirectory(prefix="shaped-") as scratch:
            launch = {"openmpi": self.openmpi, "mpich": self.mpich}[mpi]
            preload = [] if idle == "spin" and not congestion else [("LD_PRELOAD", compiled("idle.c")), ("GNOMON_IDLE", idle)]
            if congestion:
                preload.append(("GNOMON_CONGESTION", congestion))
            command = launch(self.agent(scratch), ranks, per_host, preload, words(*options), words(*program))
            return self.finish(self.inside(1, command), timeout, cwd=directory,
                               env={**os.environ, **(environment or {})}, **subprocess_options)

    def agent(self, scratch):
        path = Path(scratch) / "agent"
        path.write_text(AGENT)
        path.chmod(0o755)
        return path

    def host_list(self, ranks, per_host):
        return ",".join(f"{name}:{per_host}" for name in self.names()[:-(-ranks // per_host)])

    def openmpi(self, agent, ranks, per_host, variables, options, program):
        settings = {"plm_rsh_agent": agent, "pml": "ob1", "btl": "self,tcp" + (",vader" if per_host > 1 else ""),
                    "btl_tcp_if_include": f"{SUBNET}.0/24", "oob_tcp_if_include": f"{SUBNET}.0/24",
                    "mpi_yield_when_idle": 1, "hwloc_base_binding_policy": "none"}
        mca = [word for key, value in settings.items() for word in ("--mca", key, value)]
        passed = [word for key, value in variables for word in ("-x", f"{key}={value}")]
        return words("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", *mca, *passed,
                     "-H", self.host_list(ranks, per_host), "-n", ranks, *options, *program)

    def mpich(self, agent, ranks, per_host, variables, options, program):
        settings = [("UCX_TLS", "tcp,self"), ("UCX_NET_DEVICES", "e0"), *variables]
        passed = [word for key, value in settings for word in ("-genv", key, value)]
        return words("mpiexec.mpich", "-launcher", "rsh", "-launcher-exec", agent, "-iface", "e0",
                     "-hosts", self.host_list(ranks, per_host), *passed, *options, "-n", ranks, *program)

    def finish(self, command, timeout, **options):
        with subprocess.Popen(command, start_new_session=True, text=True, stdin=subprocess.DEVNULL, **options) as process:
            try:
                out, errors = process.communicate(timeout=timeout)
            except BaseException:
                # The launcher may be gone or stuck while its helpers on other hosts wait for it.
                process.terminate()
                try:
                    process.wait(timeout=5)
                except subprocess.TimeoutExpired:
                    process.kill()
                self.end_processes()
                raise
        return subprocess.CompletedProcess(command, process.returncode, out, errors)


def compiled(name):
    """A C file of this folder as a program or, idle.c, a library for LD_PRELOAD; made once for each version and user."""
    source = HERE / name
    made = Path(tempfile.gettempdir()) / f"gnomon-shaped-{os.getuid()}-{source.stat().st_mtime_ns}-{source.stem}"
    if not made.exists():
        compiler = next(filter(shutil.which, ("cc", "gcc", "clang-22")), None)
        if not compiler:
            raise Unavailable(f"no C compiler for {name}")
        new = made.with_suffix(f".{os.getpid()}")
        kind = ["-shared", "-fPIC", "-ldl"] if name == "idle.c" else []
        subprocess.run(words(compiler, "-O2", source, "-o", new, *kind), check=True)
        new.replace(made)
    return made


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    up, run, execute, down = (commands.add_parser(name) for name in ("up", "run", "exec", "down"))
    for command in (up, run, execute, down):
        command.add_argument("--prefix", default=Network.prefix)
    for field in dataclasses.fields(Network):
        if field.name not in ("prefix", "cable"):
            up.add_argument(f"--{field.name}", type=str if field.name == "rate" else int, default=field.default)
    run.add_argument("--mpi", choices=("openmpi", "mpich"), required=True)
    run.add_argument("-n", type=int, required=True, dest="ranks")
    run.add_argument("--per-host", type=int, default=1)
    run.add_argument("--idle", default="poll")
    run.add_argument("--congestion", choices=("cubic", "reno", "bbr"))
    run.add_argument("--timeout", type=float, default=3600)
    execute.add_argument("host", type=int)
    for command in (run, execute):
        command.add_argument("words", nargs="+", metavar="-- PROGRAM ARGS")
    return parser.parse_args()


def main():
    line = parsed()
    if line.command == "up":
        Network(**{field.name: getattr(line, field.name) for field in dataclasses.fields(Network) if field.init}).up()
    elif line.command == "down":
        Network(prefix=line.prefix).down()
    elif line.command == "exec":
        network = Network.existing(line.prefix)
        sys.exit(subprocess.run(network.inside(line.host, line.words)).returncode)
    else:
        network = Network.existing(line.prefix)
        sys.exit(network.run(line.mpi, line.ranks, line.words, per_host=line.per_host, idle=line.idle, congestion=line.congestion,
                             timeout=line.timeout).returncode)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        main()
    except Unavailable as reason:
        print(f"shaped.py: skipped: {reason}", file=sys.stderr)
        sys.exit(SKIPPED)
    except (ValueError, RuntimeError, subprocess.TimeoutExpired) as error:
        sys.exit(f"shaped.py: {error}")
