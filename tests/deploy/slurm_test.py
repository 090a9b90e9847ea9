# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmtune-workers.sbatch under a real Slurm of one node, on this machine: two workers measure, drain before the time
limit, and what they leave is done by another one."""

import os
import subprocess
import sys
import unittest

from harness import BIN, FAST, EndToEndTest, wait_until
from tools import DEPLOY, HOW, find, read

NEEDED = ["slurmctld", "slurmd", "sbatch", "munged"]
SCRIPT = os.path.join(DEPLOY, "slurm/mmtune-workers.sbatch")
TRIALS = 60

# Two GPUs that are none: Slurm only counts them. No Slurm of this machine is touched: sockets, ports and folders are
# the test's own.
CONFIG = """
ClusterName=mmtune
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port}
SlurmdPort={next_port}
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 Gres=gpu:2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    missing = [tool for tool in NEEDED if find(tool) is None]
    if missing:
        return f"{', '.join(missing)} not installed; {HOW}"
    return None if os.geteuid() == 0 else "Slurm's daemons want root"


class SlurmTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        slurm = os.path.join(self.folder, "slurm")
        os.makedirs(os.path.join(slurm, "state"))
        os.makedirs(os.path.join(slurm, "spool"))
        port = 20000 + 2 * (os.getpid() % 5000)  # below those that are given out
        host = os.uname().nodename.split(".")[0]
        self.write(f"{slurm}/slurm.conf", CONFIG.format(host=host, folder=slurm, port=port, next_port=port + 1))
        self.write(f"{slurm}/gres.conf", "Name=gpu File=/dev/zero\nName=gpu File=/dev/null\n")
        self.write(f"{slurm}/munge.key", os.urandom(64).hex())
        os.chmod(f"{slurm}/munge.key", 0o400)
        # munged wants folders that nobody else can enter, and clients that can.
        os.chmod(self.folder, 0o755)
        self.environment["SLURM_CONF"] = f"{slurm}/slurm.conf"
        self.slurm = slurm
        self.daemon("munged", "--foreground", "--force", f"--key-file={slurm}/munge.key", f"--socket={slurm}/munge.sock",
                    f"--pid-file={slurm}/munge.pid", f"--log-file={slurm}/munge.log", f"--seed-file={slurm}/munge.seed")
        wait_until(lambda: os.path.exists(f"{slurm}/munge.sock"), 20, "munged")
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D", "-N", host)
        try:
            wait_until(lambda: "idle" in self.slurm_says("sinfo", "--noheader", "--format=%T"), 60, "an idle node")
        except AssertionError:
            self.skipTest(f"Slurm does not come up here: {self.last_words()}")

    def write(self, path, text):
        with open(path, "w") as file:
            file.write(text)

    def daemon(self, *command):
        process = subprocess.Popen([find(command[0]), *command[1:]], env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)

    def slurm_says(self, *command, **environment):
        return subprocess.run(command, env={**self.environment, **environment}, capture_output=True, text=True,
                              cwd=self.folder, timeout=60).stdout

    def last_words(self):
        """The last line of each daemon's log."""
        paths = [os.path.join(self.slurm, name) for name in ("slurmctld.log", "slurmd.log")]
        return "; ".join(read(path).strip().rpartition("\n")[2] for path in paths if os.path.exists(path))

    def worker_logs(self):
        names = [name for name in os.listdir(self.folder) if name.startswith("mmtune-worker-")]
        return {name: read(self.folder, name) for name in names}

    def test_workers_drain_before_the_limit_and_nothing_is_lost(self):
        server, address = self.start_server()
        # Slurm takes minutes, and may signal up to one minute early: with these, 5 to 65 s after the start.
        submitted = self.slurm_says(
            "sbatch", "--array=0-1", "--cpus-per-task=1", "--time=2", "--signal=TERM@55", SCRIPT, MMTUNE_SERVER=address,
            MMTUNE_WORKER=os.path.abspath(os.path.join(BIN, "mmtune-worker")), MMTUNE_DEVICE="simt",
            MMTUNE_SPOOL=f"{self.folder}/spool", MMTUNE_WORKER_FLAGS="--compile-jobs 1")
        self.assertIn("Submitted batch job", submitted)
        tune = self.start("tune", "matmul", "56x56x56", "--trials", str(TRIALS), "--server", address, *FAST)
        wait_until(lambda: len(self.status(address)["workers"]) == 2, 60, "two workers")
        wait_until(lambda: not self.slurm_says("squeue", "--noheader"), 150, "the end of the jobs")
        logs = self.worker_logs()
        self.assertEqual(len(logs), 2, logs)
        for name, text in logs.items():
            self.assertIn("draining", text, name)
        self.assertNotIn("DUE TO TIME LIMIT", "".join(logs.values()))

        last = self.start("mmtune-worker", "--server", address, "--device", "simt", "--spool", f"{self.folder}/spool")
        wait_until(lambda: any(not worker["draining"] for worker in self.status(address)["workers"]), 60, "a third worker")
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assertIn(f"{TRIALS} schedules", out)
        for process in [last, server]:
            process.terminate()
            self.assertEqual(self.finish(process, 40)[0], 0)

    def test_without_a_server_it_says_so(self):
        ran = subprocess.run(["bash", SCRIPT], env={k: v for k, v in self.environment.items() if k != "MMTUNE_SERVER"},
                             capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("MMTUNE_SERVER is not set; set it to the address of the coordinator", ran.stderr)


if __name__ == "__main__":
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    unittest.main()
