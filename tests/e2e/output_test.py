# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What reaches standard output: all of it or an error, nothing that moves the cursor, and no wider than the terminal."""

import csv
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

from harness import BIN, FAST, TunedLogTest

# A C1 control sequence introducer, a right-to-left override, and a space without width.
HOSTILE = "gpu\u009b31m\u202e\u200bevil"


class OutputTest(TunedLogTest):
    TUNED = [["matmul", "32x32x32", "--trials", "2"]]

    def run_into(self, out, program, *args):
        """Its standard output is `out`, a file; (exit code, standard error)."""
        result = subprocess.run([os.path.join(BIN, program), *args], env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=subprocess.PIPE, timeout=240, text=True, restore_signals=False)
        return result.returncode, result.stderr

    def commands(self, address):
        log = ["--log", self.log]
        return [["tune", "--help"], ["tune", "--version"], ["tune", "records", "list", *log],
                ["tune", "records", "list", *log, "--json"], ["tune", "records", "list", *log, "--csv"],
                ["tune", "records", "best", *log], ["tune", "records", "best", *log, "--problem", "32x32x32"],
                ["tune", "records", "show", "1", *log], ["tune", "records", "show", "1", *log, "--json"],
                ["tune", "records", "spec", *log], ["tune", "records", "export", *log],
                ["tune", "report", "-o", "-", *log], ["tune", "explain", "32x32x32", *log],
                ["tune", "explain", "32x32x32", "--json", *log],
                ["tune", "status", "--server", address], ["tune", "status", "--server", address, "--json"],
                ["tune", "compile", "--help"], ["mmtune-compile", "--help"], ["mmtune-server", "--help"],
                ["mmtune-worker", "--help"], ["mmtune-worker", "--version"]]

    def assert_lost(self, code, err, command, reason):
        self.assertEqual(code, 1, f"{command}: {err}")
        last = err.splitlines()[-1]
        self.assertRegex(last, rf"^[a-z -]+: (error: )?cannot write standard output(: {reason})?$", command)

    def test_a_full_disk_is_an_error(self):
        server, address = self.start_server()
        for command in self.commands(address):
            with self.subTest(command=command), open("/dev/full", "w") as full:
                self.assert_lost(*self.run_into(full, *command), command, "No space left on device")
        server.terminate()
        self.finish(server, 30)
        quick = ["--log", self.log, "--quiet", *FAST]
        model = f"{self.folder}/model.mlir"
        with open(model, "w") as out:
            out.write("func.func @f(%x: f32) -> f32 { return %x : f32 }\n")
        schedule = self.exported()[0]["schedule"]
        text = " ".join([schedule["family"], *(f"{name}={value}" for name, value in schedule["params"].items())])
        for command in [["tune", "matmul", "32x32x32", "--trials", "2", *quick],
                        ["tune", "matmul", "32x32x32", "--trials", "2", "--json", *quick],
                        ["tune", "ladder", "32x32x32", *quick],
                        ["tune", "verify", "matmul", "32x32x32", "--device", "simt", "--schedule", text],
                        ["tune", "profile", "matmul", "32x32x32", "--schedule", text],
                        ["mmtune-compile", model, "--device", "simt", "--emit", "llvm", "-o", "-"]]:
            with self.subTest(command=command), open("/dev/full", "w") as full:
                self.assert_lost(*self.run_into(full, *command), command, "No space left on device")

    def test_a_reader_that_left_is_no_matter_for_words(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as broken:
            for command in [["tune", "records", "list", "--log", self.log, "--json"], ["tune", "--help"],
                            ["mmtune-server", "--help"], ["mmtune-worker", "--help"], ["mmtune-compile", "--help"]]:
                with self.subTest(command=command):
                    code, err = self.run_into(broken, *command)
                    self.assertEqual((code, err), (141, ""), command)

    def test_no_character_of_a_record_reaches_the_terminal(self):
        records = self.exported()
        for record in records:
            record["uuid"] += "-hostile"
            record["device"]["name"], record["worker"] = "evil", HOSTILE  # A hostile name of a device is refused.
        file, other = f"{self.folder}/hostile.jsonl", f"{self.folder}/hostile.db"
        with open(file, "w") as out:
            out.writelines(json.dumps(record) + "\n" for record in records)
        self.tune_ok("records", "import", file, "--log", other)
        for words in [["list"], ["list", "--json"], ["list", "--csv"], ["best"], ["best", "--problem", "32x32x32"],
                      ["best", "--json"], ["show", "1"], ["show", "1", "--json"], ["export"], ["spec"]]:
            with self.subTest(words=words):
                text = self.tune_ok("records", *words, "--log", other).stdout
                self.assertEqual([c for c in text if c in "\u009b\u202e\u200b\x1b"], [])
                if "--json" in words or words == ["export"]:
                    self.assertIn("\\u009b31m\\u202e\\u200b", text)
                    self.assertEqual(json.loads(text.splitlines()[0])["worker"], HOSTILE)

        for words in [["report", "-o", "-"], ["explain", "32x32x32"], ["explain", "32x32x32", "--json"]]:
            with self.subTest(words=words):
                text = self.tune_ok(*words, "--log", other).stdout
                self.assertIn("evil", text)
                self.assertEqual([c for c in text if c in "\u009b\u202e\u200b\x1b"], [])

    def test_no_cell_of_csv_is_computed(self):
        records = self.exported()
        for record in records:
            record["uuid"] += "-formula"
            record["worker"], record["device"]["name"] = "=HYPERLINK(1)", "@SUM(A1)"
        file, other = f"{self.folder}/formula.jsonl", f"{self.folder}/formula.db"
        with open(file, "w") as out:
            out.writelines(json.dumps(record) + "\n" for record in records)
        self.tune_ok("records", "import", file, "--log", other)
        for words in (["list"], ["best", "--problem", "32x32x32"]):
            for row in csv.DictReader(self.tune_ok("records", *words, "--csv", "--log", other).stdout.splitlines()):
                self.assertEqual((row["worker"], row["device"]), ("'=HYPERLINK(1)", "'@SUM(A1)"))
                float(row["median_ns"] or 0)

    def test_a_narrow_terminal_gets_fewer_columns(self):
        self.environment["COLUMNS"] = "40"
        server, address = self.start_server()
        for words in [["records", "list", "--log", self.log], ["records", "best", "--log", self.log],
                      ["records", "best", "--log", self.log, "--problem", "32x32x32"],
                      ["status", "--server", address]]:
            with self.subTest(words=words):
                lines = self.tune_ok(*words).stdout.splitlines()
                table = [i for i, line in enumerate(lines) if line.startswith("--")]
                self.assertTrue(table or "status" in words)
                for at in table:
                    for line in lines[at - 1:at + 3]:
                        self.assertLessEqual(len(line), 40)
        server.terminate()
        self.finish(server, 30)

    def test_the_kernels_of_a_model_fit_the_terminal(self):
        model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/examples/two_layer.mlir")
        compile_it = ["compile", model, "--log", self.log, "--device", "simt", "--force", "-o", f"{self.folder}/lib.so"]
        whole = self.tune_ok(*compile_it).stdout
        self.assertIn("  schedule\n", whole)
        self.environment["COLUMNS"] = "70"
        lines = self.tune_ok(*compile_it).stdout.splitlines()
        self.assertRegex(lines[0], r"\Akernels +problem +from +measured\Z")
        self.assertRegex(lines[3], r"\Anot shown in 70 columns: code, schedule; \d+ columns show all\Z")
        for line in lines:
            self.assertLessEqual(len(line), 70)
        rows = list(csv.reader(self.tune_ok(*compile_it, "--csv").stdout.splitlines()))
        self.assertEqual(rows[0], ["kernels", "problem", "from", "code", "measured", "schedule"])
        report = json.loads(self.tune_ok(*compile_it, "--json").stdout)
        self.assertEqual([kernel["module"] for kernel in report["kernels"]], [row[0] for row in rows[1:]])
        self.assertIn("parse", report["times_ms"])
        self.assert_one_line_error(self.tune(*compile_it, "--json", "--markdown"), 2, "--json excludes --markdown")

    def on_terminal(self, *args, **environment):
        """What tune writes to a terminal of 80 columns."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        try:
            result = subprocess.run([os.path.join(BIN, "tune"), *args], stdin=subprocess.DEVNULL, stdout=slave,
                                    env={**self.environment, "TERM": "xterm", **environment}, timeout=60)
            self.assertEqual(result.returncode, 0)
            return os.read(master, 1 << 16).decode()
        finally:
            os.close(slave)
            os.close(master)

    def test_colours_are_for_terminals_and_for_those_who_want_them(self):
        self.environment.pop("NO_COLOR", None)
        best = ["records", "best", "--problem", "32x32x32", "--log", self.log]
        bold = "\x1b[1m"
        self.assertIn(bold, self.on_terminal(*best))
        for plain in [self.on_terminal(*best, NO_COLOR="1"), self.on_terminal(*best, "--color", "never"),
                      self.on_terminal(*best, TERM="dumb"), self.tune_ok(*best).stdout]:
            self.assertNotIn("\x1b", plain)
        for painted in [self.tune_ok(*best, "--color", "always").stdout,
                        self.on_terminal(*best, "--color", "always", NO_COLOR="1"),
                        self.on_terminal(*best, NO_COLOR="")]:
            self.assertIn(bold, painted)

    def test_a_table_is_markdown_on_request(self):
        for words in [["records", "list"], ["records", "best"], ["records", "best", "--problem", "32x32x32"],
                      ["explain", "32x32x32"], ["doctor"], ["matmul", "32x32x32", "--trials", "2", *FAST]]:
            with self.subTest(words=words):
                text = self.tune_ok(*words, "--log", self.log, "--markdown").stdout
                rules = [i for i, line in enumerate(text.splitlines()) if re.fullmatch(r"\|(-+:?\|)+", line)]
                self.assertTrue(rules, text)
                for at in rules:
                    lines = text.splitlines()[at - 2:at + 2]
                    self.assertEqual(lines[0], "", "a table is a block of its own")
                    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in lines[1:]]
                    self.assertEqual(len(set(cells)), 1, lines)

    def test_what_has_no_end_is_refused(self):
        self.assert_one_line_error(self.tune("records", "import", "/dev/zero", "--log", self.log, seconds=60), 2,
                                   "line 1")
        model = f"{self.folder}/model.mlir"
        with open(model, "w") as file:
            file.write("func.func @f(%a: memref<4xf32>) { return }\n")
        for words in [[model, "--run", "f", "--arg", "file:/dev/zero"], ["/dev/zero", "--run", "f"],
                      [model, "--run", "f", "--arg", "ones", "--spec", "/dev/zero"]]:
            with self.subTest(words=words):
                result = self.run_program("mmtune-compile", "--device", "simt", *words, seconds=60)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("/dev/zero: it is a device, not a file", result.stderr)

    def test_a_used_port_leaves_no_log(self):
        server, address = self.start_server()
        stray = f"{self.folder}/stray.db"
        result = self.run_program("mmtune-server", "--listen", address, "--insecure-loopback", "--log", stray, seconds=60)
        self.assert_one_line_error(result, 4, address)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("stray")], [])
        server.terminate()
        self.finish(server, 30)


if __name__ == "__main__":
    unittest.main()
