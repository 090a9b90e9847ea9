# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune verify and mmtune-compile --verify: verdicts, exit codes, bad input; --no-verification."""

import json
import os
import unittest

from harness import FAST, EndToEndTest

MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels", "verify")
SCHEDULE = ("fma async=1 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
            "reduction=0 slice_k=1 split_k=1 stages=2 stream_k=1 tm=4 tn=4 unroll_k=4")


def module(name):
    return os.path.join(MODULES, name)


class TuneVerifyTest(EndToEndTest):
    def verify(self, *args):
        return self.tune("verify", "matmul", *args)

    def test_a_good_schedule_is_verified(self):
        result = self.verify("96x80x64", "--device", "simt", "--schedule", SCHEDULE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for line in ["verdict        verified", "correct        yes", "race-free      yes", "deterministic  yes",
                     "3 fuzzing runs", "exact, rounding passed on simt-cpu"]:
            self.assertIn(line, result.stdout)
        self.assertRegex(result.stdout, r"error          \S+ of the bound, \S+ of the largest magnitude")
        self.assertIn("covered        the PTX for sm_80 at ", result.stdout)
        self.assertRegex(result.stdout, r"digest         [0-9a-f]{64}")
        self.assert_no_processes()

    def test_json_holds_the_same(self):
        result = self.verify("64x64x64", "--device", "simt", "--arch", "sm_90", "--schedule", SCHEDULE, "--stress", "1",
                             "--epilogue", "bias,relu", "--transpose-b", "--json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        verdict = json.loads(result.stdout)
        self.assertTrue(verdict["verified"])
        self.assertEqual(verdict["verification"]["fuzzing_runs"], 1)
        self.assertEqual(verdict["device"]["arch"], "sm_90")
        self.assertTrue(all("epilogue=bias,relu" in shape for shape in verdict["verification"]["shapes"]))
        self.assertLessEqual(verdict["check"]["bound_fraction"], 1)

    def test_a_wgmma_schedule_is_verified(self):
        schedule = ("wgmma addend=0 bk=64 blocks=4 bn=32 cluster_m=2 cluster_n=1 consumers=2 epi_buffers=1 "
                    "epi_columns=32 group_m=1 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=1 raster=0 "
                    "reduction=0 split_k=1 stages=2")
        result = self.verify("384x64x128", "--dtype", "bf16", "--device", "simt", "--arch", "sm_90", "--schedule",
                             schedule, "--stress", "1")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for line in ["verdict        verified", "race-free      yes", "covered        the PTX for sm_90"]:
            self.assertIn(line, result.stdout)

    def test_watches_the_size_given(self):
        result = self.verify("96x80x64", "--device", "simt", "--schedule", SCHEDULE, "--stress", "1", "--detect-races")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("in 1 fuzzing runs; this size in race detection\n", result.stdout)
        verdict = json.loads(self.verify("96x80x64", "--device", "simt", "--schedule", SCHEDULE, "--stress", "1",
                                         "--detect-races", "--json").stdout)
        self.assertTrue(verdict["verified"] and verdict["full_size_races_checked"])
        for shape in [["2048x1024x1025"], ["1024x1024x1024", "--batch", "3"]]:
            self.assert_one_line_error(self.verify(*shape, "--schedule", SCHEDULE, "--detect-races"), 2, "--detect-races",
                                       "limit is 2147483648")

    def test_schedules_of_the_log(self):
        self.tune_ok("matmul", "48x48x48", "--trials", "2", "--log", self.log, *FAST)
        best = self.verify("48x48x48", "--best", "--log", self.log, "--device", "simt", "--json")
        self.assertEqual(best.returncode, 0, best.stdout + best.stderr)
        record = self.exported()[0]
        named = self.verify("48x48x48", "--record", str(record["id"]), "--log", self.log, "--device", "simt", "--json")
        self.assertEqual(named.returncode, 0, named.stdout + named.stderr)
        self.assertEqual(json.loads(named.stdout)["schedule"], record["schedule"])
        self.assert_one_line_error(self.verify("49x48x48", "--best", "--log", self.log), 1, "no valid record")
        self.assert_one_line_error(self.verify("48x48x48", "--record", "4711", "--log", self.log), 1)

    def test_bad_usage(self):
        for args, words in [(["64x64x64"], ["--schedule, --best and --record"]),
                            (["64x64x64", "--best", "--schedule", SCHEDULE], ["one of"]),
                            (["64x64", "--schedule", SCHEDULE], ["64x64"]),
                            (["64x64x64", "--schedule", "fma bm"], ["bm"]),
                            (["64x64x64", "--schedule", "fma bm=7", "--device", "simt"], ["fma"]),
                            (["64x64x64", "--schedule", SCHEDULE, "--arch", "sm_1"], ["sm_1"]),
                            (["64x64x64", "--schedule", SCHEDULE, "--stress", "-1"], ["--stress"])]:
            with self.subTest(args=args):
                self.assert_one_line_error(self.verify(*args), 2, *words)
        self.assert_one_line_error(self.verify("64x64x64", "--schedule", SCHEDULE, "--device", "cuda:99"), 5, "cuda")


class NoVerificationTest(EndToEndTest):
    def test_records_say_what_was_verified(self):
        arguments = ["matmul", "40x40x40", "--trials", "3", "--log", self.log, *FAST]
        verified = self.tune_ok(*arguments)
        self.assertIn("verified  3 of 3\n", verified.stdout)
        for record in self.exported():
            self.assertTrue(record["measurement"]["verification"]["passed"])
            self.assertEqual(record["measurement"]["verification"]["fuzzing_runs"], 3)
        self.assertTrue(os.listdir(os.path.join(self.folder, "state", "mmtune", "verifications")))
        off = self.tune_ok(*arguments, "--remeasure", "--no-verification")
        self.assertIn("verified  0 of 3 (--no-verification)\n", off.stdout)
        last = self.exported()[-1]
        self.assertFalse(last["measurement"]["verification"]["performed"])
        self.assertEqual(last["measurement"]["verification"]["reason"], "turned off")
        shown = self.tune_ok("records", "show", str(last["id"]), "--log", self.log).stdout
        self.assertIn("not performed (turned off)", shown)
        self.assertEqual(self.query("SELECT verified, count(*) FROM measurement GROUP BY verified ORDER BY verified"),
                         [(None, 3), (1, 3)])


class CompileVerifyTest(EndToEndTest):
    def verify(self, *args):
        return self.run_program("mmtune-compile", "--verify", *args)

    def test_right_kernels_are_verified(self):
        for args in [[module("tile.mlir")], [module("tile_launched.mlir")],
                     [module("dynamic_shared.mlir"), "--shared-bytes", "256"],
                     [module("reduced_tile.mlir")], [module("reduced_dynamic.mlir"), "--shared-bytes", "160"],
                     [module("shared_variable.mlir")], [module("ticket.mlir"), "--arg", "zeros"],
                     [module("tile_launched.mlir"), "--run", "multiply", "--arg", "iota"],
                     [module("arguments.mlir"), "--block", "64", "--arg", "random:1@64", "--arg", "zeros", "--arg",
                      "value:2", "--arg", "value:60"]]:
            with self.subTest(args=args):
                result = self.verify(*args)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertRegex(result.stdout, r"@\w+: verified; race-free yes, deterministic yes, values not compared; 1 launch in race detection, 3 fuzzing runs\n")

    def test_values_are_compared_with_a_reference(self):
        args = [module("linalg.mlir"), "--run", "multiply", "--arg", "random:1", "--stress", "1", "--check"]
        result = self.verify(*args)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("values equal to the reference within 0.0001;", result.stdout)
        result = self.verify(*args, "--json")
        self.assertTrue(json.loads(result.stdout)["values_right"])
        result = self.verify(*args, "--tolerance", "0")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"@multiply: not verified; .*values not equal to the reference within 0 \(elem")
        result = self.verify(module("tile_launched.mlir"), "--run", "multiply", "--check")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("--check", result.stderr)

    def test_a_missing_barrier_is_found_with_both_places(self):
        result = self.verify(module("tile_without_barrier.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("not verified; race-free no", result.stdout)
        for line in [16, 19]:
            self.assertIn(f"tile_without_barrier.mlir:{line}:", result.stdout)

    def test_a_cluster_of_blocks_is_verified(self):
        result = self.verify(module("cluster.mlir"), "--arch", "sm_90")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("@launch: verified", result.stdout)

    def test_a_write_out_of_bounds_is_found(self):
        result = self.verify(module("tile_out_of_bounds.mlir"), "--json")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        verdict = json.loads(result.stdout)
        self.assertFalse(verdict["verified"])
        self.assertIn("global-out-of-bounds", [finding["kind"] for finding in verdict["findings"]])
        self.assertIsNone(verdict["race_free"], "a write out of bounds is no race")

    def test_buffers_of_one_kernel_are_told_apart(self):
        for name, finding in [("unwritten_buffer.mlir", "uninitialized-read: kernel read"),
                              ("past_a_buffer.mlir", "shared-out-of-bounds: kernel shift")]:
            with self.subTest(name=name):
                result = self.verify(module(name))
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn(finding, result.stdout)
                self.assertIn("not verified; race-free unknown", result.stdout)

    def test_dynamic_shared_memory_ends_where_the_size_given_says(self):
        result = self.verify(module("dynamic_shared.mlir"), "--shared-bytes", "252")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("shared-out-of-bounds: kernel mirror", result.stdout)

    def test_barriers_of_two_branches_are_two(self):
        result = self.verify(module("barrier_in_both_branches.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("barrier-divergence: kernel both", result.stdout)
        for line in [11, 14]:
            self.assertIn(f"barrier_in_both_branches.mlir:{line}:", result.stdout)

    def test_a_block_that_polls_for_another_is_told_why_it_cannot_be_verified(self):
        result = self.verify(module("polls_for_another_block.mlir"), "--grid", "2", "--arg", "zeros", "--time-limit", "20")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("deadlock: kernel wait", result.stdout)
        self.assertIn("blocks run one after another here", result.stdout)
        self.assertIn("race-free unknown", result.stdout)

    def test_a_race_on_a_variable_of_the_module_is_found(self):
        result = self.verify(module("module_variable_race.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("global-race: kernel sum: writes 4 bytes", result.stdout)
        self.assertIn("module_variable_race.mlir:9:", result.stdout)

    def test_a_reader_is_not_forgotten_for_those_that_read_after_it(self):
        result = self.verify(module("one_of_many_readers.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("global-race: kernel update: writes 4 bytes", result.stdout)

    def test_a_turn_of_a_loop_begins_with_a_buffer_that_nobody_wrote(self):
        result = self.verify(module("stale_turn.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("uninitialized-read: kernel turns: reads 4 bytes", result.stdout)
        self.assertIn("stale_turn.mlir:17:", result.stdout)
        result = self.verify(module("fresh_turns.mlir"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_buffers_that_do_not_fit_side_by_side_are_not_told_apart(self):
        result = self.verify(module("too_large_apart.mlir"), "--arch", "sm_90")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("@twice: verified; race-free yes", result.stdout)
        self.assertRegex(result.stdout, r"; buffers not told apart: .*400384 bytes of shared memory, red zones included; the race detector and the profiler have 262144")

    def test_an_index_past_a_variable_is_found_where_another_follows(self):
        result = self.verify(module("past_a_variable.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("global-out-of-bounds: kernel look_up: reads 4 bytes", result.stdout)
        self.assertIn("0 bytes past the end of the constant @table of 16 bytes", result.stdout)

    def test_a_use_behind_the_deallocation_is_refused(self):
        result = self.verify(module("after_dealloc.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("after_dealloc.mlir:9:", result.stderr)
        self.assertIn("uses a shared buffer that has been deallocated", result.stderr)

    def test_reductions_of_blocks_and_warps_are_right_and_have_no_races(self):
        result = self.verify(module("reductions.mlir"))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("@main: verified; race-free yes, deterministic yes, values not compared; 2 launches", result.stdout)
        result = self.run_program("mmtune-compile", module("reductions.mlir"), "--device", "simt", "--run", "main",
                                  "--arg", "iota", "--arg", "zeros", "--arg", "zeros", "--arg", "value:5", "--arg", "iota",
                                  "--print", "full")
        self.assertEqual(result.returncode, 0, result.stderr)
        largest = [7 + i // 8 * 8 for i in range(72)]
        turns = [i + 71 + 142 + 284 for i in range(72)]
        for argument, values in [(1, [sum(range(72))] * 72), (2, largest), (3, [0] * 72), (4, turns)]:
            self.assertRegex(result.stdout, rf"argument {argument} now .*\[{', '.join(map(str, values))}\]")

    def test_kernels_in_nvgpu(self):
        result = self.verify(module("nvgpu_mma.mlir"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("@mma: verified; race-free yes, deterministic yes", result.stdout)
        self.assertIn("async-race: kernel mma_without_wait: reads 16 bytes of shared memory", result.stdout)
        self.assertIn("@mma_without_wait: not verified; race-free no", result.stdout)

    def test_a_thread_that_sleeps_lets_others_run(self):
        result = self.verify(module("nanosleep.mlir"), "--arg", "zeros", "--time-limit", "20")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("@wait: verified; race-free yes, deterministic yes", result.stdout)

    def test_each_kernel_of_a_module_has_a_verdict(self):
        result = self.verify(module("several.mlir"), "--stress", "1")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for line in ["@first: verified;", "@second: not verified; race-free no", "@third: verified;"]:
            self.assertIn(line, result.stdout)
        result = self.verify(module("several.mlir"), "--stress", "1", "--json")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        verdicts = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([(verdict["function"], verdict["verified"], verdict["race_free"]) for verdict in verdicts],
                         [("first", True, True), ("second", False, False), ("third", True, True)])
        result = self.verify(module("several.mlir"), "--run", "third", "--stress", "1")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("@second", result.stdout)

    def test_sizes_and_arguments_are_those_given(self):
        scale = [module("arguments.mlir"), "--block", "64", "--stress", "1", "--arg", "random:1@64", "--arg", "zeros",
                 "--arg", "value:2", "--arg"]
        for args, code in [(["value:60", "--grid", "1"], 0),
                           (["value:60", "--grid", "2"], 1),  # two blocks add to the same elements
                           (["value:0", "--grid", "2"], 0)]:  # where they add to any
            with self.subTest(args=args):
                result = self.verify(*scale, *args)
                self.assertEqual(result.returncode, code, result.stdout + result.stderr)
                self.assertEqual("global-race" in result.stdout, code == 1)

    def test_a_seed_is_printed_and_reproduces_what_differs(self):
        def last_writer(*args):
            result = self.verify(module("last_writer.mlir"), "--arg", "zeros", *args)
            verdict = json.loads(self.verify(module("last_writer.mlir"), "--arg", "zeros", *args, "--json").stdout)
            self.assertEqual(verdict["verified"], result.returncode == 0, result.stdout + result.stderr)
            return result, verdict

        result, verdict = last_writer("--stress", "20")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        seed = verdict["differing_seed"]
        self.assertIn(f"differ between the plain order and that of fuzzing seed {seed};", result.stdout)
        self.assertIn("race-free yes, deterministic no", result.stdout)
        result, verdict = last_writer("--stress", str(seed))
        self.assertEqual((result.returncode, verdict["differing_seed"]), (1, seed))
        result, verdict = last_writer("--stress", str(seed - 1))
        self.assertEqual((result.returncode, verdict["differing_seed"]), (0, None))
        self.assertEqual(verdict["deterministic"], True if seed > 1 else None)

    def test_findings_name_the_seed_of_their_run(self):
        result = self.verify(module("late_reader.mlir"), "--arg", "zeros")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("uninitialized-read: kernel late", result.stdout)
        self.assertIn("found in race detection with fuzzing seed 1\n", result.stdout)
        self.assertEqual(self.verify(module("late_reader.mlir"), "--arg", "zeros", "--stress", "0").returncode, 0,
                         "the plain order does not come to it")

    def test_differing_results_may_be_accepted(self):
        args = [module("last_writer.mlir"), "--arg", "zeros", "--stress", "20", "--allow-nondeterministic"]
        result = self.verify(*args)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("@last: verified; race-free yes, deterministic no", result.stdout)
        verdict = json.loads(self.verify(*args, "--json").stdout)
        self.assertEqual((verdict["verified"], verdict["deterministic"], verdict["differing_accepted"]),
                         (True, False, True))

    def test_json_has_the_same_fields_whatever_the_verdict(self):
        fields = {"comparison", "deterministic", "differing_accepted", "differing_seed", "failure", "findings", "found", "not_apart",
                  "function", "launches", "race_free", "fuzzing_runs", "values_right", "verified"}
        finding = {"kind", "kernel", "what", "hint", "occurrences", "parties"}
        for name in ["tile.mlir", "tile_without_barrier.mlir"]:
            verdict = json.loads(self.verify(module(name), "--stress", "1", "--json").stdout)
            self.assertEqual(set(verdict), fields)
            for found in verdict["findings"]:
                self.assertLessEqual(finding, set(found))
                self.assertRegex(found["parties"][0]["location"], r"^tile_without_barrier.mlir:\d+:\d+$")
        self.assertTrue(verdict["findings"])

    def test_after_a_time_limit_nothing_is_known(self):
        args = [module("endless.mlir"), "--arg", "zeros", "--time-limit", "1"]
        result = self.verify(*args)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("not verified: no end within 1 s (in race detection)", result.stdout)
        self.assertIn("@spin: not verified; race-free unknown, deterministic not compared", result.stdout)
        self.assertIn("0 fuzzing runs", result.stdout)
        verdict = json.loads(self.verify(*args, "--json").stdout)
        self.assertEqual([verdict[field] for field in ["verified", "race_free", "deterministic", "fuzzing_runs"]],
                         [False, None, None, 0])
        self.assert_no_processes()

    def test_what_cannot_be_verified_is_an_error_that_names_it(self):
        for name, args, code, words in [
                ("no_kernel.mlir", [], 2, ["no_kernel.mlir:2:", "no kernel to verify"]),
                ("unsupported.mlir", [], 1, ["unsupported.mlir:7:", "llvm.nvvm.ex2.approx.f is not supported"]),
                ("cluster.mlir", ["--arch", "sm_80"], 1, ["cluster.mlir:27", "clusters of (2,1,1)", "sm_80"]),
                ("pointer.mlir", [], 2, ["pointer.mlir:3", "argument 0 of kernel @fill", "!llvm.ptr", "--run"]),
                ("arguments.mlir", [], 2, ["arguments.mlir:3", "@scale", "--block"]),
                ("arguments.mlir", ["--block", "64"], 2, ["@scale", "--arg"]),
                ("tile.mlir", ["--block", "0"], 2, ["--block"]),
                ("arguments.mlir", ["--block", "64,32"], 2, ["2048 threads per block"]),
                ("arguments.mlir", ["--block", "64", "--grid", "1,70000"], 2, ["a grid of (1,70000,1)", "65535"]),
                ("arguments.mlir", ["--block", "64", "--grid", "99999999999"], 2, ["--grid 99999999999", "2147483647"]),
                ("dynamic_shared.mlir", ["--shared-bytes", "300000"], 2, ["300000 bytes of shared memory"]),
                ("tile.mlir", ["--block", "7"], 2, ["tile.mlir:", "fixes its sizes", "--block"]),
                ("tile_launched.mlir", ["--block", "7"], 2, ["--block", "launches its own"]),
                ("dynamic_shared.mlir", [], 2, ["dynamic_shared.mlir:3", "@mirror", "--shared-bytes"]),
                ("dynamic_shared.mlir", ["--shared-bytes", "-1"], 2, ["--shared-bytes"]),
                ("tile.mlir", ["--run", "other"], 2, ["other", "tile"]),
                ("tile.mlir", ["-o", "x.so"], 2, ["--verify"]),
                ("tile.mlir", ["--arch", "sm_1"], 2, ["sm_1"])]:
            with self.subTest(name=name, args=args):
                result = self.verify(module(name), *args)
                self.assertEqual(result.returncode, code, result.stdout + result.stderr)
                self.assertEqual(result.stdout, "")
                for word in words:
                    self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main()
