# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manifests against Kubernetes' own schemas, and the flags they give against the programs."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import BIN
from tools import DEPLOY, find, read, run

FOLDER = os.path.join(DEPLOY, "kubernetes")


def validate(path):
    return subprocess.run([find("kubernetes-validate"), "--strict", "--no-warn", path], capture_output=True, text=True)


class KubernetesTest(unittest.TestCase):
    def manifests(self):
        paths = [path for path in glob.glob(f"{FOLDER}/*.yaml") if not path.endswith("kustomization.yaml")]
        self.assertGreaterEqual(len(paths), 4)
        return paths

    def test_every_manifest_fits_its_schema(self):
        for path in self.manifests():
            checked = validate(path)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_a_wrong_manifest_is_noticed(self):
        text = read(f"{FOLDER}/server.yaml")
        for old, new in [("runAsNonRoot: true", "runAsNonRoot: often"), ("serviceName:", "serviseName:")]:
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text.replace(old, new))
                file.flush()
                self.assertNotEqual(validate(file.name).returncode, 0, new)

    @unittest.skipIf(find("kubectl") is None, "kubectl is not installed: nothing here reads a kustomization")
    def test_what_kustomize_makes_of_an_overlay_fits_too(self):
        overlay = "resources: [../base]\nreplicas: [{name: mmtune-worker, count: 8}]\nimages: [{name: mmtune-worker, newTag: tested}]\n"
        with tempfile.TemporaryDirectory(prefix="mmtune-overlay-") as folder:
            shutil.copytree(FOLDER, f"{folder}/base")
            os.mkdir(f"{folder}/ours")
            with open(f"{folder}/ours/kustomization.yaml", "w") as file:
                file.write(overlay)
            made = subprocess.run(["kubectl", "kustomize", f"{folder}/ours"], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            with open(f"{folder}/made.yaml", "w") as file:
                file.write(made.stdout)
            checked = validate(f"{folder}/made.yaml")
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
            self.assertIn("replicas: 8", made.stdout)
            self.assertIn("image: mmtune-worker:tested", made.stdout)
            self.assertEqual(made.stdout.count("\n---\n"), 8)
            os.remove(f"{folder}/base/network.yaml")
            self.assertNotEqual(subprocess.run(["kubectl", "kustomize", f"{folder}/ours"], capture_output=True).returncode, 0)

    def test_kustomization_names_every_manifest(self):
        text = read(f"{FOLDER}/kustomization.yaml")
        named = re.search(r"^resources:\n((?:  - .*\n)+)", text, re.MULTILINE).group(1)
        self.assertEqual(sorted(re.findall(r"- (\S+)", named)), sorted(map(os.path.basename, self.manifests())))

    def test_the_programs_know_the_flags(self):
        for program in ["server", "worker"]:
            known = subprocess.run([os.path.join(BIN, f"mmtune-{program}"), "--help"], capture_output=True, text=True)
            flags = re.findall(r"^ +- (--[a-z-]+)=", read(f"{FOLDER}/{program}.yaml"), re.MULTILINE)
            self.assertGreaterEqual(len(flags), 5)
            for flag in flags:
                self.assertIn(flag, known.stdout)

    def test_no_flag_is_given_twice(self):
        """Arguments of a pod come behind those of its image."""
        for program in ["server", "worker"]:
            entry = re.search(r"^ENTRYPOINT (.*)$", read(DEPLOY, "container", f"{program}.Containerfile"), re.MULTILINE)
            flags = re.findall(r"--[a-z-]+", entry.group(1))
            flags += re.findall(r"^ +- (--[a-z-]+)=", read(f"{FOLDER}/{program}.yaml"), re.MULTILINE)
            self.assertEqual(len(flags), len(set(flags)), flags)

    def test_no_container_is_privileged(self):
        for program in ["server", "worker"]:
            text = read(f"{FOLDER}/{program}.yaml")
            for word in ["runAsNonRoot: true", "readOnlyRootFilesystem: true", "allowPrivilegeEscalation: false",
                         "drop: [ALL]", "automountServiceAccountToken: false"]:
                self.assertIn(word, text, program)


if __name__ == "__main__":
    run("kubernetes-validate")
