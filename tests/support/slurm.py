"""A Slurm cluster of one node on this machine: munge, controller and node, ended in any case."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=10 State=UP OverSubscribe=NO
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def slurm_cluster(folder: Path) -> Iterator[None]:
    """Runs the cluster and has SLURM_CONF name it."""
    folder.mkdir()
    munge = Path(f"/run/panto-munge-{os.getpid()}")  # munged wants parents that are root's alone
    munge.mkdir(mode=0o755)
    key = munge / "key"
    key.write_bytes(os.urandom(64))
    key.chmod(0o600)
    os.chown(munge, pwd.getpwnam("root").pw_uid, -1)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    host = socket.gethostname().split(".")[0]
    text = CONFIG.format(folder=folder, host=host, controller=free_port(), node=free_port())
    (folder / "slurm.conf").write_text(text.replace(f"{folder}/munge.socket", f"{munge}/socket"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, munge, ignore_errors=True)
        former = os.environ.get("SLURM_CONF")
        stack.callback(restore, former)
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        for words in (
            ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge}/socket",
             f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed"],
            ["slurmctld", "-D", "-c"],
            ["slurmd", "-D", "-N", host],
        ):  # fmt: skip
            log = stack.enter_context((folder / f"{words[0]}.out").open("w"))
            child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
            stack.callback(end, child)
        wait_idle(folder)
        yield


def restore(former: str | None) -> None:
    os.environ.pop("SLURM_CONF", None)
    if former:
        os.environ["SLURM_CONF"] = former


def end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(10)


def wait_idle(folder: Path) -> None:
    """Waits until the node takes jobs."""
    limit = time.monotonic() + 60
    while True:
        done = subprocess.run(
            ["sinfo", "-h", "-o", "%T"], capture_output=True, text=True, timeout=30, check=False
        )
        if done.stdout.strip() == "idle":
            return
        if time.monotonic() > limit:
            logs = [log.read_text()[-1500:] for log in folder.glob("*.log")]
            raise AssertionError("\n".join([done.stdout, done.stderr, *logs]))
        time.sleep(0.2)
