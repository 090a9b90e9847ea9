# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tunes matmuls and models, and compiles models with what was found, by running `tune`: a crash of a compiler or a kernel
does not reach this process. Every result is in the log before it is reported, so that a call that is interrupted loses
nothing, and the same call goes on with it."""

import json
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from mmtune import programs
from mmtune.log import problem_text, schedule_text
from mmtune.model import Model, load

_DIAGNOSTIC = re.compile(": (error|warning|remark): ")

Path = Union[str, "os.PathLike[str]"]


class TuneError(Exception):
    """A call that has no result: one line that says why, and `code`, the exit code of `tune` (docs/cli.md): 1 nothing valid
    was found, 2 wrong input, 3 the log, 4 the server, 5 the device, 9 a log of another version, 130 somebody else cancelled the job."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Progress:
    """How far a call has come."""

    done: int = 0  #: Schedules with a result, those of the log included.
    planned: int = 0  #: How many there will be; 0: no limit.
    failed: int = 0  #: How many of these gave no valid time.
    best_ns: float = 0.0  #: The best time so far of the problem, or of all matmuls of the model; 0: none.
    note: str = ""  #: A line for people, such as what the call waits for; mostly empty.


@dataclass(frozen=True)
class MeasuredSchedule:
    """A schedule with its time in nanoseconds."""

    schedule: str  #: The family, then its parameters: "fma bk=16 bm=64 ...".
    record: str  #: The record's uuid, for `tune records show`.
    device: str
    median_ns: float
    low_ns: float  #: The 95 % interval of the median, with high_ns.
    high_ns: float
    gflops: float
    verified: bool  #: Verified at small shapes before it was timed.


@dataclass(frozen=True)
class Tuned:
    """The result of tune()."""

    problem: str  #: As in the records of the log.
    best: Tuple[MeasuredSchedule, ...]  #: The fastest first, as `tune matmul` ranks them; at least one.
    done: int  #: Schedules with a result.
    from_log: int  #: How many of these the log had already.


@dataclass(frozen=True)
class ModelMatmul:
    """A matmul of a model."""

    problem: str
    calls: float  #: How often one call of the model's functions computes it.
    before_ns: float  #: The time of one call with the schedule that was used before, or an estimate of it.
    after_ns: Optional[float]  #: The time of the best schedule; None if there is none.
    schedule: Optional[str]  #: The best schedule.


@dataclass(frozen=True)
class TunedModel:
    """The result of tune_model()."""

    matmuls: Tuple[ModelMatmul, ...]
    before_ns: float  #: The time of all matmuls of one call of the model.
    after_ns: float
    trials: int
    library: Optional[str]  #: The library that was built.


@dataclass(frozen=True)
class Compiled:
    """The result of compile()."""

    library: str
    notes: Tuple[str, ...]  #: Such as which matmuls have no schedule in the log.

    def load(self, device: Optional[str] = None) -> Model:
        """The library, to be called with numpy arrays: mmtune.load()."""
        return load(os.path.abspath(self.library), device=device)


def _option(name: str, value: Any) -> List[str]:
    return [] if value is None else [name, os.fspath(value) if hasattr(value, "__fspath__") else str(value)]


def _object(line: str) -> Optional[Dict[str, Any]]:
    """The JSON object of a line; None if it is another one, such as a line of the source below a diagnostic."""
    try:
        value = json.loads(line) if line.startswith("{") else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _run(words: Sequence[str], on_progress: Optional[Callable[[Progress], None]] = None) -> Tuple[str, List[str]]:
    """Runs `tune` to its end: its standard output, and the lines for people on standard error. An exception, be it Ctrl-C or
    one of `on_progress`, ends the program first, which keeps what it has measured."""
    program, notes, progress = programs.find("tune"), [], Progress()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        try:
            # A group of its own: Ctrl-C of the terminal comes through this process, once.
            process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                       start_new_session=True, encoding="utf-8", errors="replace")
        except OSError as error:
            raise TuneError(f"cannot start {program}: {error.strerror}", 1) from None
        with process:
            try:
                for line in process.stderr or ():
                    said = _object(line)
                    if said is not None:
                        known = {name: said[name] for name in said if name in Progress.__dataclass_fields__}
                        progress = replace(progress, **{"note": "", **known})
                    else:
                        spoken, text = line.startswith("tune: "), line.rstrip("\n")
                        text = text[len("tune: "):] if spoken else text
                        if spoken or _DIAGNOSTIC.search(text):  # else a line of the source, below a diagnostic
                            notes.append(text)
                        progress = replace(progress, note=text)
                    if on_progress is not None:
                        on_progress(progress)
                process.wait()
            except BaseException:
                process.send_signal(signal.SIGINT)
                try:
                    process.communicate()
                finally:
                    process.kill()
                raise
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        usual = "no schedule gave a valid result" if process.returncode == 1 else f"tune ended with {process.returncode}"
        errors = [note for note in notes if ": error: " in note][:1] + notes[-1:]
        raise TuneError(errors[0] if errors else usual, process.returncode)
    return text, notes


def _tuning(command: List[str], log: Optional[Path], server: Optional[str], device: str, arch: Optional[str],
            trials: Optional[int], seconds: Optional[float], seed: int, options: Sequence[str]) -> List[str]:
    return [*command, "--json", "--progress-json", "--device", device, "--seed", str(seed), *_option("--log", log),
            *_option("--server", server), *_option("--arch", arch), *_option("--trials", trials),
            *_option("--seconds", seconds), *options]


def _measured(record: Dict[str, Any]) -> MeasuredSchedule:
    measurement = record["measurement"]
    timing, verification = measurement["timing"], measurement["verification"]
    return MeasuredSchedule(schedule=schedule_text(record["schedule"]), record=record["uuid"],
                            device=record["device"]["name"], median_ns=timing["median_ns"], low_ns=timing["low_ns"],
                            high_ns=timing["high_ns"], gflops=record["gflops"],
                            verified=verification["performed"] and verification["passed"])


def tune(problem: str, *, log: Optional[Path] = None, server: Optional[str] = None, device: str = "auto",
         arch: Optional[str] = None, trials: Optional[int] = None, seconds: Optional[float] = None, seed: int = 1,
         on_progress: Optional[Callable[[Progress], None]] = None, options: Sequence[str] = ()) -> Tuned:
    """Searches for the fastest schedule of a matmul, as `tune matmul` does.

    `problem` is "MxNxK", C[M,N] = A[M,K] * B[K,N] in row-major, dense matrices, and behind colons what is not the default:
    "512x512x64:f16:batch=16:transpose-b:scale:0.125". `log` is a file or a postgres:// URL (absent: the default one of
    `tune`); with `server`, "HOST:PORT" or "unix:/path", a coordinator measures and has the log. `device` is "auto", "cuda",
    "cuda:1" or "simt". It ends after `trials` schedules (absent: 64, or no limit with `seconds`) or `seconds`.
    `on_progress` is called in this thread. `options` are further words of the command line.

    Ctrl-C raises KeyboardInterrupt when `tune` has ended; the log has what was measured, and the same call goes on.
    Raises TuneError.
    """
    text, _ = _run(_tuning(["matmul", problem], log, server, device, arch, trials, seconds, seed, options), on_progress)
    result = json.loads(text)
    return Tuned(problem=problem_text(result["problem"]), best=tuple(map(_measured, result["best"])), done=result["done"],
                 from_log=result["from_log"])


def tune_model(model: Path, *, library: Optional[Path] = None, spec: Optional[Path] = None, overwrite: bool = False,
               log: Optional[Path] = None, server: Optional[str] = None, device: str = "auto", arch: Optional[str] = None,
               trials: Optional[int] = None, seconds: Optional[float] = None, seed: int = 1,
               on_progress: Optional[Callable[[Progress], None]] = None, options: Sequence[str] = ()) -> TunedModel:
    """Tunes all matmuls of an MLIR module for the shortest time of the whole, as `tune model` does, and writes `library`
    (.so or .o) and `spec`, as far as they are given. `overwrite` replaces a library that exists. Else as tune()."""
    words = _tuning(["model", os.fspath(model)], log, server, device, arch, trials, seconds, seed, options)
    words += [*_option("-o", library), *_option("--spec", spec), *(["--force"] if overwrite else [])]
    result = json.loads(_run(words, on_progress)[0])
    matmuls = tuple(ModelMatmul(**{name: row[name] for name in ModelMatmul.__dataclass_fields__})
                    for row in result["matmuls"])
    return TunedModel(matmuls=matmuls, before_ns=result["before_ns"], after_ns=result["after_ns"],
                      trials=result["trials"], library=None if library is None else os.fspath(library))


def compile(model: Path, library: Path, *, log: Optional[Path] = None,  # noqa: A001 (as in re.compile)
            spec: Optional[Path] = None, device: str = "auto", arch: Optional[str] = None, overwrite: bool = False,
            options: Sequence[str] = ()) -> Compiled:
    """Compiles an MLIR module to `library` (.so or .o), with a C header beside it, as `tune compile` does: with the
    schedules of `spec`, or the best ones of `log`. Needs device="simt", or `arch`, such as "sm_90a". Raises TuneError;
    nothing is written then."""
    words = ["compile", os.fspath(model), "-o", os.fspath(library), "--quiet", *_option("--log", log),
             *_option("--spec", spec), *_option("--device", None if device == "auto" else device), *_option("--arch", arch),
             *(["--force"] if overwrite else []), *options]
    return Compiled(os.fspath(library), tuple(_run(words)[1]))
