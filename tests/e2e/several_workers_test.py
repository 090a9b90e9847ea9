# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server and two workers as processes of their own; one worker is killed in the middle."""

import json
import signal
import unittest

from harness import FAST, EndToEndTest, wait_until

TRIALS = 16


class SeveralWorkersTest(EndToEndTest):
    def test_the_job_survives_a_killed_worker(self):
        server, address = self.start_server()
        doomed, survivor = self.start_worker(address, "a"), self.start_worker(address, "b")
        wait_until(lambda: len(self.status(address)["workers"]) == 2, 60, "two workers")
        tune = self.start("tune", "matmul", "56x56x56", "--trials", str(TRIALS), "--server", address, *FAST)
        wait_until(lambda: all(worker["measured"] != "0" for worker in self.status(address)["workers"]), 120,
                   "both workers measured something")
        doomed.send_signal(signal.SIGKILL)
        doomed.wait(10)
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assert_table(out)
        self.assertIn(f"{TRIALS} schedules", out)
        self.assertIn(", 0 wrong, ", out)

        records = self.exported()
        canonical = [json.dumps(record["schedule"], sort_keys=True) for record in records if record["canonical"]]
        self.assertEqual(len(canonical), len(set(canonical)), "a candidate has two canonical records")
        self.assertEqual(len(canonical), TRIALS)
        self.assertEqual(len({record["worker"] for record in records}), 2)

        status = self.tune_ok("status", "--server", address).stdout
        for word in ["jobs", "workers", "no leases", "56x56x56", "done"]:
            self.assertIn(word, status)
        self.stop(survivor)
        self.stop(server)
        self.assert_no_processes()


if __name__ == "__main__":
    unittest.main()
