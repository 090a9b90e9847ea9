# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that host and device share, and functions of other libraries: modules in the style of MLIR's own GPU tests."""

import os
import unittest

from compile_test import SIMT, CompileTest

SHARED = """
func.func @main() -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1000 : i32
  %m = gpu.alloc host_shared () : memref<1xi32>
  memref.store %v, %m[%c0] : memref<1xi32>
  %before = memref.load %m[%c0] : memref<1xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %m[%c0] : memref<1xi32>
    %twice = arith.addi %x, %x : i32
    memref.store %twice, %m[%c0] : memref<1xi32>
    gpu.terminator
  }
  %after = memref.load %m[%c0] : memref<1xi32>
  gpu.dealloc %m : memref<1xi32>
  return %before, %after : i32, i32
}
"""

# Each thread adds one; the host then moves an element of the result.
REGISTERED = """
func.func @f(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<4xf32>
    %x = arith.addf %v, %one : f32
    memref.store %x, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  %h = memref.load %a[%c0] : memref<4xf32>
  memref.store %h, %a[%c1] : memref<4xf32>
  gpu.host_unregister %u : memref<*xf32>
  return
}
"""

# Before its registration and after its end, a buffer is copied; between them it is used where it lies.
TOUCH = """  gpu.launch blocks(%bx{0}, %by{0}, %bz{0}) in (%gx{0} = %c1, %gy{0} = %c1, %gz{0} = %c1)
             threads(%tx{0}, %ty{0}, %tz{0}) in (%sx{0} = %c4, %sy{0} = %c1, %sz{0} = %c1) {{
    %v{0} = memref.load {1}[%tx{0}] : memref<4xf32>
    %x{0} = arith.addf %v{0}, %one : f32
    memref.store %x{0}, {1}[%tx{0}] : memref<4xf32>
    gpu.terminator
  }}
"""
CONSTANTS = """  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
"""
REGISTERED_BETWEEN = f"""
func.func @f(%a: memref<4xf32>) {{
{CONSTANTS}{TOUCH.format(0, "%a")}
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
{TOUCH.format(1, "%a")}
  gpu.host_unregister %u : memref<*xf32>
{TOUCH.format(2, "%a")}
  return
}}
"""

# What gpu.alloc gave goes through functions that are not inlined.
DEVICE_MEMORY_PASSED = f"""
func.func private @g(%d: memref<4xf32>) attributes {{no_inline}} {{
{CONSTANTS}{TOUCH.format(0, "%d")}
  return
}}
func.func private @make() -> memref<4xf32> attributes {{no_inline}} {{
  %d = gpu.alloc () : memref<4xf32>
  return %d : memref<4xf32>
}}
func.func @f(%a: memref<4xf32>) {{
{CONSTANTS}
  %d = call @make() : () -> memref<4xf32>
  gpu.memcpy %d, %a : memref<4xf32>, memref<4xf32>
  call @g(%d) : (memref<4xf32>) -> ()
{TOUCH.format(1, "%d")}
  gpu.memcpy %a, %d : memref<4xf32>, memref<4xf32>
  gpu.dealloc %d : memref<4xf32>
  return
}}
"""

PRINTED = """
func.func @main() {
  %data = memref.alloc() : memref<2x6xf32>
  %sums = memref.alloc() : memref<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %cast_data = memref.cast %data : memref<2x6xf32> to memref<*xf32>
  gpu.host_register %cast_data : memref<*xf32>
  %cast_sums = memref.cast %sums : memref<2xf32> to memref<*xf32>
  gpu.host_register %cast_sums : memref<*xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %s = arith.addi %i, %j : index
      %n = arith.index_cast %s : index to i32
      %x = arith.sitofp %n : i32 to f32
      memref.store %x, %data[%i, %j] : memref<2x6xf32>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c6, %sy = %c1, %sz = %c1) {
    %v = memref.load %data[%bx, %tx] : memref<2x6xf32>
    %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
    memref.store %sum, %sums[%bx] : memref<2xf32>
    gpu.terminator
  }
  call @printMemrefF32(%cast_sums) : (memref<*xf32>) -> ()
  %first = memref.load %sums[%c0] : memref<2xf32>
  vector.print %first : f32
  call @printComma() : () -> ()
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func private @printComma()
"""


class HostMemoryTest(CompileTest):
    def run_function(self, text, function, *options):
        return self.run_program("mmtune-compile", self.write("module.mlir", text), *SIMT, "--run", function, *options)

    def test_memory_for_both_is_read_and_written_by_both(self):
        for options in [[], ["--streams", "one"], ["--repeat", "3"]]:
            ran = self.run_function(SHARED, "main", *options)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            self.assertRegex(ran.stdout, r"(?s)result 0  i32 .*\[1000\].*result 1  i32 .*\[2000\]")
        verified = self.run_function(SHARED, "main", "--verify")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        made = self.run_program("mmtune-compile", self.write("module.mlir", SHARED), "--arch", "sm_80", "-o",
                                self.path("m.so"))
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)

    def test_registered_memory_is_used_where_it_lies(self):
        for options in [[], ["--streams", "one"], ["--repeat", "3"]]:
            ran = self.run_function(REGISTERED, "f", "--arg", "iota", *options)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            self.assertRegex(ran.stdout, r"argument 0 now .*\[1, 1, 3, 4\]")
            self.assertIn("counters  0 allocations,", ran.stdout)
        verified = self.run_function(REGISTERED, "f", "--verify", "--arg", "iota")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        for target in [SIMT, ["--arch", "sm_80"]]:
            made = self.run_program("mmtune-compile", self.write("module.mlir", REGISTERED), *target, "--force",
                                    "-o", self.path("m.so"))
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)

    def test_memory_is_registered_no_longer_than_the_program_says(self):
        for options in [[], ["--streams", "one"], ["--repeat", "3"], ["--verify"]]:
            ran = self.run_function(REGISTERED_BETWEEN, "f", "--arg", "iota", *options)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            if "--verify" in options:
                continue
            self.assertRegex(ran.stdout, r"argument 0 now .*\[3, 4, 5, 6\]")
            self.assertIn(f"counters  {6 if '--repeat' in options else 2} allocations,", ran.stdout)

    def test_device_memory_goes_through_functions(self):
        for options in [[], ["--streams", "one"], ["--verify"]]:
            ran = self.run_function(DEVICE_MEMORY_PASSED, "f", "--arg", "iota", *options)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            if "--verify" in options:
                continue
            self.assertRegex(ran.stdout, r"argument 0 now .*\[2, 3, 4, 5\]")
            self.assertIn("counters  1 allocations,", ran.stdout)

    def test_functions_of_other_libraries(self):
        ran = self.run_function(PRINTED, "main", "--quiet")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertRegex(ran.stderr, r"Symbols not found: .*_mlir_ciface_printMemrefF32.*: name the library .* by --shared-libs")
        ran = self.run_function(PRINTED, "main", "--shared-libs", "no-such-library.so")
        self.assert_refused(ran, 2, "--shared-libs: no-such-library.so: cannot open shared object file")

    def test_mlirs_runner_utilities(self):
        folder = os.environ.get("MMTUNE_LLVM_LIBRARIES", "")
        libraries = [os.path.join(folder, f"libmlir_{name}_utils.so") for name in ["runner", "c_runner"]]
        if not all(map(os.path.exists, libraries)):
            self.skipTest(f"MLIR's runner utilities are not in '{folder}'")
        for options in [["--shared-libs", ",".join(libraries)],
                        ["--shared-libs", libraries[0], "--shared-libs", libraries[1]]]:
            ran = self.run_function(PRINTED, "main", "--quiet", *options)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
            self.assertRegex(ran.stdout, r"rank = 1 offset = 0 sizes = \[2\] strides = \[1\] data = \n\[15,  21\]\n15\n, ")


if __name__ == "__main__":
    unittest.main()
