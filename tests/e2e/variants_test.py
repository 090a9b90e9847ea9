# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems that are more than a plain product: a batch, a transposed operand, an epilogue; and tuning specs of them."""

import json
import os
import unittest

from harness import FAST, EndToEndTest

VARIANT = ["--batch", "3", "--transpose-b", "--epilogue", "bias,relu"]
NAME = "65x70x33 batch=3 transpose_b epilogue=bias,relu f32"


class VariantsTest(EndToEndTest):
    def matmul(self, shape, *args):
        return self.tune_ok("matmul", shape, "--trials", "4", "--log", self.log, *FAST, *args)

    def test_a_fused_batch_is_tuned_and_remembered(self):
        result = self.matmul("65x70x33", *VARIANT)
        self.assert_table(result.stdout)
        self.assertIn(f"{NAME}: 4 schedules", result.stdout)
        self.assertRegex(result.stdout, r"outcomes  \d+ ok, 0 wrong, ")
        record = self.exported()[0]
        self.assertEqual(record["problem"], {"op": "matmul", "dtype": "f32", "m": 65, "n": 70, "k": 33, "batch": 3,
                                             "transpose_b": True, "epilogue": "bias,relu"})
        shown = self.tune_ok("records", "show", "1", "--log", self.log).stdout
        self.assertRegex(shown, rf"problem +{NAME}\n")
        self.assertIn(NAME, self.tune_ok("records", "list", "--log", self.log).stdout)
        again = self.tune_json("matmul", "65x70x33", "--trials", "4", "--log", self.log, *FAST, *VARIANT)
        # What the fourth is depends on which of the first three were measured when it was chosen.
        self.assertGreaterEqual(again["from_log"], 3)
        self.assertEqual(again["problem"]["epilogue"], "bias,relu")
        # The plain problem of the same sizes is another one.
        plain = self.tune_json("matmul", "65x70x33", "--trials", "4", "--log", self.log, *FAST)
        self.assertEqual(plain["from_log"], 0)
        best = ["records", "best", "--log", self.log, "--problem", "65x70x33"]
        self.assertIn(f"{NAME} on ", self.tune_ok(*best, *VARIANT).stdout)
        self.assertIn("65x70x33 f32 on ", self.tune_ok(*best).stdout)
        self.assert_no_processes()

    def test_a_transposed_first_operand(self):
        for words in [["--transpose-a"], ["--transpose-a", "--transpose-b", "--epilogue", "bias"]]:
            with self.subTest(words=words):
                report = self.tune_json("matmul", "65x70x33", "--trials", "4", "--log", self.log, *FAST, *words)
                self.assertEqual(report["outcomes"]["ok"], 4)
                self.assertTrue(report["problem"]["transpose_a"])

    def test_every_step_of_an_epilogue(self):
        for epilogue in ["scale:-0.3,add,relu,scale:2,bias", "gelu,silu", "gelu_tanh,clamp:0:6"]:
            with self.subTest(epilogue=epilogue):
                report = self.tune_json("matmul", "33x20x17", "--trials", "3", "--epilogue", epilogue, "--log", self.log,
                                        *FAST)
                self.assertEqual(report["outcomes"]["wrong_result"], 0)
                self.assertGreater(report["outcomes"]["ok"], 0)

    def test_the_ladder_takes_variants(self):
        result = self.tune_ok("ladder", "64x48x32", "--trials", "2", "--log", self.log, *FAST, "--batch", "2",
                              "--epilogue", "relu")
        self.assertIn("64x48x32 batch=2 epilogue=relu f32: the ladder", result.stdout)

    def test_a_spec_holds_the_best_of_each_problem(self):
        self.matmul("32x32x32")
        self.matmul("48x16x8", "--batch", "2", "--epilogue", "relu")
        spec = ["records", "spec", "--log", self.log]
        text = self.tune_ok(*spec).stdout
        self.assertEqual(self.tune_ok(*spec).stdout, text)
        file = f"{self.folder}/tuning.json"
        self.assertEqual(self.tune_ok(*spec, "-o", file).stdout, f"wrote 2 entries to {file}\n")
        with open(file) as written:
            self.assertEqual(written.read(), text)
        entries = json.loads(text)["entries"]
        self.assertEqual([entry["problem"]["m"] for entry in entries], [32, 48])
        self.assertEqual(entries[1]["problem"]["epilogue"], "relu")
        for entry in entries:
            best = [record for record in self.exported() if record["problem"] == entry["problem"]
                    and record["measurement"]["outcome"] == "ok"]
            best.sort(key=lambda record: record["measurement"]["timing"]["median_ns"])
            self.assertEqual(entry["schedule"], best[0]["schedule"])
            self.assertEqual(entry["code_digest"], best[0]["measurement"]["code_digest"])
        one = json.loads(self.tune_ok(*spec, "--problem", "32x32x32").stdout)
        self.assertEqual(one["entries"], entries[:1])

    def test_a_spec_of_nothing_is_an_error_that_names_what_there_is(self):
        self.matmul("16x16x16")
        file = f"{self.folder}/tuning.json"
        result = self.tune("records", "spec", "--log", self.log, "--problem", "7x7x7", "-o", file)
        self.assert_one_line_error(result, 1, "nothing to write", "16x16x16 f32 on ")
        self.assertFalse(os.path.exists(file))

    def test_bad_words_are_refused_before_anything_is_made(self):
        for extra in [["--batch", "0"], ["--batch", "x"], ["--epilogue", "elu"], ["--epilogue", "bias,bias"],
                      ["--epilogue", "scale:0"], ["--batch", "99999999999999"]]:
            with self.subTest(extra=extra):
                self.assert_one_line_error(self.tune("matmul", "16x16x16", "--log", self.log, *extra), 2)
        self.assertFalse(os.path.exists(self.log))


if __name__ == "__main__":
    unittest.main()
