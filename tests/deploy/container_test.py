# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The container files: linted; and built and run where buildah and their base image are at hand."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import BIN
from tools import DEPLOY, ROOT, find, read, run

PROGRAMS = ["server", "worker"]
BASE = os.environ.get("MMTUNE_BASE_IMAGE", "docker.io/library/debian:bookworm-slim")


def container_file(program):
    return os.path.join(DEPLOY, "container", f"{program}.Containerfile")


def buildah(*arguments):
    # Without user namespaces and overlays, so that it works inside of a container too.
    environment = dict(os.environ, BUILDAH_ISOLATION="chroot", STORAGE_DRIVER="vfs")
    return subprocess.run(["buildah", *arguments], capture_output=True, text=True, env=environment)


def why_not_built():
    if shutil.which("buildah") is None:
        return "buildah is not installed"
    if buildah("inspect", "--type", "image", BASE).returncode != 0:
        return f"buildah has no image {BASE}; pull it, or name one with MMTUNE_BASE_IMAGE"
    return None


class ContainerTest(unittest.TestCase):
    def lint(self, path):
        return subprocess.run([find("hadolint"), "--no-color", path], capture_output=True, text=True)

    def test_no_finding(self):
        for program in PROGRAMS:
            linted = self.lint(container_file(program))
            self.assertEqual((linted.returncode, linted.stdout), (0, ""), linted.stderr)

    def test_a_bad_file_is_noticed(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("FROM debian\nRUN cd /tmp && sudo ls\n")
            file.flush()
            self.assertNotEqual(self.lint(file.name).returncode, 0)

    def test_nobody_runs_as_root(self):
        for program in PROGRAMS:
            users = re.findall(r"^USER (\S+)", read(container_file(program)), re.MULTILINE)
            self.assertEqual(users, ["65532:65532"], program)

    @unittest.skipIf(why_not_built(), why_not_built())
    def test_the_images_run(self):
        with tempfile.TemporaryDirectory(prefix="mmtune-image-") as folder:
            bundle = [os.path.join(ROOT, "deploy/bundle"), "--build", os.path.dirname(BIN), "--folder", folder]
            subprocess.run(bundle, check=True, capture_output=True)
            for program in PROGRAMS:
                image = f"localhost/mmtune-{program}:test"
                built = buildah("build", "--quiet", "--build-arg", f"BASE={BASE}", "--file", container_file(program),
                                "--tag", image, folder)
                self.assertEqual(built.returncode, 0, built.stderr)
                self.addCleanup(buildah, "rmi", "--force", image)
                container = buildah("from", image).stdout.strip()
                self.addCleanup(buildah, "rm", container)
                for command, said in [([f"/opt/mmtune/bin/mmtune-{program}", "--version"], "0.1.0"), (["id", "-u"], "65532")]:
                    ran = buildah("run", container, "--", *command)
                    self.assertEqual((ran.returncode, ran.stdout.strip()), (0, said), ran.stderr)


if __name__ == "__main__":
    run("hadolint")
