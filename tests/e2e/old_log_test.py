# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A log whose family is called simt: it ranks and compiles as it is, and is reused once it is migrated."""

import hashlib
import json
import os
import sqlite3
import unittest

from harness import FAST, EndToEndTest

# The last version of the log, and of its schema, that had the name.
LAST_SIMT_VERSION = 5
SHAPE = "48x40x32"
MODEL = """func.func @main(%a: tensor<48x32xf32>, %b: tensor<32x40xf32>) -> tensor<48x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x40xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48x40xf32>) -> tensor<48x40xf32>
  %c = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x40xf32>) outs(%z : tensor<48x40xf32>) -> tensor<48x40xf32>
  return %c : tensor<48x40xf32>
}
"""


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


class OldLogTest(EndToEndTest):
    def make_old(self):
        """The log as the last version with the old name wrote it."""
        log = sqlite3.connect(self.log)
        log.create_function("sha256", 1, sha256)
        log.execute("UPDATE toolchain SET info = replace(info, ' fma=', ' simt=')")
        log.execute("UPDATE toolchain SET digest = sha256(info)")
        for table in ["candidate", "measurement"]:
            log.execute(f"""UPDATE {table} SET schedule = replace(schedule, '"family":"fma"', '"family":"simt"')""")
            log.execute(f"UPDATE {table} SET schedule_digest = sha256(schedule)")  # the ranking follows by its triggers
        log.execute(f"PRAGMA user_version = {LAST_SIMT_VERSION}")
        log.commit()
        log.close()

    def version(self):
        return self.query("PRAGMA user_version")[0][0]

    def best(self):
        record = json.loads(self.tune_ok("records", "best", "--problem", SHAPE, "--log", self.log, "--json").stdout
                            .splitlines()[0])
        return record["uuid"], record["schedule"]

    def test_it_ranks_compiles_and_is_reused(self):
        tuning = ["matmul", SHAPE, "--trials", "3", "--log", self.log, *FAST]
        self.tune_ok(*tuning)
        best = self.best()
        self.assertEqual(best[1]["family"], "fma")
        self.make_old()

        self.assertEqual(self.best(), best)
        self.assertIn("damaged 0", self.tune_ok("records", "check", "--log", self.log).stdout)
        model = os.path.join(self.folder, "model.mlir")
        with open(model, "w", encoding="utf-8") as file:
            file.write(MODEL)
        table = self.tune_ok("compile", model, "--log", self.log, "--device", "simt", "--run", "main", "--arg", "random:1",
                             "--arg", "random:2", "--check")
        self.assertRegex(table.stdout + table.stderr, r"same code as measured +fma ")
        self.assertEqual(self.version(), LAST_SIMT_VERSION, "who only reads does not migrate")

        again = self.tune_ok(*tuning)
        self.assertRegex(again.stdout, r"from log +3 of 3")
        self.assertGreater(self.version(), LAST_SIMT_VERSION)
        self.assertEqual(self.best(), best)
        self.assertEqual(self.query("SELECT count(*) FROM measurement WHERE instr(schedule, 'simt')"), [(0,)])
        self.assertTrue(os.path.exists(f"{self.log}.v{LAST_SIMT_VERSION}.backup"))


if __name__ == "__main__":
    unittest.main()
