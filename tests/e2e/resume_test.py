# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill -9 on everything: nothing acknowledged is lost, the next run goes on."""

import os
import signal
import unittest

from harness import FAST, EndToEndTest, processes_of, wait_until


class ResumeTest(EndToEndTest):
    def count(self):
        listed = self.tune("records", "list", "--log", self.log, "--csv")
        return listed.stdout.count("\n") - 1 if listed.returncode == 0 else 0

    def test_a_killed_run_resumes(self):
        arguments = ["matmul", "80x80x80", "--trials", "24", "--strategy", "random", "--log", self.log, *FAST]
        tune = self.start("tune", *arguments)
        wait_until(lambda: self.count() >= 4, 120, "4 records")
        for pid in processes_of(self.marker):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.finish(tune, 10)
        self.assert_no_processes()
        kept = self.count()
        self.assertGreaterEqual(kept, 4)
        report = self.tune_json(*arguments)
        self.assertEqual(report["done"], 24)
        self.assertGreaterEqual(report["from_log"], kept)
        digests = [str(record["schedule"]) for record in self.exported() if record["canonical"]]
        self.assertEqual(len(digests), len(set(digests)), "a schedule was measured twice")

    def test_a_killed_tune_leaves_no_worker(self):
        tune = self.start("tune", "matmul", "64x64x64", "--trials", "5000", "--log", self.log, *FAST)
        wait_until(lambda: self.count() >= 1, 120, "a record")
        tune.kill()
        self.finish(tune, 10)
        self.assert_no_processes(10)
        self.assertEqual(len(self.run_folders()), 1, "the killed tune could not remove its folder")
        self.tune_ok("matmul", "16x16x16", "--trials", "1", "--log", self.log, *FAST)
        self.assertEqual(self.run_folders(), [], "the next tune sweeps it")


if __name__ == "__main__":
    unittest.main()
