# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems of f16, bf16, tf32, s8 and f64 end to end: tuned, verified, nothing wrong, remembered with their types."""

import itertools
import json
import os
import unittest

from harness import FAST, EndToEndTest

WHOLE = os.environ.get("MMTUNE_TEST_WHOLE", "0") != "0"
# Type, output, and how the problem is written.
TYPES = [("f16", None, "f16"), ("f16", "f32", "f16 out=f32"), ("bf16", None, "bf16"), ("bf16", "f32", "bf16 out=f32"),
         ("tf32", None, "tf32"), ("f64", None, "f64"), ("s8", None, "s8")]
FLOATS = TYPES[:5]  # what has every epilogue
# As accurate as f32, on tensor cores.
SPLIT = ["tf32x3", "bf16x6"]
LAYOUTS = [[], ["--transpose-a"], ["--transpose-b"], ["--transpose-a", "--transpose-b"]]
SHAPES = ["1x1x1", "7x5x3", "129x127x65", "1x4096x64", "4096x1x64", "16x512x1024", "256x256x256"]
EPILOGUES = ["", "bias,relu", "scale:0.125,add", "bias,gelu", "gelu_tanh,add", "silu", "bias,clamp:0:6"]

PRODUCT = """func.func @f(%a: memref<48x128xbf16>, %b: memref<128x64xbf16>, %c: memref<48x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<48x64xbf16>)
  linalg.matmul ins(%a, %b : memref<48x128xbf16>, memref<128x64xbf16>) outs(%c : memref<48x64xbf16>)
  return
}
"""

# So large that wgmma is the default.
DYNAMIC = """func.func @f(%a: memref<?x1024xbf16>, %b: memref<1024x1024xbf16>, %c: memref<?x1024xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<?x1024xbf16>)
  linalg.matmul ins(%a, %b : memref<?x1024xbf16>, memref<1024x1024xbf16>) outs(%c : memref<?x1024xbf16>)
  return
}
"""


class TypesTest(EndToEndTest):
    def tuned(self, shape, dtype, out, name, *args, trials=3):
        words = [*(["--out", out] if out else []), *args]
        result = self.tune_ok("matmul", shape, "--dtype", dtype, *words, "--trials", str(trials), "--log", self.log,
                              *FAST)
        self.assertIn(f"{shape} {name}", result.stdout)
        self.assertRegex(result.stdout, r"outcomes  [1-9]\d* ok, 0 wrong, ")
        ok = int(result.stdout.split("outcomes  ")[1].split(" ok")[0])
        self.assertIn(f"verified  {ok} of {ok}", result.stdout)
        return result

    def test_each_type_is_tuned_and_verified(self):
        for (dtype, out, name), layout in zip(TYPES, itertools.cycle(LAYOUTS)):
            with self.subTest(name=name, layout=layout):
                self.tuned("40x48x64", dtype, out, name, *layout)
        for record in self.exported():
            self.assertEqual(record["measurement"]["check"]["tier"], "exact, rounding")
            self.assertEqual(record["schedule"]["family"], "mma")
        self.assert_no_processes()

    def test_f32_in_planes_is_tuned_and_verified(self):
        for layout, math, shape in [(LAYOUTS[1], "tf32x3", "40x48x64"), (LAYOUTS[2], "bf16x6", "19x21x35")]:
            with self.subTest(math=math, layout=layout, shape=shape):
                self.tuned(shape, "f32", None, math, "--math", math, *layout, trials=2)
        for record in self.exported():
            self.assertEqual(record["measurement"]["check"]["tier"], "exact, rounding")
            self.assertLess(record["measurement"]["check"]["relative_error"], 1e-6)
            self.assertIn(record["problem"]["math"], SPLIT)
        shown = self.tune_ok("records", "list", "--log", self.log).stdout
        for math in SPLIT:
            self.assertIn(math, shown)

    def test_wgmma_where_it_is_named_is_tuned_verified_and_compiled(self):
        self.tuned("48x64x128", "bf16", None, "bf16", "--only", "wgmma", "--arch", "sm_90", trials=1)
        self.assertEqual([record["schedule"]["family"] for record in self.exported()], ["wgmma"])
        model, spec, made = (os.path.join(self.folder, name) for name in ["f.mlir", "spec.json", "f.o"])
        with open(model, "w", encoding="utf-8") as file:
            file.write(PRODUCT)
        self.tune_ok("records", "spec", "--log", self.log, "-o", spec)
        ran = self.tune_ok("compile", model, "--spec", spec, "--device", "simt", "--arch", "sm_90", "--run", "f",
                           "--arg", "random:1", "--arg", "random:2", "--arg", "zeros", "--check")
        self.assertRegex(ran.stdout, r"48x64x128 bf16 +spec +\S+ +same code as measured +wgmma ")
        self.assertIn("max abs error 0,", ran.stdout)
        for_chip = self.tune_ok("compile", model, "--spec", spec, "--allow-other-device", "--arch", "sm_90a", "-o", made)
        self.assertRegex(for_chip.stdout, r"48x64x128 bf16 +spec .* wgmma ")

    def test_wgmma_takes_rows_that_are_known_at_run_time(self):
        model, made = (os.path.join(self.folder, name) for name in ["f.mlir", "f.ptx"])
        with open(model, "w", encoding="utf-8") as file:
            file.write(DYNAMIC)
        self.assertRegex(self.tune_ok("compile", model, "--allow-other-device", "--arch", "sm_90a", "-o", made).stdout,
                         r"\?x1024x1024 bf16 +default .* wgmma ")
        for rows in 1, 70:
            ran = self.tune_ok("compile", model, "--device", "simt", "--arch", "sm_90", "--run", "f", "--arg",
                               f"random:1@{rows}x1024", "--arg", "random:2", "--arg", f"zeros@{rows}x1024", "--check")
            self.assertRegex(ran.stdout, r"\?x1024x1024 bf16 +default .* wgmma ")
            self.assertIn("max abs error 0,", ran.stdout)

    def test_hopper_measures_mma_and_wgmma_and_says_why_not_fma(self):
        self.tuned("64x64x64", "bf16", None, "bf16", "--arch", "sm_90", trials=12)
        self.assertEqual({record["schedule"]["family"] for record in self.exported()}, {"mma", "wgmma"})
        said = self.tune_ok("explain", "64x64x64", "--dtype", "bf16", "--log", self.log, "--json").stdout
        families = json.loads(said)["families"]
        self.assertEqual([one["family"] for one in families if one["searched"]], ["fma", "mma", "wgmma"])
        refused = {one["family"]: one["refused"] for one in families}
        self.assertEqual([one["rule"] for one in refused["fma"]], ["elements are f32 and the math mode is ieee"])

    def test_ragged_sizes_with_an_epilogue_and_a_batch(self):
        self.tuned("19x21x35", "bf16", None, "bf16", "--epilogue", "bias,add,relu", "--batch", "2")

    def test_curved_epilogues_of_two_types(self):
        for (dtype, out, name), epilogue in zip(FLOATS[1::2], ["bias,gelu", "add,silu"]):
            with self.subTest(name=name, epilogue=epilogue):
                self.tuned("40x48x64", dtype, out, name, "--epilogue", epilogue, trials=2)

    def test_bytes_and_doubles_are_remembered_and_serve_the_compiler(self):
        self.tuned("19x21x35", "s8", "s32", "s8", "--batch", "2")
        self.tuned("19x21x35", "f64", None, "f64", "--epilogue", "bias,add,relu")
        problems = [record["problem"] for record in self.exported()]
        self.assertEqual(problems[0], {"op": "matmul", "dtype": "s8", "m": 19, "n": 21, "k": 35, "batch": 2})
        self.assertEqual(problems[-1]["epilogue"], "bias,add,relu")
        # Nothing of integers rounds; what f64 rounds is none of f32.
        for record in self.exported():
            error = record["measurement"]["check"]["relative_error"]
            self.assertLess(error, 1e-15 if record["problem"]["dtype"] == "f64" else 1e-300)
        listed = self.tune_ok("records", "list", "--log", self.log).stdout
        self.assertRegex(listed, r"\bs8\b")
        self.assertRegex(listed, r"\bf64\b")
        exported, other = (os.path.join(self.folder, name) for name in ["some.jsonl", "other.db"])
        self.tune_ok("records", "export", exported, "--log", self.log)
        self.tune_ok("records", "import", exported, "--log", other)
        again = self.tune_json("matmul", "19x21x35", "--dtype", "s8", "--batch", "2", "--trials", "3", "--log", other,
                               *FAST)
        self.assertEqual(again["from_log"], 3)

    def test_a_ladder_of_bytes_has_every_rung(self):
        result = self.tune_ok("ladder", "64x64x64", "--dtype", "s8", "--log", self.log, "--trials", "2", *FAST)
        for rung in ["naive", "register-blocked", "mma.sync", "pipelined", "tuned"]:
            self.assertIn(rung, result.stdout)

    def test_what_integers_and_doubles_do_not_have_is_refused_in_a_line(self):
        for words, why in [
                (["--dtype", "s8", "--epilogue", "relu"],
                 "an epilogue is not supported for s8 inputs, whose output is s32; remove it"),
                (["--dtype", "f64", "--epilogue", "gelu"],
                 "epilogue step 'gelu' is not supported for f64; supported: bias, add, sub, relu, scale"),
                (["--dtype", "s8", "--out", "f32"], "--out f32 of s8 elements is not possible; C is s32"),
                (["--dtype", "f64", "--out", "f32"], "--out f32 of f64 elements is not possible; C is f64"),
                (["--dtype", "s8", "--math", "tf32"], "math mode tf32 is for f32 elements, not s8"),
                (["--dtype", "s32"], "s32 inputs are not supported; use s8 inputs, whose output is s32"),
                (["--dtype", "s4"], "unknown data type 's4'; known: f32, f16, bf16, s8, f64, tf32")]:
            self.assert_one_line_error(self.tune("matmul", "8x8x8", *words), 2, why)

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
        for (dtype, out, name), epilogue in itertools.product(FLOATS, EPILOGUES):
            with self.subTest(name=name, epilogue=epilogue):
                self.tuned("65x70x33", dtype, out, name, "--epilogue", epilogue, "--batch", "3", trials=4)
        for dtype, epilogue in [("f64", "bias,relu"), ("f64", "scale:0.3,add"), ("s8", "")]:
            with self.subTest(dtype=dtype, epilogue=epilogue):
                self.tuned("65x70x33", dtype, None, dtype, "--epilogue", epilogue, "--batch", "3", trials=4)


if __name__ == "__main__":
    unittest.main()
