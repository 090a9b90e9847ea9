# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package: the log's records both ways, a compiled model called with numpy, a wheel."""

import doctest
import glob
import importlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import unittest
import warnings
import zipfile

from harness import BIN, FAST, EndToEndTest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PACKAGE = os.path.join(ROOT, "deploy", "python")
EXAMPLE = os.path.join(ROOT, "docs", "examples", "two_layer.mlir")
sys.path.insert(0, PACKAGE)
import mmtune  # noqa: E402


def python_with(*modules):
    """A Python that can import them, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", f"import {', '.join(modules)}"],
                                                     capture_output=True, check=False).returncode == 0:
            return python
    return None


WITH_NUMPY, WITH_PIP = python_with("numpy"), python_with("setuptools", "wheel", "pip")

# Several results, of which two are one argument's memory; a scalar; a size that is known at run time alone.
SMALL = """
func.func @both(%a: tensor<4x?xf32>, %s: f32) -> (tensor<4x?xf32>, tensor<4x?xf32>, f32) {
  return %a, %a, %s : tensor<4x?xf32>, tensor<4x?xf32>, f32
}
func.func @twice(%s: f64) -> f64 {
  %sum = arith.addf %s, %s : f64
  return %sum : f64
}
"""

# Calls the example by arrays of integers, where every sum is exact; then as it must not be called.
CALLS = """
import sys
import numpy
import mmtune

model = mmtune.load(sys.argv[1], device="simt")
def integers(*shape):
    return (numpy.arange(numpy.prod(shape)) * 3 % 7 - 3).reshape(shape).astype(numpy.float32)
x, w1, b1, w2 = integers(32, 64), integers(64, 48), integers(48), integers(48, 16)

class Tensor:
    "As torch's: memory by DLPack alone."
    def __init__(self, array):
        self.array = array
    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)
    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

for argument in (x, Tensor(x)):
    y = model.forward(argument, w1, b1, w2)
    assert y.dtype == numpy.float32 and y.shape == (32, 16) and y.flags.owndata, y
    assert numpy.array_equal(y, numpy.maximum(x @ w1 + b1, 0) @ w2)
assert "simt-cpu" in model.device, model.device
for error, bad in [(TypeError, (x, w1, b1)), (TypeError, (x.astype(numpy.float64), w1, b1, w2)),
                   (ValueError, (x[:16], w1, b1, w2)), (ValueError, (x, numpy.asfortranarray(w1), b1, w2)),
                   (ValueError, (numpy.frombuffer(x.tobytes(), numpy.float32).reshape(x.shape), w1, b1, w2))]:
    try:
        model.forward(*bad)
    except error:
        continue
    raise SystemExit(f"no {error.__name__}")
try:
    model.backward
except AttributeError as error:
    assert "forward" in str(error)
else:
    raise SystemExit("there is no function backward")
small = mmtune.load(sys.argv[2])
assert small.twice(1.25) == 2.5
first, second, scalar = small.both(x[:4], 0.5)
assert numpy.array_equal(first, x[:4]) and numpy.array_equal(second, x[:4]) and scalar == 0.5
first[0, 0] = 100
assert x[0, 0] != 100 and second[0, 0] != 100, "results are copies"
print("right", str(model.functions["forward"].arguments[0]))
"""


# Ctrl-C in the middle of a search, the same search again, and a model.
TUNES = """
import os, signal, sys
import mmtune

quick = ["--quick", "--measure-seconds", "0.02", "--finalists", "0"]
def stop(progress):
    if progress.done >= 2:
        os.kill(os.getpid(), signal.SIGINT)
try:
    mmtune.tune("16x16x16", server=sys.argv[1], device="simt", trials=200, on_progress=stop, options=quick)
except KeyboardInterrupt:
    print("stopped")
tuned = mmtune.tune("16x16x16", server=sys.argv[1], device="simt", trials=3, options=quick)
assert tuned.problem == "16x16x16" and tuned.best[0].verified and tuned.best[0].gflops > 0, tuned
print(f"went on with {tuned.done}, {min(tuned.from_log, 2)} of the log")
model = mmtune.tune_model(sys.argv[2], spec=sys.argv[3], server=sys.argv[1], device="simt", trials=2, options=quick[:3])
assert len(model.matmuls) == 2 and model.trials == 2 and os.path.exists(sys.argv[3]), model
print("tuned a model")
"""


class PythonTest(EndToEndTest):
    def tuned(self):
        self.tune_ok("matmul", "32x48x64", "--epilogue", "bias,relu", "--trials", "4", "--log", self.log, *FAST)
        self.tune_ok("matmul", "32x32x32", "--trials", "3", "--log", self.log, *FAST)

    def test_doctests(self):
        for name in ("mmtune.log", "mmtune.model"):
            result = doctest.testmod(importlib.import_module(name))
            self.assertGreater(result.attempted, 0)
            self.assertEqual(result.failed, 0, name)

    def test_records_are_those_of_the_log_either_way(self):
        self.tuned()
        log = mmtune.open(self.log)
        lines = f"{self.folder}/log.jsonl"
        self.tune_ok("records", "export", "--log", self.log, lines)
        records, exported = log.records(), mmtune.open(lines).records()
        without_class = lambda record: {name: value for name, value in record.items() if name != "device_class"}
        self.assertEqual([without_class(record) for record in records], [without_class(record) for record in exported])
        self.assertEqual(len({record["device_class"] for record in exported}), 1)
        originals = self.exported()
        self.assertEqual([record["uuid"] for record in records], [record["uuid"] for record in originals])
        for record, original in zip(records, originals):
            timing = original["measurement"]["timing"]
            self.assertEqual(record["samples_ns"], timing["samples_ns"])
            self.assertAlmostEqual(record["gflops"], original["gflops"], delta=1e-9 * original["gflops"])
            self.assertEqual(record["params"], original["schedule"]["params"])
        self.assertEqual({record["least_ns"] for record in records}, {None})
        originals[0]["measurement"]["outcome"] = "skipped"
        for low, least in ((7.5, 7.5), (0.0, None)):  # by a bound; not chosen
            originals[0]["measurement"]["timing"].update(samples_ns=[], median_ns=0.0, low_ns=low, high_ns=0.0)
            with open(f"{self.folder}/skipped.jsonl", "w") as file:
                file.write(json.dumps(originals[0]) + "\n")
            skipped, = mmtune.open(f"{self.folder}/skipped.jsonl").records()
            self.assertEqual([skipped[name] for name in ("least_ns", "low_ns", "median_ns", "gflops")], [least, None, None, None])
        columns = records.columns()
        self.assertEqual(columns["id"], [record["id"] for record in records])
        self.assertEqual({len(column) for column in columns.values()}, {7})

        self.assertEqual(len(log.records("32x32x32")), 3)
        self.assertEqual(len(log.records(problem="32x48x64 epilogue=bias,relu", device="SIMT", outcome="ok")), 4)
        self.assertEqual(len(log.records(device="cuda")), 0)
        self.assertEqual(len(log.records(regime="cold")), 0)
        best = log.best()
        self.assertEqual([record["problem"] for record in best], ["32x32x32", "32x48x64 epilogue=bias,relu"])
        said = [json.loads(line) for line in self.tune_ok("records", "best", "--log", self.log, "--json").stdout.splitlines()]
        self.assertEqual({record["uuid"] for record in best}, {record["uuid"] for record in said})

    def test_what_cannot_be_read_is_said(self):
        self.tuned()
        refused = lambda path, words: self.assertRaisesRegex(mmtune.LogError, words, lambda: mmtune.open(path).records())
        refused(f"{self.folder}/none.db", "No such file")
        other = f"{self.folder}/other.db"
        connection = sqlite3.connect(other)
        connection.execute("CREATE TABLE t (x)")
        connection.close()
        refused(other, "another program")
        text = f"{self.folder}/text.jsonl"
        with open(text, "w") as file:
            file.write('{"id": 1}\n')
        refused(text, "line 1")
        # Each of them a way of being damaged that Python meets in another place.
        damages = ["phases = 'no JSON'", "message = CAST(x'ff' AS TEXT)", "conditions = '[]'", "samples_ns = x'01'",
                   "workload_id = 99", f"phases = '{'[' * 100000}'"]
        connection = sqlite3.connect(self.log)
        connection.execute("PRAGMA ignore_check_constraints = 1")
        for number, damage in enumerate(damages, 2):
            connection.execute(f"UPDATE measurement SET {damage} WHERE id = {number}")
        connection.commit()
        connection.close()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual([record["id"] for record in mmtune.open(self.log).records()], [1])
        self.assertEqual([f"record {number} is damaged" in str(warning.message) for number, warning in enumerate(caught, 2)],
                         [True] * len(damages), [str(warning.message) for warning in caught])
        with open(text, "wb") as file:
            file.write(b"\xff\n")
        refused(text, "line 1")
        connection = sqlite3.connect(self.log)
        connection.execute("ALTER TABLE measurement RENAME COLUMN phases TO steps")
        connection.commit()
        refused(self.log, "no such column.*earlier build.*export")
        connection.execute("PRAGMA user_version = 5")
        connection.close()
        refused(self.log, "export")
        with self.assertRaisesRegex(mmtune.ModelError, "header"):
            mmtune.load(f"{self.folder}/libnone.so")

    @unittest.skipIf(os.environ.get("MMTUNE_SANITIZE"), "Python has not the sanitizer that the runtime library needs")
    @unittest.skipUnless(WITH_NUMPY, "no Python with numpy: install python3-numpy")
    def test_a_model_is_called_with_arrays(self):
        library = f"{self.folder}/libtwo_layer.so"
        self.tune_ok("matmul", "32x48x64", "--epilogue", "bias,relu", "--trials", "2", "--log", self.log, *FAST)
        self.tune_ok("compile", EXAMPLE, "--log", self.log, "--device", "simt", "-o", library)
        small = f"{self.folder}/libsmall.so"
        with open(f"{self.folder}/small.mlir", "w") as file:
            file.write(SMALL)
        self.tune_ok("compile", file.name, "--log", self.log, "--device", "simt", "-o", small)
        result = subprocess.run([WITH_NUMPY, "-c", CALLS, library, small], env=dict(self.environment, PYTHONPATH=PACKAGE),
                                capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, "right memref<32x64xf32>\n"), result.stderr)

    def test_the_example_tunes_and_compiles(self):
        folder = os.path.dirname(EXAMPLE)
        library = f"{self.folder}/libtwo_layer.so"
        environment = dict(self.environment, PYTHONPATH=PACKAGE, PATH=f"{os.path.abspath(BIN)}:{os.environ['PATH']}")
        run = lambda *words: subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True,
                                            timeout=240, check=False)
        said = run(f"{folder}/tuner/tune_and_compile.py", EXAMPLE, library, self.log)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, rf"GFLOP/s by fma .*\n(.*\n)*.*32x16x48; uses .*\nbuilt {library}\n")
        self.assertIn("4 of 4 schedules", said.stderr)
        self.assertIn("512 results are right", run(f"{folder}/two_layer.py", library).stdout)
        refused = run(f"{folder}/tuner/tune_and_compile.py", f"{self.folder}/none.mlir", library, self.log)
        self.assertEqual((refused.returncode, refused.stderr.splitlines()[-1].count("none.mlir")), (1, 1), refused.stderr)

    def test_tuning_by_a_server_is_interrupted_and_goes_on(self):
        _, address = self.start_server()
        self.wait_for_line(self.start_worker(address, "a"), "registered")
        interrupted = subprocess.Popen([sys.executable, "-c", TUNES, address, EXAMPLE, f"{self.folder}/m.json"],
                                       env=dict(self.environment, PYTHONPATH=PACKAGE,
                                                PATH=f"{os.path.abspath(BIN)}:{os.environ['PATH']}"),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, interrupted)
        out, err = interrupted.communicate(timeout=240)
        self.assertEqual((interrupted.returncode, out), (0, "stopped\nwent on with 3, 2 of the log\ntuned a model\n"), err)

    @unittest.skipUnless(WITH_PIP, "no Python with pip, setuptools and wheel")
    def test_a_wheel_is_built_without_a_network(self):
        source, out = f"{self.folder}/source", f"{self.folder}/wheel"
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
        result = subprocess.run([WITH_PIP, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps",
                                 "--no-build-isolation", "--wheel-dir", out, source],
                                env=self.environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        wheels = glob.glob(f"{out}/mmtune-*-py3-none-any.whl")
        self.assertEqual(len(wheels), 1, os.listdir(out))
        names = {name for name in zipfile.ZipFile(wheels[0]).namelist() if name.startswith("mmtune/")}
        self.assertEqual(names, {f"mmtune/{name}" for name in ("__init__.py", "log.py", "model.py", "programs.py", "py.typed", "tuner.py")})
        said = subprocess.run([sys.executable, "-c", "import mmtune; print(mmtune.__file__, mmtune.__version__)"],
                              env=dict(self.environment, PYTHONPATH=wheels[0]), cwd=self.folder, capture_output=True,
                              text=True, timeout=60, check=True).stdout
        self.assertIn(".whl", said)
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn(f"VERSION {said.split()[1]}", file.read(), "the package has the version of the programs")


if __name__ == "__main__":
    unittest.main()
