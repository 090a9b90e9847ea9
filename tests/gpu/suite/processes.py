# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with a time limit; nothing of it is left when it returns."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass

GRACE_SECONDS = 5
TAIL_LINES = 25


def tail(text, lines=TAIL_LINES):
    return "\n".join(text.rstrip().splitlines()[-lines:])


@dataclass
class Finished:
    command: list
    rc: int  # negative: the signal
    out: str
    err: str
    wall: float
    timed_out: bool

    @property
    def how(self):
        if self.timed_out:
            return f"was killed after {self.wall:.0f} s"
        return f"ended with signal {-self.rc}" if self.rc < 0 else f"ended with exit code {self.rc}"

    @property
    def tail(self):
        return tail(self.out + ("\n" if self.out and not self.out.endswith("\n") else "") + self.err)


def end(process):
    """SIGTERM to the process, and after a while SIGKILL to it and all of its group."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        pass  # in a call of the driver that nothing interrupts


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def start(command, out_path, err_path, environment, folder):
    with open(out_path, "wb") as out, open(err_path, "wb") as err:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, cwd=folder,
                                start_new_session=True)


def run(command, seconds, out_path, err_path, environment, folder):
    """OSError when it cannot be started."""
    began = time.monotonic()
    process = start(command, out_path, err_path, environment, folder)
    timed_out = False
    try:
        process.wait(max(0.0, seconds))
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        end(process)
    rc = process.returncode if process.returncode is not None else -signal.SIGKILL
    return Finished(command, rc, read(out_path), read(err_path), time.monotonic() - began, timed_out)
