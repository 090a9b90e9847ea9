# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Debian package: made, looked at, and its programs run from where it was unpacked."""

import os
import re
import subprocess
import tempfile
import unittest

from tools import ROOT, read, run


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="mmtune-deb-")
        cls.addClassCleanup(folder.cleanup)
        made = subprocess.run(
            [os.path.join(ROOT, "deploy/deb"), "--bundle", os.environ["MMTUNE_BUNDLE"], "--output", folder.name, "--fast"],
            capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        cls.package = os.path.join(folder.name, "mmtune_0.1.0_amd64.deb")
        cls.root = os.path.join(folder.name, "root")
        subprocess.run(["dpkg-deb", "--extract", cls.package, cls.root], check=True)

    def field(self, name):
        return subprocess.run(["dpkg-deb", "--field", self.package, name], capture_output=True, text=True).stdout.strip()

    def test_it_says_what_it_is(self):
        self.assertEqual(self.field("Package"), "mmtune")
        self.assertEqual(self.field("Architecture"), "amd64")
        self.assertEqual(self.field("Depends"), "libc6 (>= 2.36)")

    def test_its_files_belong_to_root_and_can_be_read(self):
        listing = subprocess.run(["dpkg-deb", "--contents", self.package], capture_output=True, text=True).stdout
        for line in listing.splitlines():
            self.assertIn("root/root", line)
            self.assertRegex(line, r"^(l|.r.xr-xr-x|.rw-r--r--)", line)

    def test_it_takes_little_room_apart_from_llvm(self):
        listing = subprocess.run(["dpkg-deb", "--contents", self.package], capture_output=True, text=True).stdout
        sizes = {name: int(size) for size, name in re.findall(r"^-\S+ \S+ +(\d+) \S+ \S+ (\S+)$", listing, re.MULTILINE)}
        llvm = [name for name in sizes if name.endswith("/libmmtune_llvm.so")]
        self.assertEqual(len(llvm), 1)
        self.assertLessEqual(sum(sizes.values()) - sizes[llvm[0]], 60 * 2**20)

    def test_flags_are_kept_when_it_is_upgraded(self):
        kept = subprocess.run(["dpkg-deb", "--info", self.package, "conffiles"], capture_output=True, text=True).stdout
        self.assertEqual(sorted(kept.split()), ["/etc/mmtune/server.env", "/etc/mmtune/worker.env"])

    def test_units_run_what_is_in_it(self):
        for unit in ["mmtune-server.service", "mmtune-worker@.service"]:
            text = read(self.root, "lib/systemd/system", unit)
            program = text.split("ExecStart=")[1].split()[0]
            self.assertTrue(os.access(self.root + program, os.X_OK), program)
            for file in [line.split("=")[1] for line in text.splitlines() if line.startswith("EnvironmentFile=")]:
                self.assertTrue(os.path.exists(self.root + file), file)

    def test_every_command_is_there_and_starts(self):
        commands = os.listdir(os.path.join(self.root, "usr/bin"))
        self.assertIn("tune", commands)
        for command in commands:
            target = os.readlink(os.path.join(self.root, "usr/bin", command))
            self.assertTrue(target.startswith("/opt/mmtune/bin/"), target)
            started = subprocess.run([self.root + target, "--version"], capture_output=True, text=True)
            self.assertEqual(started.returncode, 0, started.stderr)


if __name__ == "__main__":
    run("dpkg-deb", "patchelf")
