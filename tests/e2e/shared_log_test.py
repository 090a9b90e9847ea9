# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second tune on a log joins the coordinator that has it."""

import fcntl
import json
import os
import signal
import socket
import time
import unittest

from harness import FAST, EndToEndTest, wait_until


class SharedLogTest(EndToEndTest):
    def wait_for_status(self):
        def running():
            status = self.tune("status", "--log", self.log)
            return status.returncode == 0 and "running" in status.stdout
        wait_until(running, 60, "a running job")

    def test_a_second_tune_joins_and_outlives_the_first(self):
        first = self.start("tune", "matmul", "64x64x64", "--trials", "5000", "--strategy", "random", "--log", self.log,
                           *FAST)
        self.wait_for_status()
        second = self.tune_json("matmul", "32x32x32", "--trials", "3", "--log", self.log, *FAST)
        self.assertEqual((second["done"], second["state"]), (3, "done"))
        self.assertIn("coordinator unix:", second["log"])
        third = self.start("tune", "matmul", "40x40x40", "--trials", "30", "--log", self.log, "--progress-json", *FAST)

        def both_running():
            return self.tune("status", "--log", self.log).stdout.count("running") >= 2
        wait_until(both_running, 60, "two running jobs")
        first.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(first, 30)[0], 130)
        code, out, err = self.finish(third)
        self.assertEqual(code, 0, out + err)
        self.assertIn('{"note":"the coordinator joined was lost: going on with the log"}', err)
        self.assertIn("30 schedules", out)
        self.assert_no_processes()

    def test_a_server_without_workers_is_joined_and_given_one(self):
        server, address = self.start_server()
        report = self.tune_json("matmul", "32x32x32", "--trials", "3", "--log", self.log, *FAST)
        self.assertEqual((report["done"], report["state"]), (3, "done"))
        self.assertIn(f"coordinator {address}", report["log"])
        server.terminate()
        self.assertEqual(self.finish(server, 40)[0], 0)
        self.assert_no_processes()

    def test_a_tune_waits_while_another_checks_the_log(self):
        with open(self.log + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            json.dump({"endpoint": "", "host": socket.gethostname(), "opening": True, "pid": os.getpid()}, lock,
                      separators=(",", ":"))
            lock.flush()
            waiting = self.start("tune", "matmul", "16x16x16", "--trials", "1", "--log", self.log, *FAST)
            time.sleep(7)  # longer than for an owner that just ends
            self.assertIsNone(waiting.poll())
            lock.truncate(0)
        code, out, err = self.finish(waiting)
        self.assertEqual(code, 0, out + err)
        self.assertRegex(err, r"tune: waiting: .* is being checked by process \d+")

    def test_the_log_has_one_owner_whatever_its_name(self):
        server, address = self.start_server()
        alias = os.path.join(self.folder, "alias.db")
        os.symlink(self.log, alias)
        self.assertIn(f"log {self.log}", self.tune_ok("status", "--log", alias).stdout)
        report = self.tune_json("matmul", "16x16x16", "--trials", "1", "--log", alias, *FAST)
        self.assertIn(f"coordinator {address}", report["log"])
        self.assertFalse(os.path.exists(alias + ".lock"))
        server.terminate()
        self.assertEqual(self.finish(server, 40)[0], 0)

    def test_status_of_a_log_nobody_ever_locked_leaves_no_lock(self):
        with open(self.log, "w"):
            pass
        self.assert_one_line_error(self.tune("status", "--log", self.log), 4, "no coordinator")
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".lock")], [])

    def test_status_without_a_coordinator(self):
        self.tune_ok("matmul", "16x16x16", "--trials", "1", "--log", self.log, *FAST)
        self.assert_one_line_error(self.tune("status", "--log", self.log), 4, "no coordinator")


if __name__ == "__main__":
    unittest.main()
