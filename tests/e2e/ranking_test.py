# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which schedule is best, for every reader of a log; and what a log, a line or a spec says that cannot be so."""

import copy
import json
import os
import re
import sqlite3
import sys
import unittest

from harness import FAST, EndToEndTest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "deploy", "python"))
import mmtune  # noqa: E402 (found by the line above)

MODEL = os.path.join(HERE, "..", "..", "docs", "examples", "two_layer.mlir")
SHAPE = "32x16x48"


class RankingTest(EndToEndTest):
    def matmul(self, *more, strategy="random"):
        return ["matmul", SHAPE, "--trials", "8", "--strategy", strategy, "--log", self.log, *FAST, *more]

    def path(self, name):
        return os.path.join(self.folder, name)

    def change(self, sql, *parameters):
        connection = sqlite3.connect(self.log)
        try:
            with connection:
                connection.execute(sql, parameters)
        finally:
            connection.close()

    def import_records(self, *records):
        with open(self.path("lines.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        return self.tune("records", "import", "--log", self.log, self.path("lines.jsonl"))

    def scaled(self, record, factor, name):
        """Another run of the record's schedule, so many times as slow."""
        other = copy.deepcopy(record)
        other.update(uuid=name, unix_millis=record["unix_millis"] + 1000)
        other["measurement"]["conditions"].pop("comparison", None)
        other["measurement"]["conditions"]["run"] = name
        timing = other["measurement"]["timing"]
        for key in ("median_ns", "low_ns", "high_ns"):
            timing[key] *= factor
        timing["samples_ns"] = [ns * factor for ns in timing["samples_ns"]]
        return other

    def best_of_every_reader(self):
        """The schedule that each reader of the log takes, as `family name=value …`."""
        text = lambda schedule: " ".join([schedule["family"], *(f"{n}={v}" for n, v in sorted(schedule["params"].items()))])
        best = {}
        report = self.tune_json(*self.matmul("--finalists", "3"))
        self.assertEqual(report["from_log"], report["done"], "a repeated job is answered by the log")
        best["tune matmul"] = text(report["best"][0]["schedule"])
        lines = self.tune_ok("records", "best", "--log", self.log, "--json").stdout.splitlines()
        best["records best"] = text(json.loads(lines[0])["schedule"])
        lines = self.tune_ok("records", "best", "--problem", SHAPE, "--log", self.log, "--json").stdout.splitlines()
        order = [text(json.loads(line)["schedule"]) for line in lines]
        self.assertEqual(order[:8], [text(entry["schedule"]) for entry in report["best"]][:8])
        spec = json.loads(self.tune_ok("records", "spec", "--log", self.log).stdout)
        best["records spec"] = text(spec["entries"][0]["schedule"])
        self.assertAlmostEqual(spec["entries"][0]["median_ns"] / report["best"][0]["ranked_ns"], 1, delta=1e-9)
        compiled = self.tune_ok("compile", MODEL, "--log", self.log, "--device", "simt", "-o", self.path("m.o"), "--force")
        row = next(line for line in compiled.stdout.splitlines() if f"  {SHAPE}  " in line)
        self.assertIn("same code as measured", row)
        best["tune compile"] = row.split("same code as measured")[1].strip()
        self.tune_ok("report", "--log", self.log, "-o", self.path("r.html"), "--force")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S)
        records = json.loads(page[1])["groups"][0]["records"]
        first = next(record for record in records if record.get("rank") == 0)
        best["tune report"] = text(first)
        explained = json.loads(self.tune_ok("explain", SHAPE, "--log", self.log, "--json").stdout)
        best["tune explain"] = explained["schedule"]["schedule"]
        python = mmtune.open(self.log).best()[0]
        best["Python"] = python["schedule"]
        self.assertAlmostEqual(python["ranked_ns"] / report["best"][0]["ranked_ns"], 1, delta=1e-9)
        lines = self.path("all.jsonl")
        self.tune_ok("records", "export", "--log", self.log, lines, "--force")
        best["Python, of lines"] = mmtune.open(lines).best()[0]["schedule"]
        return best

    def tune_until_compared(self, job):
        """Runs the job. On a busy machine a comparison can fail, which the next run makes again."""
        for _ in range(3):
            if self.tune_json(*job)["finalists"]["compared"] == 2:
                break

    def test_a_repeated_job_measures_nothing(self):
        job = self.matmul("--finalists", "3", strategy="model")
        self.tune_until_compared(job)
        count = len(self.exported())
        again = self.tune_json(*job)
        self.assertEqual((again["from_log"], again["done"], again["finalists"]["compared"]), (8, 8, 2))
        self.assertEqual(len(self.exported()), count)

    def test_every_reader_has_the_same_best(self):
        self.tune_until_compared(self.matmul("--finalists", "3"))
        count = len(self.exported())
        best = self.best_of_every_reader()
        self.assertEqual(len(set(best.values())), 1, best)
        self.assertEqual(len(self.exported()), count, "a repeated job measures nothing")
        # One lucky record, of the slowest schedule, is no reason to ship it.
        records = [record for record in self.exported() if "comparison" not in record["measurement"]["conditions"]]
        slowest = max(records, key=lambda record: record["measurement"]["timing"]["median_ns"])
        fastest = min(records, key=lambda record: record["measurement"]["timing"]["median_ns"])
        ratio = fastest["measurement"]["timing"]["median_ns"] / slowest["measurement"]["timing"]["median_ns"]
        self.assertEqual(self.import_records(self.scaled(slowest, 0.4 * ratio, "lucky")).returncode, 0)
        again = self.best_of_every_reader()
        self.assertEqual(set(again.values()), set(best.values()), again)

    def test_a_ladder_ends_at_the_best(self):
        self.tune_ok(*self.matmul("--finalists", "0"))
        ladder = ["ladder", SHAPE, "--trials", "8", "--log", self.log, *FAST]
        self.tune_ok(*ladder)  # It measures its rungs, which may be the best from then on.
        slowest = max(self.exported(), key=lambda record: record["measurement"]["timing"]["median_ns"])
        self.assertEqual(self.import_records(self.scaled(slowest, 0.01, "lucky")).returncode, 0)
        best = json.loads(self.tune_ok("records", "best", "--log", self.log, "--json").stdout)["schedule"]
        self.assertNotEqual(best, slowest["schedule"])
        last = self.tune_json(*ladder)["ladder"][-1]
        self.assertEqual((last["name"], last["record"]["schedule"]), ("tuned", best))

    def test_lines_that_contradict_themselves_are_refused(self):
        # On a busy machine a comparison can fail, which is told and is no error. The next run makes it again.
        for _ in range(3):
            told = self.tune_ok(*self.matmul("--finalists", "2"))
            compared = [record for record in self.exported() if "comparison" in record["measurement"]["conditions"]]
            if compared:
                break
        self.assertTrue(compared, told.stdout + told.stderr)
        good = compared[0]
        def forged(change):
            record = copy.deepcopy(good)
            record["uuid"] = "forged"
            change(record["measurement"])
            return record
        def of_verification(**fields):
            return lambda m: m["verification"].update(fields)
        def of_comparison(**fields):
            return lambda m: m["conditions"]["comparison"].update(fields)
        for change, words in [
                (of_verification(correct=False, race_free=False, finding="race"), "verification.passed is true"),
                (of_verification(performed=False), "verification.performed is false"),
                (lambda m: m["check"].update(bound_fraction=1e300), "bound_fraction is 1e+300"),
                (lambda m: m["check"].update(performed=False), "check.performed"),
                (lambda m: m["timing"].update(median_ns=m["timing"]["low_ns"] * 0.1), "not inside its interval"),
                (lambda m: m["timing"].update(samples_ns=[m["timing"]["median_ns"] * 3]), "median of its samples"),
                (of_comparison(ratio=1e-6, low=1e-6, high=1e-6), "the median of its ratios is"),
                (of_comparison(medians_ns=[]), "0 medians_ns")]:
            with self.subTest(words):
                self.assert_one_line_error(self.import_records(forged(change)), 2, "line 1", words)
        self.assertNotIn("forged", [record["uuid"] for record in self.exported()])

    def test_an_edited_record_counts_for_nothing(self):
        self.tune_ok(*self.matmul("--finalists", "0"))
        best = json.loads(self.tune_ok("records", "best", "--log", self.log, "--json").stdout)
        digests = "(SELECT schedule, schedule_digest FROM measurement WHERE uuid <> ?1 AND schedule <> (SELECT schedule FROM measurement WHERE uuid = ?1) LIMIT 1)"
        compile_it = ["compile", MODEL, "--log", self.log, "--device", "simt", "-o", self.path("m.o"), "--force"]
        # Another valid schedule, with the first one's digest.
        self.change(f"UPDATE measurement SET schedule = (SELECT schedule FROM {digests}) WHERE uuid = ?1", best["uuid"])
        edited = self.tune("records", "best", "--log", self.log, "--json")
        self.assertNotEqual(json.loads(edited.stdout)["uuid"], best["uuid"])
        self.assertIn("is damaged and left out: its schedule's digest does not match its text", edited.stderr)
        self.assertIn("its schedule's digest does not match its text", self.tune("records", "check", "--log", self.log).stdout)
        with self.assertWarns(UserWarning):
            self.assertNotEqual(mmtune.open(self.log).best()[0]["uuid"], best["uuid"])
        self.assertIn("same code as measured", self.tune_ok(*compile_it).stdout)
        # And with its own digest: it is a record of the other schedule now, but not of its code.
        self.change(f"UPDATE measurement SET (schedule, schedule_digest) = {digests} WHERE uuid = ?1", best["uuid"])
        self.change("DELETE FROM measurement WHERE uuid <> ?1", best["uuid"])
        os.remove(self.path("m.o"))
        refused = self.tune(*compile_it)
        self.assertEqual(refused.returncode, 1, refused)
        self.assertRegex(refused.stderr, "makes other code .* than was measured and verified .*--allow-unverified")
        self.assertFalse(os.path.exists(self.path("m.o")))
        self.assertIn(": not what was measured", self.tune_ok(*compile_it, "--allow-unverified").stdout)

    def test_an_edited_spec_is_refused(self):
        self.tune_ok(*self.matmul("--finalists", "0"))
        spec = json.loads(self.tune_ok("records", "spec", "--log", self.log).stdout)
        others = [json.loads(line)["schedule"] for line in self.tune_ok(
            "records", "best", "--problem", SHAPE, "--log", self.log, "--json").stdout.splitlines()]
        def compiled(change, *more):
            edited = copy.deepcopy(spec)
            change(edited["entries"][0])
            with open(self.path("spec.json"), "w", encoding="utf-8") as file:
                json.dump(edited, file)
            return self.tune("compile", MODEL, "--spec", self.path("spec.json"), "--device", "simt", "-o", self.path("m.o"),
                             "--force", *more)
        self.assertIn("same code as measured", compiled(lambda entry: None).stdout)
        edit = lambda entry: entry.update(schedule=others[-1])
        for change, words in [(edit, "was edited"), (lambda entry: entry.pop("digest"), "has no digest"),
                              (lambda entry: entry["toolchain"].update(mlir="21"), "was edited")]:
            self.assert_one_line_error(compiled(change), 2, "spec.json", SHAPE, words, "--allow-unverified")
        allowed = compiled(edit, "--allow-unverified")
        self.assertIn("spec, unverified", allowed.stdout)
        self.assertIn(": not what was measured", allowed.stdout)

    def test_an_entry_of_another_toolchain_is_refused_unless_its_code_is_the_same(self):
        self.tune_ok("matmul", SHAPE, "--trials", "1", "--finalists", "0", "--log", self.log, *FAST)
        other = self.scaled(self.exported()[0], 1, "other")
        other["toolchain"]["mlir"] = "21.1.8"
        same = copy.deepcopy(other)
        other["measurement"]["code_digest"] = "0" * 64
        def compiled(record, name, *more):
            self.log = self.path(name)
            self.assertEqual(self.import_records(record).returncode, 0)
            return self.tune("compile", MODEL, "--log", self.log, "--device", "simt", "-o", self.path("m.o"), *more)
        refused = compiled(other, "other.db")
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertRegex(refused.stderr, f"error: the schedule of {SHAPE} was verified as code of another toolchain "
                                         r"\(mlir 21.1.8, here .*\).*--allow-unverified")
        self.assertFalse(os.path.exists(self.path("m.o")))
        allowed = self.tune_ok("compile", MODEL, "--log", self.log, "--device", "simt", "-o", self.path("m.o"),
                               "--allow-unverified")
        self.assertIn("made by another toolchain", allowed.stdout)
        self.assertIn("same code as measured", compiled(same, "same.db", "--force").stdout)

    def test_compile_takes_the_named_device(self):
        self.tune_ok("matmul", SHAPE, "--trials", "1", "--finalists", "0", "--log", self.log, *FAST)
        other = self.scaled(self.exported()[0], 0.5, "other")
        own = other["device"]["name"]
        other["device"]["name"] = "elsewhere"
        self.assertEqual(self.import_records(other).returncode, 0)
        compiled = lambda name: self.tune("compile", MODEL, "--log", self.log, "--device", "simt", "--device-name", name,
                                          "-o", self.path("m.o"), "--force")
        self.assertIn("same code as measured", compiled(own[1:-1]).stdout)
        self.assertEqual(compiled("elsewhere").returncode, 0)
        self.assert_one_line_error(compiled("absent"), 2, "no device with 'absent' in its name", own, "elsewhere")


if __name__ == "__main__":
    unittest.main()
