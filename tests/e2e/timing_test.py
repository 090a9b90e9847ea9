# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How schedules are timed: finalists in turn, cold operands, and code that was measured before."""

import hashlib
import json
import sqlite3
import unittest

from harness import FAST, EndToEndTest


def conditions(record):
    return record["measurement"].get("conditions", {})


class TimingTest(EndToEndTest):
    def matmul(self, *more):
        return ["matmul", "96x96x96", "--trials", "5", "--strategy", "random", "--log", self.log, *FAST, *more]

    def test_finalists_are_compared_in_turn_and_only_once(self):
        report = self.tune_json(*self.matmul("--finalists", "5"))
        compared = [conditions(best)["comparison"] for best in report["best"] if "comparison" in conditions(best)]
        self.assertEqual((len(compared), report["finalists"]["compared"]), (4, 4))
        # The order is that of the times shown; those within 1 % of the reference on either side may change places.
        ranked = [best["ranked_ns"] for best in report["best"]]
        for before, behind in zip(ranked, ranked[1:]):
            self.assertLess(before, 1.021 * behind, ranked)
        for comparison in compared:
            self.assertEqual([len(comparison[name]) for name in ["ratios", "medians_ns", "reference_medians_ns"]], [8] * 3)
            self.assertEqual((comparison["low"], comparison["high"]),
                             (min(comparison["ratios"]), max(comparison["ratios"])))
        self.assertEqual(len(self.exported()), 9)
        again = self.tune_ok(*self.matmul("--finalists", "5"))
        self.assertRegex(again.stdout, r"\nreference [0-4] of 4 tied with the row at 0.0: each timed alternately")
        self.assertIn("vs reference [%]", again.stdout)
        self.assertEqual(len(self.exported()), 9, "a comparison was made again")
        self.assertNotIn("reference", self.tune_ok(*self.matmul("--finalists", "0")).stdout)

    def test_a_run_asked_for_more_precision_is_not_answered_by_a_coarser_one(self):
        self.tune_ok(*self.matmul())
        finer = self.matmul()
        finer[finer.index("--measure-seconds") + 1] = "0.05"
        finer.remove("--quick")
        first = self.tune_json(*finer, "--finalists", "0")
        self.assertEqual(self.tune_json(*finer, "--finalists", "0")["from_log"], 5)
        self.assertLess(first["from_log"], 5)
        self.assertEqual(self.tune_json(*self.matmul())["from_log"], 5)

    def test_cold_and_warm_records_do_not_answer_for_each_other(self):
        cold = self.tune_json(*self.matmul("--regime", "cold"))
        self.assertEqual({best["measurement"]["timing"]["regime"] for best in cold["best"]}, {"cold"})
        warm = self.tune_json(*self.matmul())
        self.assertEqual((warm["from_log"], {best["measurement"]["timing"]["regime"] for best in warm["best"]}),
                         (0, {"warm"}))
        self.assertEqual(self.tune_json(*self.matmul("--regime", "cold"))["from_log"], 5)
        both = self.tune_ok("records", "best", "--problem", "96x96x96", "--log", self.log).stdout
        self.assertEqual((both.count("rank  "), both.count(", cold operands\n")), (2, 1), both)
        alone = self.tune_ok("records", "best", "--regime", "cold", "--log", self.log).stdout
        self.assertEqual(alone.count(", cold operands\n"), 1, alone)
        self.assert_one_line_error(self.tune(*self.matmul("--regime", "tepid")), 2, "--regime", "cold")

    def test_after_a_change_of_toolchain_only_changed_code_is_timed(self):
        self.tune_ok(*self.matmul())
        before = {str(record["schedule"]): record for record in self.exported()}
        by_time = sorted(before, key=lambda schedule: before[schedule]["measurement"]["timing"]["median_ns"])
        changed = by_time[1]  # the fastest was never cut short for being slower, so it is one that is shared
        self.pretend_another_toolchain(before[changed]["uuid"])
        report = self.tune_json(*self.matmul())
        self.assertEqual((report["from_log"], report["outcomes"]["ok"]), (0, 5))
        after = [record for record in self.exported() if record["job"] == report["job"]]
        self.assertEqual(len(after), 5)
        for record in after:
            old = before[str(record["schedule"])]
            shared = str(record["schedule"]) != changed and conditions(old)["ended"] != "slower than the incumbent"
            self.assertEqual(conditions(record).get("shared", False), shared)
            self.assertEqual(conditions(record)["run"] == conditions(old)["run"], shared)
            self.assertTrue(record["measurement"]["check"]["passed"], "checked, though not timed")
            shown = self.tune_ok("records", "show", record["uuid"], "--log", self.log).stdout
            self.assertEqual("(of another record with the same code)" in shown, shared)

    def test_remeasure_times_the_same_code_again(self):
        self.tune_ok(*self.matmul())
        report = self.tune_json(*self.matmul("--remeasure"))
        records = [record for record in self.exported() if record["job"] == report["job"]]
        self.assertEqual([conditions(record).get("shared", False) for record in records], [False] * 5)

    def pretend_another_toolchain(self, uuid_of_other_code):
        """What the log holds was compiled by an older assembler; of one record, to other code."""
        connection = sqlite3.connect(self.log)
        with connection:
            for row, info in connection.execute("SELECT id, info FROM toolchain").fetchall():
                older = json.loads(info)
                older["assembler"] = "an older one"
                text = json.dumps(older, sort_keys=True, separators=(",", ":"))
                connection.execute("UPDATE toolchain SET info = ?, digest = ? WHERE id = ?",
                                   (text, hashlib.sha256(text.encode()).hexdigest(), row))
            connection.execute("UPDATE measurement SET timing_key = 'other' WHERE uuid = ?", (uuid_of_other_code,))
        connection.close()


if __name__ == "__main__":
    unittest.main()
