"""Start and stop a Slurm of three nodes on this machine, from Debian's packages and without systemd.

As root: `python -m tests.slurm.cluster start`, and later `stop`. Debian's slurmd may run several times on one host,
each as a node of its own.
"""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

CONFIG = Path("/etc/slurm/slurm.conf")  # the only place: a job's own steps don't get the variable that could move it
STATE = Path("/run/radmm-slurm")
SIGNATURE = "# radmm's test cluster: made and removed by tests/slurm/cluster.py"
LOCK = Path("/run/radmm-slurm.lock")
MUNGE_PID = Path("/run/munge/radmm.pid")
NODES = ("n1", "n2", "n3")
PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch")

CONFIGURATION = """{signature}
ClusterName=radmm
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=16817
AuthType=auth/munge
SlurmUser=root
StateSaveLocation={state}/controller
SlurmdSpoolDir={state}/%n
SlurmctldPidFile={state}/slurmctld.pid
SlurmdPidFile={state}/%n.pid
SlurmctldLogFile={state}/slurmctld.log
SlurmdLogFile={state}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
# Without cgroups: memory is looked at every second, and a job that has too much is killed.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
# Soon, so that tests need not wait: a node that doesn't answer is down, a job that won't end is killed.
SlurmdTimeout=10
KillWait=3
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2
NodeName=n[1-3] NodeHostname={host} NodeAddr=127.0.0.1 Port=[17001-17003] CPUs=2 RealMemory=6000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class UnavailableError(Exception):
    """Why no Slurm can be started here."""


def check() -> None:
    """Raise UnavailableError unless this machine can do it, and is no member of another cluster."""
    if os.geteuid() != 0:
        raise UnavailableError("only root can start Slurm's daemons")
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise UnavailableError(f"{', '.join(missing)} not found: apt-get install slurm-wlm munge")
    if CONFIG.exists() and not CONFIG.read_text().startswith(SIGNATURE):
        raise UnavailableError(f"{CONFIG} is not ours: this machine belongs to another cluster")


@contextmanager
def running():
    """The cluster, for as long as it is needed. There is one on a machine: who comes second waits."""
    check()
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            start()
            yield
        finally:
            stop()


def start():
    stop()
    for folder in ("controller", *NODES):
        (STATE / folder).mkdir(parents=True)
    CONFIG.write_text(CONFIGURATION.format(signature=SIGNATURE, host=socket.gethostname(), state=STATE))
    start_munge()
    start_controller()
    repair()


def repair():
    """Nodes that are dead come back, and all have nothing to do."""
    subprocess.run(["scancel", "--user=root"], check=False)
    for node in NODES:
        if not (STATE / f"{node}.pid").exists():
            start_node(node)
    wait_until(lambda: states() == ["idle"] * len(NODES), 60)


def start_munge():
    """As the package's service would; one that runs already is used, and left alone."""
    if _succeeds("munge", "--no-input"):
        return
    folder = Path("/run/munge")
    folder.mkdir(exist_ok=True)
    shutil.chown(folder, "munge", "munge")
    folder.chmod(0o755)
    subprocess.run(["runuser", "-u", "munge", "--", "munged", f"--pid-file={MUNGE_PID}"], check=True)


def start_controller():
    subprocess.run(["slurmctld"], check=True)


def start_node(node):
    subprocess.run(["slurmd", "-N", node], check=True)


def kill_controller():
    _kill_daemon(STATE / "slurmctld.pid")


def kill_node(node):
    """Like a power cut: the daemon and all that runs on the node end at once."""
    _kill_daemon(STATE / f"{node}.pid")
    # What watches over a job goes first: it would still tell how that ended, and no node would seem to have failed.
    for process in sorted(processes_on(node), key=_is_watcher, reverse=True):
        _kill(process)


def stop():
    """End every process of the cluster, jobs included, and remove its files."""
    kill_controller()
    for node in NODES:
        kill_node(node)
    if CONFIG.exists():
        check()
        for process in processes():  # one tells the controller that its job has ended, for as long as that takes
            _kill(process)
        wait_until(lambda: not list(processes()), 10)
        CONFIG.unlink()
    _kill_daemon(MUNGE_PID)
    shutil.rmtree(STATE, ignore_errors=True)


def states():
    """What each node is doing: idle, mixed, down* and so on."""
    command = ["sinfo", "--noheader", "--Node", "--format=%T"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds} s in vain")
        time.sleep(0.2)


def processes():
    """Slurm's own on this machine, which are all ours if the configuration is."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            if (folder / "comm").read_text().strip() in ("slurmctld", "slurmscriptd", "slurmd", "slurmstepd"):
                yield int(folder.name)


def processes_on(node):
    """The job's processes, which Slurm tells where they are, and the daemon's child that watches over them."""
    wanted = {b"SLURM_CLUSTER_NAME=radmm", f"SLURMD_NODENAME={node}".encode()}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted <= set((folder / "environ").read_bytes().split(b"\0")):
                yield int(folder.name)
                parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
                if _is_watcher(parent):
                    yield int(parent)
        except OSError:
            continue  # it has ended meanwhile


def _is_watcher(process):
    try:
        return Path(f"/proc/{process}/comm").read_text().strip() == "slurmstepd"
    except OSError:
        return False


def _kill_daemon(pid_file):
    """And wait until its pid file's process is gone: the next one needs its port."""
    if not pid_file.exists():
        return
    process = int(pid_file.read_text())
    _kill(process)
    wait_until(lambda: not Path(f"/proc/{process}").exists(), 10)
    pid_file.unlink(missing_ok=True)


def _kill(process):
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _succeeds(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    check()
    {"start": start, "stop": stop}[sys.argv[1]]()
