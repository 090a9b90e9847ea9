# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A PostgreSQL server for tests: in a temporary folder, on a UNIX socket alone. No service of the system is touched."""

import os
import shutil
import subprocess
import tempfile

FOLDERS = ["/usr/lib/postgresql/15/bin", "/usr/local/bin", "/usr/bin"]
PROGRAMS = next((folder for folder in FOLDERS if all(os.access(f"{folder}/{name}", os.X_OK)
                                                     for name in ("initdb", "pg_ctl", "postgres"))), None)
# The server refuses to run as root.
USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []


class PostgresServer:
    """A running server, whose superuser `postgres` needs no password."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="mmtune-pg-")
        os.chmod(self.folder, 0o755)
        if USER:
            os.chown(self.folder, 65534, 65534)
        self._run("initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.start()

    def _run(self, program, *args):
        with open(f"{self.folder}/output", "ab") as output:
            subprocess.run([*USER, f"{PROGRAMS}/{program}", *args], cwd=self.folder, check=True, stdin=subprocess.DEVNULL,
                           stdout=output, stderr=output, timeout=120)

    def start(self):
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c shared_buffers=32MB"
        self._run("pg_ctl", "-D", "data", "-w", "-s", "-l", "data/log", "-o", options, "start")

    def add_access(self, line):
        """Puts a line before those of pg_hba.conf that let everybody in."""
        path = f"{self.folder}/data/pg_hba.conf"
        with open(path, encoding="utf-8") as file:
            rest = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{line}\n{rest}")
        self.sql("postgres", "SELECT pg_reload_conf()")

    def stop(self):
        """At once, as a crash does."""
        self._run("pg_ctl", "-D", "data", "-w", "-s", "-m", "immediate", "stop")

    def close(self):
        if os.path.exists(f"{self.folder}/data/postmaster.pid"):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database, role="postgres"):
        return f"postgres://{role}@/{database}?host={self.folder}"

    def sql(self, database, text):
        """Rows, as psql prints them without headers."""
        out = subprocess.run([f"{PROGRAMS}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text,
                              self.url(database)], check=True, capture_output=True, text=True, timeout=60).stdout
        return out.splitlines()
