# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two PostgreSQL servers in temporary folders, a primary and its standby, whose roles change by promotions."""

import os
import shutil
import subprocess
import tempfile
import time

from postgres_server import PROGRAMS, USER

SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{folder}'
fsync = off
shared_buffers = 32MB
max_connections = 60
wal_keep_size = 256MB
synchronous_standby_names = '{names}'
"""


class Cluster:
    """`synchronous`: a commit is answered when the standby has it. All methods are for one thread, except sql()."""

    def __init__(self, synchronous):
        self.synchronous = synchronous
        self.folder = tempfile.mkdtemp(prefix="mmtune-soak-pg-")
        os.chmod(self.folder, 0o755)
        if USER:
            os.chown(self.folder, 65534, 65534)
        self.primary, self.standby = "one", "two"
        for name in (self.primary, self.standby):
            subprocess.run([*USER, "mkdir", self.socket(name)], check=True)
        self.run("initdb", "-D", self.data(self.primary), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                 "--no-sync")
        self.configure(self.primary)
        self.start(self.primary)
        self.add_standby()

    def socket(self, name):
        return f"{self.folder}/socket-{name}"

    def data(self, name):
        return f"{self.folder}/data-{name}"

    def url(self, database):
        """Names both servers: whoever writes looks for the one that can be written."""
        return f"postgres://postgres@/{database}?host={self.socket('one')},{self.socket('two')}"

    def run(self, program, *args, check=True):
        with open(f"{self.folder}/output", "ab") as output:
            return subprocess.run([*USER, f"{PROGRAMS}/{program}", *args], cwd=self.folder, check=check,
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=300)

    def configure(self, name):
        with open(f"{self.data(name)}/postgresql.auto.conf", "a", encoding="utf-8") as file:
            file.write(SETTINGS.format(folder=self.socket(name), names="*" if self.synchronous else ""))

    def start(self, name):
        self.run("pg_ctl", "-D", self.data(name), "-w", "-s", "-t", "120", "-l", f"{self.folder}/log-{name}", "start")

    def stop(self, name, mode="immediate"):
        self.run("pg_ctl", "-D", self.data(name), "-w", "-s", "-m", mode, "stop", check=False)

    def restart(self):
        """As after a crash of the primary."""
        self.stop(self.primary)
        self.start(self.primary)

    def add_standby(self):
        shutil.rmtree(self.data(self.standby), ignore_errors=True)
        self.run("pg_basebackup", "-h", self.socket(self.primary), "-U", "postgres", "-D", self.data(self.standby), "-R",
                 "-X", "stream", "-c", "fast", "--no-sync")
        self.configure(self.standby)
        self.start(self.standby)
        self.wait_for_standby()

    def wait_for_standby(self, seconds=120):
        wanted = "sync" if self.synchronous else "async"
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.sql("postgres", "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") == [wanted]:
                return
            time.sleep(0.2)
        raise TimeoutError("the standby does not follow")

    def promote(self):
        """Ends the primary, makes the standby the primary, and a new standby in the place of the old primary."""
        self.stop(self.primary)
        self.run("pg_ctl", "-D", self.data(self.standby), "-w", "-s", "-t", "120", "promote")
        self.primary, self.standby = self.standby, self.primary
        self.add_standby()

    def cut_off_standby(self):
        """The standby gets nothing more of what is stored from now on."""
        with open(f"{self.data(self.standby)}/postgresql.auto.conf", "a", encoding="utf-8") as file:
            file.write("primary_conninfo = 'host=/nonexistent'\n")
        self.sql("postgres", "SELECT pg_reload_conf()", on=self.standby)

    def terminate_some(self):
        """Ends each session of a program with probability 1/2; their number."""
        return len(self.sql("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'soak' "
                                        "AND pid <> pg_backend_pid() AND random() < 0.5"))

    def sql(self, database, text, on=None):
        """Rows, as psql prints them without headers; an error is a CalledProcessError."""
        url = f"postgres://postgres@/{database}?host={self.socket(on or self.primary)}"
        return subprocess.run([f"{PROGRAMS}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text, url],
                              check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()

    def save(self, database, folder):
        """Puts a dump of the database and the logs of the servers there."""
        with open(f"{folder}/{database}.sql", "wb") as dump:
            subprocess.run([f"{PROGRAMS}/pg_dump", "--inserts", f"postgres://postgres@/{database}?host={self.socket(self.primary)}"],
                           stdin=subprocess.DEVNULL, stdout=dump, check=False)
        for name in (self.primary, self.standby):
            shutil.copy(f"{self.folder}/log-{name}", folder)

    def close(self):
        for name in (self.primary, self.standby):
            self.stop(name)
        shutil.rmtree(self.folder, ignore_errors=True)
