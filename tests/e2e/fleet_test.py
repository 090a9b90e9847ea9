# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server whose workers have labels: jobs select them, admins cordon and drain them, clients have quotas."""

import json
import signal
import unittest

from harness import FAST, wait_until
from tls_test import FORBIDDEN, USAGE, Fleet

DEVICE = 5
LIMIT = 8
SEARCH = ["matmul", "40x40x40", "--strategy", "random", *FAST]
JOB = [*SEARCH, "--trials", "3"]


class FleetTest(Fleet):
    def setUp(self):
        super().setUp()
        self.admin = self.issue("admin", "root")
        self.alice = self.issue("client", "alice")
        self.issue("worker", "gpu-a")
        self.issue("worker", "gpu-b")

    def start_labelled(self, address, name, *labels):
        return self.start_worker(address, name, *[word for label in labels for word in ("--label", label)])

    def workers(self, address):
        """By the name in the certificate."""
        out = self.tune_ok("workers", "list", "--server", address, "--json", *self.alice).stdout
        return {worker["worker_id"].split("/")[0]: worker for worker in json.loads(out)["workers"]}

    def wait_for_workers(self, address, *names):
        return wait_until(lambda: (lambda found: set(names) <= set(found) and found)(self.workers(address)), 60,
                          f"workers {names}")

    def hold(self, verb, address, worker):
        return self.tune_ok("workers", verb, worker, "--server", address, *self.admin).stdout

    def test_jobs_select_workers_and_admins_hold_them(self):
        server, address = self.start_fleet_server()
        first, second = self.start_labelled(address, "gpu-a", "rack=7", "zone=x"), self.start_labelled(
            address, "gpu-b", "rack=8")
        found = self.wait_for_workers(address, "gpu-a", "gpu-b")
        self.assertEqual(found["gpu-a"]["labels"], {"rack": "7", "zone": "x"})
        ours = found["gpu-a"]["worker_id"]
        self.tune_ok(*JOB, "--server", address, "--select", "rack=7", "--device-class", "simt", *self.alice)
        self.assertEqual({row[0] for row in self.query("select distinct worker from attempt")}, {ours})

        # Nobody matches: said in the status, on the user's terminal and in the server's log; the job waits.
        waiting = self.start("tune", *JOB, "--server", address, "--select", "rack=9", *self.alice)
        self.wait_for_line(server, "job_waits", "no registered worker matches --select rack=9")
        self.assertIn("--select rack=9", self.tune_ok("status", "--server", address, *self.alice).stdout)
        self.assertIn("waiting: no registered worker matches --select rack=9", waiting.stderr.readline())
        waiting.send_signal(signal.SIGINT)
        self.assertEqual(waiting.wait(60), 130)

        # Cordoned: no leases. Only admins may.
        refused = self.tune("workers", "cordon", ours, "--server", address, *self.alice)
        self.assert_one_line_error(refused, FORBIDDEN, "HoldWorker", "admin")
        self.assertIn("is cordoned", self.hold("cordon", address, ours))
        self.assertRegex(self.tune_ok("workers", "list", "--server", address, *self.alice).stdout,
                         r"gpu-a/.* cordoned .*rack=7,zone=x +by root")
        self.assertIn("cordoned", self.tune_ok("status", "--server", address, *self.alice).stdout)
        waiting = self.start("tune", *JOB, "--remeasure", "--server", address, "--select", "rack=7",
                             *self.alice)
        self.wait_for_line(server, "job_waits", "registered workers match --select rack=7, but none is at work")
        self.assertIn("gets leases", self.hold("uncordon", address, ours))
        self.assertEqual(self.finish(waiting)[0], 0)

        # Drained: it ends by itself; started again, it is cordoned.
        self.assertIn("drains", self.hold("drain", address, ours))
        self.assertEqual(first.wait(60), 0)
        self.assertEqual(self.workers(address)["gpu-a"]["hold"], "drained")
        self.start_labelled(address, "gpu-a", "rack=7")
        wait_until(lambda: self.workers(address)["gpu-a"]["hold"] == "cordoned", 60, "cordoned after its restart")
        self.hold("uncordon", address, ours)
        self.tune_ok(*JOB, "--remeasure", "--server", address, "--select", "rack=7", *self.alice)

        # A restart of the server forgets holds. The workers wait for it, and go on.
        self.hold("cordon", address, found["gpu-b"]["worker_id"])
        self.stop(server)
        self.listen(self.start("mmtune-server", "--listen", address, "--log", self.log, *self.options("coordinator")))
        again = self.wait_for_workers(address, "gpu-b")["gpu-b"]
        self.assertEqual((again["worker_id"], again["hold"]), (found["gpu-b"]["worker_id"], "none"))
        self.tune_ok(*JOB, "--remeasure", "--server", address, "--select", "rack=8", *self.alice)
        self.stop(second)

    def jobs(self, address, user):
        """The ids that this user may cancel."""
        return [job["uuid"] for job in
                json.loads(self.tune_ok("jobs", "list", "--json", "--server", address, *user).stdout)["jobs"]]

    def test_a_job_whose_client_died_can_be_cancelled(self):
        _, address = self.start_fleet_server("--max-jobs-per-client", "1")
        for canceller in (self.alice, self.admin):
            left = self.start("tune", *JOB, "--server", address, "--select", "rack=9", *self.alice)
            job = wait_until(lambda: self.jobs(address, self.alice), 60, "the job")[0]
            left.kill()
            left.wait(30)
            self.assert_one_line_error(self.tune(*JOB, "--server", address, *self.alice), LIMIT, "tune jobs")
            self.assertIn(job[:8], self.tune_ok("jobs", "list", "--server", address, *self.alice).stdout)
            bob = self.issue("client", "bob")
            self.assertEqual(self.jobs(address, bob), [])
            self.assert_one_line_error(self.tune("jobs", "cancel", job[:8], "--server", address, *bob), USAGE,
                                       "no unfinished job that you may cancel", "tune jobs list")
            out = self.tune_ok("jobs", "cancel", job[:8], "--server", address, *canceller).stdout
            self.assertEqual(out, f"{job} is cancelled\n")
            self.assertEqual(self.tune_ok("jobs", "list", "--server", address, *self.alice).stdout,
                             "no unfinished jobs\n")

    def test_a_job_that_nobody_measures_ends(self):
        _, address = self.start_fleet_server("--max-wait", "2")
        self.assert_one_line_error(self.tune(*JOB, "--server", address, "--select", "rack=9", *self.alice), DEVICE,
                                   "given up after waiting for 2 s", "--select rack=9")

    def test_bad_input_is_one_line(self):
        _, address = self.start_fleet_server()
        for label in ("rack", "ra ck=7", "rack=7/8"):
            worker = self.run_program("mmtune-worker", "--server", address, "--label", label, *self.options("gpu-a"))
            self.assert_one_line_error(worker, USAGE, "--label")
            self.assert_one_line_error(self.tune(*JOB, "--server", address, "--select", label, *self.alice), USAGE,
                                       "--select")
        self.assert_one_line_error(self.tune(*JOB, "--server", address, "--device-class", "cuda:sm90", *self.alice), USAGE,
                                   "--device-class", "sm_90")
        self.assert_one_line_error(self.tune(*JOB, "--select", "rack=7", "--log", self.log), USAGE, "--server")
        self.assert_one_line_error(self.tune("workers", "drain", "nobody", "--server", address, *self.admin), USAGE,
                                   "no worker 'nobody'", "tune workers list")
        self.assertEqual(self.tune_ok("workers", "list", "--server", address, *self.alice).stdout, "no workers\n")

    def test_a_client_has_a_quota(self):
        _, address = self.start_fleet_server("--max-jobs-per-client", "1", "--max-trials-per-job", "10")
        first = self.start("tune", *JOB, "--server", address, *self.alice)
        wait_until(lambda: self.status(address)["jobs"], 60, "a job")
        self.assert_one_line_error(self.tune(*JOB, "--server", address, *self.alice), LIMIT,
                                   "alice has 1 unfinished jobs", "--max-jobs-per-client")
        bob = self.issue("client", "bob")
        self.assert_one_line_error(self.tune(*SEARCH, "--trials", "11", "--server", address, *bob), LIMIT, "11 trials",
                                   "--max-trials-per-job")
        self.start_labelled(address, "gpu-a")
        self.assertEqual(self.finish(first)[0], 0)
        self.tune_ok(*JOB, "--server", address, *self.alice)


if __name__ == "__main__":
    unittest.main()
