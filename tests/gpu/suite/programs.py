# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the programs and the data of the tests lie: in a bundle or in a build folder."""

import os
import subprocess
from dataclasses import dataclass


@dataclass
class Programs:
    root: str  # of the bundle or the sources
    bin: str
    examples: str
    commit: str
    source: str
    data: str = ""  # of the tests; empty: where the build found it

    def path(self, program):
        return os.path.join(self.bin, program)


def of_bundle(folder):
    """OSError when `folder` is no bundle with the GPU tests."""
    folder = os.path.abspath(folder)
    data = os.path.join(folder, "tests", "data")
    if not os.path.isdir(data):
        raise OSError(f"{folder} is no bundle with the GPU tests: make one with deploy/bundle --with-gpu-tests")
    with open(os.path.join(folder, "COMMIT"), encoding="utf-8") as file:
        commit = file.read().strip()
    return Programs(folder, os.path.join(folder, "bin"), os.path.join(folder, "docs", "examples"), commit, "bundle",
                    data)


def of_build(root, build):
    """OSError when `build` has no programs."""
    build = os.path.abspath(build)
    if not os.path.exists(os.path.join(build, "bin", "tune")):
        raise OSError(f"{build} has no bin/tune: build first, or give --bundle or --build")
    command = ["git", "-C", root, "describe", "--always", "--dirty", "--abbrev=40", "--exclude", "*"]
    try:
        commit = subprocess.run(command, text=True, capture_output=True, check=False).stdout.strip()
    except OSError:
        commit = ""
    return Programs(root, os.path.join(build, "bin"), os.path.join(root, "docs", "examples"), commit or "unknown",
                    "build folder")
