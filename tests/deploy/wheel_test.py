# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel with the programs: installed by pip into an environment of its own, where its commands and its package work."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

from tools import ROOT, run


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="mmtune-wheel-")
        cls.addClassCleanup(scratch.cleanup)
        made = subprocess.run(
            [sys.executable, os.path.join(ROOT, "deploy/wheel"), "--bundle", os.environ["MMTUNE_BUNDLE"], "--output",
             scratch.name, "--fast"],
            capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        name, = (name for name in os.listdir(scratch.name) if name.endswith(".whl"))
        cls.wheel = os.path.join(scratch.name, name)
        cls.installed = os.path.join(scratch.name, "installed")
        subprocess.run([sys.executable, "-m", "venv", cls.installed], check=True)
        pip = subprocess.run([os.path.join(cls.installed, "bin/pip"), "install", "--quiet", "--no-index", cls.wheel],
                             capture_output=True, text=True)
        assert pip.returncode == 0, pip.stderr

    def command(self, *command):
        done = subprocess.run([os.path.join(self.installed, "bin", command[0]), *command[1:]], capture_output=True, text=True,
                              cwd=self.installed)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_its_name_says_where_it_runs(self):
        self.assertTrue(self.wheel.endswith("-py3-none-manylinux_2_36_x86_64.whl"), self.wheel)

    def test_every_program_is_a_command(self):
        for program in ["tune", "mmtune-server", "mmtune-worker", "mmtune-compile", "mmtune-opt"]:
            self.command(program, "--version")

    def test_tune_finds_the_worker_and_the_package_reads_its_log(self):
        tuned = self.command("tune", "matmul", "64x64x64", "--device", "simt", "--trials", "2", "--finalists", "1", "--log", "t.db")
        self.assertIn("2 ok, 0 wrong", tuned)
        read = self.command("python", "-c", "import mmtune; print(len(mmtune.open('t.db').records(outcome='ok')))")
        self.assertEqual(read.strip(), "2")

    def test_nothing_is_left_of_it_when_it_is_uninstalled(self):
        names = zipfile.ZipFile(self.wheel).namelist()
        record, = (name for name in names if name.endswith("/RECORD"))
        recorded = [line.split(",")[0] for line in zipfile.ZipFile(self.wheel).read(record).decode().splitlines()]
        self.assertEqual(sorted(names), sorted(recorded))


if __name__ == "__main__":
    if importlib.util.find_spec("ensurepip") is None:
        print("skipped: this Python makes no environments; deploy/install-deps --deploy-tests installs python3-venv")
        raise SystemExit(77)
    run()
