# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mmtune-compile and tune compile: bytecode in and out, passes of the user's, and what a compilation leaves to look at."""

import os
import re
import subprocess
import unittest

from harness import BIN, OutputFolderTest

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples", "two_layer.mlir")
SIMT = ["--device", "simt", "--quiet"]

TOSA = """func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tosa.add %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
"""
TO_LINALG = "func.func(tosa-to-linalg)"

# A pass fails at the line of the launch.
TOO_BIG = """func.func @f(%a: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 4096 : index
  %two = arith.constant 2.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    memref.store %two, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
"""

# A weight that asks for a page of its own.
PAGE_ALIGNED = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense_resource<w> : tensor<4xf32>
  %y = linalg.add ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x001000000000803F000000400000404000008040"
    }
  }
#-}
"""

RUN = ["--run", "forward", "--arg", "random:1"]


class CompilePassesTest(OutputFolderTest):
    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def good(self, program, *args):
        result = self.run_program(program, *args)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def refuse(self, code, words, *args, left=()):
        """One line, or a diagnostic with its line of the source; and no output."""
        result = self.run_program("mmtune-compile", *args)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("<unknown>", result.stderr)
        self.assertEqual(sum("error" in line for line in result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(sorted(os.listdir(self.out)), sorted(left))
        return result.stderr

    def result_of(self, *args):
        return re.findall(r"^result .*$", self.good("mmtune-compile", *args, *SIMT, *RUN).stdout, re.MULTILINE)

    def test_bytecode_is_read_by_what_it_is(self):
        bytecode = self.path("model.mlirbc")
        self.good("mmtune-opt", MODEL, "--emit-bytecode", "-o", bytecode)
        self.assertEqual(self.result_of(bytecode), self.result_of(MODEL))
        named_as_text = self.write("model.mlir", self.read(bytecode))
        self.assertEqual(self.result_of(named_as_text), self.result_of(MODEL))
        with open(bytecode, "rb") as file:
            piped = subprocess.run([os.path.join(BIN, "mmtune-compile"), "-", *SIMT, *RUN], stdin=file,
                                   env=self.environment, capture_output=True, check=True)
        self.assertIn(b"result 0", piped.stdout)

    def test_bytecode_is_written_by_suffix_or_option(self):
        for name, options in [("a.mlirbc", []), ("b.mlirbc", ["--emit", "mlir-gpu"]), ("c.mlirbc", ["--emit", "mlir-binary"]),
                              ("d.mlir", ["--emit-bytecode"]), ("e.bin", ["--emit", "mlir-gpu", "--emit-bytecode"])]:
            path = self.path(name)
            self.good("mmtune-compile", MODEL, *SIMT, *options, "-o", path)
            self.assertEqual(self.read(path)[:4], b"ML\xefR", name)
            text = self.path("text.mlir")
            self.good("mmtune-compile", MODEL, *SIMT, "--force", "-o", text,
                      *[option for option in options or ["--emit", "mlir-llvm"] if option != "--emit-bytecode"])
            again = self.good("mmtune-opt", path).stdout
            self.assertEqual(again, self.good("mmtune-opt", text).stdout, name)
        object_file = self.path("m.mlirbc.o")
        self.good("mmtune-compile", MODEL, *SIMT, "-o", object_file)
        self.assertEqual(self.read(object_file)[:4], b"\x7fELF")

    def test_bytecode_that_cannot_be(self):
        whole = self.path("whole.mlirbc")
        self.good("mmtune-opt", MODEL, "--emit-bytecode", "-o", whole)
        content = self.read(whole)
        os.unlink(whole)
        for size in [4, 10, len(content) // 3, len(content) // 2, len(content) - 1]:
            cut = self.write("cut.mlirbc", content[:size])
            self.refuse(2, ["cut.mlirbc"], cut, *SIMT, "-o", self.path("m.o"))
        newer = self.write("newer.mlirbc", content[:4] + b"\xff" + content[5:])
        self.refuse(2, ["newer.mlirbc", "version"], newer, *SIMT, "-o", self.path("m.o"))
        self.refuse(2, ["--emit-bytecode is for MLIR"], MODEL, *SIMT, "--emit-bytecode", "-o", self.path("m.o"))
        result = self.run_program("mmtune-compile", MODEL, *SIMT, "--emit-bytecode", "--run", "forward")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--run writes no files: give no -o, --emit, --emit-bytecode or --header", result.stderr)

    def test_mmtune_opt_lists_its_dialects_and_passes(self):
        self.assertIn("linalg", self.good("mmtune-opt", "--show-dialects").stdout)
        self.assertIn("schedule-matmul", self.good("mmtune-opt", "--list-passes").stdout)

    def test_passes_of_the_user_come_first(self):
        tosa = self.write("tosa.mlir", TOSA)
        run = ["--run", "f", "--arg", "iota", "--check", "--print", "full"]
        for pipeline in [TO_LINALG, f"builtin.module({TO_LINALG})", f" {TO_LINALG} , canonicalize"]:
            result = self.good("mmtune-compile", tosa, *SIMT, "--pass-pipeline", pipeline, *run)
            self.assertIn("result 0", result.stdout)
        result = self.good("tune", "compile", tosa, *SIMT, "--pass-pipeline", TO_LINALG, *run)
        self.assertIn("check     result 0", result.stdout)
        result = self.good("mmtune-compile", tosa, *SIMT, "--pass-pipeline", TO_LINALG, "--verify")
        self.assertIn("verified", result.stdout)
        self.good("mmtune-compile", tosa, *SIMT, "--pass-pipeline", TO_LINALG, "-o", self.path("m.so"))

    def test_resources_of_any_alignment(self):
        module = self.write("aligned.mlir", PAGE_ALIGNED)
        result = self.good("mmtune-compile", module, *SIMT, "--pass-pipeline", "cse", "--run", "f", "--arg", "iota", "--check",
                           "--print", "full")
        self.assertIn("check     result 0", result.stdout)
        bytecode = self.path("aligned.mlirbc")
        self.good("mmtune-opt", module, "--emit-bytecode", "-o", bytecode)
        for source, pipeline in [(module, ["--pass-pipeline", "cse"]), (bytecode, [])]:
            result = self.good("mmtune-compile", source, *SIMT, *pipeline, "--verify")
            self.assertIn("verified", result.stdout)
        # Bytecode is not quoted.
        empty = self.write("empty.mlir", "func.func @f() { return }")
        result = self.run_program("mmtune-compile", empty, *SIMT, "--pass-pipeline", "cse", "--verify")
        self.assertIn("empty.mlir:1:1: error: the module has no kernel to verify", result.stderr)
        self.assertNotIn("ML", result.stderr)

    def test_passes_that_cannot_be(self):
        tosa = self.write("tosa.mlir", TOSA)
        to_object = ["-o", self.path("m.o")]
        for pipeline, code, words in [
                ("no-such-pass", 2, ["--pass-pipeline: column 1: 'no-such-pass' does not refer to a registered pass"]),
                ("canonicalize,no-such-pass", 2, ["--pass-pipeline: column 14: 'no-such-pass'"]),
                ("builtin.module(cse,what)", 2, ["--pass-pipeline: column 20: 'what'"]),
                ("canonicalize(", 2, ["--pass-pipeline: column 1"]),
                ("canonicalize{max-iterations=many}", 2, ["--pass-pipeline", "max-iterations"]),
                ("convert-gpu-to-nvvm", 2, ["--pass-pipeline", "did you intend to nest"]),
                ("mmtune-to-gpu{arch=sm_1}", 2, ["--pass-pipeline", "unknown architecture 'sm_1'"]),
                ("mmtune-to-gpu{color=red}", 2, ["--pass-pipeline", "color"]),
                (" ", 2, ["--pass-pipeline: it names no pass"]),
                ("canonicalize", 2, ["tosa.mlir:2:8: error: --pass-pipeline leaves 'tosa.add'"]),
                ("symbol-privatize,symbol-dce", 2, ["the module is empty"])]:
            self.refuse(code, words, tosa, *SIMT, *to_object, "--pass-pipeline", pipeline)
        self.refuse(2, ["tosa.mlir:2", "error"], tosa, *SIMT, *to_object)  # Without passes.
        # The line of the source is quoted behind passes, too.
        big = self.write("big.mlir", TOO_BIG)
        said = self.refuse(1, ["big.mlir:5:3: error: a block of (4096,1,1) threads"], big, *SIMT, *to_object,
                           "--pass-pipeline", "canonicalize")
        self.assertIn("gpu.launch blocks", said)

    def test_the_module_after_each_pass(self):
        folder = self.path("stages")
        tosa = self.write("tosa.mlir", TOSA)
        self.good("mmtune-compile", tosa, *SIMT, "--pass-pipeline", TO_LINALG, "--dump-after-stage", folder, "-o",
                  self.path("m.o"))
        names = sorted(os.listdir(folder))
        self.assertEqual(names[0], "00-parsed.mlir")
        self.assertEqual(names[1], "01-tosa-to-linalg.mlir")
        passes = [re.fullmatch(r"(\d\d)-([a-z0-9-]+)\.mlir", name).group(2) for name in names]
        for name in ["one-shot-bufferize", "map-linalg-to-gpu", "convert-memcpy-to-gpu", "gpu-modules-to-binary"]:
            self.assertIn(name, passes)
        contents = [self.read(os.path.join(folder, name)) for name in names]
        self.assertEqual(len(set(contents)), len(contents))
        self.assertIn(b"tosa.add", contents[0])
        self.assertNotIn(b"tosa.add", contents[1])
        # Each is a module: the rest of the way makes of it what it would have been.
        self.good("mmtune-opt", *[os.path.join(folder, names[passes.index("one-shot-bufferize")])])
        # A failing pass is behind the last one.
        big = self.write("big.mlir", TOO_BIG)
        self.run_program("mmtune-compile", big, *SIMT, "--dump-after-stage", self.path("until"), "-o", self.path("n.o"))
        self.assertEqual(sorted(os.listdir(self.path("until")))[-1].split("-", 1)[1], "gpu-kernel-outlining.mlir")

    def test_folders_that_cannot_be_dumped_to(self):
        file = self.write("file", "")
        full = os.path.join(self.folder, "full")
        os.mkdir(full)
        self.write("full/something", "")
        locked = os.path.join(self.folder, "locked")
        os.mkdir(locked)
        os.chmod(locked, 0o555)
        cases = [(file, "it is a file"), (full, "it is not empty"), (os.path.join(self.folder, "no", "such"), "No such file"),
                 (os.path.join(file, "below"), "Not a directory")]
        if os.geteuid() != 0:
            cases += [(locked, "Permission denied"), (os.path.join(locked, "below"), "Permission denied")]
        for folder, words in cases:
            self.refuse(2, [f"--dump-after-stage {folder}: ", words], MODEL, *SIMT, "-o", self.path("m.o"),
                        "--dump-after-stage", folder)

    def test_a_failure_that_is_reproduced(self):
        big = self.write("big.mlir", TOO_BIG)
        reproducer = self.path("again.mlir")
        to_object = [*SIMT, "-o", self.path("m.o")]
        said = self.refuse(1, ["a block of (4096,1,1) threads", f"mmtune-opt --run-reproducer {reproducer}"], big, *to_object,
                           "--crash-reproducer", reproducer, left=["again.mlir"])
        self.assertIn("note:", said)
        again = self.run_program("mmtune-opt", "--run-reproducer", reproducer)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("a block of (4096,1,1) threads", again.stderr)
        self.refuse(2, [f"cannot write {reproducer}: it exists; --force"], big, *to_object, "--crash-reproducer", reproducer,
                    left=["again.mlir"])
        self.refuse(1, ["a block of"], big, *to_object, "--crash-reproducer", reproducer, "--force", left=["again.mlir"])
        os.unlink(reproducer)
        # Passes of the user's, and what fails nowhere.
        tosa = self.write("tosa.mlir", TOSA.replace("tosa.add %x, %x", "tosa.custom %x, %x {operator_name=\"a\", domain_name=\"b\", implementation_attrs=\"\"}"))
        failing = f"{TO_LINALG},one-shot-bufferize"
        self.refuse(1, ["tosa.custom"], tosa, *to_object, "--pass-pipeline", failing, "--crash-reproducer", reproducer,
                    left=["again.mlir"])
        self.assertIn(f'pipeline: "builtin.module({failing})"', self.read(reproducer).decode())
        os.unlink(reproducer)
        self.good("mmtune-compile", MODEL, *to_object, "--crash-reproducer", reproducer)
        self.assertFalse(os.path.exists(reproducer))
        os.unlink(self.path("m.o"))
        os.unlink(self.path("m.h"))
        garbage = self.write("garbage.mlir", "this is no MLIR\n")
        self.refuse(2, ["garbage.mlir:1:1"], garbage, *to_object, "--crash-reproducer", reproducer)
        nowhere = os.path.join(self.folder, "no", "such")
        self.refuse(2, [f"cannot write {nowhere}: No such file"], MODEL, *to_object, "--crash-reproducer", nowhere)
        self.refuse(2, ["would both be written to"], MODEL, *to_object, "--crash-reproducer", self.path("m.o"))
        self.refuse(2, ["--crash-reproducer needs a file"], MODEL, *to_object, "--crash-reproducer", "-")

    def test_a_reproducer_replaces_no_input(self):
        module = self.write("big.mlir", TOO_BIG)
        for ending in [["-o", self.path("m.o")], ["--run", "f", "--arg", "iota"], ["--verify"]]:
            self.refuse(2, [f"the reproducer would replace {module}, which it is made from"], module, *SIMT, *ending, "--force",
                        "--crash-reproducer", module)
        self.assertEqual(self.read(module).decode(), TOO_BIG)


if __name__ == "__main__":
    unittest.main()
