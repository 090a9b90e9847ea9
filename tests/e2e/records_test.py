# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tune records: what the log holds, as tables, CSV and JSON; out of it and into another one."""

import csv
import io
import json
import os
import re
import resource
import sqlite3
import subprocess
import unittest
import uuid

from harness import BIN, FAST, TunedLogTest
from seed_readers import nearest_config, read_cutlass, read_t4, triton_config


class RecordsTest(TunedLogTest):
    TUNED = [["matmul", shape, "--trials", "3"] for shape in ["32x32x32", "48x16x8"]]

    def records(self, *args):
        return self.tune_ok("records", args[0], "--log", self.log, *args[1:]).stdout

    def test_list_filters_and_limits(self):
        rows = list(csv.DictReader(io.StringIO(self.records("list", "--csv"))))
        self.assertEqual(len(rows), 6)
        self.assertEqual({row["device_kind"] for row in rows}, {"simt"})
        self.assertEqual([int(row["id"]) for row in rows], sorted(int(row["id"]) for row in rows))
        one = list(csv.DictReader(io.StringIO(self.records("list", "--csv", "--problem", "48x16x8"))))
        self.assertEqual({(row["m"], row["n"], row["k"]) for row in one}, {("48", "16", "8")})
        self.assertEqual(len(one), 3)
        ok = self.records("list", "--csv", "--outcome", "ok").count("\n") - 1
        self.assertEqual(ok, sum(row["outcome"] == "ok" for row in rows))
        self.assertEqual(self.records("list", "--csv", "--limit", "2").count("\n"), 3)
        self.assertEqual(self.records("list", "--csv", "--since", "1h").count("\n"), 7)
        self.assertEqual(self.records("list", "--csv", "--since", "2999-01-01").count("\n"), 1)
        self.assertEqual(self.records("list", "--csv", "--device-name", "cuda").count("\n"), 1)
        self.assertEqual(self.records("list", "--csv", "--device-name", "simt").count("\n"), 7)

    def test_the_table_is_newest_first_and_aligned(self):
        lines = self.records("list").splitlines()
        ids = [int(line.split()[0]) for line in lines[3:]]
        self.assertEqual(ids, sorted(ids, reverse=True))
        self.assertRegex(lines[0], "^in all rows: .*device simt-cpu ")
        self.assertIn("when (UTC)", lines[1])
        self.assertIn("no records", self.records("list", "--since", "2999-01-01"))

    def test_best_ranks_one_problem_and_lists_winners_of_all(self):
        title, note, blank, device, heading, _, *winners = self.records("best").splitlines()
        self.assertEqual(title, "the best of each problem")
        self.assertIn("not of a GPU", note)
        self.assertRegex(device, "^in all rows: .*device simt-cpu ")
        self.assertEqual((blank, re.split("  +", heading)[:3]), ("", ["problem", "GFLOP/s", "+/- [%]"]))
        # By sizes; a column for what is alike in all rows is not shown.
        names = [line.split()[0] for line in winners if line != "~ spread above 5 %"]
        self.assertEqual(names, ["32x32x32", "48x16x8"])
        self.assertNotIn("simt", "".join(winners))
        ranked = self.records("best", "--problem", "32x32x32")
        self.assert_table(ranked)
        self.assertIn("not of a GPU", ranked)
        records = [json.loads(line) for line in self.records("best", "--problem", "32x32x32", "--json").splitlines()]
        times = [record["measurement"]["timing"]["median_ns"] for record in records]
        self.assertEqual(times, sorted(times))

    def test_show_prints_everything(self):
        record = json.loads(self.records("list", "--json").splitlines()[0])
        by_id = self.records("show", "1")
        self.assertEqual(by_id, self.records("show", record["uuid"]))
        self.assertEqual(by_id, self.records("show", record["uuid"][:12]))
        for word in [record["uuid"], "schedule", "median", "check", "toolchain", "sm_"]:
            self.assertIn(word, by_id)
        self.assertEqual(json.loads(self.records("show", "1", "--json")), record)
        self.assertIn("gather at", by_id)
        self.assertNotIn("samples [ns]", by_id)
        samples = re.search(r"samples \[ns\] +(.*)", self.records("show", "1", "--samples")).group(1).split()
        self.assertEqual(samples, [f"{ns:.0f}" for ns in record["measurement"]["timing"]["samples_ns"]])
        self.assert_one_line_error(self.tune("records", "show", "999", "--log", self.log), 2, "999")

    def test_export_and_import_keep_every_record(self):
        exported = f"{self.folder}/records.jsonl"
        self.assertIn("6 records", self.records("export", exported))
        with open(exported) as file:
            text = file.read()
        self.assertEqual(text, self.records("export"))
        self.assertEqual(self.records("export", "--problem", "32x32x32").count("\n"), 3)
        other = f"{self.folder}/other.db"
        imported = self.tune_ok("records", "import", exported, "--log", other)
        self.assertIn("imported 6 records, 0 already", imported.stdout)
        again = self.tune_ok("records", "import", "-", "--log", other, stdin=text)
        self.assertIn("imported 0 records, 6 already", again.stdout)
        reexported = self.tune_ok("records", "export", "--log", other).stdout
        self.assertEqual(sorted(json.loads(line)["uuid"] for line in reexported.splitlines()),
                         sorted(json.loads(line)["uuid"] for line in text.splitlines()))

    def test_a_landscape_is_replayed_and_a_cache_is_what_kernel_tuner_reads(self):
        of_one = ["--problem", "32x32x32"]
        for name in ["landscape.jsonl", "landscape.csv"]:
            path = f"{self.folder}/{name}"
            self.assertIn("exported 3 schedules", self.records("export", "--landscape", *of_one, path))
            replayed = self.tune_ok("replay", path, "--strategies", "random", "--seeds", "2", "--budgets", "3", "--csv")
            self.assertEqual([(row["schedules"], row["median"]) for row in csv.DictReader(io.StringIO(replayed.stdout))],
                             [("3", "1.000")])
        cache = json.loads(self.records("export", "--kernel-tuner", *of_one))
        self.assertEqual(cache["problem_size"], [32, 32, 32])
        self.assertEqual(len(cache["cache"]), 3)
        for wrong, words in [(["--landscape"], "--problem"), (["--landscape", *of_one, "x.json"], "FILE.jsonl or FILE.csv"),
                             (["--landscape", "--kernel-tuner", *of_one], "excludes"),
                             (["--landscape", "--problem", "7x7x7"], "no records to export")]:
            self.assert_one_line_error(self.tune("records", "export", "--log", self.log, *wrong), 2, words)

    def test_seeds_are_what_other_tuners_read(self):
        best = [json.loads(line) for line in self.records("best", "--problem", "32x32x32", "--json").splitlines()]
        seeds = lambda *options: self.records("export", "--format", *options)
        results = read_t4(seeds("t4", "--problem", "32x32x32"))
        self.assertEqual([result["configuration"] for result in results],
                         [{"family": record["schedule"]["family"], **record["schedule"]["params"]} for record in best])
        self.assertAlmostEqual(results[0]["measurements"][0]["value"] * 1e6, best[0]["measurement"]["timing"]["median_ns"])
        configs = json.loads(seeds("triton"))["configs"]
        for entry in configs:
            triton_config(**entry["config"])
        rows = read_cutlass(seeds("cutlass"))
        self.assertEqual([(row["m"], row["n"], row["k"]) for row in rows if row["Rank"] == "1"],
                         [("32", "32", "32"), ("48", "16", "8")])
        self.assertEqual(len(rows), 6)
        folder = f"{self.folder}/seeds"
        self.assertIn("schedules to", seeds("vllm", folder))
        files = sorted(os.listdir(folder))
        self.assertEqual({name.split(",device_name")[0] for name in files},
                         {"N={1},K={2}".format(*entry["problem"].split()[0].split("x")) for entry in configs})
        for name in files:
            self.assertTrue(name.endswith(",seeds_of=mmtune.json"), "no name that they would load")
            self.assertEqual(nearest_config(f"{folder}/{name}", 1), nearest_config(f"{folder}/{name}", 1000))
        for wrong, words in [(["vllm"], "name a folder"), (["t4"], "--problem"), (["vllm", folder], "--force"),
                             (["t4", "--landscape"], "excludes"), (["cutlass", "--problem", "7x7x7"], "no verified")]:
            self.assert_one_line_error(self.tune("records", "export", "--log", self.log, "--format", *wrong), 2, words)

    def test_a_landscape_has_verified_times_where_there_are_any(self):
        lines = [json.loads(line) for line in self.records("export", "--problem", "32x32x32").splitlines()]
        for unverified, of_cache, told in [(1, 2, True), (3, 3, False)]:
            for line in lines[:unverified]:
                line["measurement"].pop("verification", None)
            log = f"{self.folder}/{unverified}.db"
            self.tune_ok("records", "import", "-", "--log", log, stdin="\n".join(map(json.dumps, lines)))
            export = lambda *options: self.tune_ok("records", "export", "--log", log, *options)
            for what in ("--landscape", "--kernel-tuner"):
                said = export(what)
                count = len(json.loads(said.stdout)["cache"]) if what == "--kernel-tuner" else said.stdout.count("\n")
                self.assertEqual(count, of_cache, what)
                self.assertEqual("not verified: 1; --allow-unverified" in said.stderr, told, said.stderr)
            self.assertEqual(export("--landscape", "--allow-unverified").stdout.count("\n"), 3)
            self.assertEqual(export().stdout.count("\n"), 3)
        self.assert_one_line_error(self.tune("records", "export", "--log", self.log, "--allow-unverified"), 2, "--landscape")

    def test_a_search_learns_from_the_log_unless_told_not_to(self):
        log = f"{self.folder}/learning.db"
        first = self.tune_json("matmul", "32x32x32", "--trials", "16", "--log", log, *FAST)
        self.assertEqual((first["prior_observations"], first["message"]), (0, "trials: 16"))
        cold = self.tune_json("matmul", "32x32x40", "--trials", "1", "--log", log, "--cold-start", *FAST)
        learned = self.tune_json("matmul", "32x32x40", "--trials", "1", "--log", log, *FAST)
        self.assertEqual(cold["prior_observations"], 0)
        self.assertEqual(learned["prior_observations"], first["outcomes"]["ok"])
        self.assertEqual(learned["log_error"], "")

    def test_no_export_replaces_a_log_or_what_is_there(self):
        before = self.records("export")
        for target in [self.log, f"{self.log}-wal", f"{self.log}-shm", f"{self.log}.lock"]:
            for command in [["export", target], ["spec", "-o", target]]:
                for force in [[], ["--force"]]:
                    result = self.tune("records", *command, "--log", self.log, *force)
                    self.assert_one_line_error(result, 2, "tuning log")
        self.assertEqual(self.records("export"), before)
        kept = f"{self.folder}/kept"
        with open(kept, "w") as file:
            file.write("mine")
        self.assert_one_line_error(self.tune("records", "export", kept, "--log", self.log), 2, "--force")
        with open(kept) as file:
            self.assertEqual(file.read(), "mine")
        self.records("export", kept, "--force")
        with open(kept) as file:
            self.assertEqual(file.read(), before)
        link = f"{self.folder}/full"
        os.symlink("/dev/full", link)
        self.assert_one_line_error(self.tune("records", "export", link, "--log", self.log, "--force"), 2, "regular file")
        self.assertTrue(os.path.islink(link))

    def test_what_cannot_be_read_on_is_no_end(self):
        other = f"{self.folder}/other.db"
        self.assert_one_line_error(self.tune("records", "import", "/proc/self/mem", "--log", other), 2, "cannot be read")
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            result = subprocess.run([os.path.join(BIN, "tune"), "records", "import", "-", "--log", other], stdin=folder,
                                    env=self.environment, text=True, capture_output=True, timeout=60)
        finally:
            os.close(folder)
        self.assert_one_line_error(result, 2, "cannot be read further: Is a directory")

    def test_the_list_pages_by_id(self):
        everything = self.records("list", "--csv")
        header, *rows = everything.splitlines()
        ids = [row.split(",")[header.split(",").index("id")] for row in rows]
        page = self.records("list", "--limit", "4")
        self.assertIn(f"--before {ids[2]}", page)
        older = self.records("list", "--csv", "--before", ids[2]).splitlines()[1:]
        self.assertEqual(older, rows[:2])

    def test_a_damaged_record_is_named_and_mended(self):
        with sqlite3.connect(self.log) as database:
            database.execute("UPDATE measurement SET phases = 'x' WHERE id = 2")
        database.close()
        listed = self.tune("records", "list", "--csv", "--log", self.log)
        self.assertEqual((listed.returncode, listed.stdout.count("\n")), (0, 6), listed.stderr)
        self.assertIn("record 2 ", listed.stderr)
        self.assertEqual(self.tune("records", "export", "--log", self.log).stdout.count("\n"), 5)
        checked = self.tune("records", "check", "--log", self.log)
        self.assertEqual(checked.returncode, 3)
        self.assertIn("record 2 ", checked.stdout)
        self.assertIn("removed 1", self.tune_ok("records", "check", "--repair", "--log", self.log).stdout)
        self.assertIn("damaged 0", self.tune_ok("records", "check", "--log", self.log).stdout)

    def test_an_import_is_all_or_nothing(self):
        text = self.records("export")
        other = f"{self.folder}/other.db"
        broken = text + '{"broken": true}\n'
        result = self.tune("records", "import", "-", "--log", other, stdin=broken)
        self.assert_one_line_error(result, 2, "line 7")
        self.assertFalse(os.path.exists(other), "a log that was made for it")
        self.tune_ok("records", "import", "-", "--log", other, stdin=text.splitlines(keepends=True)[0])
        self.assert_one_line_error(self.tune("records", "import", "-", "--log", other, stdin=broken), 2, "line 7")
        self.assertEqual(self.tune_ok("records", "list", "--log", other, "--csv").stdout.count("\n"), 2)

    def test_an_import_the_disk_refuses_is_the_logs_error(self):
        lines = self.records("export").splitlines()
        other = f"{self.folder}/other.db"
        self.tune_ok("records", "import", "-", "--log", other, stdin=lines[0])
        limit = os.path.getsize(other) + 200_000

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        record = json.loads(lines[0])
        many = "".join(json.dumps(dict(record, uuid=uuid.uuid4().hex)) + "\n" for _ in range(3000))
        # restore_signals: writing past the limit is then an error and no signal.
        result = subprocess.run([os.path.join(BIN, "tune"), "records", "import", "-", "--log", other], text=True,
                                env=self.environment, input=many, capture_output=True, timeout=120,
                                preexec_fn=limit_files, restore_signals=False)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("nothing was imported", result.stderr)
        self.assertEqual(self.tune_ok("records", "export", "--log", other).stdout.count("\n"), 1)

    def test_an_import_of_a_line_without_end_is_bad_input(self):
        result = self.tune("records", "import", "-", "--log", f"{self.folder}/other.db", stdin="x" * (32 << 20))
        self.assert_one_line_error(result, 2, "line 1")

    def test_an_import_waits_for_nobody(self):
        server, _ = self.start_server()
        text = self.records("export")
        self.assertEqual(text.count("\n"), 6)
        result = self.tune("records", "import", "-", "--log", self.log, stdin=text)
        self.assert_one_line_error(result, 3, str(server.pid))

    def test_imported_records_are_reused(self):
        other = f"{self.folder}/other.db"
        self.tune_ok("records", "import", "-", "--log", other, stdin=self.records("export"))
        report = self.tune_json("matmul", "32x32x32", "--trials", "3", "--log", other, *FAST)
        self.assertEqual(report["from_log"], 3)


if __name__ == "__main__":
    unittest.main()
