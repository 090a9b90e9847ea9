# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune matmul: a table for every kind of shape, nothing wrong, and a log that is used again."""

import json
import unittest

from harness import FAST, EndToEndTest

SHAPES = ["128x128x128", "100x100x100", "65x33x17", "1x256x64", "256x1x64", "7x5x3", "1x1x1"]


class MatmulTest(EndToEndTest):
    def test_every_kind_of_shape_gets_a_table_and_nothing_wrong(self):
        for shape in SHAPES:
            with self.subTest(shape=shape):
                result = self.tune_ok("matmul", shape, "--trials", "4", "--log", self.log, *FAST)
                self.assert_table(result.stdout)
                # `gemv` alone is searched for the last one, and has one schedule.
                count = 1 if shape == "1x1x1" else 4
                self.assertRegex(result.stdout, rf"{shape} f32: {count} schedules?,")
                self.assertRegex(result.stdout, r"outcomes  \d+ ok, 0 wrong, ")
                self.assertIn("times are of the SIMT device on a CPU, not of a GPU", result.stdout)
                self.assertIn(f"log       {self.log}", result.stdout)
                self.assertIn(f"from log  0 of {count}", result.stdout)
                self.assertRegex(result.stdout, r"\nbest      (fma|gemv)( [a-z_]+=\d+)+\n")
                self.assertTrue(result.stdout.endswith(
                    f"\nnext      tune report --log {self.log} -o report.html, or tune explain, compile\n"), result.stdout)
                self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assert_no_processes()

    def test_a_second_run_measures_nothing_twice(self):
        # What `model` proposes depends on what was measured when it was asked.
        arguments = ["matmul", "96x96x96", "--trials", "6", "--strategy", "random", "--log", self.log, *FAST]
        first = self.tune_json(*arguments)
        second = self.tune_json(*arguments)
        self.assertEqual(first["done"], 6)
        self.assertEqual(first["from_log"], 0)
        self.assertEqual(second["done"], 6)
        self.assertEqual(second["from_log"], 6)
        self.assertEqual([best["schedule"] for best in first["best"]], [best["schedule"] for best in second["best"]])
        self.assertEqual(len(self.exported()), 6)
        third = self.tune_ok(*arguments)
        self.assertIn("from log  6 of 6", third.stdout)
        self.assertEqual(third.stderr.count("6/6  "), 1, third.stderr)

    def test_numerics_leave_only_schedules_with_the_bits_asked_for(self):
        arguments = ["matmul", "64x64x64", "--log", self.log, *FAST]
        self.tune_ok(*arguments, "--trials", "2", "--only", "fma split_k=2 reduction=2 bk=16")
        self.tune_ok(*arguments, "--trials", "3", "--numerics", "same-as=1")
        self.assertEqual({record["schedule"]["params"]["split_k"] for record in self.exported()}, {2})
        explained = self.tune_ok("explain", "64x64x64", "--log", self.log, "--json")
        sums = json.loads(explained.stdout)["schedule"]["sums"]
        self.assertEqual(sums, "fma.f32 over k; parts of 32 k, added in order")
        # What the log has of other schedules is not in the result.
        report = self.tune_json(*arguments, "--trials", "2", "--numerics", "batch-invariant", "--strategy", "random",
                                "--only", "fma split_k=1")
        self.assertEqual({best["schedule"]["params"]["split_k"] for best in report["best"]}, {1})
        for contract, words in (("same-as=99", ["99"]), ("same-as=fma.f64 over k", ["sums as --numerics asks", "64x64x64"])):
            self.assert_one_line_error(self.tune(*arguments, "--numerics", contract), 2 if "f64" in contract else 1, *words)

    def test_remeasure_measures_again(self):
        arguments = ["matmul", "32x32x32", "--trials", "3", "--log", self.log, *FAST]
        self.tune_ok(*arguments)
        again = self.tune_json(*arguments, "--remeasure")
        self.assertEqual(again["from_log"], 0)
        self.assertEqual(len(self.exported()), 6)

    def test_json_says_what_the_table_says(self):
        report = self.tune_json("matmul", "64x48x32", "--trials", "3", "--log", self.log, "--top", "2", *FAST)
        self.assertEqual(report["problem"], {"m": 64, "n": 48, "k": 32, "dtype": "f32"})
        self.assertEqual(report["state"], "done")
        self.assertEqual(report["device"]["kind"], "simt")
        self.assertEqual(sum(report["outcomes"].values()), 3)
        self.assertLessEqual(len(report["best"]), 2)
        self.assertGreater(report["best"][0]["gflops"], 0)

    def test_every_strategy_and_a_time_limit(self):
        for strategy in ["exhaustive", "random", "evolutionary", "model"]:
            report = self.tune_json("matmul", "48x48x48", "--trials", "3", "--strategy", strategy, "--log", self.log,
                                    *FAST)
            self.assertEqual((report["done"], report["outcomes"]["wrong_result"]), (3, 0))
        limited = self.tune_json("matmul", "40x40x40", "--seconds", "2", "--log", self.log, *FAST)
        self.assertEqual(limited["state"], "done")
        self.assertGreater(limited["done"], 0)

    def test_an_architecture_to_stand_in_for(self):
        report = self.tune_json("matmul", "64x64x64", "--trials", "2", "--arch", "sm_90", "--log", self.log, *FAST)
        self.assertEqual(report["device"]["arch"], "sm_90")

    def test_the_default_log_lies_in_the_data_folder(self):
        result = self.tune_ok("matmul", "16x16x16", "--trials", "1", *FAST)
        self.assertIn(f"{self.folder}/data/mmtune/tuning.db", result.stdout)
        self.assertIn("16x16x16", self.tune_ok("records", "list").stdout)


if __name__ == "__main__":
    unittest.main()
