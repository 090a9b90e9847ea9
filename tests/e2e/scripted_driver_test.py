# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune on a stand-in for the CUDA driver (tests/gpu/fake_cuda): a table, or one line that says what is wrong."""

import json
import os
import unittest

from harness import EndToEndTest, wait_until
from host_memory_test import DEVICE_MEMORY_PASSED, REGISTERED, REGISTERED_BETWEEN, SHARED

JOB = ["matmul", "64x48x32", "--device", "cuda", "--no-verification", "--seed", "1"]
PLAIN_JOB = [*JOB, "--no-compile-ahead"]  # every record is of a trial


TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Its "cubin" is the header of one and the PTX; of the kernels a third spill.
PTXAS = r"""#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.48"; exit 0; fi
source=$4; out=$6
{ printf '\177ELF'; head -c 14 /dev/zero; printf '\276\0'; head -c 44 /dev/zero; cat "$source"; } > "$out"
sum=$(cksum < "$source" | cut -d' ' -f1)
if [ $((sum % 3)) = 0 ]; then spill=200; registers=255; else spill=0; registers=128; fi
for name in $(sed -n 's/^\.visible \.entry \([A-Za-z0-9_$]*\).*/\1/p' "$source"); do
  echo "ptxas info    : Compiling entry function '$name' for 'sm_90'"
  echo "    0 bytes stack frame, $spill bytes spill stores, $spill bytes spill loads"
  echo "ptxas info    : Used $registers registers, used 1 barriers"
done
"""


class ScriptedDriverTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        self.faults = os.path.join(self.folder, "faults")
        self.script("")
        self.use_driver(os.environ["MMTUNE_FAKE_CUDA"])
        self.environment.update(MMTUNE_PTXAS="none", FAKE_CUDA_FAULT_FILE=self.faults)

    def use_driver(self, library):
        self.use_library("libcuda.so.1", library)

    def use_library(self, name, library):
        folder = os.path.join(self.folder, "driver")
        os.makedirs(folder, exist_ok=True)
        link = os.path.join(folder, name)
        if os.path.lexists(link):
            os.remove(link)
        os.symlink(library, link)
        self.environment["LD_LIBRARY_PATH"] = folder + ":" + os.environ.get("LD_LIBRARY_PATH", "")

    def measured(self):
        if not os.path.exists(self.log) or not self.query("SELECT 1 FROM sqlite_master WHERE name = 'measurement'"):
            return 0
        return self.query("SELECT count(*) FROM measurement")[0][0]

    def script(self, faults):
        with open(self.faults, "w") as file:
            file.write(faults)

    def run_job(self, trials, finalists=0):
        """A comparison of finalists takes longer than the rest."""
        return self.tune(*PLAIN_JOB, "--trials", str(trials), "--finalists", str(finalists), "--log", self.log, "--quiet")

    def test_a_clean_run_gives_a_table(self):
        result = self.run_job(6)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_table(result.stdout, rows=6)
        self.assertIn("Fake H100, sm_90", result.stdout)

    def test_schedules_of_tensor_cores_are_verified_and_right(self):
        job = ["matmul", "64x48x32", "--dtype", "f16", "--log", self.log]
        told = self.tune_ok(*job, "--device", "cuda:0", "--trials", "3", "--finalists", "0", "--quiet").stdout
        self.assertIn("outcomes  3 ok, 0 wrong, 0 rejected, 0 failed", told)
        self.assertIn("verified  3 of 3\n", told)
        self.assertIn("at this size   exact, rounding passed on Fake H100, sm_90\n",
                      self.tune_ok("verify", *job, "--best", "--device", "cuda:0").stdout)

    def test_modules_give_what_they_give_on_the_simt_device(self):
        texts = {"shared": (SHARED, "main", []), "registered": (REGISTERED, "f", ["iota"]),
                 "between": (REGISTERED_BETWEEN, "f", ["iota"]), "passed": (DEVICE_MEMORY_PASSED, "f", ["iota"])}
        modules = []
        for name, (text, function, values) in texts.items():
            with open(f"{self.folder}/{name}.mlir", "w") as file:
                file.write(text)
            modules.append((file.name, function, values, "several"))
        modules.append((f"{TESTS}/kernels/verify/reductions.mlir", "main", ["iota", "zeros", "zeros", "value:5", "iota"], "several"))
        for model, streams in (("gpt_bf16", "several"), ("bert_f16", "one"), ("resnet", "several")):
            modules.append((f"{TESTS}/data/models/{model}.mlir", "forward", ["random:1"], streams))
        for path, function, values, streams in modules:
            def run(*device):
                done = self.run_program("mmtune-compile", path, *device, "--run", function, "--streams", streams,
                                        *(word for value in values for word in ("--arg", value)))
                self.assertEqual(done.returncode, 0, done.stderr)
                return [line for line in done.stdout.splitlines() if line.startswith(("result ", "argument ", "counters "))]

            with self.subTest(path=path):
                given = run("--device", "cuda:0")
                self.assertGreater(len(given), 1)
                self.assertEqual(given, run("--device", "simt", "--arch", "sm_90"))

    def test_what_cannot_be_as_fast_as_the_best_is_skipped(self):
        # All launches of this driver take as long; so the first schedule is given a time that no other can reach.
        job = [*JOB, "--strategy", "random", "--finalists", "0"]
        self.tune_ok(*job, "--trials", "1", "--log", self.log, "--quiet")
        record, = self.exported()
        self.assertEqual(record["measurement"]["outcome"], "ok")
        record["measurement"]["timing"].update(samples_ns=[5.0] * 6, median_ns=5.0, low_ns=5.0, high_ns=5.0)
        lines, log = f"{self.folder}/fast.jsonl", f"{self.folder}/fast.db"
        with open(lines, "w") as file:
            file.write(json.dumps(record) + "\n")
        self.tune_ok("records", "import", lines, "--log", log)
        every = json.loads(self.tune_ok(*job, "--trials", "2", "--no-skip", "--log", log, "--json", "--quiet").stdout)
        self.assertEqual((every["outcomes"]["ok"], every["outcomes"]["skipped"], every["skipped_by"]), (2, 0, {}))

        # Six trials, of which two are in the log, and four for each that are none.
        skipped = self.tune_ok(*job, "--trials", "6", "--log", log, "--quiet").stdout
        self.assertIn("outcomes  2 ok, 0 wrong, 0 rejected, 0 failed, 28 skipped\nskipped   ", skipped)
        self.assert_table(skipped, rows=2)
        for line in self.tune_ok("records", "list", "--outcome", "skipped", "--log", log, "--json").stdout.splitlines():
            measured = json.loads(line)["measurement"]
            self.assertRegex(measured["message"], r"^takes at least .* ms \(predicted: .* ms\), more than the limit of 5.5e-06 ms: ")
            self.assertGreater(measured["timing"]["low_ns"], 5.5)
            self.assertEqual((measured["timing"]["median_ns"], measured["check"]["performed"]), (0, False))
            self.assertNotIn("conditions", measured)  # and so no failed attempts
        explained = json.loads(self.tune_ok("explain", "64x48x32", "--log", log, "--json").stdout)
        self.assertEqual((explained["outcomes"], sum(explained["skipped_by"].values())), ({"ok": 2, "skipped": 28}, 28))
        self.assertIn("\nskipped     ", self.tune_ok("explain", "64x48x32", "--log", log).stdout)

        # The log answers with none of them.
        again = json.loads(self.tune_ok(*job, "--trials", "4", "--no-skip", "--log", log, "--json", "--quiet").stdout)
        self.assertEqual((again["outcomes"]["ok"], again["from_log"]), (4, 2))

    def test_more_are_compiled_than_timed_and_those_that_spill_are_not_chosen(self):
        ptxas = os.path.join(self.folder, "ptxas")
        with open(ptxas, "w") as file:
            file.write(PTXAS)
        os.chmod(ptxas, 0o755)
        self.environment.update(MMTUNE_PTXAS=ptxas, MMTUNE_NVDISASM="/proc/nonexistent/nvdisasm", FAKE_CUDA_DEVICES="1",
                                FAKE_CUDA_LOAD_MS="900")  # in which also one lane has time for others
        job = [*JOB, "--no-skip", "--trials", "10", "--finalists", "0", "--quiet"]

        def spilled(records, outcome):
            measured = [record["measurement"] for record in records]
            return [one["resources"]["spill_bytes"] > 0 for one in measured if one["outcome"] == outcome]

        ahead = self.tune_ok(*job, "--log", self.log).stdout
        timed, left = (spilled(self.exported(), outcome) for outcome in ("ok", "skipped"))
        self.assertEqual(len(timed), 10)
        self.assertGreater(len(left), 0)
        self.assertIn(f", {len(left)} skipped\ncompiled  {len(left)} more, to choose by registers and spills (--no-compile-ahead:", ahead)
        for line in self.tune_ok("records", "list", "--outcome", "skipped", "--log", self.log, "--json").stdout.splitlines():
            self.assertRegex(json.loads(line)["measurement"]["message"],
                             r"^not chosen: (128 registers|255 registers, 400 bytes spilled); predicted: .* ms$")
        explained = json.loads(self.tune_ok("explain", "64x48x32", "--log", self.log, "--json").stdout)
        self.assertEqual(explained["skipped_by"], {"not chosen": len(left)})

        self.assertGreater(sum(left) / len(left), sum(timed) / len(timed))

        del self.environment["FAKE_CUDA_LOAD_MS"]
        plain = self.tune_ok(*job, "--no-compile-ahead", "--log", f"{self.folder}/plain.db").stdout
        self.assertIn("outcomes  10 ok, 0 wrong, 0 rejected, 0 failed\n", plain)

        # The same job proposes the same, and the log answers.
        again = json.loads(self.tune_ok(*job, "--json", "--log", self.log).stdout)
        self.assertEqual((again["outcomes"]["ok"], again["from_log"]), (10, 10))
        self.assertEqual(len(spilled(self.exported(), "skipped")), len(left), "each has its record, and needs no other")

    def test_an_assembler_that_is_not_there_is_said_before_anything_is_measured(self):
        self.environment["MMTUNE_PTXAS"] = "/proc/nonexistent/ptxas"
        self.assert_one_line_error(self.run_job(1), 5, "MMTUNE_PTXAS=/proc/nonexistent/ptxas is not an executable program")
        self.assertEqual(self.measured(), 0)

    def test_a_bad_candidate_is_convicted_and_no_other(self):
        self.script("kernel.1*2=700")
        result = self.run_job(5)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_table(result.stdout, rows=4)
        measured = {record["measurement"]["outcome"]: record["measurement"] for record in self.exported()}
        self.assertEqual(set(measured), {"ok", "crashed"})
        self.assertEqual([attempt["provenance"] for attempt in measured["crashed"]["conditions"]["failed_attempts"]],
                         ["candidate", "candidate"])
        bad = json.loads(self.tune_ok("records", "list", "--log", self.log, "--outcome", "crashed", "--json").stdout)
        shown = self.tune_ok("records", "show", bad["uuid"], "--log", self.log).stdout
        self.assertIn("CUDA_ERROR_ILLEGAL_ADDRESS 700", shown)
        self.assertIn("candidate", shown)

    def test_certificate_and_baseline_stand_beside_the_schedules(self):
        self.use_library("libnvidia-ml.so.1", os.environ["MMTUNE_FAKE_NVML"])
        self.environment.update(CUBLAS_LIBRARY=os.environ["MMTUNE_FAKE_CUBLAS"],
                                FAKE_NVML_UUID="GPU-0a1a2a3a-4a5a-6a7a-8a9a-aabacadaeafa", FAKE_NVML_SM_CLOCKS="1980",
                                FAKE_NVML_MEMORY_CLOCKS="2619", FAKE_NVML_REASONS="0", FAKE_NVML_PIDS="900")
        result = self.run_job(4, finalists=2)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("% cuBLAS", result.stdout)
        self.assertIn("baseline  cuBLAS 13.1.0: ", result.stdout)
        records = self.exported()
        self.assertTrue(any("comparison" in record["measurement"]["conditions"] for record in records))
        for record in records:
            conditions = record["measurement"]["conditions"]
            health, baseline = conditions["health"], conditions["baseline"]
            self.assertEqual((health["reason"], health["source"], health["finding"], health["before"]["sm_clock_mhz"]),
                             ("", "NVML 580.65.06", "", 1980))
            self.assertEqual(baseline["library"], "cuBLAS 13.1.0")
        self.environment["FAKE_NVML_PIDS"] = "900,901"
        result = self.tune(*PLAIN_JOB, "--trials", "2", "--finalists", "0", "--log", f"{self.folder}/doubt.db", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("% cuBLAS", result.stdout)
        self.assertIn("! timed while the device was in doubt", result.stdout)
        self.assertIn("left out: the device was not healthy", result.stdout)

    def test_a_driver_that_cannot_work_is_one_line(self):
        rows = [({"FAKE_CUDA_VERSION": "10020"}, "", "libcuda.so.1 is of CUDA 10.2; 11.4 or newer is needed"),
                ({"FAKE_CUDA_DEVICES": "0"}, "", "the CUDA driver finds no device"),
                ({}, "cuInit=100", "the CUDA driver is unusable: cuInit: CUDA_ERROR_NO_DEVICE 100"),
                ({}, "cuDeviceGetAttribute=999", "CUDA device 1: cannot read attribute 75: cuDeviceGetAttribute: CUDA_ERROR_UNKNOWN 999")]
        for environment, faults, line in rows:
            with self.subTest(environment=environment, faults=faults):
                self.script(faults)
                self.environment.update(environment)
                self.assert_one_line_error(self.run_job(2), 5, line, "--device simt runs on the CPU")
                for name in environment:
                    del self.environment[name]
        self.use_driver("/proc/nowhere/libcuda.so.1")
        if not os.path.exists("/dev/nvidiactl"):
            self.assert_one_line_error(self.run_job(2), 5, "no CUDA driver: libcuda.so.1: cannot open")
        self.use_driver("libm.so.6")
        for folder in ["/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"]:
            if os.path.exists(f"{folder}/libm.so.6"):
                self.use_driver(f"{folder}/libm.so.6")
                self.assert_one_line_error(self.run_job(2), 5, "libcuda.so.1 has no cuInit; 11.4 or newer is needed")
                break
        else:
            self.fail("no library without the driver's entry points found")
        self.assert_no_processes()

    def test_a_driver_too_old_for_the_code_ends_the_job_with_both_versions(self):
        self.environment["FAKE_CUDA_VERSION"] = "11070"
        result = self.run_job(2)
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        line, = [line for line in result.stderr.splitlines() if line.startswith("tune: ")]
        self.assertIn("2 candidates in a row could not be measured", line)
        self.assertIn("the code is PTX 8.1, too new for the driver of CUDA 11.7: install a newer driver, or ptxas of the CUDA "
                      "toolkit", line)

    def test_a_held_or_lost_device_ends_the_job_and_what_was_measured_is_kept(self):
        # Both at once: a worker waits longer and longer before it tries its device again.
        held_log, held_faults = f"{self.folder}/held.db", f"{self.folder}/held"
        with open(held_faults, "w") as file:
            file.write("cuDevicePrimaryCtxRetain=46")
        self.environment["FAKE_CUDA_FAULT_FILE"] = held_faults
        held = self.start("tune", *PLAIN_JOB, "--trials", "20", "--log", held_log, "--quiet")
        self.environment["FAKE_CUDA_FAULT_FILE"] = self.faults
        lost = self.start("tune", *PLAIN_JOB, "--trials", "2000", "--log", self.log, "--quiet")
        wait_until(lambda: self.measured() >= 3, 60, "3 records")
        self.script("kernel=999")
        table = self.give_up(lost, "CUDA_ERROR_UNKNOWN 999")
        self.give_up(held, "CUDA device 0 (Fake H100) gives no context, another process may hold it",
                     "CUDA_ERROR_DEVICE_UNAVAILABLE 46")
        self.assert_no_processes()
        self.assert_table(table)
        self.assertEqual({record["measurement"]["outcome"] for record in self.exported()}, {"ok"})
        self.assertFalse(os.path.exists(held_log), "nothing was recorded")

    def give_up(self, job, *words):
        """The job ends with one line that has the words; what it prints."""
        code, out, err = self.finish(job)
        self.assertEqual(code, 5, out + err)
        lines = [line for line in err.splitlines() if line.startswith("tune: ")]
        self.assertEqual(len(lines), 1, err)
        for word in ["candidates in a row could not be measured", *words]:
            self.assertIn(word, lines[0])
        return out


if __name__ == "__main__":
    unittest.main()
