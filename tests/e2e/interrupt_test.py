# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C and SIGTERM: the table so far, what was measured is kept, no process is left."""

import os
import signal
import unittest

from harness import FAST, EndToEndTest, processes_of, wait_until


class InterruptTest(EndToEndTest):
    def start_long_run(self):
        return self.start("tune", "matmul", "64x64x64", "--trials", "5000", "--strategy", "random", "--log", self.log,
                          *FAST)

    def wait_for_records(self, count):
        def enough():
            listed = self.tune("records", "list", "--log", self.log, "--csv", "--outcome", "ok")
            return listed.returncode == 0 and listed.stdout.count("\n") > count
        wait_until(enough, 120, f"{count} records")

    def interrupt(self, number):
        tune = self.start_long_run()
        self.wait_for_records(2)
        tune.send_signal(number)
        code, out, err = self.finish(tune, 30)
        self.assertEqual(code, 130, out + err)
        rows = self.assert_table(out)
        self.assertGreaterEqual(len(rows), 2)
        self.assertIn("of 5000 schedules", out)
        self.assertIn("interrupted", out)
        self.assert_no_processes()
        self.assertGreaterEqual(len(self.exported()), len(rows))
        self.assertEqual(self.run_folders(), [])

    def test_ctrl_c(self):
        self.interrupt(signal.SIGINT)

    def test_sigterm(self):
        self.interrupt(signal.SIGTERM)

    def test_a_second_ctrl_c_ends_at_once(self):
        tune = self.start_long_run()
        self.wait_for_records(1)
        # With its worker stopped, tune has to wait before it can end in order.
        workers = [pid for pid, command in processes_of(self.marker).items() if "mmtune-worker --server" in command]
        self.assertEqual(len(workers), 1)
        os.kill(workers[0], signal.SIGSTOP)
        tune.send_signal(signal.SIGINT)
        while "interrupted" not in (line := tune.stderr.readline()):
            self.assertNotEqual(line, "", "tune ended without a word of the interruption")
        tune.send_signal(signal.SIGINT)
        code, out, _ = self.finish(tune, 10)
        self.assertEqual(code, 130)
        self.assertEqual(out, "", "the second Ctrl-C came first to the table")
        self.assert_no_processes()

    def test_what_was_measured_is_used_by_the_next_run(self):
        tune = self.start_long_run()
        self.wait_for_records(3)
        tune.send_signal(signal.SIGINT)
        self.finish(tune, 30)
        kept = len(self.exported())
        report = self.tune_json("matmul", "64x64x64", "--trials", str(kept), "--strategy", "random", "--log", self.log,
                                *FAST)
        self.assertGreater(report["from_log"], 0)


if __name__ == "__main__":
    unittest.main()
