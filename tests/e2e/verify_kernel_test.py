# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune verify FILE: verdicts on kernels in PTX, exit codes, and one line for each input that cannot be judged."""

import json
import os
import unittest

from harness import EndToEndTest

KERNELS = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../docs/examples/kernels"))
MATMUL = ["--grid", "cdiv(N,16),cdiv(M,16)", "--block", "16,16", "--gemm", "A,B,C", "--shapes", "20x16x32", "--stress", "1",
          "--arg", "A=buffer:f32[M,K]", "--arg", "B=buffer:f32[K,N]", "--arg", "C=buffer:f32[M,N]", "--arg", "i32=M",
          "--arg", "i32=N", "--arg", "i32=K"]
PTX = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) .reqntid 32
{
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<4>;
  ld.param.u64 %rd0, [x];
"""


class VerifyKernelTest(EndToEndTest):
    def verify(self, *args):
        return self.run_program("tune", "verify", *args)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def kernel(self, body):
        return self.write("k.ptx", PTX + body + "\n  ret;\n}\n")

    def test_structs_are_given_by_offset(self):
        text = PTX.replace(".param .u64 x", ".param .align 8 .b8 x[24]") + """
  ld.param.u32 %r0, [x+8]; ld.param.u32 %r1, [x+20]; add.u32 %r0, %r0, %r1; mov.u32 %r2, %tid.x;
  setp.lt.u32 %p0, %r2, %r0; mad.wide.u32 %rd1, %r2, 4, %rd0; @%p0 st.global.u32 [%rd1], %r2; ret;\n}\n"""
        path = self.write("struct.ptx", text)
        for count, code in [("i32=10", 0), ("i32=11", 1)]:
            result = self.verify(path, "--arg", "struct:24{0:buffer:u32[12];8:" + count + "}=" + 40 * "0" + "02000000")
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)

    def test_a_wait_at_an_mbarrier_needs_a_loop(self):
        body = """
  .shared .b64 done; .shared .b32 tile[32]; .reg .b64 %s<2>; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
  @%p0 mbarrier.init.shared.b64 [done], 32; bar.sync 0; mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2;
  st.shared.u32 [%r1], %r0; mbarrier.arrive.shared.b64 %s0, [done];
  again: mbarrier.try_wait.shared.b64 %p1, [done], %s0; LOOP
  xor.b32 %r3, %r2, 124; mov.u32 %r1, tile; add.u32 %r1, %r1, %r3; ld.shared.u32 %r3, [%r1];
  cvt.u64.u32 %rd1, %r2; add.u64 %rd1, %rd0, %rd1; st.global.u32 [%rd1], %r3;"""
        for loop, code in [("@!%p1 bra again;", 0), ("", 1)]:
            result = self.verify(self.kernel(body.replace("LOOP", loop)), "--arg", "buffer:u32[32]")
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)

    def test_verdicts_have_exit_codes_and_json(self):
        result = self.verify(os.path.join(KERNELS, "mended.ptx"), *MATMUL)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?m)^verdict +verified$")
        self.assertLess(len(result.stdout.splitlines()), 25)
        racy = [os.path.join(KERNELS, "racy.ptx"), *MATMUL]
        result = self.verify(*racy)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?m)^verdict +not verified$")
        self.assertLess(len(result.stdout.splitlines()), 60)
        result = self.verify(*racy, "--json")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        verdict = json.loads(result.stdout)
        self.assertEqual((verdict["verified"], verdict["verification"]["race_free"], verdict["kernel"]),
                         (False, False, "_Z6matmulPKfS0_Pfiii"))
        self.assertIn("racy.cu:9", verdict["verification"]["detail"])
        # The word that may be left out.
        result = self.verify("kernel", os.path.join(KERNELS, "mended.ptx"), *MATMUL, "--json")
        self.assertTrue(json.loads(result.stdout)["verified"], result.stdout + result.stderr)

    def test_endless_loops_end_with_the_limit(self):
        result = self.verify(self.kernel("L: bra L;"), "--arg", "buffer:u32[4]", "--limit", "1")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "k.ptx: k (sm_90): not verified: no end within 1 s (in race detection)\n")
        polling = self.kernel("L: ld.volatile.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;")
        result = self.verify(polling, "--arg", "buffer:u32[4]=zeros", "--limit", "20")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("deadlock", result.stdout)
        self.assert_no_processes()

    def test_what_cannot_be_judged_is_one_line(self):
        good = self.kernel("")
        buffer = ["--arg", "buffer:u32[4]"]
        for path, args, words in [
                (self.write("bad.ptx", PTX + "  add.s64 %rd1, %r0, %rd0;\n}\n"), buffer, ["bad.ptx:8:3", "'%r0' has 32 bits"]),
                (self.write("t.ptx", PTX + "  tcgen05.fence::before_thread_sync;\n}\n"), buffer, ["t.ptx:8:3", "sm_100 is not there yet"]),
                (self.write("text.ptx", "hello\n"), buffer, ["text.ptx:1:1"]),
                (self.write("large.ptx", "/" * 10_000_000), buffer, ["10000000 bytes"]),
                (self.write("a.cu", "int main() {}"), [], ["nvcc -ptx"]),
                (self.write("a.cubin", "\x7fELF"), [], ["cuobjdump -ptx"]),
                (os.path.join(self.folder, "missing.cu"), [], ["cannot read", "missing.cu: No such file or directory"]),
                (self.folder, [], ["Triton"]),
                (good, ["--kernel", "other", *buffer], ["no kernel other; it has k"]),
                (good, [], ["another number of arguments (--arg): 1, not 0"]),
                (good, [*buffer, *buffer], ["another number of arguments (--arg): 1, not 2"]),
                (good, ["--arg", "i32=1"], ["has 4 bytes, the parameter x has 8"]),
                (good, ["--arg", "nonsense"], ["argument 0 (nonsense)"]),
                (good, [*buffer, "--block", "64"], ["requires (32,1,1) (.reqntid)"]),
                (good, [*buffer, "--shared", "999999"], ["999999 bytes of shared memory"]),
                (good, [*buffer, "--grid", "M"], ["--grid: 'M': M at character 1 has no value; give --shapes MxNxK"]),
                (good, [*buffer, "--grid", "1", "--grid", "2"], ["--grid is given 2 times; give it once"]),
                (good, [*buffer, "--shapes"], ["--shapes needs a value: MxNxK"]),
                (good, [*buffer, "--gemm", "A,B,C"], ["no argument is a buffer named 'A'"]),
                (good, [*buffer, "--shapes", "4x5"], ["4x5"]),
                (good, [*buffer, "--arch", "sm_1"], ["sm_1"]),
                (good, [*buffer, "--limit", "0"], ["--limit"]),
                (good, ["--launches", self.write("l.json", "{}")], ["l.json"]),
                (good, [*buffer, "--launches", "l.json"], ["--launches"])]:
            with self.subTest(path=os.path.basename(path), args=args):
                self.assert_one_line_error(self.verify(path, *args), 2, *words)
        self.assertEqual(self.verify(good, *buffer).returncode, 0)


if __name__ == "__main__":
    unittest.main()
