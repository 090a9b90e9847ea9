#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune model: the matmuls of a model, their trials, the spec and the library; killed and resumed; bad input."""

import hashlib
import json
import os
import signal
import sqlite3
import time
import unittest

from harness import FAST, EndToEndTest, processes_of, wait_until

MODELS = os.path.join(os.path.dirname(__file__), "../data/models")
GPT = os.path.join(MODELS, "gpt.mlir")
DYNAMIC = os.path.join(MODELS, "mlp_dynamic.mlir")
MATMULS = 6

LOOP = """
func.func @main(%n: index, %x: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<32x32xf32> {
    %empty = tensor.empty() : tensor<32x32xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
    %y = linalg.matmul ins(%s, %w : tensor<32x32xf32>, tensor<32x32xf32>)
                       outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %y : tensor<32x32xf32>
  }
  return %h : tensor<32x32xf32>
}
"""


BATCH = """
func.func @main(%x: tensor<?x8x16xf32>, %w: tensor<?x16x24xf32>) -> tensor<?x8x24xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8x16xf32>
  %empty = tensor.empty(%n) : tensor<?x8x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8x24xf32>) -> tensor<?x8x24xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<?x8x16xf32>, tensor<?x16x24xf32>)
                           outs(%init : tensor<?x8x24xf32>) -> tensor<?x8x24xf32>
  return %y : tensor<?x8x24xf32>
}
"""


class ModelTest(EndToEndTest):
    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def model(self, *args, model=GPT, **kwargs):
        return self.tune("model", model, *FAST, "--log", self.log, *args, **kwargs)

    def refused(self, *args, model=GPT, code=2):
        """The one line on standard error of a command that is refused."""
        result = self.model(*args, model=model)
        self.assertEqual(result.returncode, code, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        return lines[0]

    def test_a_transformer_block_is_tuned_killed_resumed_and_built(self):
        killed = self.listen(self.start("tune", "model", GPT, *FAST, "--log", self.log, "--trials", "30"))
        measured = "SELECT count(*) FROM measurement WHERE outcome = 'ok'"
        wait_until(lambda: os.path.exists(self.log) and self.counted(measured) >= 4, 120, "four measurements")
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        wait_until(lambda: not self.processes(), 30, "the worker has ended")
        before = self.counted(measured)

        result = self.model("--trials", "30", "--spec", self.path("spec.json"), "-o", self.path("libgpt.so"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("30 trials of the model", result.stdout)
        # Schedules are measured by the resumed command only as far as trials are left.
        self.assertLessEqual(self.counted("SELECT count(DISTINCT workload_id || schedule_digest) FROM measurement "
                                          "WHERE outcome <> 'skipped'"), 30)
        self.assertGreater(self.counted(measured), before)
        self.assertEqual(result.stdout.count("same code as measured"), 4, result.stdout)
        self.assertTrue(os.path.exists(self.path("libgpt.so")))
        self.assertTrue(os.path.exists(self.path("libgpt.h")))

        # The same log gives the same spec, byte for byte, by whichever command.
        self.tune_ok("records", "spec", "--log", self.log, "-o", self.path("other.json"))
        self.assertEqual(self.read("spec.json"), self.read("other.json"))
        entries = json.loads(self.read("spec.json"))["entries"]
        self.assertGreaterEqual(len(entries), 4)

        # Nothing is left to do, and the spec may be replaced by one of the same model.
        again = self.model("--trials", "30", "--spec", self.path("spec.json"), "--json", "--quiet")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.read("spec.json"), self.read("other.json"))
        found = json.loads(again.stdout)
        self.assertEqual(len(found["matmuls"]), MATMULS)
        self.assertGreaterEqual(found["trials"], 30)
        self.assertLessEqual(found["after_ns"], found["before_ns"] * 1.001)

    def test_interrupt_keeps_what_was_measured(self):
        process = self.listen(self.start("tune", "model", GPT, *FAST, "--log", self.log, "--trials", "500"))
        wait_until(lambda: os.path.exists(self.log) and self.counted("SELECT count(*) FROM measurement") > 0, 120,
                   "a measurement")
        before = self.counted("SELECT count(*) FROM measurement")
        process.send_signal(signal.SIGINT)
        output, _ = process.stdout.read(), process.wait(30)
        self.assertEqual(process.returncode, 130)
        self.assertIn("before", output)
        self.assertIn("stopped   interrupted: run the same command again to go on\n", output)
        self.listeners[process.pid].join()
        notes = [line for line in self.said[process.pid] if "interrupted" in line]
        self.assertEqual(notes, ["tune: interrupted: keeping what was measured\n"])
        self.assertGreaterEqual(self.counted("SELECT count(*) FROM measurement"), before)

    def test_two_workers_of_a_server_share_the_trials(self):
        _, address = self.start_server()
        for name in ("a", "b"):
            self.wait_for_line(self.start_worker(address, name), "registered")
        workers = json.loads(self.tune_ok("workers", "list", "--json", "--server", address).stdout)["workers"]
        self.assertEqual([worker["toolchains"][0]["assembler"].split()[0] for worker in workers], ["llvm", "llvm"])
        result = self.tune("model", GPT, *FAST, "--server", address, "--trials", "12", "--json", "--quiet",
                           "--spec", self.path("spec.json"), "-o", self.path("libgpt.so"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["trials"], 12)
        self.assertTrue(json.loads(self.read("spec.json"))["entries"])

    def test_it_goes_on_when_the_joined_coordinator_ends_while_the_model_compiles(self):
        owner = self.start("tune", "matmul", "64x64x64", "--trials", "5000", "--strategy", "random", "--log", self.log,
                           *FAST)
        wait_until(lambda: "running" in self.tune("status", "--log", self.log).stdout, 60, "a running job")
        model = self.path("model.mlir")
        os.mkfifo(model)
        process = self.start("tune", "model", model, *FAST, "--log", self.log, "--trials", "6", "--json")

        def opened():
            """The pipe's end for writing, once the compiler reads it; -1 if the command has ended."""
            try:
                return os.open(model, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                return -1 if process.poll() is not None else None

        for attempt in range(2):
            pipe = wait_until(opened, 60, "the compiler reads the model")
            self.assertGreater(pipe, 0, f"ended in attempt {attempt}")
            os.set_blocking(pipe, True)
            if attempt == 0:
                os.unlink(model)
                os.mkfifo(model)  # The next compiler reads another pipe.
                owner.kill()
                owner.wait()
            with open(pipe, "w") as file:
                file.write(self.read(GPT))
        code, output, errors = self.finish(process, 120)
        self.assertEqual(code, 0, errors)
        self.assertIn("going on with the log", errors)
        self.assertEqual(json.loads(output)["trials"], 6)

    def test_an_interrupt_after_the_joined_coordinator_was_lost_writes_no_spec(self):
        owner = self.start("tune", "matmul", "64x64x64", "--trials", "5000", "--strategy", "random", "--log", self.log,
                           *FAST)
        wait_until(lambda: "running" in self.tune("status", "--log", self.log).stdout, 60, "a running job")
        # Most of the 36 buckets get no trial: they are measured with their neighbours.
        process = self.listen(self.start("tune", "model", DYNAMIC, *FAST, "--log", self.log, "--trials", "3", "--dim",
                                         "0=1..64", "--spec", self.path("spec.json")))
        self.wait_for_line(process, "measuring the best schedules in the buckets near theirs", seconds=120)
        owner.kill()
        owner.wait()
        time.sleep(0.5)  # For a second, the command asks the lost coordinator for the states of its jobs.
        process.send_signal(signal.SIGINT)
        output, _ = process.stdout.read(), process.wait(60)
        self.assertEqual(process.returncode, 130, output)
        self.assertFalse(os.path.exists(self.path("spec.json")))

    def test_counts_are_given_where_a_loop_does_not_tell(self):
        loop = self.write("loop.mlir", LOOP)
        self.assertIn('32x32x32 is computed is not known, as a loop or branch around it is not constant: give --run '
                      'FUNCTION to count it, or --counts FILE, such as {"32x32x32": 12}', self.refused("--trials", "2", model=loop))
        counts = self.write("counts.json", '{"32x32x32": 12}')
        result = self.model("--trials", "2", "--counts", counts, "--json", "--quiet", model=loop)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["matmuls"][0]["calls"], 12)

    def test_a_run_of_the_model_tells_the_counts_and_the_time(self):
        loop = self.write("loop.mlir", LOOP)
        run = ["--run", "main", "--arg", "value:5", "--arg", "random:1", "--arg", "random:2", "--repeat", "4"]
        result = self.model("--trials", "2", *run, "--json", "--quiet", model=loop)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(found["matmuls"][0]["calls"], 5)
        self.assertEqual((found["run"]["function"], found["run"]["calls"]), ("main", 3))
        self.assertGreater(found["run"]["before_ns"], 0)
        self.assertGreater(found["run"]["after_ns"], 0)
        # A file of counts corrects those of the run.
        counts = self.write("counts.json", '{"32x32x32": 12}')
        text = self.model("--trials", "2", *run, "--counts", counts, model=loop)
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertRegex(text.stdout, r"32x32x32 +12 ")
        self.assertRegex(text.stdout, r"model +\S+ \Ss before, \S+ \Ss after \(\S+ %\) for one call of @main")

        self.assertIn("--arg requires --run", self.refused("--arg", "ones"))
        for args, why in ((["--run", "nothing"], "no public function nothing"), (["--run", "main"], "takes 3 arguments")):
            refused = self.model("--trials", "2", *args, model=loop)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(why, refused.stderr)

    def test_a_library_that_cannot_be_built_is_refused_before_the_first_trial(self):
        folder = self.path("bin")
        os.mkdir(folder)  # It has no linker.
        self.environment["PATH"] = folder
        result = self.model("--trials", "2", "-o", self.path("libgpt.so"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("no cc, gcc, clang or ld on PATH", result.stderr)
        self.assertIn(f"the model {GPT} cannot be built as {self.path('libgpt.so')}", result.stderr)
        self.assertEqual(self.counted("SELECT count(*) FROM measurement"), 0)

    def test_bad_input_is_one_line_and_leaves_nothing(self):
        loop = self.write("loop.mlir", LOOP)
        none = self.write("none.mlir", "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> "
                                       "{ return %x : tensor<8xf32> }")
        self.assertIn("none.mlir has no matmul to tune", self.refused(model=none))
        self.assertIn("--trials 0 leaves nothing to tune with", self.refused("--trials", "0"))
        self.assertIn("absent.mlir: No such file or directory", self.refused(model=self.path("absent.mlir")))
        self.assertIn("is no library", self.refused("-o", self.path("out.txt")))
        self.assertIn("cannot write", self.refused("-o", self.path("absent/lib.so")))
        self.assertIn("cannot write", self.refused("--spec", self.path("absent/spec.json")))
        self.assertIn("exists: give --force", self.refused("-o", self.write("old.so", "")))
        other = self.write("counts.json", '{"33x32x32": 12}')
        self.assertIn("the model has no problem '33x32x32'", self.refused("--counts", other, model=loop))
        self.assertIn("not a whole number", self.refused("--counts", self.write("half.json", '{"32x32x32": 0.5}'),
                                                         model=loop))
        self.assertIn("absent.json", self.refused("--counts", self.path("absent.json"), model=loop))
        os.mkdir(self.path("folder.json"))
        self.assertIn("folder.json", self.refused("--spec", self.path("folder.json"), model=loop))
        self.assertIn("is no tuning spec", self.refused("--spec", self.write("wrong.json", "{}")))
        self.assertEqual(sorted(os.listdir(self.folder)),
                         sorted(["counts.json", "folder.json", "half.json", "loop.mlir", "none.mlir", "old.so", "run",
                                 "wrong.json"]))

    def test_a_spec_of_another_model_is_not_replaced(self):
        counts = self.write("counts.json", '{"32x32x32": 12}')
        loop = self.write("loop.mlir", LOOP)
        made = self.model("--trials", "2", "--counts", counts, "--spec", self.path("spec.json"), "--quiet", model=loop)
        self.assertEqual(made.returncode, 0, made.stderr)
        text = self.read("spec.json")
        self.assertIn("is the spec of another model: this one has no 32x32x32",
                      self.refused("--spec", self.path("spec.json"), "--trials", "2"))
        self.assertEqual(self.read("spec.json"), text)

    def test_a_spec_keeps_entries_of_products_that_are_left_out(self):
        spec = self.path("spec.json")
        self.assertEqual(self.model("--trials", "12", "--spec", spec, "--quiet").returncode, 0)
        problems = [entry["problem"] for entry in json.loads(self.read(spec))["entries"]]
        rows = json.loads(self.model("--trials", "12", "--json", "--quiet").stdout)["matmuls"]
        first = next(row["problem"] for row in rows if row["schedule"])
        counts = self.write("counts.json", json.dumps({first: 0}))
        result = self.model("--trials", "12", "--spec", spec, "--counts", counts, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        for problem in problems:
            self.assertIn(problem, [entry["problem"] for entry in json.loads(self.read(spec))["entries"]])

    def test_products_that_only_another_toolchain_measured_get_no_entry(self):
        spec = self.path("spec.json")
        self.assertEqual(self.model("--trials", "12", "--spec", spec, "--quiet").returncode, 0)
        before = len(json.loads(self.read(spec))["entries"])
        with sqlite3.connect(self.log) as log:
            for row, info in log.execute("SELECT id, info FROM toolchain").fetchall():
                older = json.dumps(dict(json.loads(info), mlir="21.1.8"), sort_keys=True, separators=(",", ":"))
                log.execute("UPDATE toolchain SET info = ?, digest = ? WHERE id = ?",
                            (older, hashlib.sha256(older.encode()).hexdigest(), row))
            log.execute("UPDATE measurement SET code_digest = ?", ("0" * 64,))
        log.close()
        os.remove(spec)
        self.tune_ok("records", "spec", "--log", self.log, "-o", spec)
        self.assertIn("21.1.8", self.read(spec))

        def problems():
            return {json.dumps(entry["problem"], sort_keys=True) for entry in json.loads(self.read(spec))["entries"]}

        old = problems()
        result = self.model("--trials", "1", "--spec", spec, "-o", self.path("libgpt.so"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(len(json.loads(self.read(spec))["entries"]), before)
        self.assertNotIn("21.1.8", self.read(spec))
        dropped = old - problems()
        self.assertIn(f"old entries of another toolchain, dropped from {spec}: {len(dropped)}\n", result.stderr)
        # With the entries of another toolchain, the compiler refuses the first by name.
        refused = self.tune("compile", GPT, "--log", self.log, "--device", "simt", "-o", self.path("other.so"))
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("was verified as code of another toolchain (mlir 21.1.8, here ", refused.stderr)

    def test_rows_that_are_known_at_run_time_only_get_dispatch_tables(self):
        spec, library = self.path("spec.json"), self.path("libmlp.so")
        result = self.model("--trials", "12", "--dim", "0=1..4", "--spec", spec, "-o", library, "--json", "--quiet",
                            model=DYNAMIC)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(len(found["matmuls"]), 3 * 4)  # Buckets for 1, 2, 3 and 4 rows.
        self.assertEqual([table["problem"].split()[0] for table in found["dispatch"]],
                         ["?x32x16", "?x32x32", "?x8x32"])
        for table in found["dispatch"]:
            self.assertEqual(table["buckets"][0]["from"], 1)
            self.assertEqual(table["buckets"][-1]["to"], 4)
            for before, after in zip(table["buckets"], table["buckets"][1:]):
                self.assertEqual(after["from"], before["to"] + 1)
            self.assertLessEqual(table["mean_regret"], 0.03)
            self.assertEqual(len({bucket["schedule"] for bucket in table["buckets"]}), table["kernels"])
        for entry in json.loads(self.read("spec.json"))["entries"]:
            self.assertLessEqual(entry["rows"]["from"], entry["rows"]["to"])
            self.assertNotIn("split_k=2", json.dumps(entry["schedule"]))
        self.assertIn("#define mmtune_dispatch mmtune_dispatch_libmlp", self.read("libmlp.h"))

        # The spec is enough to build it, and the code is right for other numbers of rows, too.
        compiled = self.tune_ok("compile", DYNAMIC, "--device", "simt", "--spec", spec, "-o", self.path("other.so"))
        self.assertIn(" M=0..", compiled.stdout)
        for rows in (1, 3, 50):
            self.tune_ok("compile", DYNAMIC, "--device", "simt", "--spec", spec, "--run", "forward", "--arg",
                         f"random:1@{rows}x16", "--check")
        # The same log gives the same spec, byte for byte.
        text = self.read("spec.json")
        again = self.model("--trials", "12", "--dim", "0=1..4", "--spec", self.path("again.json"), "--quiet",
                           model=DYNAMIC)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("dispatch  ?x32x16", again.stdout)
        self.assertEqual(self.read("again.json"), text)
        # Here every kernel adds up in the same order.
        invariant = self.model("--trials", "12", "--dim", "0=1..4", "--numerics", "batch-invariant", "--spec",
                               self.path("invariant.json"), model=DYNAMIC)
        self.assertEqual(invariant.returncode, 0, invariant.stderr)
        self.assertIn("?x32x16 epilogue=bias,relu: for every M, sums are by fma.f32 over k; by the formula 0.0 % slower",
                      invariant.stderr)
        self.assertEqual(self.read("invariant.json"), text)

    def test_a_batch_that_is_known_at_run_time_only_gets_one_kernel(self):
        model = self.write("batch.mlir", BATCH)
        self.assertIn("8x24x16 batch=? is not tuned: its batch is known at run time only; give their sizes",
                      self.model("--trials", "3", model=model).stderr)
        spec = self.path("spec.json")
        options = ["--trials", "6", "--dim", "0=1..16", "--spec", spec]
        result = self.model(*options, "-o", self.path("libbatch.so"), "--json", "--quiet", model=model)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row["problem"] for row in json.loads(result.stdout)["matmuls"]], ["8x24x16 batch=4"])
        entries = json.loads(self.read("spec.json"))["entries"]
        self.assertEqual([(entry["problem"]["batch"], entry.get("rows")) for entry in entries], [(4, None)])
        # The schedule is used for every number of matrices, and the spec is one of this model.
        compiled = self.tune_ok("compile", model, "--device", "simt", "--spec", spec, "-o", self.path("other.so"))
        self.assertRegex(compiled.stdout, r"8x24x16 batch=\? +nearest ")
        for batch in (1, 3, 40):
            self.tune_ok("compile", model, "--device", "simt", "--spec", spec, "--run", "main", "--arg",
                         f"random:1@{batch}x8x16", "--arg", f"random:2@{batch}x16x24", "--check")
        again = self.model(*options, model=model)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_sizes_that_make_no_buckets_are_refused(self):
        for sizes, why in (("0", "is no range of sizes"), ("0=8", "is no range"), ("0=0..8", "begins below 1"),
                           ("0=9..8", "ends before it begins"), ("0=1..9999999", "ends above 1048576"),
                           ("-1=1..8", "is no range"), ("0=1..8x", "is no range")):
            self.assertIn(why, self.refused(f"--dim={sizes}", model=DYNAMIC))
        self.assertIn("dimension 1 of the model's arguments are all constant; known at run time only: 0",
                      self.refused("--dim", "1=1..8", model=DYNAMIC))
        self.assertIn("so are all others", self.refused("--dim", "0=1..8"))
        self.assertIn("?x32x16 epilogue=bias,relu is not tuned: its rows are known at run time only; give their sizes, "
                      "such as --dim 0=1..1024", self.model(model=DYNAMIC).stderr)
        self.assertEqual(os.listdir(self.folder), ["run"])

    def test_a_model_whose_jobs_another_client_cancels_is_no_success(self):
        _, address = self.start_server()
        self.wait_for_line(self.start_worker(address, "a"), "registered")
        process = self.start("tune", "model", GPT, *FAST, "--server", address, "--trials", "5000", "--quiet")

        def jobs():
            found = self.tune_ok("jobs", "list", "--json", "--server", address).stdout
            return [job["uuid"] for job in json.loads(found)["jobs"]]

        wait_until(lambda: len(jobs()) == MATMULS, 60, "all jobs are submitted")
        self.tune_ok("jobs", "cancel", *jobs(), "--server", address)
        code, _, errors = self.finish(process, 60)
        self.assertEqual(code, 130, errors)
        self.assertIn("jobs were cancelled by another client", errors)

    def counted(self, sql):
        """The number that the query finds in the log."""
        try:
            with sqlite3.connect(f"file:{self.log}?mode=ro", uri=True) as log:
                return log.execute(sql).fetchone()[0]
        except sqlite3.OperationalError:  # it is being made
            return 0

    def processes(self):
        return processes_of(self.marker)


if __name__ == "__main__":
    unittest.main()
