# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One run of the suite: its time, its folders, its steps one after the other, and the report after each."""

import json
import lzma
import os
import re
import shlex
import shutil
import tarfile
import threading
import time
import traceback
from datetime import datetime, timezone

from suite import processes, report

# Of the whole, kept for packing what the steps wrote.
PACKING_SECONDS = 8
# Where a test program was built stands before the source files that it names.
BUILD_FOLDERS = re.compile(r"/[^\s\"\\:]*/(?=(?:kernels|proto|server|tests|worker)/[\w/]+\.(?:cc|cpp|h):)")


class Skip(Exception):
    """The step cannot run here; the text says why."""


class Failed(Exception):
    """What the step should show is not so; the text says what, `output` is the end of what was printed."""

    def __init__(self, text, output=""):
        super().__init__(text)
        self.output = output


class Session:
    def __init__(self, programs, device, output, scratch, limit, step_limit, command, small=False, began=None):
        """Runs on `device`, at small sizes where `small` says so or the device is no GPU; of `limit` seconds, which count
        from `began`."""
        self.programs, self.device, self.output, self.scratch = programs, device, output, scratch
        self.small = small or device == "simt"
        self.step_limit, self.began = step_limit, time.monotonic() if began is None else began
        self.deadline = self.began + limit - PACKING_SECONDS
        self.step_deadline = self.deadline
        self.raw = os.path.join(scratch, "raw")
        self.records = os.path.join(scratch, "records.jsonl")
        os.makedirs(self.raw)
        open(self.records, "wb").close()
        self.exported = set()  # uuids of the records kept so far
        self.cublas = ""       # the library that was opened
        self.tuned = None      # the best record of the step tune
        self.no_device = ""    # why no step can use the device
        self.step = None     # the result of the step that runs
        self.step_outputs = []
        self.pending = []    # steps after it
        self.background = []  # processes that run beside the steps
        self.lock = threading.Lock()  # programs of a step may run side by side
        home = os.path.join(scratch, "home")
        os.makedirs(home)
        self.environment = dict(os.environ, HOME=home, XDG_STATE_HOME=os.path.join(home, "state"),
                                XDG_DATA_HOME=os.path.join(home, "data"), MMTUNE_TEST_DEVICE=device,
                                XDG_RUNTIME_DIR=home, MMTUNE_TEST_SMALL=str(int(self.small)),
                                PYTHONDONTWRITEBYTECODE="1")
        if programs.data:
            self.environment["MMTUNE_TEST_DATA"] = programs.data
        self.document = {"date": datetime.now(timezone.utc).isoformat(timespec="seconds"), "commit": programs.commit,
                         "programs": programs.source, "device": device, "limit_seconds": limit,
                         "command": shlex.join(["run", *command[1:]]), "facts": {}, "steps": []}

    @property
    def cuda(self):
        return self.device != "simt"

    @property
    def log(self):
        """The tuning log that steps share."""
        return os.path.join(self.scratch, "tuning.db")

    def time_left(self):
        """Seconds left to the whole run."""
        return self.deadline - time.monotonic()

    def remaining(self):
        """Seconds left to the step."""
        return self.step_deadline - time.monotonic()

    # What steps call.

    def run_program(self, program, *arguments, seconds=1e9, environment=None, overtime=False):
        """Runs one of our programs, or an absolute path, for at most `seconds` and what is left to the step or, with
        `overtime`, to the whole run."""
        path = program if os.path.isabs(program) else self.programs.path(program)
        command = [path, *map(str, arguments)]
        shown = {"command": shlex.join([os.path.basename(path), *command[1:]])}
        with self.lock:
            index = len(self.step["commands"])
            self.step["commands"].append(shown)
        base = os.path.join(self.raw, f"{self.step['name']}-{index:02d}-{os.path.basename(path)}")
        try:
            seconds = min(seconds, self.time_left() if overtime else self.remaining())
            done = processes.run(command, seconds, base + ".out", base + ".err",
                                 dict(self.environment, **(environment or {})), self.scratch)
        except OSError as error:
            raise Failed(f"{os.path.basename(path)} cannot be started: {error}") from error
        self.step_outputs.append(done.out)
        shown.update(rc=done.rc, wall_seconds=round(done.wall, 3), timed_out=done.timed_out)
        return done

    def in_background(self, process):
        """Keeps a process until the run ends."""
        self.background.append(process)

    def printed(self):
        """The JSON lines that programs of the step have printed."""
        return [json.loads(line) for text in self.step_outputs for line in text.splitlines()
                if line.startswith('{"') and line.endswith("}")]

    def expect_ok(self, program, *arguments, **options):
        done = self.run_program(program, *arguments, **options)
        if done.rc != 0 or done.timed_out:
            raise Failed(f"{os.path.basename(program)} {done.how}", done.tail)
        return done

    def fact(self, text):
        """A line of the step's section in the report."""
        self.step["facts"].append(text)

    def table(self, heading, rows):
        self.step["tables"].append({"heading": heading, "rows": rows})

    def result(self, **values):
        """Numbers for report.json."""
        self.step["results"].update(values)

    # The run.

    def run(self, steps):
        interrupted = False
        for index, step in enumerate(steps):
            self.pending = steps[index + 1:]
            self.step = {"name": step.name, "shows": step.shows, "owed": step.owed, "status": "skipped", "reason": "",
                         "output": "", "wall_seconds": 0.0, "commands": [], "facts": [], "tables": [], "results": {}}
            self.step_outputs = []
            self.document["steps"].append(self.step)
            if interrupted:
                self.step["reason"] = "interrupted before it"
            else:
                interrupted = self._run_step(step)
            self._write()
        for process in self.background:
            processes.end(process)
        self._pack()
        return self._exit_code()

    def _run_step(self, step):
        """True when it was interrupted."""
        seconds = step.seconds(self)
        if step.needs_device and self.no_device:
            self.step["reason"] = self.no_device
        elif step.needs_cuda and not self.cuda:
            self.step["reason"] = "needs a CUDA device"
        elif self.time_left() < step.least(self):
            self.step.update(status="no time", reason=f"{max(0, self.time_left()):.0f} s were left")
        else:
            return self._attempt(step, min(seconds, self.step_limit or seconds))
        print(f"{step.name:<16}{self.step['status']}: {self.step['reason']}", flush=True)
        return False

    def _attempt(self, step, seconds):
        began, interrupted = time.monotonic(), False
        self.step_deadline = min(began + seconds, self.deadline)
        try:
            step.function(self)
            self.step["status"] = "passed"
        except Skip as skip:
            self.step["reason"] = str(skip)
        except Failed as failure:
            self.step.update(status="failed", reason=str(failure), output=failure.output)
        except KeyboardInterrupt:
            self.step.update(status="failed", reason="interrupted")
            interrupted = True
        except Exception:  # a mistake in a step must not cost the others
            self.step.update(status="failed", reason="the step itself broke", output=processes.tail(
                traceback.format_exc()))
        self.step["wall_seconds"] = round(time.monotonic() - began, 1)
        reason = f": {self.step['reason']}" if self.step["reason"] else ""
        print(f"{step.name:<16}{self.step['status']}{reason} ({self.step['wall_seconds']} s)", flush=True)
        return interrupted

    def _write(self):
        self.document["wall_seconds"] = round(time.monotonic() - self.began, 1)
        # Where this machine keeps its files is nobody's business later.
        text = json.dumps(self.document)
        for folder in (self.scratch, os.path.dirname(self.programs.bin), self.programs.root):
            text = text.replace(json.dumps(folder + "/")[1:-1], "")
        text = BUILD_FOLDERS.sub("", text)
        report.write(json.loads(text), self.output)

    def _pack(self):
        """Few files, as some ways back from a machine take only few."""
        if os.path.getsize(self.records) > 0:
            with open(self.records, "rb") as plain, \
                    lzma.open(os.path.join(self.output, "records.jsonl.xz"), "wb", preset=2) as packed:
                shutil.copyfileobj(plain, packed)
        with tarfile.open(os.path.join(self.output, "raw.tar.xz"), "w:xz", preset=2) as archive:
            archive.add(self.raw, "raw")
        self._write()
        print(f"report          {os.path.join(self.output, 'report.md')}", flush=True)

    def _exit_code(self):
        states = {step["status"] for step in self.document["steps"]}
        return 1 if "failed" in states else 3 if "no time" in states else 0
