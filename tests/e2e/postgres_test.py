# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tuning log in PostgreSQL: the commands that read and write it, a copy both ways, restarts of the server,
and several coordinators. Skipped where no server is installed."""

import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

from harness import BIN, FAST, EndToEndTest, wait_until
from postgres_server import PROGRAMS, USER, PostgresServer

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "deploy", "python"))
import mmtune  # noqa: E402

SHAPE = "32x32x32"
POOLER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")


@unittest.skipUnless(PROGRAMS, "no PostgreSQL server is installed: deploy/install-deps --deploy-tests")
class PostgresTest(EndToEndTest):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgresServer()
        cls.addClassCleanup(cls.server.close)
        cls.databases = 0

    def setUp(self):
        super().setUp()
        PostgresTest.databases += 1
        self.database = f"log{self.databases}"
        self.server.sql("postgres", f"CREATE DATABASE {self.database}")
        self.file, self.log = self.log, self.server.url(self.database)

    def matmul(self, log, *args):
        return self.tune_ok("matmul", SHAPE, "--trials", "3", "--log", log, *FAST, *args)

    def test_a_search_is_stored_and_reused_and_every_command_reads_it(self):
        self.assert_table(self.matmul(self.log).stdout)
        self.assertEqual(self.server.sql(self.database, "SELECT count(*) FROM mmtune.measurement"), ["3"])
        again = self.matmul(self.log)
        self.assertEqual(self.server.sql(self.database, "SELECT count(*) FROM mmtune.measurement WHERE outcome = 'ok' "
                                                        "AND conditions NOT LIKE '%comparison%'"), ["3"], again.stdout)
        self.assertIn(SHAPE, self.tune_ok("records", "list", "--log", self.log).stdout)
        self.assert_table(self.tune_ok("records", "best", "--problem", SHAPE, "--log", self.log).stdout)
        self.assertIn('"problem"', self.tune_ok("records", "spec", "--log", self.log, "-o", "-").stdout)
        self.assertIn("damaged 0", self.tune_ok("records", "check", "--log", self.log).stdout)
        self.tune_ok("verify", "matmul", SHAPE, "--best", "--log", self.log)
        page = f"{self.folder}/report.html"
        self.tune_ok("report", "--log", self.log, "-o", page)
        self.assertTrue(os.path.exists(page))
        self.assertIn("canonical records, all sound", self.tune("doctor", "--log", self.log).stdout)
        os.environ["PATH"] = f"{os.path.abspath(BIN)}:{os.environ['PATH']}"
        log = mmtune.open(self.log)
        self.assertEqual(log.best()[0]["problem"], SHAPE)
        self.assertEqual({record["outcome"] for record in log.records()}, {"ok"})
        with self.assertRaisesRegex(mmtune.LogError, "createdb"):
            mmtune.open(self.server.url("nowhere")).records()
        for url in ("postgres://me:100%sure@db/tuning", "postgres://u:secret@[::1/x", "postgres://h/x?password=secret"):
            with self.assertRaisesRegex(mmtune.LogError, "^the URL has a password.*PGPASSFILE$"):
                mmtune.open(url)

    def test_compile_takes_its_schedules_from_the_database(self):
        self.matmul(self.log)
        library = f"{self.folder}/libmodel.so"
        self.tune_ok("compile", os.path.join(ROOT, "docs/examples/two_layer.mlir"), "--log", self.log, "--device", "simt",
                     "-o", library)
        self.assertTrue(os.path.exists(library))

    def test_a_copy_goes_both_ways_and_can_be_repeated(self):
        self.matmul(self.file)
        copied = self.tune_ok("records", "copy", self.file, self.log).stdout
        self.assertRegex(copied, r"copied (\d+) records, 0 already present")
        self.assertRegex(self.tune_ok("records", "copy", self.file, self.log).stdout, r"copied 0 records, \d+ already")
        back = f"{self.folder}/back.db"
        self.tune_ok("records", "copy", self.log, back)
        without_id = lambda text: [line.split(',"id":')[0] + line.split(',"id":')[1].split(",", 1)[1]  # noqa: E731
                                   for line in text.splitlines()]
        texts = [self.tune_ok("records", "export", "--all", "--log", log).stdout for log in (self.file, self.log, back)]
        self.assertEqual(without_id(texts[0]), without_id(texts[1]))
        self.assertEqual(without_id(texts[0]), without_id(texts[2]))
        self.assert_one_line_error(self.tune("records", "copy", self.log, self.log), 2, "name two")

    def owners(self):
        """(job, coordinator, epoch) of each job."""
        rows = self.server.sql(self.database, "SELECT job_id, coordinator, epoch FROM mmtune.ownership ORDER BY job_id")
        return [tuple(int(cell) for cell in row.split("|")) for row in rows]

    def test_two_coordinators_share_a_log_and_a_worker(self):
        addresses = [self.start_server()[1] for _ in range(2)]
        self.start_worker(",".join(addresses), "a")
        runs = [self.start("tune", "matmul", shape, "--trials", "3", "--server", address, *FAST)
                for shape, address in zip((SHAPE, "48x48x48"), addresses)]
        for run in runs:
            code, out, err = self.finish(run)
            self.assertEqual(code, 0, err)
            self.assert_table(out)
        self.assertEqual(sorted(row[1:] for row in self.owners()), [(1, 1), (2, 1)])
        embedded = self.matmul(self.log)  # a third one, for the time of the command
        self.assertIn("from log  3 of 3", embedded.stdout)
        self.assertIn("worker", self.tune_ok("status", "--log", self.log).stdout)

    def run_through_the_loss_of_a_coordinator(self, lose):
        servers = [self.start_server() for _ in range(2)]
        both = ",".join(address for _, address in servers)
        worker = self.start_worker(both, "a")
        run = self.start("tune", "matmul", SHAPE, "--trials", "20", "--server", both, *FAST)
        measured = "SELECT count(*) FROM mmtune.measurement WHERE canonical = 1"
        wait_until(lambda: int(self.server.sql(self.database, measured)[0]) >= 3, 60, "three records")
        started = time.monotonic()
        lose(servers[0][0])
        wait_until(lambda: [row[1:] for row in self.owners()] == [(2, 2)], 60, "a second owner")
        taken_over = time.monotonic() - started
        code, out, err = self.finish(run)
        self.assertEqual(code, 0, err + "".join(self.said[worker.pid]))
        self.assert_table(out)
        rows = self.server.sql(self.database, "SELECT count(*), count(DISTINCT candidate_id) FROM mmtune.measurement "
                                              "WHERE canonical = 1 AND conditions NOT LIKE '%comparison%'")
        self.assertEqual(rows, ["20|20"], "each candidate has one canonical record")
        live = self.server.sql(self.database, "SELECT count(*) FROM mmtune.attempt WHERE state = 'live'")
        self.assertEqual(live, ["0"])
        return servers[0][0], taken_over

    def test_the_job_of_a_killed_coordinator_is_ended_by_another(self):
        _, seconds = self.run_through_the_loss_of_a_coordinator(lambda server: server.kill())
        self.assertLess(seconds, 45)  # 30 s, and what a busy machine adds

    def test_a_coordinator_that_was_stopped_too_long_stores_nothing_and_ends(self):
        stopped, seconds = self.run_through_the_loss_of_a_coordinator(lambda server: server.send_signal(signal.SIGSTOP))
        self.assertLess(seconds, 45)  # 30 s, and what a busy machine adds
        stopped.send_signal(signal.SIGCONT)
        self.assertEqual(stopped.wait(60), 3)
        self.assertIn("took the jobs of this process over", stopped.stderr.read())

    def test_a_coordinator_goes_on_after_a_restart_of_the_database_server(self):
        coordinator, address = self.start_server()
        self.start_worker(address, "a")
        self.server.stop()
        self.server.start()
        self.tune_ok("matmul", SHAPE, "--trials", "3", "--server", address, *FAST)
        self.assertEqual(self.server.sql(self.database, "SELECT count(*) FROM mmtune.measurement WHERE canonical = 1 AND "
                                                        "conditions NOT LIKE '%comparison%'"), ["3"])
        self.stop(coordinator)
        self.assertEqual(self.server.sql(self.database, "SELECT id FROM mmtune.coordinator"), [])

    def refuse(self, log, code, word, *commands):
        """Each program ends with the code and one line with the word."""
        for command in commands or (["tune", "records", "list"], ["tune", "matmul", SHAPE, "--trials", "1", *FAST],
                                    ["mmtune-server", "--listen", "127.0.0.1:0", "--insecure-loopback"]):
            with self.subTest(log=log, command=command):
                result = self.run_program(*command, "--log", log)
                self.assert_one_line_error(result, code, word)
                self.assertNotIn("secret", result.stderr)

    def test_bad_input_is_one_line_with_a_code_of_its_own(self):
        self.refuse(self.server.url("nowhere"), 3, "createdb")
        self.refuse("postgres://me:secret@/x", 2, ".pgpass")
        self.refuse("postgres://u:secret@[::1/x", 2, ".pgpass")
        self.refuse("postgres:///x?host=/nonexistent", 4, "/nonexistent", ["tune", "records", "list"])
        self.refuse(self.server.url(self.database, "nobody"), 7, "role")
        self.matmul(self.log)
        self.server.sql(self.database, "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA mmtune TO reader; "
                                       "GRANT SELECT ON ALL TABLES IN SCHEMA mmtune TO reader")
        reader = self.server.url(self.database, "reader")
        self.refuse(reader, 7, "may write", ["tune", "matmul", SHAPE, "--trials", "1", *FAST])
        self.tune_ok("records", "list", "--log", reader)
        self.server.sql(self.database, "UPDATE mmtune.log_schema SET version = 7")
        self.refuse(self.log, 9, "schema version 7")

    def test_a_missing_and_a_wrong_password_are_told(self):
        self.server.sql("postgres", "CREATE ROLE locked LOGIN PASSWORD 'right'")
        self.server.add_access("local all locked scram-sha-256")
        for password in (None, "wrong"):
            if password:
                self.environment["PGPASSWORD"] = password
            self.refuse(self.server.url(self.database, "locked"), 6, "PGPASSFILE")

    def test_an_older_server_is_told(self):
        message = lambda kind, body: kind + struct.pack("!i", 4 + len(body)) + body  # noqa: E731
        settings = {"server_version": "13.11", "default_transaction_read_only": "off", "in_hot_standby": "off"}
        greeting = (message(b"R", bytes(4)) + b"".join(message(b"S", f"{name}\0{value}\0".encode())
                                                       for name, value in settings.items()) + message(b"Z", b"I"))
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{self.folder}/.s.PGSQL.5432")
            listener.listen()

            def serve():
                while True:
                    try:
                        connection, _ = listener.accept()
                    except OSError:
                        return
                    with connection:
                        connection.recv(4096)
                        connection.sendall(greeting)
                        connection.recv(4096)

            thread = threading.Thread(target=serve)
            thread.start()
            try:
                self.refuse(f"postgres://postgres@/x?host={self.folder}", 4, "PostgreSQL 13.11")
            finally:
                listener.shutdown(socket.SHUT_RDWR)
                thread.join()

    @unittest.skipUnless(POOLER, "no PgBouncer is installed: deploy/install-deps --deploy-tests")
    def test_a_pooler_in_transaction_mode_is_refused_and_one_in_session_mode_is_not(self):
        for mode, refused in [("transaction", True), ("session", False)]:
            folder = f"{self.server.folder}/{mode}"
            os.mkdir(folder)
            os.chmod(folder, 0o777)
            with open(f"{folder}/pgbouncer.ini", "w", encoding="utf-8") as file:
                file.write(f"[databases]\n* = host={self.server.folder} user=postgres\n[pgbouncer]\nlisten_addr =\n"
                           f"unix_socket_dir = {folder}\nauth_type = any\npool_mode = {mode}\n"
                           f"logfile = {folder}/log\nlisten_port = 5432\n")
            pooler = subprocess.Popen([*USER, POOLER, "-q", f"{folder}/pgbouncer.ini"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(pooler.wait)
            self.addCleanup(pooler.terminate)
            while not os.path.exists(f"{folder}/.s.PGSQL.5432"):
                self.assertIsNone(pooler.poll())
                time.sleep(0.05)
            url = f"postgres://postgres@/{self.database}?host={folder}"
            result = self.tune("records", "copy", self.copy_source(), url)
            if refused:
                self.assert_one_line_error(result, 2, "pooler in transaction mode")
            else:
                self.assertEqual(result.returncode, 0, result.stderr)

    def copy_source(self):
        if not os.path.exists(self.file):
            self.matmul(self.file)
        return self.file


if __name__ == "__main__":
    unittest.main()
