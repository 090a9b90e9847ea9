# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune ladder: the rungs side by side, and the factor over the naive one."""

import json
import unittest

from harness import FAST, EndToEndTest


class LadderTest(EndToEndTest):
    def test_the_ladder_tunes_first_and_then_reuses_the_log(self):
        arguments = ["ladder", "64x64x64", "--trials", "4", "--log", self.log, *FAST]
        result = self.tune_ok(*arguments)
        lines = result.stdout.splitlines()
        heading = next(i for i, line in enumerate(lines) if line.startswith("schedule"))
        names = [line.split("  ")[0] for line in lines[heading + 2:heading + 6]]
        self.assertEqual(names, ["naive", "register-blocked", "shared-memory", "tuned"])
        self.assertIn("x naive", lines[heading])
        before = len(self.exported())
        rungs = json.loads(self.tune_ok(*arguments, "--json", "--quiet").stdout)["ladder"]
        self.assertEqual([rung["name"] for rung in rungs], names)
        self.assertAlmostEqual(rungs[0]["factor"], 1.0)
        for rung in rungs:
            self.assertEqual(rung["record"]["measurement"]["outcome"], "ok")
            self.assertAlmostEqual(rung["factor"], rung["gflops"] / rungs[0]["gflops"])
        # The second time nothing is searched: only the rungs are measured, again.
        self.assertLessEqual(len(self.exported()) - before, 4)
        self.assertGreaterEqual(len(self.exported()) - before, 3)
        self.assert_no_processes()

    def test_its_own_search_knows_every_family(self):
        server, address = self.start_server()
        self.start("mmtune-worker", "--server", address, "--device", "simt", "--compile-jobs", "1")
        self.tune_ok("ladder", "16x16x16", "--trials", "2", "--server", address, *FAST)
        jobs = json.loads(self.tune_ok("status", "--server", address, "--json").stdout)["jobs"]
        searches = [job["spec"]["families"] for job in jobs if job["spec"]["strategy"]]
        self.assertEqual(searches, [["direct", "fma", "mma", "wgmma", "gemv"]])

    def test_other_types_layouts_and_vectors_have_rungs_of_their_own(self):
        for shape, words, want in [
            ("32x32x32", ["--dtype", "bf16", "--transpose-a"],
             ["naive", "register-blocked", "smem", "mma.sync", "pipelined", "tuned"]),
            ("32x32x32", ["--transpose-a"], ["naive", "register-blocked", "shared-memory", "tuned"]),
            ("1x64x64", ["--transpose-b"], ["naive", "register-blocked", "shared-memory", "matrix-vector", "tuned"]),
        ]:
            with self.subTest(shape=shape, words=words):
                result = self.tune_ok("ladder", shape, *words, "--trials", "2", "--json", "--quiet", *FAST)
                rungs = json.loads(result.stdout)["ladder"]
                self.assertEqual([rung["name"] for rung in rungs], want)
                for rung in rungs:
                    self.assertEqual(rung["record"]["measurement"]["outcome"], "ok")

    def test_a_log_tuned_without_the_rungs_still_has_them_compete(self):
        tuned = self.tune_json("matmul", "32x32x32", "--trials", "2", "--log", self.log, *FAST)
        before = {record["uuid"]: record for record in self.exported()}
        rungs = json.loads(self.tune_ok("ladder", "32x32x32", "--json", "--quiet", "--log", self.log, *FAST).stdout)
        rungs = rungs["ladder"]
        new = [record for record in self.exported() if record["uuid"] not in before]
        shown = {rung["record"]["uuid"] for rung in rungs}
        known = [record for record in list(before.values()) + new if record["uuid"] not in shown]
        fastest = min(known, key=lambda record: record["measurement"]["timing"]["median_ns"])
        self.assertEqual(rungs[-1]["name"], "tuned")
        self.assertEqual(rungs[-1]["record"]["schedule"], fastest["schedule"])
        self.assertEqual(tuned["done"], 2)


if __name__ == "__main__":
    unittest.main()
