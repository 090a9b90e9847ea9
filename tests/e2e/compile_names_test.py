# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmtune-compile: a model exports the C interfaces of its public functions and nothing else, whatever they are called."""

import os
import subprocess
import unittest

from harness import BIN, OutputFolderTest

PREFIX = os.path.dirname(os.path.abspath(BIN))
SIMT = ["--device", "simt", "--quiet"]

# Programs that link the runtime library would have to be built with its sanitizer.
SANITIZED = bool(os.environ.get("MMTUNE_SANITIZE"))

# Tensors, so that memory is allocated and freed, and exponentials, in a kernel.
PRODUCT = """func.func @{name}(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = math.exp %r : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}}
"""

# Exponentials in host code, which calls the function of C.
SCALAR = """func.func @{name}(%x: f32) -> f32 {{
  %y = math.exp %x : f32
  return %y : f32
}}
"""

# A private function, globals of both visibilities, and a kernel.
SEVERAL = """memref.global @counts : memref<4xf32> = dense<1.0>
memref.global "private" constant @weights : memref<4xf32> = dense<2.0>
func.func private @helper(%x: memref<4xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}
func.func @forward(%x: memref<4xf32>, %y: memref<4xf32>) {
  %w = memref.get_global @weights : memref<4xf32>
  %n = memref.get_global @counts : memref<4xf32>
  linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%n : memref<4xf32>)
  linalg.add ins(%x, %n : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  call @helper(%n) : (memref<4xf32>) -> ()
  return
}
"""

# What C, its library, the runtime library and LLVM call something else by.
RESERVED = ["main", "expf", "free", "malloc", "memrefCopy", "memcpy", "_start", "mgpuLaunchKernel", "llvm.memcpy", "int"]


def addition(operation):
    return f"""func.func @forward(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = arith.{operation} %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}}
"""


class NamesTest(OutputFolderTest):
    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def compile(self, *args):
        result = self.run_program("mmtune-compile", *args)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def exported(self, path):
        listed = subprocess.run(["nm", "-g", "--defined-only", path], text=True, capture_output=True, check=True).stdout
        return {line.split()[-1] for line in listed.splitlines()}

    def run_c(self, source, *objects):
        """What a program prints that is linked with these objects."""
        program = self.path("program")
        lib = os.path.join(PREFIX, "lib")
        subprocess.run(["cc", "-o", program, self.write("program.c", source), *objects, f"-I{self.out}", f"-L{lib}",
                        "-lmmtune_runtime", "-lm"], check=True)
        return subprocess.run([program], env=dict(self.environment, LD_LIBRARY_PATH=lib), text=True, capture_output=True,
                              check=True).stdout

    def test_only_c_interfaces_are_exported(self):
        model = self.write("several.mlir", SEVERAL)
        for target in [SIMT, ["--arch", "sm_80", "--quiet"]]:
            for suffix in ["o", "so"]:
                for prefix, name in [([], "_mlir_ciface_forward"), (["--prefix", "one_"], "_mlir_ciface_one_forward")]:
                    output = self.path(f"m.{suffix}")
                    self.compile(model, *target, *prefix, "--force", "-o", output)
                    linker_adds = {"_init", "_fini", "__bss_start", "_edata", "_end"}
                    self.assertEqual(self.exported(output) - linker_adds, {name})
                    with open(self.path("m.h"), encoding="utf-8") as header:
                        self.assertIn(f"void {name}(", header.read())
        result = self.compile(model, *SIMT[:2], "--run", "forward", "--arg", "ones", "--check")
        self.assertIn("check     argument 1: max abs error 0", result.stdout)

    def test_functions_have_any_name(self):
        for name in RESERVED:
            for text in [PRODUCT, SCALAR]:
                with self.subTest(name=name):
                    model = self.write("model.mlir", text.format(name=name))
                    result = self.compile(model, *SIMT[:2], "--run", name, "--arg", "random:1", "--check")
                    self.assertIn("check     result 0: max abs error", result.stdout)

    def test_globals_and_kernels_have_any_name(self):
        for name in ["malloc", "free", "memrefCopy", "expf", "mgpuMemAlloc"]:
            with self.subTest(name=name):
                text = SEVERAL.replace("@counts", "@" + name).replace("%v = arith.constant 1.0 : f32", """%one = arith.constant 1.0 : f32
  %v = math.exp %one : f32""")
                model = self.write("model.mlir", text)
                result = self.compile(model, *SIMT[:2], "--run", "forward", "--arg", "ones", "--check")
                self.assertIn("check     argument 1: max abs error 0", result.stdout)

    @unittest.skipIf(SANITIZED, "the program is built without the sanitizer")
    def test_models_of_reserved_names_go_into_one_program(self):
        names = ["main", "expf", "free", "malloc", "memrefCopy"]
        objects, calls = [], ""
        for name in names:
            objects.append(self.path(f"{name}.o"))
            self.compile(self.write(f"{name}.mlir", PRODUCT.format(name=name)), *SIMT, "-o", objects[-1])
            calls += f"""
  _mlir_ciface_{name}(&result, &a, &b);
  printf("%g ", result.aligned[0]);
  free(result.allocated);"""
        printed = self.run_c("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n" +
                             "".join(f'#include "{name}.h"\n' for name in names) + f"""
int main(void) {{
  float x[128], y[128];
  for (int i = 0; i < 128; ++i) x[i] = y[i] = 0.25f;
  mmtune_memref_2d_f32 a = mmtune_memref_2d_f32_dense(x, 8, 16), b = mmtune_memref_2d_f32_dense(y, 16, 8), result;{calls}
  volatile float one = 1;
  printf("%g\\n", expf(one));
  return 0;
}}
""", *objects)
        self.assertEqual(printed, "2.71828 " * 5 + "2.71828\n")

    @unittest.skipIf(SANITIZED, "the program is built without the sanitizer")
    def test_two_models_with_functions_of_one_name_go_into_one_program(self):
        for prefix, operation in [("sum_", "addf"), ("square_", "mulf")]:
            self.compile(self.write("forward.mlir", addition(operation)), *SIMT, "--prefix", prefix, "-o",
                         self.path(f"{prefix}model.o"))
        printed = self.run_c("""
#include <stdio.h>
#include <stdlib.h>
#include "sum_model.h"
#include "square_model.h"
int main(void) {
  float x[4] = {1, 2, 3, 4};
  mmtune_memref_1d_f32 a = mmtune_memref_1d_f32_dense(x, 4), sum, square;
  _mlir_ciface_sum_forward(&sum, &a);
  _mlir_ciface_square_forward(&square, &a);
  for (int i = 0; i < 4; ++i) printf("%g %g ", sum.aligned[i], square.aligned[i]);
  free(sum.allocated);
  free(square.allocated);
  return 0;
}
""", self.path("sum_model.o"), self.path("square_model.o"))
        self.assertEqual(printed, "2 1 4 4 6 9 8 16 ")

    def test_a_prefix_that_is_none(self):
        model = self.write("forward.mlir", addition("addf"))
        for prefix in ["a-b", "a.b", "a b", "ä"]:
            result = self.run_program("mmtune-compile", model, *SIMT, "--prefix", prefix, "-o", self.path("m.o"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("is not part of a C identifier", result.stderr)
        result = self.run_program("mmtune-compile", model, *SIMT, "--prefix", "a_", "--run", "forward")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--prefix is for outputs", result.stderr)


if __name__ == "__main__":
    unittest.main()
