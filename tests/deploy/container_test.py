# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The container files: linted; and built and run where buildah and their base image are at hand."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from tools import DEPLOY, find, read, run

PROGRAMS = ["server", "worker"]
# An image with bash and glibc; without one named, one is made of this machine's own programs: nothing is fetched.
BASE = os.environ.get("MMTUNE_BASE_IMAGE")
OF_BASE = ["bash", "sh", "ldd", "awk", "sort", "xargs", "cp", "mkdir", "id", "cat"]


def container_file(program):
    return os.path.join(DEPLOY, "container", f"{program}.Containerfile")


def buildah(*arguments, store=None):
    # Without user namespaces and overlays, so that it works inside of a container too.
    environment = dict(os.environ, BUILDAH_ISOLATION="chroot", STORAGE_DRIVER="vfs")
    where = ["--root", f"{store}/root", "--runroot", f"{store}/run"] if store else []
    return subprocess.run(["buildah", *where, *arguments], capture_output=True, text=True, env=environment)


def why_not_built():
    if shutil.which("buildah") is None:
        return "buildah is not installed"
    if BASE and buildah("inspect", "--type", "image", BASE).returncode != 0:
        return f"buildah has no image {BASE}; pull it, or leave MMTUNE_BASE_IMAGE out"
    if not BASE and os.geteuid() != 0:
        return "only root builds without user namespaces; name an image with MMTUNE_BASE_IMAGE"
    return None


def copy_programs(root):
    """A root file system of a few programs, with what they load."""
    for name in ["bin", "dev", "etc", "lib", "lib64", "proc", "sys", "tmp", "usr/bin"]:
        os.makedirs(f"{root}/{name}", exist_ok=True)
    os.chmod(f"{root}/tmp", 0o1777)
    for program in OF_BASE:
        path = shutil.which(program)
        shutil.copy(path, f"{root}/bin/{program}")
        loads = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", loads):
            os.makedirs(root + os.path.dirname(library), exist_ok=True)
            shutil.copy(library, root + library)


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

    def buildah(self, *arguments):
        done = buildah(*arguments, store=self.store)
        self.assertEqual(done.returncode, 0, f"buildah {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def base(self, folder):
        if BASE:
            return BASE
        copy_programs(f"{folder}/base")
        container = self.buildah("from", "scratch")
        self.buildah("copy", "--quiet", container, f"{folder}/base", "/")
        self.buildah("commit", "--quiet", container, "localhost/mmtune-base:test")
        return "localhost/mmtune-base:test"

    @unittest.skipIf(why_not_built(), why_not_built())
    def test_the_images_run(self):
        with tempfile.TemporaryDirectory(prefix="mmtune-image-") as folder:
            self.store = None if BASE else f"{folder}/store"
            base = self.base(folder)
            tries = {"server": [(["tune", "certs", "init", "--ca", "/data/ca"], "ca.key"),
                                (["/opt/mmtune/bin/mmtune-server", "--version"], "0.1.0")],
                     "worker": [(["/opt/mmtune/bin/mmtune-worker", "--probe"], '"device":"simt"'),
                                (["/opt/mmtune/bin/mmtune-worker", "--version"], "0.1.0")]}
            for program in PROGRAMS:
                image = f"localhost/mmtune-{program}:test"
                self.buildah("build", "--quiet", "--build-arg", f"BASE={base}", "--file", container_file(program), "--tag",
                             image, os.environ["MMTUNE_BUNDLE"])
                container = self.buildah("from", image)
                for command, said in [*tries[program], (["id", "-u"], "65532")]:
                    self.assertIn(said, self.buildah("run", container, "--", *command))
                self.buildah("rm", container)
                self.buildah("rmi", "--force", image)


if __name__ == "__main__":
    run("hadolint")
