# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of a tuning log: of the SQLite file, of a PostgreSQL database (which `tune` reads), or of JSON lines that were
exported from either. Nothing is ever written."""

import array
import builtins
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from mmtune import programs

#: What one record says; README.md of this package has the keys.
Record = Dict[str, Any]

# "MMTL", which every tuning log has in its header; and the version of its tables.
_APPLICATION_ID = 0x4D4D544C
_SCHEMA_VERSION = 1
_EXPORT = "`tune records export` of the mmtune that wrote it writes JSON lines, which can be read"

_SQL = """
SELECT r.id, r.uuid, r.job_uuid, r.canonical, r.unix_millis, r.outcome, r.median_ns, r.low_ns, r.high_ns, r.regime,
  r.registers, r.spill_bytes, r.shared_bytes, r.threads, r.worker, r.code_digest, r.message, r.schedule, r.phases,
  r.samples_ns, r.verified, r.conditions, w.problem, d.info, d.class_key, t.info, r.schedule_digest, w.digest
FROM measurement AS r LEFT JOIN workload AS w ON w.id = r.workload_id LEFT JOIN device AS d ON d.id = r.device_id
  LEFT JOIN toolchain AS t ON t.id = r.toolchain_id ORDER BY r.id"""

_BLOB = 19  # The place of r.samples_ns.

# Keys of a device in which devices of one class may differ (DeviceInfo::ClassKey).
_OF_ONE_DEVICE = {"uuid", "memory_bytes", "l2_bytes", "clock_khz", "driver", "active_clusters_of_2",
                  "active_clusters_of_4"}
# What reading a damaged row or line may raise: other types than expected, bytes that are no text, numbers out of range.
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError)


class LogError(Exception):
    """A log that cannot be read: the message says which, and why."""


class Records(List[Record]):
    """A list of records, each a dict with the same keys: `pandas.DataFrame(records)` makes a frame of it."""

    def columns(self) -> Dict[str, List[Any]]:
        """The same, column by column.

        >>> Records([{"id": 1, "gflops": 80.5}, {"id": 2, "gflops": None}]).columns()
        {'id': [1, 2], 'gflops': [80.5, None]}
        """
        names = self[0].keys() if self else ()
        return {name: [record[name] for record in self] for name in names}


def problem_text(problem: Dict[str, Any]) -> str:
    """A problem as tables of `tune` write it, less the type where that is f32.

    >>> problem_text({"op": "matmul", "dtype": "f32", "m": 64, "n": 32, "k": 16})
    '64x32x16'
    >>> problem_text({"op": "matmul", "dtype": "bf16", "m": 64, "n": 32, "k": 16, "batch": 8, "out": "f32",
    ...               "transpose_b": True, "epilogue": "bias,relu"})
    '64x32x16 bf16 out=f32 batch=8 transpose_b epilogue=bias,relu'
    >>> problem_text({"op": "matmul", "dtype": "f32", "m": 64, "n": 32, "k": 16, "math": "tf32x3"})
    '64x32x16 tf32x3'
    """
    words = ["{m}x{n}x{k}".format(**problem)]
    if problem.get("math") or problem["dtype"] != "f32":
        words.append(problem.get("math") or problem["dtype"])
    for name in ("out", "batch"):
        if name in problem:
            words.append(f"{name}={problem[name]}")
    words += [name for name in ("transpose_a", "transpose_b") if problem.get(name)]
    if problem.get("epilogue"):
        words.append(f"epilogue={problem['epilogue']}")
    return " ".join(words)


def schedule_text(schedule: Dict[str, Any]) -> str:
    return " ".join([schedule["family"], *(f"{name}={schedule['params'][name]}" for name in sorted(schedule["params"]))])


def _age(record: Record) -> Tuple[int, str]:
    return record["unix_millis"], record["uuid"]


def _rank(records: Records) -> Records:
    """Ranks ok records of one problem, class of devices and regime, best first, as RankRecords() of
    proto/types/ranked_record.h does: where the two differ, this one is wrong."""
    newest = max(records, key=_age)["toolchain"]
    by_schedule: Dict[str, Records] = {}
    for record in records:
        if record["toolchain"] == newest:
            by_schedule.setdefault(record["schedule"], Records()).append(record)
    own: Dict[str, Record] = {}
    limits: Dict[str, Tuple[float, float]] = {}
    compared: List[Tuple[Tuple[int, str], str, Dict[str, Any]]] = []
    for text, runs in by_schedule.items():
        if any(record["verified"] for record in runs):
            runs = Records(record for record in runs if record["verified"])
        with_comparison = [record for record in runs if record["comparison"]]
        if with_comparison:
            last = max(with_comparison, key=_age)
            compared.append((_age(last), text, last["comparison"]))
        kept: Records = Records()
        for record in sorted(runs, key=lambda record: (record["median_ns"], record["run"], record["uuid"])):
            if not (kept and record["run"] and (kept[-1]["median_ns"], kept[-1]["run"]) == (record["median_ns"], record["run"])):
                kept.append(record)
        own[text] = kept[len(kept) // 2]
        limits[text] = kept[0]["median_ns"] / 4, kept[-1]["median_ns"] * 4
    placed_by: Dict[str, Tuple[str, Dict[str, Any]]] = {}
    for _, text, comparison in sorted(compared, key=lambda entry: entry[0], reverse=True):
        reference = root = schedule_text(comparison["reference"])
        if reference not in own or not limits[text][0] <= comparison["ratio"] * own[reference]["median_ns"] <= limits[text][1]:
            continue
        while root in placed_by:
            root = placed_by[root][0]
        if root != text:
            placed_by[text] = reference, comparison
    places: Dict[str, Tuple[float, float]] = {}  # by schedule: the time that ranks it, and in whose place it stands
    as_fast = set()
    for text in own:
        chain = [text]
        while chain[-1] in placed_by:
            chain.append(placed_by[chain[-1]][0])
        ranked = place = own[chain.pop()]["median_ns"]
        for member in reversed(chain):
            reference, comparison = placed_by[member]
            ranked = comparison["ratio"] * ranked
            if comparison["low"] <= 1 <= comparison["high"] and abs(comparison["ratio"] - 1) <= 0.01:
                as_fast.update((member, reference))
            else:
                place = ranked
        places[text] = ranked, place

    def key(text: str) -> Tuple[Any, ...]:
        schedule = {"family": own[text]["family"], "params": own[text]["params"]}
        canonical = json.dumps(schedule, sort_keys=True, separators=(",", ":"))
        return places[text][1], text not in as_fast, hashlib.sha256(canonical.encode("utf-8")).hexdigest()

    return Records({**own[text], "ranked_ns": places[text][0]} for text in sorted(own, key=key))


def _flat(record: Dict[str, Any], class_key: str) -> Record:
    """`record` is as in JSON lines. `class_key` is the same for devices whose times may be compared."""
    problem, schedule, measured = record["problem"], record["schedule"], record["measurement"]
    device, timing, resources = record["device"], measured["timing"], measured["resources"]
    ok = measured["outcome"] == "ok"
    median = timing["median_ns"] if ok else None
    flops = 2.0 * problem.get("batch", 1) * problem["m"] * problem["n"] * problem["k"]
    conditions = measured.get("conditions", {})
    baseline = conditions.get("baseline", {})
    verification = measured.get("verification", {})
    return {
        "id": record["id"], "uuid": record["uuid"], "job": record["job"], "unix_millis": record["unix_millis"],
        "canonical": record["canonical"], "problem": problem_text(problem), "m": problem["m"], "n": problem["n"],
        "k": problem["k"], "dtype": problem["dtype"], "math": problem.get("math", "ieee"),
        "out": problem.get("out", "s32" if problem["dtype"] == "s8" else problem["dtype"]),
        "transpose_a": problem.get("transpose_a", False), "transpose_b": problem.get("transpose_b", False),
        "batch": problem.get("batch", 1),
        "epilogue": problem.get("epilogue", ""), "device": device["name"], "device_kind": device["kind"],
        "device_class": class_key, "arch": device["arch"], "outcome": measured["outcome"],
        "message": measured["message"], "verified": bool(verification.get("performed") and verification.get("passed")),
        "regime": timing["regime"], "gflops": flops / median if median else None, "median_ns": median,
        "low_ns": timing["low_ns"] if ok else None, "high_ns": timing["high_ns"] if ok else None,
        "least_ns": timing["low_ns"] or None if measured["outcome"] == "skipped" else None,
        "baseline": baseline.get("library") or None, "baseline_ns": baseline.get("median_ns") or None,
        "family": schedule["family"], "params": schedule["params"],
        "schedule": schedule_text(schedule), "run": conditions.get("run", ""), "comparison": conditions.get("comparison"),
        "threads": resources["threads"], "registers": resources["registers"], "spill_bytes": resources["spill_bytes"],
        "shared_bytes": resources["shared_bytes"], "samples_ns": timing["samples_ns"], "phases": measured["phases"],
        "toolchain": record["toolchain"], "code_digest": measured["code_digest"], "worker": record["worker"],
    }


def _row(row: Tuple[Any, ...]) -> Record:
    """A row of _SQL, whose texts are bytes, by way of the form that JSON lines have."""
    (number, uuid, job, canonical, millis, outcome, median, low, high, regime, registers, spills, shared, threads, worker,
     digest, message, schedule, phases, blob, verified, conditions, problem, device, class_key, toolchain, schedule_digest,
     problem_digest) = (
        value.decode("utf-8") if isinstance(value, bytes) and place != _BLOB else value for place, value in enumerate(row))
    for text, its_digest in ((schedule, schedule_digest), (problem, problem_digest)):
        if hashlib.sha256(text.encode("utf-8")).hexdigest() != its_digest:
            raise ValueError("its schedule or problem was changed: the digest is another")
    samples = array.array("d", blob)
    if sys.byteorder == "big":
        samples.byteswap()
    return _flat({
        "id": number, "uuid": uuid, "job": job, "canonical": bool(canonical), "unix_millis": millis, "worker": worker,
        "problem": json.loads(problem), "schedule": json.loads(schedule), "device": json.loads(device),
        "toolchain": json.loads(toolchain),
        "measurement": {
            "outcome": outcome, "message": message, "code_digest": digest, "phases": json.loads(phases),
            "resources": {"registers": registers, "spill_bytes": spills, "shared_bytes": shared, "threads": threads},
            "verification": {"performed": verified is not None, "passed": bool(verified)},
            "conditions": json.loads(conditions) if conditions else {},
            "timing": {"samples_ns": samples.tolist(), "median_ns": median, "low_ns": low, "high_ns": high,
                       "regime": regime}}}, class_key)


class Log:
    """A tuning log. Each call reads it anew; a running `tune` may go on writing to it."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]):
        self.path = os.fspath(path)
        self._is_sqlite = False
        self._is_url = self.path.startswith(("postgres://", "postgresql://"))
        if self._is_url:
            address, _, settings = self.path.partition("://")[2].partition("?")
            if ":" in address.rpartition("@")[0] or "password=" in settings:
                self.path = ""
                raise LogError("the URL has a password, which other users of this machine could read; write it into "
                               "~/.pgpass, or into the file named by $PGPASSFILE")
            return
        try:
            with builtins.open(self.path, "rb") as file:
                self._is_sqlite = file.read(16) == b"SQLite format 3\0"
        except OSError as error:
            raise LogError(f"cannot read {self.path}: {error.strerror}") from None
        if self._is_sqlite:
            self._connect().close()

    def records(self, problem: Optional[str] = None, *, device: Optional[str] = None, outcome: Optional[str] = None,
                regime: Optional[str] = None, late: bool = False) -> Records:
        """Records in the order of their ids.

        `problem` is a text as `problem_text` gives it; `device` a kind ("cuda", "simt") or a part of a name, in any case;
        `late` adds reports that came after their lease had run out. A damaged record is left out with a warning.
        """
        found = Records()
        for record in self._all():
            if ((late or record["canonical"]) and (problem is None or record["problem"] == problem)
                    and (outcome is None or record["outcome"] == outcome)
                    and (regime is None or record["regime"] == regime)
                    and (device is None or device.lower() in (record["device_kind"], "")
                         or device.lower() in record["device"].lower())):
                found.append(record)
        return found

    def best(self, problem: Optional[str] = None, *, allow_unverified: bool = False) -> Records:
        """The best schedule of each problem, class of devices and regime, as `tune records best` ranks them; verified ones
        only, unless allowed. The record is the one with the schedule's own time; `ranked_ns` is the time that ranks it.
        """
        groups: Dict[Tuple[str, str, str], Records] = {}
        for record in self.records(problem, outcome="ok"):
            if record["verified"] or allow_unverified:
                groups.setdefault((record["problem"], record["device_class"], record["regime"]), Records()).append(record)
        return Records(_rank(groups[key])[0] for key in sorted(groups))

    def __repr__(self) -> str:
        return f"mmtune.open({self.path!r})"

    def _connect(self) -> sqlite3.Connection:
        connection = None
        try:
            quoted = os.path.abspath(self.path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            connection = sqlite3.connect(f"file:{quoted}?mode=ro", uri=True)
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            raise LogError(f"cannot read {self.path}: {error}") from None
        if application != _APPLICATION_ID:
            connection.close()
            raise LogError(f"{self.path} is a database of another program")
        if version != _SCHEMA_VERSION:
            connection.close()
            raise LogError(f"{self.path} has schema version {version}, not {_SCHEMA_VERSION}: {_EXPORT}")
        return connection

    def _all(self) -> Iterator[Record]:
        if self._is_sqlite:
            yield from self._rows()
        elif self._is_url:
            yield from self._exported()
        else:
            with builtins.open(self.path, "rb") as file:
                yield from self._lines(file)

    def _exported(self) -> Iterator[Record]:
        """What `tune records export` writes of a database."""
        try:
            export = subprocess.Popen([programs.find("tune"), "records", "export", "--all", "--log", self.path],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise LogError(f"cannot read {self.path}: {error}") from None
        with export:
            yield from self._lines(export.stdout)
            said = export.stderr.read().decode("utf-8", "replace").strip()
        if export.returncode != 0:
            raise LogError(f"cannot read {self.path}: {said}")
        if said:
            warnings.warn(said, stacklevel=4)

    def _rows(self) -> Iterator[Record]:
        connection = self._connect()
        connection.text_factory = bytes  # Decoded row by row: one that is no text is damaged, and the others are read.
        try:
            for row in connection.execute(_SQL):
                try:
                    record = _row(row)
                except _DAMAGE as error:
                    warnings.warn(f"{self.path}: record {row[0]} is damaged and left out: {error!r}", stacklevel=4)
                    continue
                yield record
        except sqlite3.Error as error:
            hint = f"; an earlier build wrote it: {_EXPORT}" if str(error).startswith("no such") else ""
            raise LogError(f"cannot read {self.path}: {error}{hint}") from None
        finally:
            connection.close()

    def _lines(self, file: Iterable[bytes]) -> Iterator[Record]:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line.decode("utf-8"))
                device = record["device"]
                key = json.dumps({name: device[name] for name in sorted(device) if name not in _OF_ONE_DEVICE})
                flat = _flat(record, key)
            except _DAMAGE as error:
                raise LogError(f"{self.path}, line {number}: no record of a tuning log ({error!r})") from None
            yield flat


def open(path: Union[str, "os.PathLike[str]"]) -> Log:
    """A tuning log (a SQLite file, or the postgres:// URL of a database), or records as JSON lines, for reading.

    >>> open("/no/such/log.db")
    Traceback (most recent call last):
    mmtune.log.LogError: cannot read /no/such/log.db: No such file or directory
    """
    return Log(path)
