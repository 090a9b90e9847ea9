# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of mmtune for tests: in a folder of their own, with bounded time, leaving no process behind."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

BIN = os.environ.get("MMTUNE_BIN", "build/release/bin")
RUN_SECONDS = 240
# Small budgets: these tests are about the road, not about the times.
FAST = ["--measure-seconds", "0.02", "--device", "simt", "--seed", "1", "--quick"]


def wait_until(holds, seconds, what):
    """Polls until `holds()` is true; its value."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = holds()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")


def processes_of(marker):
    """Command lines of live processes whose environment has MMTUNE_E2E=`marker`."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ:
                if f"MMTUNE_E2E={marker}".encode() not in environ.read().split(b"\0"):
                    continue
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                    continue
            with open(f"/proc/{pid}/cmdline", "rb") as cmdline:
                found[int(pid)] = cmdline.read().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


class EndToEndTest(unittest.TestCase):
    """Every process a test starts carries a marker in its environment; what is left at the end is killed."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mmtune-e2e-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = os.path.join(self.folder, "tuning.db")
        self.marker = os.path.basename(self.folder)
        self.said = {}
        self.listeners = {}
        run_folder = os.path.join(self.folder, "run")
        os.mkdir(run_folder)
        self.environment = dict(os.environ, MMTUNE_E2E=self.marker, HOME=self.folder, XDG_RUNTIME_DIR=run_folder,
                                TMPDIR=run_folder, XDG_DATA_HOME=os.path.join(self.folder, "data"),
                                XDG_STATE_HOME=os.path.join(self.folder, "state"),
                                XDG_CONFIG_HOME=os.path.join(self.folder, "config"))
        for name in [name for name in os.environ if name.startswith("MMTUNE_")
                     and name not in ("MMTUNE_PTXAS", "MMTUNE_NVDISASM")]:
            self.environment.pop(name)  # the settings of whoever runs the tests
        self.environment.pop("TRACEPARENT", None)
        self.environment.pop("COLUMNS", None)  # of the terminal that the tests were started from
        self.addCleanup(self.kill_all)

    def kill_all(self):
        for pid in processes_of(self.marker):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def start(self, program, *args):
        """A running program; its output is read with communicate()."""
        process = subprocess.Popen([os.path.join(BIN, program), *args], env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   errors="replace")
        self.addCleanup(self.end, process)
        return process

    def listen(self, process):
        """Collects what the process says on standard error, in `said[process.pid]`."""
        said = self.said.setdefault(process.pid, [])
        self.listeners[process.pid] = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
        self.listeners[process.pid].start()
        return process

    def wait_for_line(self, process, *words, seconds=60):
        """The first line on standard error with all of the words."""
        return wait_until(lambda: next((line for line in list(self.said[process.pid])
                                        if all(word in line for word in words)), None), seconds, " ".join(words))

    def stop(self, process, seconds=60):
        """Ends it by SIGTERM, which is no failure."""
        process.terminate()
        if process.pid in self.listeners:
            process.wait(seconds)
            self.listeners[process.pid].join()
        else:
            process.communicate(timeout=seconds)
        self.assertEqual(process.returncode, 0)

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def run_program(self, program, *args, seconds=RUN_SECONDS, stdin=None):
        return subprocess.run([os.path.join(BIN, program), *args], env=self.environment, text=True, input=stdin,
                              capture_output=True, timeout=seconds, errors="replace")

    def tune(self, *args, **kwargs):
        return self.run_program("tune", *args, **kwargs)

    def tune_ok(self, *args, **kwargs):
        result = self.tune(*args, **kwargs)
        self.assertEqual(result.returncode, 0, f"tune {' '.join(args)}\n{result.stdout}\n{result.stderr}")
        return result

    def tune_json(self, *args):
        return json.loads(self.tune_ok(*args, "--json", "--quiet").stdout)

    def start_server(self, *args, guard=("--insecure-loopback",), host="127.0.0.1"):
        """A coordinator on a free port; (process, address)."""
        server = self.start("mmtune-server", "--listen", f"{host}:0", "--log", self.log, *guard, *args)
        line = server.stdout.readline()
        match = re.search(r"listening on (\S+),", line)
        if not match:
            self.fail(f"mmtune-server said {line!r} {server.stderr.read() if server.poll() is not None else ''}")
        return server, match.group(1)

    def start_worker(self, address, name, *args):
        """A worker on the SIMT device, which is listened to."""
        return self.listen(self.start("mmtune-worker", "--server", address, "--device", "simt", "--compile-jobs", "1",
                                      "--spool", f"{self.folder}/spool-{name}", *args))

    def status(self, address, *options):
        return json.loads(self.tune_ok("status", "--server", address, "--json", *options).stdout)

    def finish(self, process, seconds=RUN_SECONDS):
        out, err = process.communicate(timeout=seconds)
        return process.returncode, out, err

    def assert_no_processes(self, seconds=3):
        wait_until(lambda: not processes_of(self.marker), seconds, f"no process left: {processes_of(self.marker)}")

    def assert_one_line_error(self, result, code, *words):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\A[^\n]+\n\Z")
        for word in words:
            self.assertIn(word, result.stderr)

    def assert_table(self, text, rows=None):
        """The best-schedule table: ranks in order, GFLOP/s falling; the rows as lists of cells."""
        lines = text.splitlines()
        heading = next(i for i, line in enumerate(lines) if line.startswith("rank  "))
        cells = []
        for line in lines[heading + 2:]:
            if not line[:4].strip().isdigit():
                break  # a blank line, or what a mark means
            cells.append(line.split())
        self.assertEqual([int(row[0]) for row in cells], list(range(1, len(cells) + 1)))
        speeds = [float(row[1].replace(",", "")) for row in cells]
        self.assertEqual(speeds, sorted(speeds, reverse=True))
        self.assertTrue(all(speed >= 0 for speed in speeds))
        if rows is not None:
            self.assertEqual(len(cells), rows)
        return cells

    def run_folders(self):
        """What programs left in their run folder; the lock of a device stays, where it is there."""
        return [name for name in os.listdir(self.environment["XDG_RUNTIME_DIR"])
                if not name.startswith("mmtune-device-")]

    def query(self, sql, *parameters):
        """Rows of the log, read while nobody or somebody has it open."""
        connection = sqlite3.connect(f"file:{self.log}?mode=ro", uri=True)
        try:
            return connection.execute(sql, parameters).fetchall()
        finally:
            connection.close()

    def exported(self):
        out = self.tune_ok("records", "export", "--log", self.log, "--all").stdout
        return [json.loads(line) for line in out.splitlines()]


class TunedLogTest(EndToEndTest):
    """A test that begins with what the searches `TUNED`, lists of arguments of tune, left in the log. They are run once."""

    TUNED = []
    tuned = None  # The log's bytes, for each class of tests.

    def setUp(self):
        super().setUp()
        if self.tuned is None:
            for args in self.TUNED:
                self.tune_ok(*args, "--log", self.log, *FAST)
            self.assertFalse(os.path.exists(self.log + "-wal"), "nobody has it open")
            with open(self.log, "rb") as file:
                type(self).tuned = file.read()
        with open(self.log, "wb") as file:
            file.write(self.tuned)
        os.chmod(self.log, 0o600)


class OutputFolderTest(EndToEndTest):
    """A test whose programs write into an empty folder, `self.out`."""

    def setUp(self):
        super().setUp()
        self.out = os.path.join(self.folder, "out")
        os.mkdir(self.out)

    def path(self, name):
        return os.path.join(self.out, name)
