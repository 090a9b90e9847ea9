# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manifests against Kubernetes' own schemas, and the flags they give against the programs."""

import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import BIN
from tools import DEPLOY, find, read, run

FOLDER = os.path.join(DEPLOY, "kubernetes")
WITH_DATABASE = os.path.join(DEPLOY, "kubernetes-postgres")


def documents(*path):
    """The documents of a YAML file, read by the Python that has kubernetes-validate and so a YAML parser."""
    python = os.path.join(os.path.dirname(find("kubernetes-validate")), "python3")
    program = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))"
    return json.loads(subprocess.run([python, "-c", program], input=read(*path), check=True, capture_output=True,
                                     text=True).stdout)


def apply_patch(manifest, step):
    """One step of a JSON patch (RFC 6902)."""
    *parents, last = step["path"].strip("/").split("/")
    for key in parents:
        manifest = manifest[int(key)] if isinstance(manifest, list) else manifest[key]
    last = int(last) if isinstance(manifest, list) else last
    if step["op"] != "add":
        manifest[last]  # it must be there
    if step["op"] == "remove":
        del manifest[last]
    else:
        manifest[last] = step["value"]


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

    def patched(self):
        """The manifests of the overlay with a database, by kind and name, made as kustomize makes them."""
        overlay = documents(WITH_DATABASE, "kustomization.yaml")[0]
        made = {}
        for path in [*self.manifests(), f"{WITH_DATABASE}/network.yaml"]:
            for manifest in documents(path):
                made[manifest["kind"], manifest["metadata"]["name"]] = manifest
        for patch in overlay["patches"]:
            for step in documents(WITH_DATABASE, patch["path"])[0]:
                apply_patch(made[patch["target"]["kind"], patch["target"]["name"]], step)
        return made

    def test_the_overlay_with_a_database_fits_its_schema(self):
        made = self.patched()
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("\n---\n".join(map(json.dumps, made.values())))
            file.flush()
            for path in [file.name, f"{WITH_DATABASE}/database.yaml"]:
                checked = validate(path)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        server = made["StatefulSet", "mmtune-server"]["spec"]
        self.assertEqual(server["replicas"], 2)
        container = server["template"]["spec"]["containers"][0]
        self.assertEqual([arg for arg in container["args"] if arg.startswith("--log=")], ["--log=$(MMTUNE_DATABASE_URL)"])
        self.assertNotIn("data", [mount["name"] for mount in container["volumeMounts"]])
        service = made["Service", "mmtune-server"]["metadata"]["name"]
        worker = made["Deployment", "mmtune-worker"]["spec"]["template"]["spec"]["containers"][0]["args"]
        names = ",".join(f"mmtune-server-{i}.{service}:7077" for i in range(server["replicas"]))
        self.assertIn(f"--server={names}", worker)

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
