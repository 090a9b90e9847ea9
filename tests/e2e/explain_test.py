# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune explain: why schedules were run or were not, from a log and without one."""

import json
import unittest

from harness import FAST, EndToEndTest


class ExplainTest(EndToEndTest):
    def explain(self, *args):
        return self.tune_ok("explain", *args).stdout

    def test_without_a_log_everything_is_predicted(self):
        said = json.loads(self.explain("256x256x256", "--arch", "sm_90", "--json"))
        self.assertEqual((said["device"]["arch"], said["device"]["of_log"]), ("sm_90", False))
        self.assertEqual(said["schedule"]["status"], "not proposed")
        self.assertEqual({neighbour["from"] for neighbour in said["neighbours"]} - {None}, {"predicted"})
        self.assertIn("fma", [family["family"] for family in said["families"] if family["searched"]])
        text = self.explain("256x256x256", "--arch", "sm_90")
        self.assertIn("(none in the log)", text)
        self.assertIn("breaks: ", text)
        self.environment["COLUMNS"] = "80"
        text = self.explain("256x256x256", "--arch", "sm_90")
        self.assertIn("bytes that reach device memory", text, "what a part is has no heading that a line could name")

    def test_the_log_answers_first(self):
        self.tune_ok("matmul", "64x64x64", "--trials", "8", "--log", self.log, *FAST)
        said = json.loads(self.explain("64x64x64", "--log", self.log, "--json"))
        records = self.exported()
        best = min(records, key=lambda record: record["measurement"]["timing"]["median_ns"])
        self.assertEqual(said["schedule"]["record"], best["id"])
        self.assertEqual(said["schedule"]["median_ns"], best["measurement"]["timing"]["median_ns"])
        self.assertEqual(said["outcomes"], {"ok": 8})
        self.assertEqual(said["cannot_win"], {}, "a GPU's formula says nothing of the SIMT device's times")
        self.assertIn("not of a GPU", self.explain("64x64x64", "--log", self.log))
        other = records[0] if records[0] != best else records[1]
        schedule = " ".join([other["schedule"]["family"], *(f"{k}={v}" for k, v in other["schedule"]["params"].items())])
        said = json.loads(self.explain("64x64x64", "--log", self.log, "--schedule", schedule, "--json"))
        self.assertEqual((said["of_best"], said["schedule"]["status"], said["schedule"]["record"]),
                         (False, "measured", other["id"]))
        broken = schedule.replace(f"stages={other['schedule']['params']['stages']}", "stages=99")
        said = json.loads(self.explain("64x64x64", "--log", self.log, "--schedule", broken, "--json"))
        self.assertEqual(said["schedule"]["status"], "breaks a rule")
        self.assertIn("stages is at most the number of k steps", said["schedule"]["reasons"])

    def test_a_wgmma_schedule_is_told_with_tile_roles_ring_cluster_and_waves(self):
        schedule = ("wgmma addend=0 bk=64 blocks=128 bn=128 cluster_m=2 cluster_n=1 consumers=2 epi_buffers=0 "
                    "epi_columns=32 group_m=1 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=0 raster=0 "
                    "reduction=0 split_k=1 stages=4")
        args = ["4096x4096x4096", "--dtype", "bf16", "--arch", "sm_90", "--schedule", schedule]
        roles = ("tile 128x128x64; 1 producer, 2 consumers of 64x128; ring of 4 stages of 32768 B; 40 and 232 "
                 "registers a thread; clusters of 2x1; 128 blocks of 8 tiles at most")
        text = self.explain(*args)
        self.assertIn(roles, " ".join(text.split()))
        self.assertRegex(text, r"tail .* of \d+\.\d\d waves")
        said = json.loads(self.explain(*args, "--json"))["schedule"]
        self.assertEqual(said["roles"], roles)
        self.assertGreater(said["predicted"]["waves"], 0.5)
        self.assertNotIn("roles", json.loads(self.explain("64x64x64", "--arch", "sm_80", "--json"))["schedule"])

    def test_bad_input_is_one_line(self):
        explain = lambda *args: self.tune("explain", *args)
        self.assert_one_line_error(explain("64x64"), 2, "64x64")
        self.assert_one_line_error(explain("64x64x64", "--arch", "sm_1"), 2, "sm_1")
        self.assert_one_line_error(explain("64x64x64", "--schedule", "fma bm="), 2)
        self.assert_one_line_error(explain("64x64x64", "--regime", "hot"), 2, "hot")
        self.assert_one_line_error(explain("64x64x64", "--log", f"{self.folder}/none.db"), 3, "no tuning log")
        self.tune_ok("matmul", "32x32x32", "--trials", "1", "--log", self.log, *FAST)
        self.assert_one_line_error(explain("32x32x32", "--log", self.log, "--device-name", "cuda"), 1, "no record")


if __name__ == "__main__":
    unittest.main()
