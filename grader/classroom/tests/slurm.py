"""A Slurm cluster of two nodes, left and right, which are both this machine."""

import os
import shutil
import socket
import time

from kit import need, run

DAEMONS = ["slurmctld", "slurmd", "sbatch"]

# Why no authentication: the cluster is that of one test, and needs no daemon of the system.
CONFIGURATION = """ClusterName=pagedlab
SlurmctldHost=localhost
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
NodeName=left NodeHostname=localhost Port={ports[1]} CPUs=2 RealMemory=6144
NodeName=right NodeHostname=localhost Port={ports[2]} CPUs=2 RealMemory=6144
PartitionName=all Nodes=left,right Default=YES State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("localhost", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    def __init__(self, folder):
        for program in DAEMONS:
            need(program)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        file = folder / "slurm.conf"
        user = run(["id", "-un"]).output.strip()
        file.write_text(CONFIGURATION.format(folder=folder, ports=free_ports(3), user=user))
        self.variables = {"SLURM_CONF": str(file)}
        self.logs = {node: folder / f"{node}.log" for node in ("left", "right")}
        for daemon in (["slurmctld"], ["slurmd", "-N", "left"], ["slurmd", "-N", "right"]):
            os.spawnvpe(os.P_WAIT, daemon[0], daemon, {**os.environ, **self.variables})
        self.wait_for_nodes()

    def wait_for_nodes(self):
        for _ in range(100):
            if run(["sinfo", "--noheader", "-o", "%D %t"], self.variables).output == "2 idle\n":
                return
            time.sleep(0.2)
        raise TimeoutError("the nodes of Slurm do not come up")

    def batch(self, script, *options, cwd, **variables):
        """Waits for the job, and returns the exit code of the task that ended worst."""
        return run(["sbatch", "--wait", *options, script], {**self.variables, **variables}, cwd)

    def nodes_with_tasks(self):
        return {node for node, log in self.logs.items()
                if "Launching batch job" in log.read_text()}

    def end(self):
        run(["scontrol", "shutdown"], self.variables)
