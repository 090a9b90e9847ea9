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


if __name__ == "__main__":
    unittest.main()
