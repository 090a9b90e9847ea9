# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tests/gpu/run: what its report says of steps that fail, hang, or cannot run; with the real programs (where MMTUNE_BIN says
which), a whole run on the SIMT device, and the two command lines of README.md over a stand-in for the CUDA driver."""

import json
import lzma
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RUN = os.path.join(HERE, "run")
SECONDS_OF_A_WHOLE_RUN = 240

PROBE = "echo '" + json.dumps({"device": "simt", "name": "made up", "uuid": "u", "arch": "sm_80", "driver": "",
                               "multiprocessors": 1, "memory_bytes": 1, "l2_bytes": 0, "assembler": "a", "mlir": "1",
                               "mmtune": "1", "families": "f"}) + "'"


class SuiteTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="mmtune-run-")
        self.addCleanup(scratch.cleanup)
        self.build = os.path.join(scratch.name, "build")
        self.output = os.path.join(scratch.name, "out")
        os.makedirs(os.path.join(self.build, "bin"))
        self.program("mmtune-worker", PROBE)
        self.program("tune", "exit 0")

    def program(self, name, script):
        path = os.path.join(self.build, "bin", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)

    def command(self, *arguments, device="simt", build=None):
        return [sys.executable, RUN, "--device", device, "--build", build or self.build, "--output", self.output,
                *arguments]

    def run_suite(self, *arguments, seconds=60, **options):
        """(exit code, steps by name)."""
        done = subprocess.run(self.command(*arguments, **options), capture_output=True, text=True, timeout=seconds,
                              check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, self.steps()

    def steps(self):
        with open(os.path.join(self.output, "report.json"), encoding="utf-8") as file:
            self.document = json.load(file)
        with open(os.path.join(self.output, "report.md"), encoding="utf-8") as file:
            self.markdown = file.read()
        return {step["name"]: step for step in self.document["steps"]}


class MadeUpProgramsTest(SuiteTest):
    def test_a_crash_is_reported_with_its_last_words_and_the_next_step_runs(self):
        self.program("device_conformance_test", "echo last words; kill -SEGV $$")
        self.program("gpu_road_test", "exit 0")
        rc, steps = self.run_suite("--only", "conformance,faults")
        self.assertEqual(rc, 1)
        self.assertEqual(steps["conformance"]["status"], "failed")
        self.assertIn("ended with signal 11", steps["conformance"]["reason"])
        self.assertIn("last words", steps["conformance"]["output"])
        self.assertIn("last words", self.markdown)
        # It ran no test at all: that is not a success.
        self.assertEqual((steps["faults"]["status"], steps["faults"]["reason"]), ("skipped", "no test was run"))

    def test_tests_that_a_crash_took_along_are_run_alone(self):
        self.program("device_conformance_test", """
for argument; do case $argument in --gtest_output=json:*) json=${argument#*json:} ;; esac; done
case "$*" in
  *--gtest_list_tests*) printf 'Suite.\\n  Good\\n  Bad\\n' ;;
  *filter=Suite.Good*) echo '{"testsuites": [{"testsuite": [{"classname": "Suite", "name": "Good"}]}]}' >"$json" ;;
  *) echo here; kill -SEGV $$ ;;
esac""")
        rc, steps = self.run_suite("--only", "conformance")
        self.assertEqual(rc, 1)
        told = steps["conformance"]["results"]["device_conformance_test"]
        self.assertEqual(told, {"passed": 1, "failed": ["Suite.Bad"], "skipped": []})
        self.assertIn("failed: Suite.Bad: ended with signal 11: here", steps["conformance"]["facts"])

    def test_a_hanging_program_is_killed_with_what_it_started(self):
        mark = os.path.join(self.build, "left")
        self.program("tune", f"trap '' TERM; echo not yet; (sleep 16; touch {mark}) & wait; sleep 600")
        began = time.monotonic()
        # Time enough for the programs of the step `facts` on a loaded machine.
        rc, steps = self.run_suite("--only", "tune,clusters", "--step-limit", "4")
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(rc, 1)
        self.assertEqual(steps["tune"]["status"], "failed")
        self.assertIn("was killed after", steps["tune"]["reason"])
        self.assertIn("not yet", steps["tune"]["output"])
        self.assertTrue(steps["tune"]["commands"][0]["timed_out"])
        self.assertIn("clusters", steps)
        time.sleep(max(0.0, began + 22 - time.monotonic()))
        self.assertFalse(os.path.exists(mark))

    def test_a_program_that_is_missing_fails_its_step_only(self):
        rc, steps = self.run_suite("--only", "conformance,golden")
        self.assertEqual(rc, 1)
        self.assertIn("device_conformance_test cannot be started", steps["conformance"]["reason"])
        self.assertEqual(steps["facts"]["status"], "passed")
        self.assertEqual((steps["golden"]["status"], steps["golden"]["reason"]), ("skipped", "needs a CUDA device"))

    def test_without_the_device_nothing_passes_and_each_step_says_why(self):
        self.program("mmtune-worker", PROBE + "; echo 'no CUDA device: no driver' >&2")
        rc, steps = self.run_suite(device="cuda:0")
        self.assertEqual(rc, 1)
        self.assertEqual(steps.pop("facts")["status"], "failed")
        self.assertGreater(len(steps), 10)
        for step in steps.values():
            self.assertEqual(step["status"], "skipped", step["name"])
            self.assertIn("no device cuda:0: no CUDA device: no driver", step["reason"])

    def test_steps_for_which_no_time_is_left_are_named(self):
        rc, steps = self.run_suite("--only", "tune,verify", "--limit", "9")
        self.assertEqual(rc, 3)
        self.assertEqual({steps["tune"]["status"], steps["verify"]["status"]}, {"no time"})
        self.assertRegex(self.markdown, r"\| verify \| no time \|")

    def test_an_interrupted_run_has_its_report(self):
        self.program("tune", "sleep 600")
        process = subprocess.Popen(self.command("--only", "tune,correctness"), stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertIn("facts", process.stdout.readline())
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1)
        steps = self.steps()
        self.assertEqual(steps["tune"]["reason"], "interrupted")
        self.assertEqual(steps["correctness"]["reason"], "interrupted before it")

    def test_a_set_has_its_own_limit_and_takes_the_steps_in_its_order(self):
        rc, steps = self.run_suite("--only", "fast", "--step-limit", "1")
        self.assertEqual(self.document["limit_seconds"], 390)
        self.assertEqual(list(steps), ["facts", "cublas", "wgmma_shapes", "shapes", "tensor_cores", "ladder", "compile_ahead",
                                       "landscapes"])
        self.assertEqual(rc, 1)
        rc, steps = self.run_suite("--only", "correct", "--step-limit", "1")
        self.assertEqual(self.document["limit_seconds"], 290)
        self.assertEqual(list(steps), ["facts", "conformance", "golden", "clusters", "hopper_ops", "types", "correctness",
                                       "wgmma", "faults", "library", "architectures"])

    def test_what_a_step_before_uses_up_leaves_the_next_ones_their_least(self):
        self.program("tune", "sleep 600")
        self.program("device_conformance_test", "exit 0")
        rc, steps = self.run_suite("--only", "tune,verify,conformance", "--limit", "25")
        # Of 25 s, 8 are for packing, and 5 for each of the steps behind.
        self.assertLess(steps["tune"]["wall_seconds"], 12)
        self.assertNotIn("no time", {step["status"] for step in steps.values()})
        self.assertEqual(rc, 1)

    def test_every_way_of_cublas_is_named_and_one_that_is_not_there_says_why(self):
        self.program("mmtune-worker", PROBE.replace('"simt"', '"cuda:0"').replace("sm_80", "sm_90"))
        row = {"problem": "p", "library": "cuBLAS 13", "gflops": 3.0, "median_ns": 1, "low_ns": 1, "high_ns": 1,
               "samples": 5, "wrong": ""}
        lines = [json.dumps(line) for line in (
            dict(row, way="cuBLAS"), dict(row, way="cuBLASLt first", suggestion=1, gflops=5.0),
            {"problem": "p", "library": "cuBLAS 13", "way": "cuBLASLt best", "reason": "no algorithm"})]
        self.program("cublas_times", "shift 2; for p; do " + "; ".join(f"echo '{line}'" for line in lines) + "; done")
        os.environ["CUBLAS_LIBRARY"] = "/made/up/libcublas.so"
        self.addCleanup(os.environ.pop, "CUBLAS_LIBRARY")
        rc, steps = self.run_suite("--only", "cublas", "--small", device="cuda:0")
        self.assertEqual(rc, 0, steps["cublas"])
        self.assertIn("| p | cuBLASLt first | 5 |", self.markdown)
        self.assertIn("p: cuBLASLt best: no algorithm", steps["cublas"]["facts"])

    def test_bad_usage_is_one_line(self):
        for arguments, word in ((["--build", "/proc/nonexistent"], "no bin/tune"), (["--bundle", HERE], "is no bundle"),
                                (["--bundle", RUN], "run:"), (["--only", "nosuch"], "no step nosuch")):
            done = subprocess.run([sys.executable, RUN, "--output", self.output, *arguments], capture_output=True,
                                  text=True, timeout=30, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(word, done.stderr)


@unittest.skipUnless("MMTUNE_BIN" in os.environ, "MMTUNE_BIN names no programs")
class WholeRunTest(SuiteTest):
    """With the programs of the build."""

    def test_ptxas_can_be_left_out(self):
        model = os.path.join(HERE, "..", "..", "docs", "examples", "two_layer.mlir")
        done = subprocess.run([os.path.join(os.environ["MMTUNE_BIN"], "mmtune-compile"), model, "--arch", "sm_90", "-o",
                               os.path.join(self.build, "model.cubin")], capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, MMTUNE_PTXAS="none"), check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("a cubin needs ptxas, which is not in PATH", done.stderr)

    def test_everything_that_needs_no_gpu_passes(self):
        build = os.path.dirname(os.environ["MMTUNE_BIN"])
        rc, steps = self.run_suite("--limit", str(SECONDS_OF_A_WHOLE_RUN), build=build,
                                   seconds=SECONDS_OF_A_WHOLE_RUN + 60)
        told = {name: (step["status"], step["reason"], step["output"]) for name, step in steps.items()}
        self.assertEqual(rc, 0, told)
        skipped = {name for name, step in steps.items() if step["status"] == "skipped"}
        self.assertLessEqual({"golden", "clusters", "cublas", "driver_assembly", "streams", "compile_ahead"}, skipped)
        for name in skipped - {"library"}:  # no linker here
            self.assertEqual(steps[name]["reason"], "needs a CUDA device")
        with lzma.open(os.path.join(self.output, "records.jsonl.xz"), "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        self.assertEqual(len({record["uuid"] for record in records}), len(records))
        self.assertGreater(len(records), 20)
        self.assertEqual({record["device"]["kind"] for record in records}, {"simt"})
        self.assertLessEqual(len(os.listdir(self.output)), 4)


GIVEN = ("MMTUNE_BIN", "MMTUNE_BUNDLE_ARCHIVE", "MMTUNE_FAKE_CUDA", "MMTUNE_FAKE_CUBLAS", "MMTUNE_FAKE_NVML")
# Says what Triton does, and is python3 for everything else.
FAKE_TRITON = """#!{python}
import json, os, sys
if sys.argv[1:] and os.path.basename(sys.argv[1]) == "triton_times.py":
    for problem in sys.argv[4:]:
        print(json.dumps({{"problem": json.loads(problem), "way": "Triton", "library": "Triton made up", "gflops": 1.5,
                          "median_ns": 1e6, "wrong": "", "config": sys.argv[2]}}))
else:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@unittest.skipUnless(all(name in os.environ for name in GIVEN), "needs the stand-ins and a bundle")
class RehearsalTest(unittest.TestCase):
    """The command lines of README.md with the bundle, at small sizes, over stand-ins for the driver, which runs PTX on the
    SIMT device, for cuBLAS, for NVML and for Triton."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="mmtune-rehearsal-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        os.symlink(os.path.join(ROOT, "tests"), os.path.join(cls.folder, "tests"))
        os.mkdir(os.path.join(cls.folder, "build"))
        os.symlink(os.environ["MMTUNE_BUNDLE_ARCHIVE"], os.path.join(cls.folder, "build", "mmtune-gpu.tar.xz"))
        libraries = os.path.join(cls.folder, "libraries")
        os.mkdir(libraries)
        os.symlink(os.environ["MMTUNE_FAKE_CUDA"], os.path.join(libraries, "libcuda.so.1"))
        os.symlink(os.environ["MMTUNE_FAKE_NVML"], os.path.join(libraries, "libnvidia-ml.so.1"))
        python = os.path.join(cls.folder, "python3")
        with open(python, "w", encoding="utf-8") as file:
            file.write(FAKE_TRITON.format(python=sys.executable))
        os.chmod(python, 0o755)
        cls.environment = dict(os.environ, PATH=f"{cls.folder}:{os.environ['PATH']}", MMTUNE_PTXAS="none",
                               LD_LIBRARY_PATH=libraries, FAKE_CUDA_DEVICES="1",
                               FAKE_CUDA_CHECKS="misaligned_address",
                               CUBLAS_LIBRARY=os.environ["MMTUNE_FAKE_CUBLAS"], FAKE_CUBLAS_ALGORITHMS="8",
                               FAKE_NVML_UUID="GPU-0a1a2a3a-4a5a-6a7a-8a9a-aabacadaeafa", FAKE_NVML_SM_CLOCKS="1980",
                               FAKE_NVML_MEMORY_CLOCKS="2619", FAKE_NVML_REASONS="0")

    def rehearse(self, name):
        """Runs the command line of a set; the steps by name."""
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
            line, = re.findall(rf"^    (tests/gpu/run .*--only {name}\b.*)$", file.read(), re.MULTILINE)
        return self.run_steps(shlex.split(line), name, {"correct": 300, "fast": 400}[name])

    def run_steps(self, command, name, limit):
        output = os.path.join(self.folder, name)
        began = time.monotonic()
        subprocess.run([sys.executable, *command, "--small", "--output", output], cwd=self.folder, env=self.environment,
                       stdout=subprocess.PIPE, timeout=limit + 20, check=False)
        self.assertLess(time.monotonic() - began, limit)
        self.assertEqual(sorted(os.listdir(output)), ["raw.tar.xz", "records.jsonl.xz", "report.json", "report.md"])
        with open(os.path.join(output, "report.json"), encoding="utf-8") as file:
            steps = {step["name"]: step for step in json.load(file)["steps"]}
        for step in steps.values():
            self.assertNotEqual(step["reason"], "the step itself broke", step["output"])
            self.assertNotEqual(step["status"], "no time", step["name"])
        return steps

    def assert_passed(self, steps, *names):
        for name in names:
            step = steps[name]
            self.assertEqual(step["status"], "passed", (name, step["reason"], step["facts"], step["output"]))

    def test_correct(self):
        steps = self.rehearse("correct")
        self.assert_passed(steps, "facts", "conformance", "golden", "clusters", "hopper_ops", "types", "correctness", "wgmma",
                           "faults", "library", "architectures")
        self.assertEqual(steps["hopper_ops"]["results"]["active_clusters"], {"2": 66, "4": 24, "8": 12})

    def test_what_is_in_neither_set(self):
        names = ["tune", "verify", "driver_assembly", "variants", "streams", "two_workers"]
        steps = self.run_steps(["tests/gpu/run", "--bundle", "build/mmtune-gpu.tar.xz", "--only", ",".join(names)], "rest", 540)
        self.assert_passed(steps, *names)

    def test_fast(self):
        steps = self.rehearse("fast")
        self.assert_passed(steps, "facts", "cublas", "wgmma_shapes", "shapes", "tensor_cores", "ladder", "compile_ahead",
                           "landscapes")
        # A launch takes twice as long as the fastest suggestion of the stand-in for cuBLAS.
        self.assertAlmostEqual(steps["wgmma_shapes"]["results"]["ratio of bf16"], 0.5, places=3)
        # The references are timed twice, alone and alternately with ours, and a clock is noted for every time.
        clocks = steps["wgmma_shapes"]["results"]["sm_clocks"]
        references = ["cuBLAS", "cuBLASLt first", "cuBLASLt best"]
        timed = references + [f"ours beside {way}" for way in references]
        self.assertEqual([(row["after"].rsplit(", ", 1)[1], row["way"]) for row in clocks],
                         [("plain", "ours"), ("best form", "ours"), *(("best form", way) for way in timed),
                          ("tuned", "ours"), *(("tuned", way) for way in timed)])
        self.assertEqual({row["mhz"] for row in clocks}, {"1980"})
        self.assertEqual([(row["way"], sorted(set(row) - {"problem", "way"})) for row in
                          steps["wgmma_shapes"]["results"]["beside"]],
                         [("best form", sorted(references)), ("tuned", sorted(references))])
        for problem in ("64x64x64", "96x96x64"):
            references = steps["shapes"]["results"][problem]["references"]
            self.assertEqual(set(references), {"cuBLAS", "cuBLASLt first", "cuBLASLt best", "Triton"})
            # Of the stand-in's eight suggestions the last is the fastest.
            self.assertEqual(references["cuBLASLt best"]["suggestion"], 8)
            self.assertLess(references["cuBLASLt best"]["median_ns"], references["cuBLASLt first"]["median_ns"])


if __name__ == "__main__":
    unittest.main()
