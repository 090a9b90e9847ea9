# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""systemd's own checks of the units, and how exposed it says they are (0 is best, 10 worst)."""

import os
import re
import subprocess
import tempfile
import unittest

from harness import BIN
from tools import DEPLOY, find, read, run

UNITS = {"mmtune-server.service": 1.5, "mmtune-worker@.service": 2.5}


class SystemdTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mmtune-units-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def copy(self, unit, replace=()):
        """The unit with programs that are there, as the check wants them."""
        text = read(DEPLOY, "systemd", unit)
        for old, new in [("/opt/mmtune/bin", os.path.abspath(BIN)), *replace]:
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = os.path.join(self.folder, unit)
        with open(path, "w") as file:
            file.write(text)
        return path

    def analyze(self, *arguments):
        # Warnings of the units of this machine are not ours.
        done = subprocess.run([find("systemd-analyze"), "--no-pager", *arguments], capture_output=True, text=True)
        ours = [line for line in done.stderr.splitlines() if "mmtune" in line]
        return done.returncode, done.stdout, ours

    def test_the_units_are_valid(self):
        for unit in UNITS:
            code, _, said = self.analyze("verify", self.copy(unit))
            self.assertEqual((code, said), (0, []), unit)

    def test_a_wrong_unit_is_noticed(self):
        path = self.copy("mmtune-server.service", [("RestartSec=2", "RestartSec=soon")])
        self.assertTrue(any("soon" in line for line in self.analyze("verify", path)[2]))

    def test_the_units_are_hardened(self):
        for unit, limit in UNITS.items():
            code, out, _ = self.analyze("security", "--offline=true", f"--threshold={round(limit * 10)}", self.copy(unit))
            self.assertEqual(code, 0, f"{unit} is exposed more than {limit}:\n{out}")

    def test_systemd_does_not_give_them_up(self):
        """But for wrong flags, and a worker that was drained and has ended with 0."""
        for unit in UNITS:
            text = read(DEPLOY, "systemd", unit)
            for line in ["StartLimitIntervalSec=0", "Restart=on-failure", "RestartPreventExitStatus=2"]:
                self.assertIn(f"\n{line}\n", text, unit)

    def test_the_log_is_a_file_unless_the_flags_say_otherwise(self):
        text = read(DEPLOY, "systemd", "mmtune-server.service")
        usual, flags = text.index("\nEnvironment=MMTUNE_SERVER_LOG=/var/lib/mmtune/tuning.db\n"), text.index("\nEnvironmentFile=")
        self.assertLess(usual, flags)
        self.assertIn(" --log ${MMTUNE_SERVER_LOG} ", text)
        self.assertIn("# MMTUNE_SERVER_LOG=postgres://", read(DEPLOY, "systemd", "server.env"))

    def test_a_unit_without_its_sandbox_is_exposed(self):
        path = self.copy("mmtune-server.service", [("ProtectSystem=strict", ""), ("PrivateUsers=yes", ""),
                                                   ("SystemCallFilter=@system-service", "")])
        self.assertNotEqual(self.analyze("security", "--offline=true", "--threshold=15", path)[0], 0)

    def test_the_flags_of_the_units_are_known(self):
        """What ExecStart and the files of flags give is taken by the programs."""
        for program, unit in [("mmtune-server", "mmtune-server.service"), ("mmtune-worker", "mmtune-worker@.service")]:
            known = subprocess.run([os.path.join(BIN, program), "--help"], capture_output=True, text=True).stdout
            given = read(DEPLOY, "systemd", unit).split("ExecStart=")[1].splitlines()[0]
            given += read(DEPLOY, "systemd", program.split("-")[1] + ".env")
            flags = set(re.findall(r"--[a-z-]+", given))
            self.assertTrue(flags)
            for flag in flags:
                self.assertIn(flag, known, f"{program} of {unit}")


if __name__ == "__main__":
    run("systemd-analyze")
