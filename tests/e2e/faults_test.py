# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the machine does to a run: a killed worker, a full disk, a device that another holds, limits, no home."""

import fcntl
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from harness import BIN, FAST, EndToEndTest, processes_of, wait_until

MATMUL = ["matmul", "32x32x32"]
# A file this short takes no page: writing fails as on a full disk, with EFBIG for ENOSPC.
FULL = 1


def parent_of(pid):
    """None where it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


class FaultsTest(EndToEndTest):
    def start_ignoring_xfsz(self, program, *args):
        """As start(), and a write beyond a limit of RLIMIT_FSIZE is an error, not a signal."""
        process = subprocess.Popen([os.path.join(BIN, program), *args], env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   errors="replace", restore_signals=False)
        self.addCleanup(self.end, process)
        return process

    def workers(self):
        return [pid for pid, command in processes_of(self.marker).items() if "mmtune-worker --server" in command]

    def wait_for_records(self, count):
        def enough():
            listed = self.tune("records", "list", "--log", self.log, "--csv", "--outcome", "ok")
            return listed.returncode == 0 and listed.stdout.count("\n") > count
        wait_until(enough, 120, f"{count} records")

    def kill_workers(self, tune, count):
        """Each as soon as it is there: it holds no lease yet, for whose end the job would wait. A child of a worker has its
        command, too, before it becomes another program."""
        killed = set()
        while len(killed) < count and tune.poll() is None:
            for pid in self.workers():
                if parent_of(pid) == tune.pid and pid not in killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)
            time.sleep(0.02)

    def test_a_killed_worker_is_replaced(self):
        tune = self.start("tune", *MATMUL, "--trials", "3", "--log", self.log, *FAST)
        self.kill_workers(tune, 1)
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assertIn("3 schedules", out)
        self.assertIn("the worker was killed (signal 9 (Killed)): started another", err)
        self.assert_no_processes()

    def test_workers_that_are_killed_again_and_again_end_it(self):
        tune = self.start("tune", *MATMUL, "--trials", "3", "--log", self.log, *FAST)
        self.kill_workers(tune, 4)
        code, out, err = self.finish(tune)
        self.assertEqual(code, 5, out + err)
        self.assertEqual(err.count("started another"), 3, err)
        self.assertIn("tune: the worker ended: signal 9 (Killed), after it was started 4 times", err)
        self.assert_no_processes()

    def test_what_a_killed_worker_had_leased_is_not_waited_for(self):
        tune = self.start("tune", *MATMUL, "--trials", "300", "--strategy", "random", "--finalists", "0", "--log", self.log,
                          *FAST)
        self.wait_for_records(3)
        began = time.monotonic()
        # Most of the time it holds a lease: the second worker of three does, almost certainly.
        for number in range(3):
            before = self.tune("records", "list", "--log", self.log, "--csv").stdout.count("\n")
            self.kill_workers(tune, 1)
            wait_until(lambda: tune.poll() is not None or
                       self.tune("records", "list", "--log", self.log, "--csv").stdout.count("\n") > before + 2, 20,
                       f"measuring after worker {number + 1} was killed")
        self.assertLess(time.monotonic() - began, 28, "a lease lasts 30 s")
        tune.terminate()
        self.finish(tune)

    def test_a_limit_of_file_sizes_is_one_line(self):
        self.tune_ok(*MATMUL, "--trials", "2", "--log", self.log, *FAST)
        model = os.path.join(self.folder, "model.mlir")
        with open(model, "w", encoding="utf-8") as file:
            file.write("func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> "
                       "tensor<64x64xf32> {\n  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) "
                       "outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>\n  return %r : tensor<64x64xf32>\n}\n")

        def short():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        new = os.path.join(self.folder, "new.db")
        out = os.path.join(self.folder, "out")
        for program, args in (
                ("tune", [*MATMUL, "--trials", "2", "--log", new, "--quiet", *FAST]),
                ("tune", ["report", "--log", self.log, "-o", out + ".html"]),
                ("tune", ["records", "export", "--log", self.log, out + ".jsonl"]),
                ("mmtune-server", ["--listen", f"unix:{self.folder}/s", "--log", new]),
                ("mmtune-compile", [model, "--device", "simt", "-o", out + ".mlir"]),
                ("mmtune-opt", [model, "--mmtune-to-gpu=device=simt arch=sm_80", "-o", out + ".opt"])):
            with self.subTest(program=program, args=args):
                done = subprocess.run([os.path.join(BIN, program), *args], env=self.environment, text=True,
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=90, preexec_fn=short,
                                      check=False)
                self.assertGreater(done.returncode, 0, f"no signal: {done.stdout}{done.stderr}")
                self.assertRegex(done.stderr, r"(?m)^[^\n]*(File too large|I/O error)[^\n]*$")

    @unittest.skipIf(os.geteuid() != 0, "only root can become a user without other processes")
    def test_a_limit_of_processes_is_one_line(self):
        nobody_else = 54321
        for folder in (self.folder, os.path.join(self.folder, "run")):
            os.chown(folder, nobody_else, nobody_else)
        # What is enough to begin may be too few later: then, too, it ends.
        for limit, words in ((20, r"\Atune: only \d+ threads can be started, 32 are needed: raise [^\n]+\n\Z"), (40, r"\A([^\n]+\n)?\Z")):
            def few(limit=limit):
                resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
                os.setgid(nobody_else)
                os.setuid(nobody_else)
            with self.subTest(limit=limit):
                done = subprocess.run([os.path.join(BIN, "tune"), *MATMUL, "--trials", "2", "--log", self.log, "--quiet", *FAST],
                                      env=self.environment, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=90, preexec_fn=few, check=False)
                self.assertGreaterEqual(done.returncode, 0, f"no signal: {done.stdout}{done.stderr}")
                self.assertRegex(done.stderr, words)
                self.assertEqual(done.returncode == 0, not done.stderr, done.stdout + done.stderr)

    def test_a_log_taken_from_an_embedded_coordinator_ends_it(self):
        tune = self.start("tune", *MATMUL, "--trials", "5000", "--strategy", "random", "--log", self.log, "--quiet", *FAST)
        self.wait_for_records(2)
        shutil.copy(self.log, self.log + ".old")
        os.rename(self.log + ".old", self.log)
        code, out, err = self.finish(tune, 30)
        self.assertEqual(code, 3, out + err)
        self.assertRegex(err, rf"\Atune: the write of the tuning log failed[^\n]+{self.log} was replaced[^\n]+\n\Z")
        copies = [name for name in os.listdir(self.folder) if name.startswith("tuning.db.") and name.endswith(".backup")]
        self.assertEqual(len(copies), 1)
        # Everything that was measured and told is there.
        self.assertEqual(self.tune("records", "check", "--log", f"{self.folder}/{copies[0]}").returncode, 0)
        measured = int(re.search(r"(\d+) of 5000 schedules", out).group(1))
        kept = self.tune_ok("records", "list", "--log", f"{self.folder}/{copies[0]}", "--csv").stdout.count("\n") - 1
        self.assertGreaterEqual(kept, measured)
        self.assert_no_processes()

    def tune_with_worker(self, script):
        """tune beside a worker that is this shell script."""
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        shutil.copy(os.path.join(BIN, "tune"), folder)
        worker = os.path.join(folder, "mmtune-worker")
        with open(worker, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(worker, 0o755)
        return subprocess.run([os.path.join(folder, "tune"), *MATMUL, "--trials", "1", "--log", self.log, *FAST],
                              env=self.environment, text=True, capture_output=True, timeout=60, check=False)

    def test_a_worker_that_ends_with_a_reason_is_not_started_again(self):
        done = self.tune_with_worker("echo mmtune-worker: out of memory >&2; exit 1\n")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertNotIn("started another", done.stderr)
        self.assertIn("tune: the worker ended: out of memory\n", done.stderr)

    def test_the_reason_is_the_last_workers_own(self):
        flag = os.path.join(self.folder, "started")
        done = self.tune_with_worker(f"[ -e {flag} ] && exit 3\ntouch {flag}\necho of the first >&2\nkill -9 $$\n")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("started another", done.stderr)
        self.assertNotIn("of the first", done.stderr)

    def test_a_full_disk_is_one_line_and_exit_code_3(self):
        tune = self.start_ignoring_xfsz("tune", *MATMUL, "--trials", "5000", "--strategy", "random", "--log", self.log,
                                        "--quiet", *FAST)
        self.wait_for_records(1)
        resource.prlimit(tune.pid, resource.RLIMIT_FSIZE, (FULL, resource.RLIM_INFINITY))
        code, out, err = self.finish(tune, 90)
        self.assertEqual(code, 3, out + err)
        self.assertRegex(err, r"\Atune: the write of the tuning log failed[^\n]+\n\Z")
        self.assertIn("rank", out, "what was measured is shown")
        self.assert_no_processes()

    def test_a_disk_that_is_full_for_a_moment_is_waited_out(self):
        tune = self.start_ignoring_xfsz("tune", *MATMUL, "--trials", "12", "--log", self.log, *FAST)
        self.wait_for_records(1)
        resource.prlimit(tune.pid, resource.RLIMIT_FSIZE, (FULL, resource.RLIM_INFINITY))
        time.sleep(2)
        resource.prlimit(tune.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        code, out, err = self.finish(tune)
        self.assertEqual(code, 0, out + err)
        self.assertIn("12 schedules", out)

    def test_a_daemon_on_a_full_disk_says_so_once(self):
        server, address = self.start_server_ignoring_xfsz()
        worker = self.start("mmtune-worker", "--server", address, "--device", "simt", "--spool",
                            f"{self.folder}/spool")
        first = self.start("tune", *MATMUL, "--trials", "5000", "--strategy", "random", "--server", address, *FAST)
        self.wait_for_records(1)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (FULL, resource.RLIM_INFINITY))
        result = self.tune("matmul", "16x16x16", "--trials", "1", "--server", address, *FAST)
        self.assert_one_line_error(result, 3, "the write of the tuning log failed")
        time.sleep(3)
        first.kill()
        worker.kill()
        server.send_signal(signal.SIGTERM)
        code, _, err = self.finish(server, 40)
        self.assertEqual(code, 0, err)
        self.assertEqual(err.count("cannot be written"), 1, err)
        self.assertLess(sum("measured" not in line for line in err.splitlines()), 40, err)

    def start_server_ignoring_xfsz(self):
        server = self.start_ignoring_xfsz("mmtune-server", "--listen", "127.0.0.1:0", "--insecure-loopback", "--log", self.log)
        return server, server.stdout.readline().split()[2].rstrip(",")

    def test_a_held_device_is_told_and_the_wait_has_a_bound(self):
        self.tune_ok(*MATMUL, "--trials", "1", "--log", self.log, *FAST)
        probe = json.loads(self.run_program("mmtune-worker", "--probe").stdout.splitlines()[-1])
        self.assertLessEqual({"device", "max_threads_per_block", "shared_bytes_per_multiprocessor", "families"}, probe.keys())
        name = f"mmtune-device-{hashlib.sha256(probe['uuid'].encode()).hexdigest()[:16]}.lock"
        for folder in ("/run/lock", self.environment["XDG_RUNTIME_DIR"]):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                break
        file = open(path, "rb")
        self.addCleanup(file.close)
        fcntl.flock(file, fcntl.LOCK_EX)
        begun = time.monotonic()
        result = self.tune(*MATMUL, "--trials", "1", "--remeasure", "--wait", "3", "--log", self.log, *FAST)
        self.assertGreater(time.monotonic() - begun, 3)
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        self.assertIn("waiting for the device: held by ", result.stderr)
        last = result.stderr.splitlines()[-1]
        self.assertRegex(last, r"\Atune: the worker ended: the device is held by .*process.* for longer than the 3 s")
        with open("/proc/locks") as text:
            if f" {os.getpid()} " in text.read():
                self.assertIn(f"process {os.getpid()} (", last)
        verified = self.tune("verify", *MATMUL, "--best", "--log", self.log, "--device", "simt", "--wait", "0")
        self.assert_one_line_error(verified, 5, "is held by")

    def test_too_few_files_are_one_line(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))
        for program, args in (("tune", [*MATMUL, "--log", self.log]),
                              ("mmtune-server", ["--listen", "127.0.0.1:0", "--insecure-loopback", "--log", self.log]),
                              ("mmtune-worker", ["--server", "127.0.0.1:1"])):
            with self.subTest(program):
                done = subprocess.run([os.path.join(BIN, program), *args], env=self.environment, text=True,
                                      capture_output=True, timeout=60, preexec_fn=few, check=False)
                self.assert_one_line_error(done, 1, "only 12 files may be open")

    def test_a_home_that_is_not_there_is_not_made(self):
        home = os.path.join(self.folder, "nobody")
        self.environment["HOME"] = home
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
            del self.environment[name]
        self.assert_one_line_error(self.tune(*MATMUL), 3, home, "--log")
        self.assert_one_line_error(self.run_program("mmtune-worker", "--server", "127.0.0.1:1"), 2, home, "--spool")
        self.tune_ok(*MATMUL, "--trials", "1", "--log", self.log, *FAST)
        self.assertFalse(os.path.exists(home))

    def test_an_emptied_log_is_named(self):
        self.tune_ok(*MATMUL, "--trials", "1", "--log", self.log, *FAST)
        os.truncate(self.log, 0)
        self.assert_one_line_error(self.tune(*MATMUL, "--log", self.log), 3, self.log, "is empty")
        self.assertEqual(os.path.getsize(self.log), 0)


if __name__ == "__main__":
    unittest.main()
