# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host code for named processors: on its own, in libraries, run in place."""

import os
import shutil
import sys
import unittest

from compile_test import SANITIZED, SIMT, CompileTest

KERNEL_OF_MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "worker", "tensor_map_copy.mlir")

# Nothing in it is for a device.
ROUND = """
func.func @round(%to: memref<4xi16>, %s: f32, %d: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.truncf %s : f32 to bf16
  %1 = arith.truncf %d : f64 to bf16
  %2 = arith.truncf %s : f32 to f16
  %3 = arith.truncf %d : f64 to f16
  %4 = arith.bitcast %0 : bf16 to i16
  %5 = arith.bitcast %1 : bf16 to i16
  %6 = arith.bitcast %2 : f16 to i16
  %7 = arith.bitcast %3 : f16 to i16
  memref.store %4, %to[%c0] : memref<4xi16>
  memref.store %5, %to[%c1] : memref<4xi16>
  memref.store %6, %to[%c2] : memref<4xi16>
  memref.store %7, %to[%c3] : memref<4xi16>
  return
}
"""

CALL_ROUND = """
import ctypes, sys

class Memref(ctypes.Structure):
    _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64),
                ("size", ctypes.c_int64), ("stride", ctypes.c_int64)]

model = ctypes.CDLL(sys.argv[1])
data = (ctypes.c_uint16 * 4)()
to = Memref(ctypes.addressof(data), ctypes.addressof(data), 0, 4, 1)
model._mlir_ciface_round(ctypes.byref(to), ctypes.c_float(1.01171875), ctypes.c_double(-1.00390625000001))
model.mmtune_take_error.restype = ctypes.c_char_p
print(*[f"{x:04x}" for x in data], model.mmtune_take_error())
"""

# A launch with tensor maps of matrices whose rows are known at run time only; copy is the kernel of a test of plans.
COPY_ROWS = """
func.func @copy_rows(%a: memref<2x?x36xf32>, %c: memref<2x?x36xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %rows = memref.dim %a, %c1 : memref<2x?x36xf32>
  %boxes = arith.ceildivui %rows, %c8 : index
  %count = arith.index_cast %rows : index to i32
  gpu.launch_func @kernels::@copy clusters in (%c2, %c1, %c1) blocks in (%c2, %boxes, %c2) threads in (%c32, %c1, %c1)
      args(%a : memref<2x?x36xf32>, %c : memref<2x?x36xf32>, %count : i32)
      {mmtune.tensor_maps = [
        {type = 7, extents = array<i64: 36, 512, 2>, strides = array<i64: 144, 73728>, box = array<i64: 32, 8, 1>, rows = 1},
        {type = 7, extents = array<i64: 36, 512, 2>, strides = array<i64: 144, 73728>, box = array<i64: 32, 8, 1>, rows = 1}]}
  return
}
"""

CALL_COPY_ROWS = """
import ctypes, sys

class Memref(ctypes.Structure):
    _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64),
                ("sizes", ctypes.c_int64 * 3), ("strides", ctypes.c_int64 * 3)]

def memref(data, rows):
    address = (ctypes.addressof(data) + 63) // 64 * 64
    return Memref(address, address, 0, (2, rows, 36), (36 * rows, 36, 1)), (ctypes.c_float * (72 * rows)).from_address(address)

model = ctypes.CDLL(sys.argv[1])
model.mmtune_take_error.restype = ctypes.c_char_p
for rows in [1, 20, 37]:
    bytes_a, bytes_c = ctypes.create_string_buffer(288 * rows + 64), ctypes.create_string_buffer(288 * rows + 64)
    (a, elements), (c, copied) = memref(bytes_a, rows), memref(bytes_c, rows)
    elements[:] = range(1, 72 * rows + 1)
    model._mlir_ciface_copy_rows(ctypes.byref(a), ctypes.byref(c))
    print(rows, list(elements) == list(copied), model.mmtune_take_error())
"""


class HostCodeTest(CompileTest):
    def run_in_place(self, model, *options, **environment):
        self.environment.update(environment)
        return self.run_program("mmtune-compile", model, *SIMT, "--run", "f", "--quiet", *options)

    @unittest.skipIf(SANITIZED, "a program without the sanitizer cannot load the runtime library")
    def test_a_library_without_device_operations_has_the_runtimes_routines(self):
        model = self.write("round.mlir", ROUND)
        call = self.write("call.py", CALL_ROUND)
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        os.symlink(shutil.which("ld"), os.path.join(tools, "ld"))
        for cpu in ["x86-64", "native"]:
            for path in [self.environment["PATH"], tools]:
                with self.subTest(cpu=cpu, path=path):
                    library = self.path("round.so")
                    self.environment["PATH"] = path
                    made = self.run_program("mmtune-compile", model, *SIMT, "--host-cpu", cpu, "--force", "-o", library)
                    self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
                    ran = self.run_command([sys.executable, call, library])
                    self.assertEqual((ran.returncode, ran.stdout), (0, "3f82 bf81 3c0c bc04 None\n"), ran)

    @unittest.skipIf(SANITIZED, "a program without the sanitizer cannot load the runtime library")
    def test_a_launch_with_tensor_maps_runs_from_a_library(self):
        with open(KERNEL_OF_MAPS) as file:
            kernel = file.read()
        # The number of rows is the last parameter, as of kernels with sizes at run time.
        kernel = kernel.replace("nvvm.grid_constant})", "nvvm.grid_constant}, %rows: i32)")
        model = self.write("maps.mlir", f"module attributes {{gpu.container_module}} {{\n{COPY_ROWS}\n{kernel}\n}}\n")
        library = self.path("maps.so")
        made = self.run_program("mmtune-compile", model, *SIMT, "--arch", "sm_90", "-o", library)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        ran = self.run_command([sys.executable, self.write("call.py", CALL_COPY_ROWS), library])
        self.assertEqual((ran.returncode, ran.stdout), (0, "1 True None\n20 True None\n37 True None\n"), ran)
        made = self.run_program("mmtune-compile", model, "--arch", "sm_90", "-o", self.path("maps.ptx"))
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        made = self.run_program("mmtune-compile", model, "--arch", "sm_80", "-o", self.path("old.ptx"))
        self.assertEqual(made.returncode, 1, made.stdout + made.stderr)
        self.assertIn("clusters of (2,1,1) blocks: sm_80 does not support clusters", made.stderr)
        self.assertFalse(os.path.exists(self.path("old.ptx")))

    def test_arithmetic_of_narrow_types_runs_and_is_checked_on_every_processor(self):
        for kind in ["bf16", "f16"]:
            model = self.write("add.mlir", f"""
func.func @f(%a: tensor<8x{kind}>) -> tensor<8x{kind}> {{
  %e = tensor.empty() : tensor<8x{kind}>
  %r = linalg.add ins(%a, %a : tensor<8x{kind}>, tensor<8x{kind}>) outs(%e : tensor<8x{kind}>) -> tensor<8x{kind}>
  return %r : tensor<8x{kind}>
}}
""")
            for cpu in ["x86-64", "native"]:
                ran = self.run_in_place(model, "--arg", "value:1.5", "--check", MMTUNE_HOST_CPU=cpu)
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                self.assertIn("[3, 3, 3, 3, 3, 3, 3, 3]", ran.stdout)
                self.assertIn("check     result 0: max abs error 0,", ran.stdout)

    def test_the_processor_makes_a_difference(self):
        model = self.write("round.mlir", ROUND)
        objects = []
        for cpu in ["x86-64", "sapphirerapids", "x86-64"]:
            self.run_program("mmtune-compile", model, *SIMT, "--host-cpu", cpu, "--force", "-o", self.path("m.o"),
                             "--no-header")
            with open(self.path("m.o"), "rb") as file:
                objects.append(file.read())
        self.assertEqual(objects[0], objects[2])
        self.assertNotEqual(objects[0], objects[1])

    def test_a_processor_that_nobody_knows_or_that_is_not_this_one(self):
        model = self.write("f.mlir", "func.func @f() { return }\n")
        for out in [["-o", self.path("f.o")], ["--run", "f"], ["--verify", "--run", "f"]]:
            result = self.run_program("mmtune-compile", model, *SIMT, *out, "--host-cpu", "toaster")
            self.assert_refused(result, 2, "--host-cpu: toaster is not an x86-64 processor", "x86-64-v3")
        self.environment["MMTUNE_HOST_CPU"] = "toaster"
        self.assert_refused(self.run_program("mmtune-compile", model, *SIMT, "-o", self.path("f.o")), 2,
                            "MMTUNE_HOST_CPU=toaster is not an x86-64 processor")
        self.environment["MMTUNE_HOST_CPU"] = ""
        # No processor is both AMD's newest and Intel's.
        refused = [result for cpu in ["znver4", "sapphirerapids"]
                   for result in [self.run_in_place(model, "--host-cpu", cpu)] if result.returncode != 0]
        self.assertGreater(len(refused), 0)
        for result in refused:
            self.assert_refused(result, 2, "does not run here: this machine's processor has no ")
        for cpu in ["znver4", "sapphirerapids"]:
            made = self.run_program("mmtune-compile", model, *SIMT, "--host-cpu", cpu, "--force", "-o", self.path("f.o"))
            self.assertEqual(made.returncode, 0, made.stderr)


if __name__ == "__main__":
    unittest.main()
