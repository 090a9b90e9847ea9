# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What schedules are compared with, in the same run: cuBLAS, cuBLASLt and, where Triton is installed, its own autotuned matmul."""

import ctypes.util
import glob
import json
import os
import shutil
import subprocess
import sys

from suite import processes
from suite.session import Failed

CUBLAS_VERSIONS = ("13", "12", "11")
SKIPPED = 77
# As cublas_times and triton_times.py name them; the keys of a row.
WAYS = ["cuBLAS", "cuBLASLt first", "cuBLASLt best", "Triton"]
TRITON_TIMES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "triton_times.py")
# Of Triton, for compiling, autotuning and timing one problem whose configurations are compiled already.
SECONDS_OF_TRITON = 5


def find_cublas_folders():
    """Yields where a toolkit, the loader or a Python package may have it."""
    yield from os.environ.get("LD_LIBRARY_PATH", "").split(":")
    yield from sorted(glob.glob("/usr/local/cuda*/lib64") + glob.glob("/usr/local/cuda*/targets/x86_64-linux/lib"))
    yield from find_python_folders()
    yield from glob.glob("/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib")


def find_python_folders():
    paths = set(sys.path)
    try:
        asked = subprocess.run(["python3", "-c", "import sys; print('\\n'.join(sys.path))"], capture_output=True,
                               text=True, timeout=10, check=False)
        paths |= set(asked.stdout.splitlines())
    except (OSError, subprocess.TimeoutExpired):
        pass
    for path in sorted(filter(None, paths)):
        yield from glob.glob(os.path.join(path, "nvidia", "*", "lib"))


def find_cublas():
    """Returns files to try, the newest version first; the loader's own last."""
    given = os.environ.get("CUBLAS_LIBRARY")
    if given:
        return [given]
    found = [os.path.join(folder, f"libcublas.so.{version}") for version in CUBLAS_VERSIONS
             for folder in find_cublas_folders() if folder]
    return [path for path in dict.fromkeys(found) if os.path.exists(path)] + \
        list(filter(None, [ctypes.util.find_library("cublas")]))


def loader_path(library):
    return ":".join(filter(None, [os.path.dirname(library), os.environ.get("LD_LIBRARY_PATH", "")]))


def use_cublas(session):
    """Has the workers' baseline, too, find the library that the reference times are taken of."""
    library = next(iter(find_cublas()), "")
    if library and session.cuda:
        session.environment.update(CUBLAS_LIBRARY=library, LD_LIBRARY_PATH=loader_path(library))
    return library or "none is in LD_LIBRARY_PATH, under /usr/local/cuda* or in a Python package"


def problem_of(shape, **more):
    """Returns a problem as records have it."""
    m, n, k = map(int, shape.split("x"))
    return {"op": "matmul", "dtype": "f32", "m": m, "n": n, "k": k, **more}


def key(problem):
    return json.dumps(problem, sort_keys=True)


def rows_of(done):
    return [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]


def time_cublas(session, problems, seconds, beside=""):
    """Returns rows by problem and way, and why there is none. Failed where there is a library that does not work. With
    the schedule `beside` of the one problem, each way is timed alternately with it as well."""
    beside = [f"--beside={beside}"] if beside else []
    why = "no libcublas.so is in LD_LIBRARY_PATH, under /usr/local/cuda* or in a Python package"
    for library in [session.cublas] if session.cublas else find_cublas():
        done = session.run_program("cublas_times", library, seconds, *map(key, problems), *beside,
                                   environment={"LD_LIBRARY_PATH": loader_path(library)})
        rows = rows_of(done)
        if rows:
            session.cublas = library
            ways = [way for way in WAYS if way != "Triton"]
            found = {key(problem): {row["way"]: row for row in rows[len(ways) * i:len(ways) * (i + 1)]}
                     for i, problem in enumerate(problems)}
            return found, "" if done.rc == 0 else f"cublas_times {done.how}: {done.tail}"
        why = f"{library}: {done.tail or done.how}"
        if done.rc != SKIPPED:
            raise Failed(f"cublas_times {done.how} with {library}", done.tail)
    return {}, why


def compile_triton_ahead(session, problems):
    """Starts compiling Triton's configurations on all cores, while the device times something else."""
    python, arch = shutil.which("python3"), session.document["facts"].get("arch", "")
    if not python or not session.cuda or not arch:
        return
    base = os.path.join(session.raw, "triton-compile")
    command = [python, TRITON_TIMES, "compile", arch, *map(key, problems)]
    session.in_background(processes.start(command, base + ".out", base + ".err", session.environment, session.scratch))


def time_triton(session, problems, seconds):
    """Returns rows by problem, and why there is none."""
    python = shutil.which("python3")
    if not python:
        return {}, "no python3"
    done = session.run_program(python, TRITON_TIMES, "time", seconds, *map(key, problems),
                               seconds=SECONDS_OF_TRITON * len(problems) + 10)
    rows = {key(row["problem"]): row for row in rows_of(done)}
    return rows, "" if rows and done.rc == 0 else f"Triton: {done.tail or done.how}"


def gflops(row):
    return row["gflops"] if row and "gflops" in row else None


def wrong(found):
    """Returns a line for each reference whose result is wrong."""
    return [f"{way} of {name}: {row['wrong']}" for name, ways in found.items() for way, row in ways.items()
            if row.get("wrong")]
