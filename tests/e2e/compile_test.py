# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune compile: models built with the log's schedules, called from C and Python, run in place; and every bad input."""

import json
import os
import re
import shutil
import signal
import subprocess
import unittest

from harness import BIN, FAST, RUN_SECONDS, OutputFolderTest, processes_of, wait_until

PREFIX = os.path.dirname(os.path.abspath(BIN))
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")
MODEL = os.path.join(EXAMPLES, "two_layer.mlir")
SIMT = ["--device", "simt"]
DIGEST = re.compile(r"\b[0-9a-f]{12}\b")

# Programs that link the runtime library would have to be built with its sanitizer.
SANITIZED = bool(os.environ.get("MMTUNE_SANITIZE"))

MATRIX_MAP = "affine_map<(i, j) -> (i, j)>"


def product(m, n, k, tag):
    """Lines that multiply %a<tag> and %b<tag>; the result is %c<tag>."""
    return f"""
  %e{tag} = tensor.empty() : tensor<{m}x{n}xf32>
  %z{tag} = linalg.fill ins(%zero : f32) outs(%e{tag} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c{tag} = linalg.matmul ins(%a{tag}, %b{tag} : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
      outs(%z{tag} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>"""


def relu(m, n, source, result):
    return f"""
  %{result} = linalg.generic {{indexing_maps = [{MATRIX_MAP}, {MATRIX_MAP}],
      iterator_types = ["parallel", "parallel"]}} ins(%{source} : tensor<{m}x{n}xf32>)
      outs(%e{source[1:]} : tensor<{m}x{n}xf32>) {{
  ^bb0(%v: f32, %o: f32):
    %p = arith.maximumf %v, %zero : f32
    linalg.yield %p : f32
  }} -> tensor<{m}x{n}xf32>"""


def products_module(shapes, fused=()):
    """A function @main of independent products; those of `fused` are followed by a relu."""
    arguments, body, results = [], "\n  %zero = arith.constant 0.0 : f32", []
    for tag, (m, n, k) in enumerate(shapes):
        arguments += [f"%a{tag}: tensor<{m}x{k}xf32>", f"%b{tag}: tensor<{k}x{n}xf32>"]
        body += product(m, n, k, tag)
        if tag in fused:
            body += relu(m, n, f"c{tag}", f"r{tag}")
        results.append((f"%r{tag}" if tag in fused else f"%c{tag}", f"tensor<{m}x{n}xf32>"))
    names, types = ", ".join(name for name, _ in results), ", ".join(kind for _, kind in results)
    return f"func.func @main({', '.join(arguments)}) -> ({types}) {{{body}\n  return {names} : {types}\n}}\n"


# What stands for gelu, gelu with tanh, and silu, in operations of one step each; {x} is their argument.
CURVES = {
    "silu": ["%n = arith.negf %x : f32", "%e = math.exp %n : f32", "%d = arith.addf %e, %one : f32",
             "%r = arith.divf %x, %d : f32"],
    "gelu": ["%s = arith.mulf %x, %root : f32", "%e = math.erf %s : f32", "%d = arith.addf %e, %one : f32",
             "%h = arith.mulf %x, %half : f32", "%r = arith.mulf %h, %d : f32"],
}


def curve_behind_a_product(name):
    """A product, a bias and a curve; one operation of the curve in each linalg operation, as exporters write them."""
    text = "#m = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (j)>\n"
    text += ("func.func @main(%a0: tensor<8x16xf32>, %b0: tensor<16x12xf32>, %bias: tensor<12xf32>) -> tensor<8x12xf32> {\n"
             "  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n"
             "  %half = arith.constant 0.5 : f32\n  %root = arith.constant 0.707106781 : f32")
    text += product(8, 12, 16, 0)

    def generic(result, operands, maps, line):
        names = ", ".join(f"%{operand}" for operand, _ in operands)
        types = ", ".join(kind for _, kind in operands)
        arguments = ", ".join(f"%{operand}_: f32" for operand, _ in operands)
        line = re.sub("|".join(rf"%{operand}\b" for operand, _ in operands), lambda at: at[0] + "_", line)
        line = re.sub(r"^%\w+ =", "%v =", line)
        return (f"\n  %{result} = linalg.generic {{indexing_maps = [{maps}, #m], iterator_types = [\"parallel\", "
                f"\"parallel\"]}} ins({names} : {types}) outs(%e0 : tensor<8x12xf32>) {{\n  ^bb0({arguments}, %o: f32):\n"
                f"    {line}\n    linalg.yield %v : f32\n  }} -> tensor<8x12xf32>")

    whole, row = "tensor<8x12xf32>", "tensor<12xf32>"
    text += generic("x", [("c0", whole), ("bias", row)], "#m, #row", "%x = arith.addf %c0, %bias : f32")
    for line in CURVES[name]:
        result, _, right = line.partition(" = ")
        used = [operand for operand in dict.fromkeys(re.findall(r"%(\w+)", right))
                if operand not in ("one", "half", "root")]
        text += generic(result[1:], [(operand, whole) for operand in used], ", ".join(["#m"] * len(used)), line)
    return text + "\n  return %r : tensor<8x12xf32>\n}\n"


# Columns of a wider tensor, and heads between rows and columns of A and of the result.
SLICES = """
func.func @main(%x: tensor<19x41xf32>, %w: tensor<16x24xf32>, %q: tensor<19x3x16xf32>, %v: tensor<3x16x24xf32>)
    -> (tensor<19x24xf32>, tensor<19x3x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract_slice %x[0, 3] [19, 16] [1, 1] : tensor<19x41xf32> to tensor<19x16xf32>
  %e = tensor.empty() : tensor<19x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<19x24xf32>) -> tensor<19x24xf32>
  %p = linalg.matmul ins(%a, %w : tensor<19x16xf32>, tensor<16x24xf32>) outs(%f : tensor<19x24xf32>)
      -> tensor<19x24xf32>
  %te = tensor.empty() : tensor<3x19x16xf32>
  %t = linalg.transpose ins(%q : tensor<19x3x16xf32>) outs(%te : tensor<3x19x16xf32>) permutation = [1, 0, 2]
  %g = tensor.empty() : tensor<3x19x24xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<3x19x24xf32>) -> tensor<3x19x24xf32>
  %r = linalg.batch_matmul ins(%t, %v : tensor<3x19x16xf32>, tensor<3x16x24xf32>) outs(%h : tensor<3x19x24xf32>)
      -> tensor<3x19x24xf32>
  %ue = tensor.empty() : tensor<19x3x24xf32>
  %u = linalg.transpose ins(%r : tensor<3x19x24xf32>) outs(%ue : tensor<19x3x24xf32>) permutation = [1, 0, 2]
  return %p, %u : tensor<19x24xf32>, tensor<19x3x24xf32>
}
"""


class CompileTest(OutputFolderTest):
    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def tune_shape(self, shape, *options):
        self.tune_ok("matmul", shape, "--trials", "3", "--log", self.log, *FAST, *options)

    def best_digests(self):
        """The code digest of the fastest valid record of each problem."""
        best = {}
        for record in self.exported():
            measurement = record["measurement"]
            if measurement["outcome"] != "ok":
                continue
            key, median = json.dumps(record["problem"], sort_keys=True), measurement["timing"]["median_ns"]
            if key not in best or median < best[key][0]:
                best[key] = (median, measurement["code_digest"])
        return {digest for _, digest in best.values()}

    def kernel_rows(self, text):
        """The rows of the kernel table, by problem: (from, digest, measured)."""
        rows = {}
        lines = text.splitlines()
        heading = next((i for i, line in enumerate(lines) if line.startswith("kernels  ")), None)
        self.assertIsNotNone(heading, text)
        for line in lines[heading + 1:]:
            if not line.strip():
                break
            cells = re.split(r"\s{2,}", line)
            rows[cells[1]] = cells[2:5]
        return rows

    def run_command(self, command, **environment):
        return subprocess.run(command, env=dict(self.environment, **environment), text=True, capture_output=True,
                              timeout=RUN_SECONDS, cwd=self.out)

    def assert_refused(self, result, code, *words):
        """One line, or MLIR's diagnostics, and nothing in the output folder."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(os.listdir(self.out), [])


class TunedModelTest(CompileTest):
    def test_a_model_is_compiled_with_the_logs_code_and_called_from_c_and_python(self):
        self.tune_shape("32x48x64", "--epilogue", "bias,relu")
        self.tune_shape("32x16x48")
        result = self.tune_ok("compile", MODEL, "--log", self.log, *SIMT, "-o", self.path("libtwo_layer.so"))
        rows = self.kernel_rows(result.stdout)
        self.assertEqual(set(rows), {"32x48x64 epilogue=bias,relu", "32x16x48"})
        for source, _, measured in rows.values():
            self.assertEqual((source, measured), ("spec", "same code as measured"))
        self.assertEqual({digest[:12] for digest in self.best_digests()}, {row[1] for row in rows.values()})
        self.assertRegex(result.stdout, r"\ntime      .*total \d+\.\d ms\n")
        markdown = self.tune_ok("compile", MODEL, "--log", self.log, *SIMT, "-o", self.path("libmarkdown.so"), "--no-header",
                                "--markdown").stdout
        self.assertRegex(markdown, r"\A\| kernels \| problem \| from \| code \| measured \| schedule \|\n"
                                   r"(\|---){6}\|\n(\| matmul_.* \| spec \| .* fma async=.* \|\n){2}\ntime ")
        os.remove(self.path("libmarkdown.so"))
        self.assertEqual(sorted(os.listdir(self.out)), ["libtwo_layer.h", "libtwo_layer.so"])

        if SANITIZED:
            self.skipTest("programs of C and Python without the sanitizer cannot load the runtime library")
        include, lib = os.path.join(PREFIX, "include"), os.path.join(PREFIX, "lib")
        built = self.run_command(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic",
                                  os.path.join(EXAMPLES, "two_layer.c"), "-o", "two_layer", "-I.", f"-I{include}",
                                  "-L.", "-ltwo_layer", f"-L{lib}", "-lmmtune_runtime"])
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = self.run_command(["./two_layer"], LD_LIBRARY_PATH=f".:{lib}")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        # A schedule with split-k may launch a second kernel.
        self.assertRegex(ran.stdout, r"^512 results are right; [234] kernels ran on simt-cpu")
        ran = self.run_command(["python3", os.path.join(EXAMPLES, "two_layer.py"), "./libtwo_layer.so"])
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        self.assertRegex(ran.stdout, r"^512 results are right on simt-cpu")
        # A wrong device is told by both of its users.
        ran = self.run_command(["./two_layer"], LD_LIBRARY_PATH=f".:{lib}", MMTUNE_DEVICE="cuda:77")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("MMTUNE_DEVICE=cuda:77", ran.stderr)

    def test_products_of_16_bits(self):
        self.tune_shape("32x48x64", "--dtype", "bf16", "--epilogue", "relu")
        a, b, c = "tensor<32x64xbf16>", "tensor<64x48xbf16>", "tensor<32x48xbf16>"
        model = self.write("narrow.mlir", f"""
func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : {c}
  %z = linalg.fill ins(%zero : bf16) outs(%e : {c}) -> {c}
  %p = linalg.matmul ins(%a, %b : {a}, {b}) outs(%z : {c}) -> {c}
  %r = linalg.generic {{indexing_maps = [{MATRIX_MAP}, {MATRIX_MAP}], iterator_types = ["parallel", "parallel"]}}
      ins(%p : {c}) outs(%e : {c}) {{
  ^bb0(%v: bf16, %o: bf16):
    %m = arith.maximumf %v, %zero : bf16
    linalg.yield %m : bf16
  }} -> {c}
  return %r : {c}
}}
""")
        command = ["compile", model, "--log", self.log, *SIMT, "--run", "main", "--arg", "random:3", "--check"]
        result = self.tune_ok(*command)
        self.assertEqual(self.kernel_rows(result.stdout)["32x48x64 bf16 epilogue=relu"][::2],
                         ["spec", "same code as measured"])
        self.assertIn("check     result 0: max abs error", result.stdout)
        # As it is written no tuned kernel computes it, and other numbers come out.
        written = self.tune_ok(*command, "--sums-as-written")
        self.assertNotIn("32x48x64 bf16", written.stdout)
        self.assertIn("it accumulates in bf16, rounding at each step", written.stderr)
        digests = [re.search(r"result 0 .* sha256 (\w+)", run.stdout).group(1) for run in (result, written)]
        self.assertNotEqual(digests[0], digests[1])

    def test_a_spec_file_gives_what_the_log_gives(self):
        self.tune_shape("32x16x48")
        spec = os.path.join(self.folder, "spec.json")
        self.tune_ok("records", "spec", "--log", self.log, "-o", spec)
        by_spec = self.tune_ok("compile", MODEL, "--spec", spec, *SIMT, "-o", self.path("a.o"))
        by_log = self.tune_ok("compile", MODEL, "--log", self.log, *SIMT, "-o", self.path("b.o"))
        self.assertEqual(self.kernel_rows(by_spec.stdout), self.kernel_rows(by_log.stdout))
        alone = self.run_program("mmtune-compile", MODEL, "--spec", spec, *SIMT, "-o", self.path("c.o"))
        self.assertEqual(self.kernel_rows(alone.stdout), self.kernel_rows(by_log.stdout))

    def test_schedules_that_are_not_verified_are_left_out_unless_allowed(self):
        self.tune_ok("matmul", "32x16x48", "--trials", "2", "--no-verification", "--log", self.log, *FAST)
        spec = os.path.join(self.folder, "spec.json")
        self.assert_one_line_error(self.tune("records", "spec", "--log", self.log, "-o", spec), 1, "--allow-unverified")
        self.tune_ok("records", "spec", "--allow-unverified", "--log", self.log, "-o", spec)
        for source in (["--log", self.log], ["--spec", spec]):
            without = self.tune_ok("compile", MODEL, *source, *SIMT, "-o", self.path("a.o"), "--force")
            self.assertRegex(without.stderr, "no verified records|1 schedules that are not verified are left out")
            self.assertEqual(self.kernel_rows(without.stdout)["32x16x48"][0], "default")
            allowed = self.tune_ok("compile", MODEL, *source, "--allow-unverified", *SIMT, "-o", self.path("b.o"), "--force")
            self.assertEqual(self.kernel_rows(allowed.stdout)["32x16x48"][0], "spec, unverified")

    def test_several_products_one_fused_one_not_in_the_log(self):
        shapes = [(32, 16, 48), (24, 40, 16), (33, 17, 9)]
        self.tune_shape("32x16x48")
        self.tune_shape("24x40x16", "--epilogue", "relu")
        model = self.write("products.mlir", products_module(shapes, fused=[1]))
        result = self.tune_ok("compile", model, "--log", self.log, *SIMT, "--run", "main", "--arg", "random:7",
                              "--check", "--repeat", "3")
        rows = self.kernel_rows(result.stdout)
        self.assertEqual(rows["32x16x48"][0], "spec")
        self.assertEqual(rows["24x40x16 epilogue=relu"][0], "spec")
        self.assertIn(rows["33x17x9"][0], ["nearest", "default"])
        self.assertIn("remark", result.stderr)
        self.assertRegex(result.stdout, r"\nrun       [\d.]+ ms the first call, median [\d.]+ ms of 2 more\n")
        stood_for = "checked   the PTX for sm_80, for which the SIMT device stands unless --arch names another\n"
        self.assertIn(stood_for, result.stdout)
        named = self.tune_ok("compile", model, "--allow-other-device", "--log", self.log, *SIMT, "--arch", "sm_90", "--run",
                             "main", "--arg", "random:7", "--check")
        self.assertIn("checked   the PTX for sm_90\n", named.stdout)
        self.assertEqual(len(re.findall(r"^check     result \d: max abs error", result.stdout, re.M)), 3)
        counters = re.search(r"^counters  (\d+) allocations, (\d+) frees.* (\d+) launches,", result.stdout, re.M)
        self.assertEqual(counters[1], counters[2])
        self.assertIn(int(counters[3]), [9, 12, 15, 18])  # Three runs; a schedule with split-k may launch two kernels.

    def test_slices_and_heads_get_the_schedules_of_dense_problems(self):
        self.tune_shape("19x24x16")
        model = self.write("slices.mlir", SLICES)
        result = self.tune_ok("compile", model, "--log", self.log, *SIMT, "--run", "main", "--arg", "random:7",
                              "--check")
        rows = self.kernel_rows(result.stdout)
        self.assertEqual(set(rows), {"19x24x16 lda=41 ldb=24 ldc=24 align=3,0,0",
                                     "19x24x16 batch=3 lda=48 ldb=24 ldc=72 matrices=3 stride_a=16 stride_b=384 "
                                     "stride_c=24"})
        self.assertEqual({row[0] for row in rows.values()}, {"nearest"})
        self.assertIn("no tuned schedule for 19x24x16 lda=41", result.stderr)
        self.assertEqual(len(re.findall(r"^check     result \d: max abs error", result.stdout, re.M)), 2)

    def test_a_check_knows_that_curves_are_zero_at_minus_infinity(self):
        for name in CURVES:
            with self.subTest(name):
                model = self.write("curve.mlir", curve_behind_a_product(name))
                run = (model, *SIMT, "--run", "main", "--arg", "random:1", "--arg", "random:2", "--arg", "value:-inf",
                       "--check")
                result = self.tune_ok("compile", *run)
                self.assertIn(f"epilogue=bias,{name}", result.stdout)
                self.assertRegex(result.stdout, r"result 0 .*\[0, 0, 0")
                self.assertIn("check     result 0: max abs error 0,", result.stdout)
                # Where nothing is fused kernels compute the formula, and the check knows that as well.
                result = self.tune_ok("compile", *run, "--no-fusion")
                self.assertIn("check     result 0: max abs error 0,", result.stdout)

    def test_the_default_log_is_used_where_there_is_one(self):
        first = self.tune_ok("compile", MODEL, *SIMT, "-o", self.path("a.o"))
        self.assertIn("no log and no spec: default schedules", first.stderr)
        self.assertEqual({row[0] for row in self.kernel_rows(first.stdout).values()}, {"default"})
        self.tune_ok("matmul", "32x16x48", "--trials", "2", *FAST)
        second = self.tune_ok("compile", MODEL, *SIMT, "-o", self.path("a.o"), "--force")
        self.assertIn(f"schedules are those of the log {self.folder}/data/mmtune/tuning.db", second.stderr)
        self.assertEqual(self.kernel_rows(second.stdout)["32x16x48"][0], "spec")
        # Nobody named that log, so it is no error that it has nothing of a GPU; of a log that is named it is one.
        gpu = ["--arch", "sm_90", "-o", self.path("a.ptx"), "--force"]
        third = self.tune_ok("compile", MODEL, *gpu)
        self.assertIn("no schedules for cuda sm_90", third.stderr)
        self.assertIn(": default schedules", third.stderr)
        self.assertEqual({row[0] for row in self.kernel_rows(third.stdout).values()}, {"default"})
        log = f"{self.folder}/data/mmtune/tuning.db"
        self.assert_one_line_error(self.tune("compile", MODEL, *gpu, "--log", log), 2, "no schedules for cuda sm_90")


class OutputTest(CompileTest):
    def compile(self, *args, stdin=None):
        result = self.run_program("mmtune-compile", *args, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def model_of_one_number(self, name, number):
        """A module whose @f<number> stores its number, by way of functions that others have under the same names."""
        return self.write(name, f"""
func.func private @helper(%x: memref<4xf32>) attributes {{no_inline}} {{
  %c0 = arith.constant 0 : index
  %v = arith.constant {number}.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}}
func.func @shared(%x: memref<4xf32>) attributes {{no_inline}} {{
  %c1 = arith.constant 1 : index
  %v = arith.constant {number}.0 : f32
  memref.store %v, %x[%c1] : memref<4xf32>
  return
}}
func.func @f{number}(%x: memref<4xf32>) {{
  call @helper(%x) : (memref<4xf32>) -> ()
  call @shared(%x) : (memref<4xf32>) -> ()
  return
}}
""")

    @unittest.skipIf(SANITIZED, "the program is built without the sanitizer")
    def test_functions_of_two_models_in_one_program_stay_apart(self):
        for number in [1, 2]:
            # Calls that are inlined cannot go astray.
            self.compile(self.model_of_one_number(f"m{number}.mlir", number), *SIMT, "-O0", "--quiet", "-o",
                         self.path(f"libm{number}.so"))
        source = self.write("both.c", """
#include <stdio.h>
#include "libm1.h"
#include "libm2.h"
int main(void) {
  float a[4] = {0}, b[4] = {0};
  mmtune_memref_1d_f32 x = mmtune_memref_1d_f32_dense(a, 4), y = mmtune_memref_1d_f32_dense(b, 4);
  _mlir_ciface_f1(&x);
  _mlir_ciface_f2(&y);
  printf("%g %g %g %g\\n", a[0], a[1], b[0], b[1]);
  return 0;
}
""")
        lib = os.path.join(PREFIX, "lib")
        built = self.run_command(["cc", source, "-o", "both", f"-I{self.out}", f"-L{self.out}", "-lm1", "-lm2",
                                  f"-L{lib}", "-lmmtune_runtime"])
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = self.run_command(["./both"], LD_LIBRARY_PATH=f"{self.out}:{lib}")
        self.assertEqual((ran.returncode, ran.stdout), (0, "1 1 2 2\n"), ran)

    def test_every_kind_of_output(self):
        starts = {"mlir-gpu": "gpu.launch_func", "mlir-binary": "gpu.binary", "mlir-llvm": "llvm.func",
                  "llvm": "define ", "obj": "\x7fELF", "so": "\x7fELF"}
        for kind, content in starts.items():
            for target in [SIMT, ["--arch", "sm_80"]]:
                path = self.path(f"{kind}.out")
                self.compile(MODEL, *target, "--emit", kind, "-o", path, "--force", "--no-header", "--quiet")
                with open(path, encoding="latin-1") as file:
                    self.assertIn(content, file.read(), kind)
        self.compile(MODEL, *SIMT, "-o", self.path("model.ll"))
        self.compile(MODEL, *SIMT, "-o", self.path("model.mlir"))
        with open(self.path("model.mlir"), encoding="utf-8") as file:
            self.assertIn("llvm.func", file.read())
        self.assertFalse(os.path.exists(self.path("model.h")))

    def test_ptx_is_one_file_for_each_kernel_module(self):
        result = self.compile(MODEL, "--arch", "sm_80", "-o", self.path("two.ptx"))
        modules = [name for name in os.listdir(self.out) if re.fullmatch(r"two\.\w+\.ptx", name)]
        self.assertEqual(len(modules), 2, os.listdir(self.out))
        self.assertEqual(len(self.kernel_rows(result.stdout)), 2)
        for name in modules:
            with open(self.path(name), encoding="utf-8") as file:
                self.assertIn(".target sm_80", file.read())
        one = self.write("one.mlir", products_module([(8, 8, 8)]))
        self.compile(one, "--arch", "sm_75", "-o", self.path("one.ptx"))
        self.assertTrue(os.path.exists(self.path("one.ptx")))
        text = self.compile(one, "--arch", "sm_75", "--emit", "ptx", "-o", "-").stdout
        self.assertIn(".target sm_75", text)
        self.assertNotIn("total", text)

    def test_a_model_from_standard_input_and_a_header_elsewhere(self):
        with open(MODEL, encoding="utf-8") as file:
            text = file.read()
        self.compile("-", *SIMT, "-o", self.path("m.o"), "--header", self.path("other.h"), "--quiet", stdin=text)
        self.assertEqual(sorted(os.listdir(self.out)), ["m.o", "other.h"])
        with open(self.path("other.h"), encoding="utf-8") as file:
            self.assertIn("_mlir_ciface_forward", file.read())

    def test_the_same_input_gives_the_same_object(self):
        for name in ["a.o", "b.o"]:
            self.compile(MODEL, *SIMT, "-o", self.path(name), "--no-header")
        with open(self.path("a.o"), "rb") as a, open(self.path("b.o"), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_without_ptxas_the_ptx_is_embedded_and_it_is_said(self):
        if shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
            self.skipTest("there is a ptxas")
        self.assertIn("PTX is embedded", self.compile(MODEL, "--arch", "sm_90", "-o", self.path("m.so")).stdout)
        result = self.run_program("mmtune-compile", MODEL, "--arch", "sm_90", "-o", self.path("m.cubin"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("a cubin needs ptxas, which is not in PATH", result.stderr)

    def test_help_has_every_option_for_both_programs(self):
        own = self.run_program("mmtune-compile", "--help-all").stdout
        tunes = self.tune_ok("compile", "--help-all").stdout
        options = set(re.findall(r"--[a-z-]+", own)) - {"--version", "--generate"}
        self.assertGreater(len(options), 15)
        self.assertLessEqual(options, set(re.findall(r"--[a-z-]+", tunes)))
        self.assertIn("--log", tunes)
        self.assertIn("compile", self.tune_ok("--help").stdout)


class RunTest(CompileTest):
    ELEMENTWISE = """
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %factor: f32) -> f32 {
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %factor : f32
    %s = arith.addf %p, %b : f32
    linalg.yield %s : f32
  }
  return %factor : f32
}
"""

    def run_model(self, model, *args):
        return self.tune("compile", model, *SIMT, "--quiet", *args)

    def test_dynamic_sizes_scalars_and_changed_arguments(self):
        model = self.write("axpy.mlir", self.ELEMENTWISE)
        result = self.run_model(model, "--run", "main", "--arg", "iota@5", "--arg", "ones@5", "--arg", "value:2",
                                "--check", "--print", "full")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"result 0  f32  sum 2  min 2  max 2 ")
        self.assertRegex(result.stdout, r"argument 1 now  memref<\?xf32>  5  sum 25 .*\[1, 3, 5, 7, 9\]")
        self.assertIn("check     argument 1: max abs error 0,", result.stdout)

    def test_f64_between_values_of_f32_is_narrowed_if_asked_for(self):
        model = self.write("detour.mlir", """
func.func @main(%x: f32) -> f32 {
  %wide = arith.extf %x : f32 to f64
  %c = arith.constant 0.1 : f64
  %sum = arith.addf %wide, %c : f64
  %r = arith.truncf %sum : f64 to f32
  return %r : f32
}
""")
        run = ("--run", "main", "--arg", "value:1", "--check")
        as_written = self.run_model(model, *run)
        self.assertIn("remark: f64 arithmetic on f32 values, whose result becomes f32 here; --narrow-f64", as_written.stderr)
        narrow = self.run_model(model, *run, "--narrow-f64")
        self.assertIn("model.mlir:6:8: remark: f64 arithmetic whose result becomes f32 here is computed in f32 (--narrow-f64): 1 operations",
                      narrow.stderr.replace(model, "model.mlir"))
        self.assertEqual([as_written.returncode, narrow.returncode], [0, 0], narrow.stderr)

    def test_arguments_from_a_file(self):
        model = self.write("axpy.mlir", self.ELEMENTWISE)
        data = os.path.join(self.folder, "x.bin")
        with open(data, "wb") as file:
            file.write(b"\0\0\x80\x3f" * 3)
        result = self.run_model(model, "--run", "main", "--arg", f"file:{data}@3", "--arg", "zeros@3", "--arg",
                                "value:0.5")
        self.assertIn("[0.5, 0.5, 0.5]", result.stdout)

    def test_what_cannot_be_run_is_said(self):
        model = self.write("axpy.mlir", self.ELEMENTWISE)
        three = ["--arg", "ones@5", "--arg", "ones@5", "--arg", "ones"]
        for args, words in [
                (["--run", "nothing", *three], ["no public function nothing", "main"]),
                (["--run", "main", "--arg", "ones@5", "--arg", "ones@5"], ["takes 3 arguments"]),
                (["--run", "main", "--arg", "ones", *three[2:]], ["dynamic sizes"]),
                (["--run", "main", "--arg", "seven@5", *three[2:]], ["--arg seven@5", "random:SEED"]),
                (["--run", "main", "--arg", "file:/none@5", *three[2:]], ["No such file"]),
                (["--run", "main", *three, "-o", self.path("x.o")], ["--run writes no files"]),
                (["--check"], ["--check requires --run"])]:
            with self.subTest(args=args):
                self.assert_refused(self.run_model(model, *args), 2, *words)

    def test_a_missing_gpu_is_said(self):
        result = self.tune("compile", MODEL, "--device", "cuda:55", "--arch", "sm_90", "--run", "forward", "--arg",
                           "ones", "--quiet")
        self.assert_refused(result, 2, "error: --run: ")


class BadInputTest(CompileTest):
    def refuse(self, code, words, *args, stdin=None):
        self.assert_refused(self.tune("compile", *args, "--quiet", stdin=stdin), code, *words)

    def test_usage(self):
        so = ["-o", self.path("m.so")]
        self.refuse(2, ["give -o FILE, or --run"], MODEL, *SIMT)
        self.refuse(2, ["give --arch sm_90 or --device simt"], MODEL, *so)
        self.refuse(2, ["sm_123", "sm_75", "sm_90"], MODEL, "--arch", "sm_123", *so)
        self.refuse(2, ["toaster"], MODEL, "--device", "toaster", *so)
        self.refuse(2, ["suffix", "--emit"], MODEL, *SIMT, "-o", self.path("m.exe"))
        self.refuse(2, ["--emit: there is no 'exe'", "mlir-gpu"], MODEL, *SIMT, *so, "--emit", "exe")
        self.refuse(2, ["no ptx"], MODEL, *SIMT, "-o", self.path("m.ptx"))
        self.refuse(2, ["standard output"], MODEL, *SIMT, "-o", "-", "--emit", "so")
        self.refuse(2, ["needs --emit"], MODEL, *SIMT, "-o", "-")
        self.refuse(2, ["--log excludes --spec"], MODEL, *SIMT, *so, "--log", "a", "--spec", "b")
        self.refuse(2, ["--bogus"], MODEL, *SIMT, *so, "--bogus")
        self.refuse(2, ["MODEL"], *SIMT, *so)

    def test_files(self):
        so = ["-o", self.path("m.so")]
        self.refuse(2, ["cannot read", "none.mlir", "No such file"], "none.mlir", *SIMT, *so)
        self.refuse(2, ["cannot read", "Is a directory"], self.folder, *SIMT, *so)
        self.refuse(2, ["cannot write", "No such file"], MODEL, *SIMT, "-o", self.path("no/such/m.o"))
        self.refuse(2, ["the library and the header would both be written to", "m.so"], MODEL, *SIMT, *so, "--header",
                    self.path("m.so"))
        colliding = self.write("names.mlir", """module attributes {gpu.container_module} {
  gpu.module @"a.b" { gpu.func @e(%x: memref<8xf32>) kernel { gpu.return } }
  gpu.module @a_b { gpu.func @g(%x: memref<8xf32>) kernel { gpu.return } }
}
""")
        self.refuse(2, ["kernel module a.b and kernel module a_b would both be written to", "k.a_b.ptx"], colliding,
                    "--arch", "sm_80", "-o", self.path("k.ptx"))
        self.refuse(2, ["it is a folder"], MODEL, *SIMT, "--emit", "obj", "--no-header", "-o", self.out)
        self.refuse(3, ["there is no tuning log at", "none.db"], MODEL, *SIMT, *so, "--log",
                    os.path.join(self.folder, "none.db"))
        self.refuse(3, ["text.db"], MODEL, *SIMT, *so, "--log", self.write("text.db", "no log " * 1000))
        if os.geteuid() != 0:
            os.chmod(self.out, 0o500)
            self.refuse(2, ["Permission denied"], MODEL, *SIMT, *so)

    def test_specs(self):
        so = ["-o", self.path("m.so")]
        self.refuse(2, ["cannot read", "none.json"], MODEL, *SIMT, *so, "--spec", "none.json")
        self.refuse(2, ["bad.json: ", "malformed"], MODEL, *SIMT, *so, "--spec", self.write("bad.json", "{"))
        newer = self.write("newer.json", '{"mmtune_tuning_spec": 99, "entries": []}')
        self.refuse(2, ["newer.json: ", "99", "newer"], MODEL, *SIMT, *so, "--spec", newer)

    def test_a_spec_for_another_device(self):
        self.tune_shape("32x16x48")
        so = ["-o", self.path("m.so")]
        self.refuse(2, ["tuning.db: no schedules for cuda sm_90", "simt sm_80 (simt-cpu"], MODEL, "--log", self.log,
                    "--arch", "sm_90", *so)
        allowed = self.tune_ok("compile", MODEL, "--log", self.log, "--arch", "sm_90", "--allow-other-device", *so)
        self.assertIn("32x16x48", self.kernel_rows(allowed.stdout))

    def test_an_empty_log_gives_default_schedules(self):
        server, _ = self.start_server()
        server.send_signal(signal.SIGTERM)
        server.wait(10)
        result = self.tune_ok("compile", MODEL, "--log", self.log, *SIMT, "-o", self.path("m.o"))
        self.assertIn("no verified records: default schedules", result.stderr)

    def test_modules(self):
        so = ["-o", self.path("m.so")]
        cases = {
            "garbage": ("this is no MLIR", ["error:"]),
            "empty function": ("func.func @f( {", ["error:"]),
            "unknown operation": ("func.func @f() {\n  \"no.such\"() : () -> ()\n  return\n}\n", ["error:"]),
            "invalid": ("func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>, %c: tensor<2x5xf32>) {\n"
                        "  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<4x5xf32>)"
                        " outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>\n  return\n}\n", ["error:", "linalg.matmul"]),
            "binary": ("ML\xefR\x00\x01\x02", ["error:"]),
        }
        for name, (text, words) in cases.items():
            with self.subTest(name):
                path = self.write("bad.mlir", text)
                self.refuse(2, ["bad.mlir:" if name != "binary" else "bad.mlir", *words], path, *SIMT, *so)
        self.refuse(2, ["<stdin>:1:", "error:"], "-", *SIMT, *so, stdin="func.func @f( {")

    def test_types_without_kernels_are_compiled_with_a_remark(self):
        text = products_module([(8, 12, 4)]).replace("f32", "f64")
        model = self.write("f64.mlir", text)
        result = self.tune_ok("compile", model, *SIMT, "--run", "main", "--arg", "random:1", "--check", "--tolerance",
                              "1e-12")
        self.assertIn("remark:", result.stderr)

    def test_without_a_linker(self):
        result = subprocess.run([os.path.join(BIN, "mmtune-compile"), MODEL, *SIMT, "-o", self.path("m.so")],
                                env=dict(self.environment, PATH=self.folder), text=True, capture_output=True,
                                timeout=RUN_SECONDS)
        self.assert_refused(result, 1, "no cc, gcc, clang or ld on PATH")

    def test_an_assembler_that_does_not_know_the_arch(self):
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        ptxas = os.path.join(tools, "ptxas")
        with open(ptxas, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ \"$1\" = --version ] && echo 'release 9.9' && exit 0\n"
                       "echo \"ptxas fatal   : Value 'sm_90' is not defined for option 'gpu-name'\" >&2\nexit 1\n")
        os.chmod(ptxas, 0o755)
        self.environment["PATH"] = tools + ":" + self.environment["PATH"]
        self.refuse(1, ["sm_90", "is not defined"], MODEL, "--arch", "sm_90", "-o", self.path("m.so"))


def catches(pid, number):
    """True if the process has a handler for the signal."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        caught = next(line for line in status if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (number - 1) & 1 == 1


class InterruptTest(CompileTest):
    def start_compile(self, *args, stdin=subprocess.DEVNULL):
        process = subprocess.Popen([os.path.join(BIN, "tune"), "compile", *args, "--quiet"], env=self.environment,
                                   text=True, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        wait_until(lambda: self.compilers() or process.poll() is not None, 30, "the compiler runs")
        return process

    def compilers(self):
        return [pid for pid, command in processes_of(self.marker).items() if "mmtune-compile" in command.split(" ")[0]]

    def assert_interrupted(self, code, error):
        self.assertEqual(code, 130, error)
        self.assertNotIn("tune:", error)
        self.assertEqual(os.listdir(self.out), [])
        self.assertEqual(os.listdir(os.path.join(self.folder, "run")), [])
        self.assert_no_processes()

    def test_ctrl_c_while_it_links_leaves_nothing(self):
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        linker = os.path.join(tools, "cc")
        with open(linker, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n: > \"$3\"\nexec sleep 60\n")
        os.chmod(linker, 0o755)
        self.environment["PATH"] = tools + ":" + self.environment["PATH"]
        process = self.start_compile(MODEL, *SIMT, "-o", self.path("m.so"))
        wait_until(lambda: any(command.startswith("sleep") for command in processes_of(self.marker).values()), 60,
                   "the linker runs")
        self.assertNotEqual(os.listdir(self.out), [])
        self.assertFalse(os.path.exists(self.path("m.so")))
        process.send_signal(signal.SIGINT)
        code, _, error = self.finish(process, seconds=20)
        self.assert_interrupted(code, error)

    def test_ctrl_c_at_any_time_leaves_nothing(self):
        shapes = [(16 + i, 24, 8) for i in range(24)]
        model = self.write("large.mlir", products_module(shapes))
        for pause in [0.0, 0.3, 1.0]:
            process = self.start_compile(model, *SIMT, "-o", self.path("m.so"))
            try:
                process.wait(pause)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            code, _, error = self.finish(process)
            if code == 0:
                self.assertEqual(sorted(os.listdir(self.out)), ["m.h", "m.so"])
                shutil.rmtree(self.out)
                os.mkdir(self.out)
                continue
            self.assert_interrupted(code, error)

    def test_a_compiler_that_crashes_is_reported_in_one_line(self):
        for number, line in [(signal.SIGABRT, r"^tune: error: crashed: the process aborted \(SIGABRT\)$"),
                             (signal.SIGKILL, r"^tune: mmtune-compile was ended by signal 9 \(Killed\)")]:
            process = self.start_compile("-", *SIMT, "-o", self.path("m.so"), stdin=subprocess.PIPE)
            compiler = self.compilers()[0]
            wait_until(lambda: catches(compiler, signal.SIGABRT), 60, "the compiler's handler of crashes")
            os.kill(compiler, number)
            code, _, error = self.finish(process)
            self.assertEqual(code, 1)
            self.assertRegex(error.splitlines()[-1], line)
            self.assertEqual(os.listdir(self.out), [])


if __name__ == "__main__":
    unittest.main()
