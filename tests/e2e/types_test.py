# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems of f16, bf16 and tf32 end to end: tuned, proven, nothing wrong, remembered with their types."""

import itertools
import os
import unittest

from harness import FAST, EndToEndTest

WHOLE = os.environ.get("MMTUNE_TEST_WHOLE", "0") != "0"
# Type, output, and how the problem is written.
TYPES = [("f16", None, "f16"), ("f16", "f32", "f16 out=f32"), ("bf16", None, "bf16"), ("bf16", "f32", "bf16 out=f32"),
         ("tf32", None, "tf32")]
# As accurate as f32, on tensor cores.
SPLIT = ["tf32x3", "bf16x6"]
LAYOUTS = [[], ["--transpose-a"], ["--transpose-b"], ["--transpose-a", "--transpose-b"]]
SHAPES = ["1x1x1", "7x5x3", "129x127x65", "1x4096x64", "4096x1x64", "16x512x1024", "256x256x256"]
EPILOGUES = ["", "bias,relu", "scale:0.125,add"]


class TypesTest(EndToEndTest):
    def tuned(self, shape, dtype, out, name, *args, trials=3):
        words = [*(["--out", out] if out else []), *args]
        result = self.tune_ok("matmul", shape, "--dtype", dtype, *words, "--trials", str(trials), "--log", self.log,
                              *FAST)
        self.assertIn(f"{shape} {name}", result.stdout)
        self.assertRegex(result.stdout, r"outcomes  [1-9]\d* ok, 0 wrong, ")
        ok = int(result.stdout.split("outcomes  ")[1].split(" ok")[0])
        self.assertIn(f"proven    {ok} of {ok}", result.stdout)
        return result

    def test_each_type_is_tuned_and_proven(self):
        for (dtype, out, name), layout in zip(TYPES, itertools.cycle(LAYOUTS)):
            with self.subTest(name=name, layout=layout):
                self.tuned("40x48x64", dtype, out, name, *layout)
        for record in self.exported():
            self.assertEqual(record["measurement"]["check"]["tier"], "exact, rounding")
            self.assertEqual(record["schedule"]["family"], "mma")
        self.assert_no_processes()

    def test_f32_in_planes_is_tuned_and_proven_in_every_layout(self):
        for layout, math, shape in zip(LAYOUTS, itertools.cycle(SPLIT), ["40x48x64", "40x48x64", "19x21x35", "19x21x35"]):
            with self.subTest(math=math, layout=layout, shape=shape):
                self.tuned(shape, "f32", None, math, "--math", math, *layout, trials=2)
        for record in self.exported():
            self.assertEqual(record["measurement"]["check"]["tier"], "exact, rounding")
            self.assertLess(record["measurement"]["check"]["relative_error"], 1e-6)
            self.assertIn(record["problem"]["math"], SPLIT)
        shown = self.tune_ok("records", "list", "--log", self.log).stdout
        for math in SPLIT:
            self.assertIn(math, shown)

    def test_ragged_sizes_with_an_epilogue_and_a_batch(self):
        self.tuned("19x21x35", "bf16", None, "bf16", "--epilogue", "bias,add,relu", "--batch", "2")

    def test_the_log_tells_types_apart(self):
        self.tuned("32x32x32", "f16", None, "f16")
        self.tuned("32x32x32", "f16", "f32", "f16 out=f32")
        problems = [record["problem"] for record in self.exported()]
        self.assertEqual(problems[0], {"op": "matmul", "dtype": "f16", "m": 32, "n": 32, "k": 32})
        self.assertEqual(problems[-1], {"op": "matmul", "dtype": "f16", "m": 32, "n": 32, "k": 32, "out": "f32"})
        again = self.tune_json("matmul", "32x32x32", "--dtype", "f16", "--trials", "3", "--log", self.log, *FAST)
        self.assertEqual(again["from_log"], 3)

    @unittest.skipUnless(WHOLE, "MMTUNE_TEST_WHOLE is not set")
    def test_every_type_layout_shape_and_epilogue(self):
        for (dtype, out, name), layout, shape in itertools.product(TYPES, LAYOUTS, SHAPES):
            with self.subTest(name=name, layout=layout, shape=shape):
                self.tuned(shape, dtype, out, name, *layout, trials=4)
        for math, layout, shape in itertools.product(SPLIT, LAYOUTS, SHAPES):
            with self.subTest(math=math, layout=layout, shape=shape):
                self.tuned(shape, "f32", None, math, "--math", math, *layout, trials=2)
        for math, epilogue in itertools.product(SPLIT, EPILOGUES):
            with self.subTest(math=math, epilogue=epilogue):
                self.tuned("65x70x33", "f32", None, math, "--math", math, "--epilogue", epilogue, trials=2)
        for (dtype, out, name), epilogue in itertools.product(TYPES, EPILOGUES):
            with self.subTest(name=name, epilogue=epilogue):
                self.tuned("65x70x33", dtype, out, name, "--epilogue", epilogue, "--batch", "3", trials=4)


if __name__ == "__main__":
    unittest.main()
