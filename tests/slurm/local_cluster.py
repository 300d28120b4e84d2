#!/usr/bin/env python3
"""A private two-node Slurm on this machine's loopback, for tests of the slurm-gpu profile.

The daemons (munged, slurmctld, two slurmd) are real, and children of this process: they end with it.
Both nodes are this machine:

    node      partition   what Slurm believes it has
    cpunode   cpu         the machine's CPUs, 64 GB
    gpunode   gpu         the machine's CPUs, 64 GB and one GPU

The GPU exists for the scheduler only. Its device file is a link to /dev/null, so a job that asks for a GPU
can only be placed on gpunode, and a CUDA program there finds no device.
There is no accounting database and no cgroup; jobs stay visible to squeue for `MIN_JOB_AGE` seconds.

By hand:  python tests/slurm/local_cluster.py bash       (any command; Slurm stops when it ends)
"""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "squeue", "sinfo", "scontrol", "scancel", "sacct", "sacctmgr", "sshare")
NODES = ("cpunode", "gpunode")
MIN_JOB_AGE = 600
START_SECONDS = 30


class SlurmMissingError(Exception):
    """This machine cannot run the private cluster; the message says what is missing."""


@dataclass(frozen=True)
class Job:
    """What Slurm recorded about one job. `node` is empty for a job that never started."""

    number: str
    state: str
    partition: str
    node: str
    gpus: str
    comment: str


@dataclass
class LocalCluster:
    """A running cluster whose files are all under `root`."""

    root: Path
    daemons: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def configuration(self) -> Path:
        """The cluster's slurm.conf."""
        return self.root / "etc" / "slurm.conf"

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """`base` (default: this process's environment) with this cluster's clients first on PATH."""
        environment = dict(os.environ if base is None else base)
        for name in [name for name in environment if name.startswith(("SLURM_", "SBATCH_", "SRUN_"))]:
            del environment[name]
        environment["PATH"] = f"{self.root / 'bin'}{os.pathsep}{environment['PATH']}"
        environment["SLURM_CONF"] = str(self.configuration)
        return environment

    def client(self, *command: str) -> str:
        """Run one of Slurm's client commands and return what it printed."""
        return subprocess.run(
            command, env=self.environment(), check=True, text=True, stdout=subprocess.PIPE, timeout=30
        ).stdout

    def jobs(self) -> list[Job]:
        """Return every job since the start, oldest first, pending and finished ones too."""
        columns = ("JobID", "State", "Partition", "NodeList", "tres-per-job", "Comment")
        form = ",".join(f"{column}:\t" for column in columns)
        rows = self.client("squeue", "--states=all", "--noheader", "--sort=i", "-O", form).splitlines()
        return [Job(*(text.strip() for text in row.split("\t")[: len(columns)])) for row in rows]

    def cancel(self, number: str) -> None:
        """Cancel a job, as a user or an administrator would."""
        self.client("scancel", number)


@contextlib.contextmanager
def local_cluster(root: Path) -> Iterator[LocalCluster]:
    """Start a cluster under `root` (an existing, short path without blanks); stop it on leaving.

    Raises SlurmMissingError where Slurm is not installed or this machine's name is not on loopback.
    """
    require_slurm()
    cluster = LocalCluster(root.resolve())
    write_configuration(cluster)
    try:
        start(cluster)
        yield cluster
    finally:
        stop(cluster)


def require_slurm() -> None:
    """Raise SlurmMissingError unless daemons and clients are installed and the host's name is loopback."""
    missing = [name for name in (*DAEMONS, *CLIENTS, "setpriv") if find(name) is None]
    if missing:
        raise SlurmMissingError(
            f"Slurm is not installed ({', '.join(missing)} not found); "
            "on Debian and Ubuntu: apt-get install slurm-wlm munge"
        )
    name = host_name()
    try:
        address = socket.gethostbyname(name)
    except OSError:
        address = None
    if address is None or not ipaddress.ip_address(address).is_loopback:
        where = "does not resolve" if address is None else f"resolves to {address}"
        raise SlurmMissingError(
            f"Slurm's sockets follow this machine's own name, and {name!r} {where}; "
            f"put the line '127.0.0.1 {name}' at the top of /etc/hosts"
        )


def host_name() -> str:
    """The name by which slurmctld and slurmd know this machine."""
    return socket.gethostname().split(".")[0]


def find(program: str) -> str | None:
    """Where a program is; daemons are often outside a user's PATH."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def free_ports(count: int) -> list[int]:
    """Return TCP ports that nobody listens on now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def write_configuration(cluster: LocalCluster) -> None:
    """Write slurm.conf, gres.conf, cgroup.conf, the munge key, the device file and the clients."""
    root = cluster.root
    for name in ("etc", "state", "spool", "run", "bin", "log", "dev"):
        (root / name).mkdir(mode=0o755)
    host, (control, *node_ports) = host_name(), free_ports(1 + len(NODES))
    cpus = max(2, os.cpu_count() or 2)
    user = subprocess.check_output(["id", "-un"], text=True).strip()
    # Memory is claimed, not counted: the profile asks for what real shards need.
    hardware = f"NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=65536 State=UNKNOWN"
    settings = f"""\
        ClusterName=weft
        SlurmctldHost={host}(127.0.0.1)
        SlurmctldPort={control}
        CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
        AuthType=auth/munge
        CredType=cred/munge
        AuthInfo=socket={root}/run/munge.socket
        SlurmUser={user}
        SlurmdUser={user}
        StateSaveLocation={root}/state
        SlurmdSpoolDir={root}/spool/%n
        SlurmctldPidFile={root}/run/slurmctld.pid
        SlurmdPidFile={root}/run/slurmd.%n.pid
        SlurmctldLogFile={root}/log/slurmctld.log
        SlurmdLogFile={root}/log/slurmd.%n.log
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        JobAcctGatherType=jobacct_gather/none
        MpiDefault=none
        AccountingStorageType=accounting_storage/none
        JobCompType=jobcomp/filetxt
        JobCompLoc={root}/log/jobs.txt
        MinJobAge={MIN_JOB_AGE}
        SchedulerType=sched/backfill
        SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,sched_min_interval=0
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        JobRequeue=0
        KillWait=3
        ReturnToService=2
        SlurmdParameters=config_overrides
        GresTypes=gpu
        NodeName=cpunode Port={node_ports[0]} {hardware}
        NodeName=gpunode Port={node_ports[1]} {hardware} Gres=gpu:1
        PartitionName=cpu Nodes=cpunode Default=YES MaxTime=24:00:00 DefaultTime=01:00:00 State=UP
        PartitionName=gpu Nodes=gpunode MaxTime=24:00:00 DefaultTime=01:00:00 State=UP
    """
    cluster.configuration.write_text("".join(f"{line.strip()}\n" for line in settings.splitlines()))
    # Slurm numbers a device by the digits that end its name.
    (root / "dev" / "gpu0").symlink_to("/dev/null")
    (root / "etc" / "gres.conf").write_text(f"NodeName=gpunode Name=gpu File={root}/dev/gpu0\n")
    (root / "etc" / "cgroup.conf").write_text("CgroupAutomount=no\n")
    key = root / "etc" / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(128))
    # Snakemake's job step drops SLURM_CONF from the environment of the srun that it starts.
    for name in CLIENTS:
        wrapper = root / "bin" / name
        wrapper.write_text(f'#!/bin/sh\nSLURM_CONF={cluster.configuration} exec {find(name)} "$@"\n')
        wrapper.chmod(0o755)


def start(cluster: LocalCluster) -> None:
    """Start the daemons and wait until both nodes take jobs."""
    root, configuration = cluster.root, str(cluster.configuration)
    launch(
        cluster,
        "munged",
        "--foreground",
        "--force",
        f"--key-file={root}/etc/munge.key",
        f"--socket={root}/run/munge.socket",
        f"--pid-file={root}/run/munged.pid",
        f"--log-file={root}/log/munged.log",
        f"--seed-file={root}/state/munge.seed",
    )
    wait_for(cluster, (root / "run" / "munge.socket").exists, "munged")
    launch(cluster, "slurmctld", "-D", "-f", configuration)
    for node in NODES:
        (root / "spool" / node).mkdir()
        launch(cluster, "slurmd", "-D", "-N", node, "-f", configuration)
    wait_for(cluster, lambda: idle_nodes(cluster) == sorted(NODES), "slurmctld and slurmd")


def launch(cluster: LocalCluster, program: str, *arguments: str) -> None:
    """Start one daemon that ends when this process does, even by SIGKILL."""
    path = find(program)
    assert path is not None
    log = cluster.root / "log" / f"{program}.out"
    with log.open("ab") as stream:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", path, *arguments],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    cluster.daemons.append(process)


def wait_for(cluster: LocalCluster, ready: Callable[[], bool], what: str) -> None:
    """Poll `ready()` until it holds. Raises RuntimeError with the daemons' logs if it doesn't in time."""
    limit = time.monotonic() + START_SECONDS
    while not ready():
        dead = [process for process in cluster.daemons if process.poll() is not None]
        if dead or time.monotonic() > limit:
            logs = sorted((cluster.root / "log").iterdir())
            tails = [f"{log.name}:\n{log.read_text(errors='replace')[-2000:]}" for log in logs]
            raise RuntimeError(f"{what} did not start\n" + "\n".join(tails))
        time.sleep(0.1)


def idle_nodes(cluster: LocalCluster) -> list[str]:
    """Names of the nodes that are up and idle; none while slurmctld does not answer yet."""
    command = ["sinfo", "--noheader", "--Node", "--states=idle", "--responding", "--format=%N"]
    answer = subprocess.run(
        command,
        env=cluster.environment(),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return sorted(set(answer.stdout.split()))


def stop(cluster: LocalCluster) -> None:
    """Cancel what still runs, then stop the daemons, the youngest first."""
    if len(cluster.daemons) > 1:
        with contextlib.suppress(subprocess.SubprocessError):
            active = cluster.client("squeue", "--noheader", "--format=%A").split()
            if active:
                cluster.client("scancel", *active)
            limit = time.monotonic() + 15
            while cluster.client("squeue", "--noheader", "--format=%A").split():
                if time.monotonic() > limit:
                    break
                time.sleep(0.2)
    for process in reversed(cluster.daemons):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    cluster.daemons.clear()


def main() -> int:
    """Run a command on a fresh cluster and return its exit status."""
    parser = argparse.ArgumentParser(
        description="Run a command with a private Slurm (nodes cpunode and gpunode) on this machine.",
        epilog="example: python tests/slurm/local_cluster.py snakemake --profile slurm-gpu",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="a command and its arguments")
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("no command given")
    try:
        with tempfile.TemporaryDirectory(prefix="slurm-") as folder, local_cluster(Path(folder)) as cluster:
            # Ctrl-C is for the command; the cluster goes when the command has gone.
            previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
            status = subprocess.call(
                arguments.command,
                env=cluster.environment(),
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
            signal.signal(signal.SIGINT, previous)
            return status
    except SlurmMissingError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
