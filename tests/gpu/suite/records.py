# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuning through the programs, and the records of a log."""

import collections
import concurrent.futures
import contextlib
import json
import os
import re
import time

from suite import processes
from suite.session import Failed

GOOD = {"ok", "rejected", "skipped"}
# The exit code of a tune that was stopped and kept what it had.
INTERRUPTED = 130


def export(session, log):
    """The records of a log that no earlier export had; they go to the output, too."""
    if not os.path.exists(log):
        return []
    path = os.path.join(session.scratch, "export.jsonl")
    session.expect_ok("tune", "records", "export", "--all", "--force", "--log", log, path, seconds=30, overtime=True)
    new = []
    with open(path, encoding="utf-8") as lines, open(session.records, "a", encoding="utf-8") as kept:
        for line in lines:
            record = json.loads(line)
            if record["uuid"] not in session.exported:
                session.exported.add(record["uuid"])
                kept.write(line)
                new.append(record)
    return new


def outcomes(records):
    return collections.Counter(record["measurement"]["outcome"] for record in records)


def text(counter):
    return ", ".join(f"{number} {outcome}" for outcome, number in counter.most_common()) or "none"


def shape(record):
    problem = record["problem"]
    return f"{problem['m']}x{problem['n']}x{problem['k']}"


def flops(record):
    problem = record["problem"]
    return 2 * problem["m"] * problem["n"] * problem["k"] * problem.get("batch", 1)


def best(records):
    """The fastest valid record, or None."""
    valid = [record for record in records if record["measurement"]["outcome"] == "ok"]
    return min(valid, key=lambda record: record["measurement"]["timing"]["median_ns"], default=None)


def gflops(record):
    return flops(record) / record["measurement"]["timing"]["median_ns"]


def schedule(record):
    given = record["schedule"]
    return " ".join([given["family"]] + [f"{key}={value}" for key, value in sorted(given["params"].items())])


def sm_clock(record):
    """The SM clock in MHz right after the timing; -1 where NVML did not tell."""
    return record["measurement"].get("conditions", {}).get("health", {}).get("after", {}).get("sm_clock_mhz", -1)


def expect_good(session, records, output=""):
    """Failed where a record is neither valid nor rejected by a rule; each such one is told."""
    found = outcomes(records)
    session.fact(f"{len(records)} records: {text(found)}")
    session.result(outcomes=dict(found))
    bad = [record for record in records if record["measurement"]["outcome"] not in GOOD]
    for record in bad[:10]:
        session.fact(f"{record['measurement']['outcome']}: {shape(record)} `{schedule(record)}`: "
                     f"{record['measurement']['message'][:200]}")
    if bad:
        raise Failed(f"{len(bad)} of {len(records)} records are not good: {text(found)}", output)
    if found["ok"] == 0:
        raise Failed("there is no valid record", output)


def matmul(session, problem, log, *options, seconds=1e9, environment=None):
    """What `tune matmul` printed, and the records it made, which are kept whatever becomes of it. One that ends in good
    order because its time was out has done its work."""
    done = session.run_program("tune", "matmul", problem, "--device", session.device, "--log", log, "--quiet",
                               *options, seconds=seconds, environment=environment)
    new = export(session, log)
    if done.timed_out and done.rc == INTERRUPTED:
        session.fact(f"{problem}: cut after {done.wall:.0f} s, {text(outcomes(new))}")
    elif done.rc != 0 or done.timed_out:
        raise Failed(f"tune matmul {problem} {done.how}; its records: {text(outcomes(new))}", done.tail)
    return done, new


def matmuls(session, jobs, clients):
    """Runs jobs of `tune matmul`, each a problem and its options, `clients` at a time against one server with one worker:
    while the device times one's candidates, the others' are compiled on all cores. Returns the new records, and a line
    for each job that did not end well."""
    log = os.path.join(session.scratch, f"{session.step['name']}.db")
    with served(session, log, workers=1) as address, concurrent.futures.ThreadPoolExecutor(clients) as pool:
        runs = list(pool.map(lambda job: session.run_program(
            "tune", "matmul", job[0], "--device", session.device, "--server", address, "--quiet", *job[1:]), jobs))
    failures = [f"{' '.join(map(str, job[:3]))}: tune {run.how}\n{run.tail}" for job, run in zip(jobs, runs)
                if run.rc != 0 or run.timed_out]
    return export(session, log), failures


@contextlib.contextmanager
def served(session, log, workers):
    """A server and its workers; the address. Failed when one ends by itself."""
    running = []

    def start(program, *arguments):
        base = os.path.join(session.raw, f"{session.step['name']}-{program}-{len(running)}")
        command = [session.programs.path(program), *arguments]
        process = processes.start(command, base + ".out", base + ".err", session.environment, session.scratch)
        running.append((program, process, base))
        return base

    try:
        base = start("mmtune-server", "--listen", "127.0.0.1:0", "--insecure-loopback", "--log", log)
        address, until = None, time.monotonic() + min(15, session.remaining())
        while address is None and time.monotonic() < until and running[0][1].poll() is None:
            address = re.search(r"listening on (\S+),", processes.read(base + ".out"))
            time.sleep(0.05)
        if address is None:
            raise Failed("mmtune-server did not say where it listens", processes.tail(processes.read(base + ".err")))
        for number in range(workers):
            start("mmtune-worker", "--server", address.group(1), "--device", session.device, "--spool",
                  os.path.join(session.scratch, f"spool-{session.step['name']}-{number}"))
        yield address.group(1)
        for program, process, base in running:
            if process.poll() is not None:
                raise Failed(f"{program} ended with {process.returncode}",
                             processes.tail(processes.read(base + ".err")))
    finally:
        for _, process, _ in reversed(running):
            processes.end(process)
