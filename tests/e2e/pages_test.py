# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README.md, docs/tutorial.md and docs/verify-any-kernel.md: every command works as it stands, in order, and prints what the page says."""

import os
import re
import subprocess
import unittest

from harness import BIN, FAST, RUN_SECONDS, EndToEndTest
from postgres_server import PROGRAMS, PostgresServer

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))

# They install packages and build, and the suite itself runs in them: it can only see that they are there.
SET_UP = ("deploy/quickstart", "deploy/test")

# They install a database server. The test has one of its own, with the database that they make.
INSTALLS_SERVER = "sudo "
NEEDS_SERVER = "--log postgres:"

# A command of a page, and what its output matches. A command that matches none of these fails the test.
EXPECTED = [
    (r"export PATH=", r"\A\Z"),
    (r"tune doctor\b", r"(?m)^check +found"),
    (r"\S*tune matmul \d+x\d+x\d+ ", r"(?ms)^rank +GFLOP/s.*^ +1 .*^verified +\d+ of \d+$"),
    (r"tune report .* -o report\.html", r"(?m)^wrote report\.html: \d+ records"),
    (r"tune explain \d+x\d+x\d+ ", r"(?m)^family +of drawn"),
    (r"tune verify matmul \d+x\d+x\d+ .*--best", r"(?m)^verdict +verified$"),
    (r"tune verify docs/examples/kernels/racy\.ptx", r"(?s)not verified.*race-raw.*racy\.ptx:111 \(racy\.cu:12\).*racy\.ptx:93 \(racy\.cu:9\)"),
    (r"tune verify docs/examples/kernels/mended\.ptx --grid", r"(?ms)^verdict +verified$.*^correct +yes$.*32x32x32, 17x30x21;"),
    (r"tune verify docs/examples/kernels/mended\.ptx --launches", r"(?ms)^verdict +verified$.*^correct +not compared"),
    (r"tune verify docs/examples/kernels/triton_matmul", r"(?ms)^verdict +verified$.*^correct +yes$.*^deterministic +yes$"),
    (r"tune compile .*two_layer\.mlir .*--log .*--device simt", r"(?ms)^matmul_32x48x64_0 .*^matmul_32x16x48_1 "),
    (r"tune compile .*two_layer\.mlir .*--arch sm_90", r"(?ms)^matmul_32x48x64_0 .*^matmul_32x16x48_1 "),
    (r"python3 docs/examples/two_layer\.py", r"\A512 results are right"),
    (r"rm -r ", r"\A\Z"),
]

# Commands that end with another exit code than 0.
EXIT_CODES = [(r"tune verify .*racy", 1)]


def commands_of(page):
    """The command lines of a page: of blocks marked sh, and of indented blocks."""
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        text = file.read()
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", text)
    blocks += ["".join(line[4:] for line in block.splitlines(keepends=True))
               for block in re.findall(r"(?m)(?:^    \s*\S.*\n)+", re.sub(r"(?ms)^```.*?^```$", "", text))]
    return [re.sub(r"\s+# .*", "", line) for block in blocks
            for line in re.sub(r"\\\n\s*", "", block).splitlines()]


class PagesTest(EndToEndTest):
    def setUp(self):
        super().setUp()
        # A folder like that of a clone after its build.
        self.clone = os.path.join(self.folder, "clone")
        os.makedirs(os.path.join(self.clone, "build/release"))
        os.symlink(os.path.abspath(BIN), os.path.join(self.clone, "build/release/bin"))
        for name in ("docs", "deploy"):
            os.symlink(os.path.join(SOURCE, name), os.path.join(self.clone, name))

    def run_page(self, page):
        commands = commands_of(page)
        self.assertGreater(len(commands), 3, page)
        for command in commands:
            with self.subTest(page=page, command=command):
                if command in SET_UP:
                    self.assertTrue(os.access(os.path.join(self.clone, command), os.X_OK))
                    if command == "deploy/quickstart":  # It leaves records of the SIMT device in the default log.
                        self.tune_ok("matmul", "64x64x64", "--trials", "1", *FAST)
                    continue
                if command.startswith(INSTALLS_SERVER):
                    continue
                if NEEDS_SERVER in command:
                    self.start_server()
                shapes = [shape for start, shape in EXPECTED if re.match(start, command)]
                self.assertTrue(shapes, "no expectation for this command: add one")
                script = command
                if command.startswith("export "):
                    name, value = command.split(" ", 1)[1].split("=", 1)
                    script = f"printf %s {value}"
                result = subprocess.run(["bash", "-euc", script], cwd=self.clone, env=self.environment, timeout=RUN_SECONDS,
                                        capture_output=True, text=True)
                code = next((code for start, code in EXIT_CODES if re.match(start, command)), 0)
                self.assertEqual(result.returncode, code, result.stdout + result.stderr)
                if command.startswith("export "):
                    self.environment[name] = result.stdout
                else:
                    self.assertRegex(result.stdout, shapes[0])

    def start_server(self):
        """Starts a database server, which libpq then finds by itself. Skips the command where none is installed."""
        if not PROGRAMS:
            self.skipTest("no PostgreSQL server is installed: deploy/install-deps --deploy-tests")
        server = PostgresServer()
        self.addCleanup(server.close)
        server.sql("postgres", "CREATE DATABASE tuning")
        self.environment.update(PGHOST=server.folder, PGUSER="postgres")

    def test_readme(self):
        self.run_page("README.md")

    def test_tutorial(self):
        self.run_page("docs/tutorial.md")
        self.assertEqual(sorted(os.listdir(self.clone)), ["build", "deploy", "docs"], "it says how to remove what it wrote")

    def test_verify_any_kernel(self):
        self.run_page("docs/verify-any-kernel.md")


if __name__ == "__main__":
    unittest.main()
