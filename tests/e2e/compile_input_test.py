# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmtune-compile: what is wrong with its input is said before time is spent, with a place and what to do; what only
looks wrong works."""

import os
import subprocess
import unittest

from harness import OutputFolderTest

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "..", "..", "docs", "examples", "two_layer.mlir")
SPEC = os.path.join(HERE, "..", "kernels", "compiler", "passes", "schedule-matmul", "Inputs", "sm_90.json")
SIMT = ["--device", "simt", "--quiet"]

LAUNCH = """func.func @f(%a: memref<{elements}xf32{space}>, %n: index) {{
  %c1 = arith.constant 1 : index
  %threads = arith.constant {threads} : index
  %two = arith.constant 2.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {{
    memref.store %two, %a[%tx] : memref<{elements}xf32{space}>
    gpu.terminator
  }}
  return
}}
"""

WARNING_PTXAS = """#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo cubin > "$2"; shift; done
echo "ptxas info    : (C7510) it is slow"
echo "ptxas warning : be careful"
"""

PRODUCT = """func.func @f(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}
"""

PRODUCT_IN_LAUNCH = """func.func @f(%a: memref<16x4xf32>, %b: memref<4x8xf32>, %c: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    linalg.matmul ins(%a, %b : memref<16x4xf32>, memref<4x8xf32>) outs(%c : memref<16x8xf32>)
    gpu.terminator
  }
  return
}
"""


IN_LAUNCH = """func.func @f({arguments}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = {threads}, %sy = %c1, %sz = %c1) {{
    %x = arith.constant 2.0 : f32
    {body}
    gpu.terminator
  }}
  return
}}
"""

CALLS_ELSEWHERE = """memref.global "private" @gamma_table : memref<4xf32>
func.func private @alpha(f32) -> f32
func.func private @beta(memref<4xf32>)
func.func @f(%x: f32, %a: memref<4xf32>) -> f32 {
  %y = call @alpha(%x) : (f32) -> f32
  %z = call @alpha(%y) : (f32) -> f32
  call @beta(%a) : (memref<4xf32>) -> ()
  %t = memref.get_global @gamma_table : memref<4xf32>
  memref.copy %t, %a : memref<4xf32> to memref<4xf32>
  return %z : f32
}
"""

ELSEWHERE = """float gamma_table[4] = {5, 6, 7, 8};
float alpha(float x) { return x + 1; }
void _mlir_ciface_beta(void *a) { (void)a; }
"""


def launch(elements=4, threads=4, space=""):
    return LAUNCH.format(elements=elements, threads=threads, space=space)


class CompileInputTest(OutputFolderTest):
    def setUp(self):
        super().setUp()
        self.to_library = ["-o", os.path.join(self.out, "m.so")]

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def compile(self, *args):
        result = self.run_program("mmtune-compile", *args)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def refuse(self, code, words, *args, without=()):
        result = self.run_program("mmtune-compile", *args)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        for word in ("<unknown>", *without):
            self.assertNotIn(word, result.stderr)
        self.assertEqual(os.listdir(self.out), [])

    def test_an_empty_module_is_no_library(self):
        for text in ["", "// nothing but a comment\n", "module {\n}\n"]:
            path = self.write("empty.mlir", text)
            self.refuse(2, ["empty.mlir: the module is empty"], path, *SIMT, *self.to_library)
        private = self.write("private.mlir", "func.func private @f(%x: f32) {\n  return\n}\n")
        self.refuse(2, ["private.mlir: the module has no public function"], private, *SIMT, *self.to_library)
        declared = self.write("declared.mlir", "func.func private @f(f32)\nfunc.func private @g()\n")
        self.refuse(2, ["the module has no public function"], declared, *SIMT, *self.to_library)

    def test_outputs_are_looked_at_before_the_module_is_compiled(self):
        # Its errors would come first, were it compiled first.
        garbage = self.write("garbage.mlir", "this is no MLIR\n")
        nowhere = os.path.join(self.out, "no", "such", "m.so")
        self.refuse(2, ["cannot write", "No such file"], garbage, *SIMT, "-o", nowhere, without=["garbage.mlir:"])
        self.refuse(2, ["cannot write", "No such file"], garbage, *SIMT, *self.to_library, "--header", nowhere,
                    without=["garbage.mlir:"])
        self.refuse(2, ["it is a folder"], garbage, *SIMT, "--emit", "obj", "--no-header", "-o", self.out,
                    without=["garbage.mlir:"])
        self.refuse(2, ["would both be written to"], garbage, *SIMT, *self.to_library, "--header", self.to_library[1],
                    without=["garbage.mlir:"])
        self.environment["PATH"] = self.folder
        self.refuse(1, ["no cc, gcc, clang or ld on PATH"], garbage, *SIMT, *self.to_library, without=["garbage.mlir:"])

    def test_arguments_are_looked_at_before_the_module_is_compiled(self):
        model = self.write("block.mlir", launch(threads=4096))
        self.refuse(1, ["block.mlir:5:3: error: a block of (4096,1,1) threads"], model, *SIMT, "--run", "f", "--arg", "ones")
        for args, words in [(["--arg", "seven"], ["--arg seven", "random:SEED"]),
                            (["--arg", "ones", "--arg", "ones", "--arg", "ones"], ["takes 2 arguments"]),
                            (["--arg", "file:/dev/null"], ["has 0 bytes"])]:
            self.refuse(2, words, model, *SIMT, "--run", "f", *args, without=["4096"])
        self.refuse(2, ["no public function g; it has f"], model, *SIMT, "--run", "g", "--arg", "ones", without=["4096"])
        self.refuse(2, ["arguments of @f", "--arg seven"], model, *SIMT, "--verify", "--arg", "seven", without=["4096"])

    def test_an_assembler_that_is_not_there(self):
        model = self.write("launch.mlir", launch())
        for named in ["/proc/nonexistent/ptxas", self.folder, model]:
            self.environment["MMTUNE_PTXAS"] = named
            self.refuse(2, [f"MMTUNE_PTXAS={named} is not an executable program"], model, "--arch", "sm_80", *self.to_library)
        ptx = os.path.join(self.out, "m.ptx")
        self.compile(model, "--arch", "sm_80", "-o", ptx)  # It needs none.
        os.unlink(ptx)
        self.compile(model, *SIMT, "-o", os.path.join(self.folder, "m.o"))
        self.environment["MMTUNE_PTXAS"] = "none"
        self.assertIn("PTX is embedded", self.compile(model, "--arch", "sm_80", *self.to_library).stdout)

    def test_an_assembler_that_makes_nothing(self):
        model = self.write("launch.mlir", launch())
        self.environment["MMTUNE_PTXAS"] = "/bin/true"
        self.refuse(1, ["launch.mlir:5:3: error: ", "/bin/true ended without an error and wrote no cubin", "MMTUNE_PTXAS"],
                    model, "--arch", "sm_80", *self.to_library, without=["kernel.cubin"])

    def test_an_assembler_that_warns(self):
        assembler = self.environment["MMTUNE_PTXAS"] = self.write("ptxas", WARNING_PTXAS)
        os.chmod(assembler, 0o755)
        said = self.compile(self.write("launch.mlir", launch()), "--arch", "sm_80", "--emit", "obj", "--no-header",
                            "-o", os.path.join(self.folder, "m.o")).stderr
        self.assertRegex(said, r"launch\.mlir:5:3: remark: ptxas warns of the kernels @\S+: C7510: it is slow; be careful\n")

    def test_functions_and_globals_that_nothing_defines(self):
        model = self.write("calls.mlir", CALLS_ELSEWHERE)
        self.environment["LANG"] = self.environment["LC_ALL"] = "de_DE.UTF-8"
        self.refuse(1, ["nothing defines alpha, _mlir_ciface_beta, gamma_table, which the module declares", "--shared-libs",
                        "= uninitialized"], model, *SIMT,
                    *self.to_library, without=["\nmmtune-compile", "in function"])
        library = os.path.join(self.folder, "libelsewhere.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, self.write("elsewhere.c", ELSEWHERE)], check=True)
        self.compile(model, *SIMT, *self.to_library, "--shared-libs", library)
        ran = self.compile(model, *SIMT, "--run", "f", "--arg", "value:1", "--arg", "zeros", "--shared-libs", library)
        self.assertRegex(ran.stdout, r"argument 1 now .*\[5, 6, 7, 8\]")
        needed = subprocess.run(["readelf", "-d", self.to_library[1]], text=True, capture_output=True, check=True).stdout
        self.assertRegex(needed, r"NEEDED.*libelsewhere\.so")
        self.assertRegex(needed, rf"(RUNPATH|RPATH).*{self.folder}")
        for path in os.listdir(self.out):
            os.unlink(os.path.join(self.out, path))
        self.refuse(2, ["--shared-libs: nowhere.so is not a file"], model, *SIMT, *self.to_library, "--shared-libs", "nowhere.so")
        self.refuse(2, ["--shared-libs is for --run and for shared libraries"], model, *SIMT, "-o",
                    os.path.join(self.out, "m.o"), "--shared-libs", library)

    def test_a_schedule_of_the_spec_that_is_not_valid(self):
        model = self.write("product.mlir", PRODUCT)
        target = [model, "--arch", "sm_90", "--spec", SPEC, "--emit", "mlir-gpu", "--quiet", "-o",
                  os.path.join(self.out, "m.mlir")]
        self.refuse(1, ["product.mlir:4:3: error: the tuning spec's schedule for 512x512x512 is not valid for sm_90",
                        "broken rule: ", "give --allow-fallback, with which the nearest or a default schedule stands in"],
                    *target)
        self.assertIn("remark: no tuned schedule for 512x512x512 that is valid (fma: broken rule: ",
                      self.compile(*target, "--allow-fallback").stderr)

    def test_launches_that_no_device_runs(self):
        model = self.write("block.mlir", launch(threads=4096))
        for target in [SIMT, ["--arch", "sm_80"]]:
            self.refuse(1, ["block.mlir:5:3: error: a block of (4096,1,1) threads: each extent must be 1 to (1024,1024,64)"],
                        model, *target, *self.to_library)

    def test_a_grid_without_blocks_launches_nothing(self):
        model = self.write("launch.mlir", launch())
        for blocks in range(2):
            result = self.compile(model, *SIMT, "--run", "f", "--arg", "value:7", "--arg", f"value:{blocks}")
            self.assertIn(f", {blocks} launches", result.stdout)
            self.assertEqual("argument 0 now  memref<4xf32>" in result.stdout, blocks == 1, result.stdout)

    def test_a_block_without_threads(self):
        store = "memref.store %x, %a[%tx] : memref<4xf32>"
        model = self.write("launch.mlir", IN_LAUNCH.format(arguments="%a: memref<4xf32>", threads="%c0", body=store))
        for target in [SIMT, ["--arch", "sm_80"]]:
            self.refuse(1, ["launch.mlir:4:3: error: a block of (0,1,1) threads"], model, *target, *self.to_library)
        model = self.write("launch.mlir", IN_LAUNCH.format(arguments="%a: memref<4xf32>, %n: index", threads="%n",
                                                           body=store))
        self.refuse(1, ["mmtune-compile: error: Launch of f_kernel: a block of (0,1,1) threads: each extent must be 1 to"], model,
                    *SIMT, "--run", "f", "--arg", "ones", "--arg", "value:0")

    def test_what_a_kernel_cannot_have(self):
        """Of each a line of a kernel, and what is said of it at its place."""
        tensor = "%e = tensor.empty() : tensor<4xf32> %t = linalg.map { math.exp } ins(%u : tensor<4xf32>)"
        tensor += " outs(%e : tensor<4xf32>) %y = tensor.extract %t[%tx] : tensor<4xf32>"
        tensor += " memref.store %y, %a[%tx] : memref<4xf32>"
        nested = "gpu.launch blocks(%p, %q, %r) in (%gp = %c1, %gq = %c1, %gr = %c1) threads(%i, %j, %k) in"
        nested += " (%si = %c1, %sj = %c1, %sk = %c1)"
        nested += " { memref.store %x, %a[%i] : memref<4xf32> gpu.terminator }"
        cases = [("%a: memref<4xf32>, %u: tensor<4xf32>", tensor,
                  "memory of type 'memref<4xf32>' would come from a heap"),
                 ("%a: memref<4xf32>", nested, "a launch in a kernel"),
                 ("%a: memref<4xf32>", "%m = gpu.alloc () : memref<4xf32> memref.store %x, %m[%tx] : memref<4xf32>",
                  "'gpu.alloc' is a host operation"),
                 ("%a: memref<4xf32>", "%m = memref.alloca() : memref<4xf32, 7>", "unknown memory space; known are"),
                 ("%a: memref<4xf128>, %y: f128", "memref.store %y, %a[%tx] : memref<4xf128>",
                  "is not supported in device code"),
                 ("%a: memref<4xi7>, %y: i7", "memref.store %y, %a[%tx] : memref<4xi7>",
                  "a value of type 'i7' cannot be passed to a kernel")]
        for arguments, body, words in cases:
            model = self.write("kernel.mlir", IN_LAUNCH.format(arguments=arguments, threads="%c1", body=body))
            for target in [SIMT, ["--arch", "sm_80"]]:
                with self.subTest(words, target=target):
                    self.refuse(1, ["kernel.mlir:", ": error: ", words], model, *target, *self.to_library,
                                without=["malloc", "illegal", "LLVM ERROR"])

    def test_a_strided_copy_in_a_kernel(self):
        body = """%s = memref.subview %b[0, 0] [4, 1] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[4]>>
    memref.copy %s, %a : memref<4xf32, strided<[4]>> to memref<4xf32>"""
        model = self.write("copy.mlir", IN_LAUNCH.format(arguments="%a: memref<4xf32>, %b: memref<4x4xf32>", threads="%c1",
                                                         body=body))
        result = self.compile(model, *SIMT, "--run", "f", "--arg", "zeros", "--arg", "iota")
        self.assertRegex(result.stdout, r"argument 0 now .*\[0, 4, 8, 12\]")

    def test_what_host_code_cannot_have(self):
        cases = [("%m: memref<4xf64>, %v: f64", "gpu.memset %m, %v : memref<4xf64>, f64", "gpu.memset writes values of 16 or 32"),
                 ("%m: memref<4xf32>", "gpu.barrier", "'gpu.barrier' is a kernel operation"),
                 ("%m: memref<4xf32>", "nvvm.barrier0", "'nvvm.barrier0' is a kernel operation"),
                 ("%t: tuple<f32, i32>", "", "a value of type 'tuple<f32, i32>' has no machine representation")]
        for arguments, body, words in cases:
            model = self.write("host.mlir", f"func.func @f({arguments}) {{\n  {body}\n  return\n}}\n")
            with self.subTest(words):
                self.refuse(1, ["host.mlir:", ": error: ", words], model, *SIMT, *self.to_library,
                            without=["translat", "Translat", "LLVM ERROR"])

    def test_a_check_leaves_the_memory_of_tensors_out(self):
        text = """func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %u = linalg.fill ins(%zero : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}
func.func @f(%x: f32, %t: tensor<4xf32> {bufferization.writable = true}, %m: memref<4xf32>) -> tensor<4xf32> {
  %unused = call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
        result = self.compile(self.write("in_place.mlir", text), *SIMT, "--run", "f", "--arg", "random:1", "--check")
        self.assertRegex(result.stdout, r"check +result 0: .*\ncheck +argument 2: ")
        self.assertNotRegex(result.stdout, r"check +argument 1: ")

    def test_memory_spaces_of_host_code(self):
        for space in [", 1", ", #gpu.address_space<global>"]:
            model = self.write("space.mlir", launch(space=space))
            for target in [SIMT, ["--arch", "sm_80"]]:
                self.refuse(1, ["space.mlir:1:14: error: argument #0 of @f", "device memory", "--device-arguments"], model,
                            *target, *self.to_library)
                self.compile(model, *target, "--device-arguments", "--force", "-o", os.path.join(self.folder, "m.o"))
        model = self.write("shared.mlir", launch(space=", 3"))
        self.refuse(1, ["shared.mlir:1:14: error: argument #0 of @f"], model, *SIMT, *self.to_library)

    def test_a_product_in_a_launch(self):
        model = self.write("in_launch.mlir", PRODUCT_IN_LAUNCH)
        result = self.compile(model, *SIMT, "--run", "f", "--arg", "ones", "--arg", "ones", "--arg", "zeros")
        self.assertIn("argument 2 now  memref<16x8xf32>  16x8  sum 512", result.stdout)

    def end_in_one_line(self, words, *args):
        """The compiler fails without a signal, and says so in one line."""
        result = self.run_program("mmtune-compile", *args)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in ("error: ", *words):
            self.assertIn(word, result.stderr)
        self.assertEqual(os.listdir(self.out), [])

    def test_what_is_nested_too_deeply(self):
        depth = 30000
        kinds = {
            "operations": "func.func @f(%b: i1) {\n" + "scf.if %b {\n" * depth + "}\n" * depth + "return\n}\n",
            "types": "func.func @f(%x: " + "tuple<" * depth + "i1" + ">" * depth + ") {\n  return\n}\n",
            "attributes": "func.func @f() attributes {x = " + "[" * depth + "]" * depth + "} {\n  return\n}\n",
            "places": "func.func @f() {\n  return\n} loc(" + "callsite(" * depth + "\"a\" at \"b\"" + " at \"b\")" * depth + ")\n",
        }
        for kind, text in kinds.items():
            with self.subTest(kind=kind):
                self.end_in_one_line(["nest"], self.write("deep.mlir", text), *SIMT, *self.to_library)

    def test_constants_that_no_machine_holds(self):
        for value in ["0.0", "1.0"]:
            model = self.write("large.mlir", f"""func.func @f() -> tensor<1099511627776xf32> {{
  %0 = arith.constant dense<{value}> : tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}}
""")
            for target in [SIMT, ["--arch", "sm_80", "--quiet"]]:
                with self.subTest(value=value, target=target):
                    self.refuse(1, ["large.mlir:2:8: error: a constant or global of 4398046511104 bytes"], model, *target,
                                *self.to_library)

    def test_what_llvm_gives_up_on_names_the_kernel(self):
        text = """gpu.module @kernels {
  llvm.func @waits() attributes {gpu.kernel, nvvm.kernel} {
    llvm.call_intrinsic "llvm.nvvm.wgmma.fence.sync.aligned"() : () -> ()
    llvm.return
  }
}
"""
        self.end_in_one_line(["code for the kernels of @kernels: Cannot select", "on function '@waits'"],
                             self.write("fence.mlir", text), "--arch", "sm_80", "-o", os.path.join(self.out, "m.ptx"), "--quiet")


if __name__ == "__main__":
    unittest.main()
