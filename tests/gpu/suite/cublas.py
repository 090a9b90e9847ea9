# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where cuBLAS lies, and its times."""

import ctypes.util
import glob
import json
import os
import re
import subprocess
import sys

from suite.session import Failed

VERSIONS = ("13", "12", "11")
SKIPPED = 77


def folders():
    """Where a toolkit, the loader or a Python package may have it."""
    yield from os.environ.get("LD_LIBRARY_PATH", "").split(":")
    yield from sorted(glob.glob("/usr/local/cuda*/lib64") + glob.glob("/usr/local/cuda*/targets/x86_64-linux/lib"))
    yield from python_folders()
    yield from glob.glob("/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib")


def python_folders():
    paths = set(sys.path)
    try:
        asked = subprocess.run(["python3", "-c", "import sys; print('\\n'.join(sys.path))"], capture_output=True,
                               text=True, timeout=10, check=False)
        paths |= set(asked.stdout.splitlines())
    except (OSError, subprocess.TimeoutExpired):
        pass
    for path in sorted(filter(None, paths)):
        yield from glob.glob(os.path.join(path, "nvidia", "*", "lib"))


def libraries():
    """Files to try, newest version first; the loader's own last."""
    given = os.environ.get("CUBLAS_LIBRARY")
    if given:
        return [given]
    found = [os.path.join(folder, f"libcublas.so.{version}") for version in VERSIONS for folder in folders() if folder]
    return [path for path in dict.fromkeys(found) if os.path.exists(path)] + \
        list(filter(None, [ctypes.util.find_library("cublas")]))


def times(session, shapes, seconds):
    """Rows by shape, and why there is none. Failed where there is a library that does not work."""
    why = "no libcublas.so is in LD_LIBRARY_PATH, under /usr/local/cuda* or in a Python package"
    for library in [session.cublas] if session.cublas else libraries():
        path = ":".join(filter(None, [os.path.dirname(library), os.environ.get("LD_LIBRARY_PATH", "")]))
        done = session.run_program("cublas_times", library, seconds, *shapes, environment={"LD_LIBRARY_PATH": path})
        rows = [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]
        if rows:
            session.cublas = library
            by_shape = {re.match(r"\d+x\d+x\d+", row["problem"]).group(): row for row in rows}
            return by_shape, "" if done.rc == 0 else f"cublas_times {done.how}: {done.tail}"
        why = f"{library}: {done.tail or done.how}"
        if done.rc != SKIPPED:
            raise Failed(f"cublas_times {done.how} with {library}", done.tail)
    return {}, why
