# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bundle, with the GPU tests, on a machine where nothing is installed: an empty root with glibc and the unpacked archive.

The archive is that of the test deploy_bundle_archive. It is compressed quickly, and its size counts as that of the one that is
shipped; with MMTUNE_TEST_WHOLE=1 it is the one that is shipped, which takes 145 s of processor time to compress in place of 16.
"""
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ["MMTUNE_BIN"])
# What may be carried to a machine with a GPU: the archive, and with it the tracked files of the checkout.
ARCHIVE_LIMIT = 40 * 2**20
CARRIED_LIMIT = 60 * 2**20
WHOLE = os.environ.get("MMTUNE_TEST_WHOLE", "0") not in ("", "0")
# Compressed quickly it had 57.6 MB, and 37.2 MB as it is shipped.
SHIPPED_SHARE = 1 if WHOLE else 0.7
GLIBC = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2"]


def why_not():
    """What keeps this machine from running programs in a root of their own, or None."""
    probe = ["unshare", "--mount", "--fork", "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True).returncode != 0:
        return "this user may not make a mount namespace"
    if shutil.which("patchelf") is None:
        return "patchelf is not installed"
    return None


def tracked_bytes():
    """Returns the size of the files that git tracks, or, in a tree without git, of all but the build folder."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    names = listed.stdout.split("\0") if listed.returncode == 0 else [
        os.path.join(folder, file) for folder, _, files in os.walk(ROOT) for file in files
        if not os.path.relpath(folder, ROOT).startswith("build")]
    paths = [os.path.join(ROOT, name) for name in filter(None, names)]
    return sum(os.lstat(path).st_size for path in paths if os.path.lexists(path))


class BundleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if reason := why_not():
            raise unittest.SkipTest(reason)
        cls.scratch = tempfile.mkdtemp(prefix="mmtune-bundle-")
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.archive = os.environ["MMTUNE_BUNDLE_ARCHIVE"]
        if WHOLE:
            cls.archive = os.path.join(cls.scratch, "mmtune.tar.xz")
            subprocess.run([os.path.join(ROOT, "deploy/bundle"), "--with-gpu-tests", "--build", BUILD, "--output", cls.archive],
                           check=True)
        cls.root = os.path.join(cls.scratch, "root")
        for folder in ["opt", "lib64", "lib/x86_64-linux-gnu", "tmp", "proc", "dev"]:
            os.makedirs(os.path.join(cls.root, folder))
        subprocess.run(["tar", "xf", cls.archive, "-C", os.path.join(cls.root, "opt")], check=True)
        (cls.folder,) = os.listdir(os.path.join(cls.root, "opt"))
        shutil.copy("/lib64/ld-linux-x86-64.so.2", os.path.join(cls.root, "lib64"))
        for library in GLIBC:
            source = os.path.join("/lib/x86_64-linux-gnu", library)
            shutil.copy(source, os.path.join(cls.root, "lib/x86_64-linux-gnu"))

    def run_inside(self, program, *arguments):
        mounts = f"mount -t proc proc {self.root}/proc && mount --bind /dev {self.root}/dev"
        command = f'{mounts} && exec chroot {self.root} /opt/{self.folder}/bin/{program} "$@"'
        return subprocess.run(
            ["unshare", "--mount", "--fork", "sh", "-c", command, program, *arguments],
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "TMPDIR": "/tmp"},
        )

    def test_archive_and_tracked_files_fit_what_may_be_carried(self):
        archive, tracked = os.path.getsize(self.archive) * SHIPPED_SHARE, tracked_bytes()
        self.assertGreater(tracked, 2**20)
        self.assertLessEqual(archive, ARCHIVE_LIMIT)
        self.assertLessEqual(archive + tracked, CARRIED_LIMIT, f"{archive} of the archive and {tracked} of tracked files")

    def test_no_dylib_of_llvm_is_in_it(self):
        libraries = os.listdir(os.path.join(self.root, "opt", self.folder, "lib"))
        self.assertIn("libmmtune_llvm.so", libraries)
        for name in libraries:
            self.assertNotRegex(name, "^lib(LLVM|MLIR|z3|xml2)")

    def test_tunes_and_keeps_a_log(self):
        tuned = self.run_inside("tune", "matmul", "64x64x64", "--device", "simt", "--trials", "3", "--finalists", "2",
                                "--log", "/tmp/t.db")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        self.assertIn("3 ok, 0 wrong", tuned.stdout)
        listed = self.run_inside("tune", "records", "list", "--log", "/tmp/t.db")
        self.assertEqual(listed.stdout.count("64x64x64"), 3 + 1, listed.stderr)  # and a comparison

    def test_every_program_starts(self):
        for program in ["tune", "mmtune-server", "mmtune-worker", "mmtune-compile", "mmtune-opt"]:
            started = self.run_inside(program, "--version")
            self.assertEqual(started.returncode, 0, f"{program}: {started.stderr}")


if __name__ == "__main__":
    unittest.main()
