# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune profile: the table and --json, what is missing, bad input. Stand-ins for ptxas and nvdisasm: neither is needed."""

import json
import os
import stat
import unittest

from harness import FAST, EndToEndTest

LISTINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels", "perf_model")
# What the listings were made of.
SCHEDULE = ("fma async=1 bk=4 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
            "reduction=0 slice_k=1 split_k=1 stages=2 stream_k=1 tm=4 tn=4 unroll_k=4")
LARGE = ("fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
         "reduction=0 slice_k=1 split_k=1 stages=3 stream_k=1 tm=4 tn=4 unroll_k=16")
PTXAS = """#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo cubin > "$2"; [ "$1" = --version ] && echo 'release 13.0'; shift; done
for kernel in gemm_simt gemm_mma gemm_direct gemv; do
  echo "ptxas info    : Compiling entry function '$kernel' for 'sm_90'"
  echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
  echo "ptxas info    : Used 64 registers, used 1 barriers"
done
"""
MMA = ("mma async=1 bk=32 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=3 stream_k=1 "
       "wm=16 wn=16")
BOUNDS = {"issue", "ALU", "shared memory", "L1", "L2", "DRAM", "latency", "tail", "multiply", "launches"}


class ProfileTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        self.environment["MMTUNE_PTXAS"] = self.program("ptxas", PTXAS)
        self.disassemble(f"#!/bin/sh\ncat {LISTINGS}/fma_sm_90.sass\n")

    def program(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def disassemble(self, script):
        self.environment["MMTUNE_NVDISASM"] = self.program("nvdisasm", script)

    def profile(self, *args):
        return self.tune("profile", "matmul", *args)

    def profiled(self, *args):
        result = self.profile(*args, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_the_table_has_every_section(self):
        result = self.profile("64x64x256", "--arch", "sm_90", "--schedule", SCHEDULE)
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in ["64x64x256 f32, sm_90\n", "% of peak, modelled\n", "limits          issue slots 62.7 %, ALU 100.0 %, shared memory 57.1 % of peak",
                     "64 threads, 64 registers, 0 B spilled, 3 KiB shared", "102 in 1.6 KiB, 62.7 % multiply",
                     "2.000 B read per multiply-add", "142 stall cycles", "read the A tile from shared memory",
                     "copy the B tile to shared memory", "\nShared memory (counted, of warps)\n",
                     "\nGlobal memory (counted, of warps)\n", "\nBarriers and branches (counted, of warps)\n",
                     "counted on the SIMT device at 64x64x256\n", "no GPU has run this"]:
            self.assertIn(line, result.stdout)
        self.assertNotIn("missing", result.stdout)
        self.assertTrue(all(len(line) <= 180 and line == line.rstrip() for line in result.stdout.splitlines()))
        self.assert_no_processes()

    def test_json_counts_exactly(self):
        profile = self.profiled("64x64x256", "--arch", "sm_90", "--schedule", SCHEDULE)
        self.assertEqual(profile["kernel"], "gemm_simt")
        self.assertEqual(profile["loop"]["instructions"], 102)
        self.assertEqual(profile["occupancy"]["blocks"], 4)
        self.assertFalse(profile["counters"]["extrapolated"])
        points = {(point["location"], point["kind"]): point for point in profile["counters"]["points"]}
        # 4 blocks of 2 warps, 64 k steps: a warp's 4 rows of A in vectors along k, 4 vectors of B; copies of 16 bytes.
        a = points["read the A tile from shared memory", "shared load"]
        self.assertEqual(a["executions"], 4 * 2 * 64 * 4)
        self.assertEqual(a["lane_bytes"], 16)
        self.assertEqual(a["units"], a["ideal"])
        self.assertEqual(points["copy the A tile to shared memory", "global load"]["bytes"], 4 * 64 * 32 * 4 * 4)
        self.assertEqual(points["copy the A tile to shared memory", "shared store"]["units"],
                         2 * points["copy the A tile to shared memory", "shared store"]["ideal"])
        model = profile["model"]
        self.assertAlmostEqual(sum(idle["share"] for idle in model["idle"]) + model["issued"], 1, places=6)
        self.assertLessEqual(model["share"], model["issue_limit"])
        self.assertEqual(profile["problem"]["m"], 64)

    def test_a_large_problem_is_counted_at_small_ones(self):
        small = self.profiled("128x128x512", "--arch", "sm_90", "--schedule", LARGE)
        large = self.profiled("512x256x2048", "--arch", "sm_90", "--schedule", LARGE)
        self.assertTrue(large["counters"]["extrapolated"])
        self.assertEqual(large["counters"]["run"], ["64x64x64", "64x64x128"])
        counts = [{(p["location"], p["kind"], p["lane_bytes"]): p for p in profile["counters"]["points"]}
                  for profile in (small, large)]
        a, b = [of["copy the A tile to shared memory", "global load", 16] for of in counts]
        # Every byte of A, once for each column of tiles.
        self.assertEqual(a["bytes"], 4 * 128 * 512 * 2)
        self.assertEqual(b["bytes"], 4 * 512 * 2048 * 4)
        self.assertEqual(b["units"], b["bytes"] / 32)

    def test_a_large_stream_k_schedule_is_counted_with_whole_tiles(self):
        stream = LARGE.replace("reduction=0", "reduction=3").replace("stream_k=1", "stream_k=24")
        args = ["512x256x2048", "--arch", "sm_90", "--schedule"]
        whole, shared = self.profiled(*args, LARGE), self.profiled(*args, stream)
        self.assertFalse(whole["counters"]["whole_tiles"])
        self.assertTrue(shared["counters"]["whole_tiles"])
        self.assertEqual(shared["counters"]["points"], whole["counters"]["points"])
        self.assertEqual(shared["loop"]["wavefronts"], whole["loop"]["wavefronts"])
        self.assertEqual(shared["occupancy"]["blocks"], 24)
        text = self.profile(*args, stream).stdout
        for line in ["\nShared memory (counted, of warps)\n", "\nGlobal memory (counted, of warps)\n",
                     "\nBarriers and branches (counted, of warps)\n", "from these at the size of the problem\n"
                     "counted with whole tiles in place of stream-k's shares: partial sums are not among the counters\n"]:
            self.assertIn(line, text)
        self.assertNotIn("missing", text)
        self.assertNotIn("whole tiles", self.profile(*args, LARGE).stdout)

    def test_the_loop_of_tensor_cores(self):
        self.disassemble(f"#!/bin/sh\ncat {LISTINGS}/mma_sm_80.sass\n")
        profile = self.profiled("64x64x256", "--dtype", "f16", "--arch", "sm_80", "--schedule", MMA)
        self.assertEqual(profile["missing"], [])
        self.assertEqual(profile["kernel"], "gemm_mma")
        self.assertEqual(profile["loop"]["multiply_adds"], 4 * 2048)
        # Its LDSM are counted as ldmatrix: 4 tiles of 8 rows without conflicts are 4 wavefronts.
        self.assertEqual({p["units"] / p["executions"] for p in profile["counters"]["points"]
                          if p["operation"] == "nvvm.ldmatrix"}, {4})
        self.assertGreater(profile["model"]["share"], 0)
        self.assertIn(profile["bounds"]["bound"], BOUNDS)

    def test_every_family_has_counters_and_a_bound(self):
        self.environment["MMTUNE_NVDISASM"] = "none"
        direct = ["--schedule", "direct bx=16 by=16 tm=4 tn=4"]
        for family, args in [("mma", ["256x256x256", "--dtype", "s8", "--arch", "sm_80"]),
                             ("mma", ["256x256x256", "--dtype", "f64", "--arch", "sm_90"]),
                             ("mma", ["256x256x256", "--math", "tf32x3", "--arch", "sm_80"]),
                             ("gemv", ["4096x1x1024", "--arch", "sm_90"]),
                             ("gemv", ["1x2048x1024", "--dtype", "bf16", "--arch", "sm_120"]),
                             ("direct", ["128x128x128", "--arch", "sm_90"] + direct),
                             ("direct", ["128x128x128", "--dtype", "f16", "--arch", "sm_90"] + direct),
                             ("direct", ["128x128x128", "--dtype", "s8", "--arch", "sm_75"])]:
            with self.subTest(args=args):
                profile = self.profiled(*args)
                self.assertEqual(profile["schedule"]["family"], family)
                self.assertIn(profile["bounds"]["bound"], BOUNDS)
                self.assertEqual([line.split(":")[0] for line in profile["missing"]], ["machine code"])
                kinds = {point["kind"] for point in profile["counters"]["points"]}
                self.assertLessEqual({"global load", "global store"}, kinds)
                if family != "gemv":  # Whose warps may add up there.
                    self.assertEqual("shared load" in kinds, family == "mma")
                self.assertTrue(all(point["location"] != "unknown" for point in profile["counters"]["points"]))

    def test_what_only_starts_and_ends_is_bound_by_launches(self):
        # direct has no shared memory: what it reads side by side comes from L1.
        result = self.profile("1x1x1", "--arch", "sm_90", "--schedule", "direct bx=32 by=1 tm=1 tn=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("  bound           launches;", result.stdout)
        self.assertRegex(result.stdout, r"\n  L1 +\d")
        self.assertNotRegex(result.stdout, r"\n  shared memory +\d")

    def test_schedules_of_the_log_and_the_default_one(self):
        self.tune_ok("matmul", "48x48x48", "--trials", "2", "--log", self.log, *FAST)
        best = self.profiled("48x48x48", "--best", "--log", self.log)
        record = self.exported()[0]
        self.assertEqual(best["arch"], record["device"]["arch"])
        named = self.profiled("48x48x48", "--record", str(record["id"]), "--log", self.log)
        self.assertEqual(named["schedule"], record["schedule"])
        self.assertEqual(self.profiled("48x48x48", "--dtype", "bf16", "--arch", "sm_75")["schedule"]["family"], "direct")
        # For as many multiprocessors as the typical board has: 132, which 256 tiles of 64x64 leave with few warps, and 108.
        for arch, slices in [("sm_90", 4), ("sm_80", 1)]:
            self.assertEqual(self.profiled("1024x1024x1024", "--arch", arch)["schedule"]["params"]["slice_k"], slices)
        # Neither a k step of 64 nor a threadblock swizzle was in the list of schedules that tensor cores once had.
        for arch, family in [("sm_90", "wgmma"), ("sm_80", "mma")]:
            schedule = self.profiled("4096x4096x4096", "--dtype", "bf16", "--arch", arch)["schedule"]
            self.assertEqual((schedule["family"], schedule["params"]["bk"], schedule["params"]["group_m"]), (family, 64, 8))
        self.assert_one_line_error(self.profile("49x48x48", "--best", "--log", self.log), 1, "no valid record")

    def test_what_cannot_be_had_is_a_line(self):
        def missing(script, *words):
            if script:
                self.disassemble(script)
            result = self.profile("64x64x256", "--arch", "sm_90", "--schedule", SCHEDULE)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = [line for line in result.stdout.splitlines() if line.startswith("  missing")]
            self.assertEqual(len(lines), 1, result.stdout)
            for word in ("machine code",) + words:
                self.assertIn(word, lines[0])
            self.assertIn("the family's formulas", result.stdout)
            self.assertIn("read the A tile from shared memory", result.stdout)

        missing("#!/bin/sh\necho 'nvdisasm fatal   : unknown architecture'; exit 1\n", "unknown architecture")
        missing(f"#!/bin/sh\ncat {LISTINGS}/fma_sm_80.sass\n", "the cubin is for sm_80, not for sm_90")
        missing(f"#!/bin/sh\nsed 's/BRA `(.L_x_0)/NOP/' {LISTINGS}/fma_sm_90.sass\n", "gemm_simt has no loop")
        missing(f"#!/bin/sh\nsed s/gemm_simt/other/ {LISTINGS}/fma_sm_90.sass\n", "no kernel gemm_simt")
        missing("#!/bin/sh\n", "nvdisasm printed no instructions")
        missing("#!/bin/sh\nexit 1\n", "nvdisasm: exit code 1 and no output")
        self.environment["MMTUNE_NVDISASM"] = "none"
        missing("", "no nvdisasm in MMTUNE_NVDISASM, PATH")
        self.environment["MMTUNE_PTXAS"] = "none"
        missing("", "no machine code to read")

    def test_bad_usage(self):
        for args, words in [(["64x64x64", "--best", "--schedule", SCHEDULE], ["give one of"]),
                            (["64x64", "--schedule", SCHEDULE], ["64x64"]),
                            (["64x64x64", "--schedule", "fma bm"], ["bm"]),
                            (["64x64x64", "--schedule", "nothing bm=7"], ["nothing"]),
                            (["64x64x64", "--schedule", SCHEDULE.replace("bm=32", "bm=33")], ["bm"]),
                            (["64x64x64", "--schedule", SCHEDULE, "--arch", "sm_1"], ["sm_1"]),
                            (["64x64x64", "--arch", "sm_103"], ["'sm_103'", "known: sm_75", "sm_120a"]),
                            (["64x64x64", "--schedule", SCHEDULE, "--arch", "sm_75"], ["async"])]:
            with self.subTest(args=args):
                self.assert_one_line_error(self.profile(*args), 2, *words)
        self.assert_one_line_error(self.profile("64x64x64", "--best", "--log", self.folder + "/none.db"), 3, "none.db")
        self.environment["MMTUNE_PTXAS"] = self.program("ptxas", "#!/bin/sh\nexit 1\n")
        self.assert_one_line_error(self.profile("64x64x256", "--arch", "sm_90", "--schedule", SCHEDULE), 1,
                                   "ptxas: exit code 1 and no output")


if __name__ == "__main__":
    unittest.main()
