# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of single kernels: the test programs, and what there is to run them on."""

import glob
import json
import os
import platform
import re
import shutil

from suite import references
from suite.session import Failed, Skip

SMI_FIELDS = ("name,uuid,driver_version,vbios_version,memory.total,clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu,"
              "power.draw,power.limit,mig.mode.current,ecc.mode.current")


# Of a step's time, what its tests may take in one process; and what each that did not pass may take alone.
SHARE_OF_ALL_TOGETHER = 0.6
SECONDS_ALONE = 12


def first_line(path, prefix):
    with open(path, encoding="utf-8", errors="replace") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith(prefix)), "unknown")


def find_ptxas():
    places = [shutil.which("ptxas"), *glob.glob(os.path.join(os.environ.get("CUDA_HOME", ""), "bin/ptxas")),
              "/usr/local/cuda/bin/ptxas"]
    return next((place for place in places if place and os.path.isabs(place) and os.access(place, os.X_OK)), None)


def facts(session):
    known = session.document["facts"]
    known["host"] = (f"{platform.system()} {platform.release()}, {os.cpu_count()} x "
                     f"{first_line('/proc/cpuinfo', 'model name')}, {first_line('/proc/meminfo', 'MemTotal')}")
    known["python"] = platform.python_version()
    ptxas = find_ptxas()
    toolkit = session.run_program(ptxas, "--version", seconds=10).out.strip().splitlines()[-1:] if ptxas else []
    known["toolkit"] = f"{ptxas}: {toolkit[0]}" if toolkit else "no ptxas"
    nvidia_smi(session)
    known["cuBLAS"] = references.use_cublas(session)
    done = session.run_program("mmtune-worker", "--probe")
    devices = [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]
    mine = [device for device in devices if device["device"] == session.device]
    if not mine:
        session.no_device = f"no device {session.device}: {done.err.strip() or 'not among those of the probe'}"
        raise Failed(session.no_device, done.tail)
    known.update({key: str(mine[0][key]) for key in ("name", "uuid", "arch", "driver", "multiprocessors",
                                                     "memory_bytes", "l2_bytes", "assembler", "mlir", "mmtune",
                                                     "families")})


def nvidia_smi(session):
    if shutil.which("nvidia-smi") is None:
        return session.fact("no nvidia-smi")
    session.run_program(shutil.which("nvidia-smi"), "-q", seconds=10)
    done = session.run_program(shutil.which("nvidia-smi"), f"--query-gpu={SMI_FIELDS}", "--format=csv", seconds=10)
    session.fact(f"nvidia-smi: {'; '.join(done.out.split(chr(10))).strip('; ') if done.rc == 0 else done.how}")


def run_tests(session, program, pattern, seconds):
    """Runs tests of a program in one process: (what became of it, its report by name; empty after a crash)."""
    path = os.path.join(session.scratch, "gtest.json")
    if os.path.exists(path):
        os.remove(path)
    done = session.run_program(program, f"--gtest_filter={pattern}", f"--gtest_output=json:{path}",
                               "--gtest_color=no", seconds=seconds)
    cases = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            cases = {f"{case['classname']}.{case['name']}": case for suite in json.load(file)["testsuites"]
                     for case in suite["testsuite"]}
    return done, cases


def skip_reasons(output):
    """By test: the report of GoogleTest does not have them, its output does."""
    found = re.findall(r"^\[ RUN      \] (\S+)\n[^\[\n]*: Skipped\n([^\n]*)$", output, re.MULTILINE)
    return dict(found)


def listed(session, program, pattern):
    """The names of its tests."""
    done = session.expect_ok(program, f"--gtest_filter={pattern}", "--gtest_list_tests")
    names, suite = [], ""
    for line in done.out.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith("  "):
            names.append(suite + name)
        elif name.endswith("."):
            suite = name
    return names


def run_alone(session, program, pattern, cases):
    """Each test of `pattern` that did not pass, in a process of its own: a poisoned context fails all that follow,
    and an abort takes them along. Changes `cases`."""
    for name in listed(session, program, pattern):
        case = cases.get(name)
        if case is not None and not case.get("failures"):
            continue
        if session.remaining() < 2:
            session.fact(f"not run alone, for lack of time: {name}")
            cases.setdefault(name, {"failures": [{"failure": "not run"}]})
            continue
        done, alone = run_tests(session, program, name, SECONDS_ALONE)
        cases[name] = alone.get(name, {"failures": [{"failure": f"{done.how}: {done.tail}"}]})


def gtest(session, program, pattern):
    """Runs tests of a program; nothing failed, and something ran."""
    done, cases = run_tests(session, program, pattern, session.remaining() * SHARE_OF_ALL_TOGETHER)
    if done.rc not in (0, references.SKIPPED) or done.timed_out:
        session.fact(f"{program} {done.how}; what did not pass was run again, each test alone")
        run_alone(session, program, pattern, cases)
    failed = {name: case for name, case in cases.items() if case.get("failures")}
    skipped = {name: case for name, case in cases.items() if case.get("result") == "SKIPPED"}
    passed = len(cases) - len(failed) - len(skipped)
    session.fact(f"{program}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    for name, case in failed.items():
        session.fact(f"failed: {name}: {' '.join(case['failures'][0]['failure'].split())[:400]}")
    reasons = skip_reasons("".join(session.step_outputs))
    for name in skipped:
        session.fact(f"skipped: {name}: {reasons.get(name, 'no reason was printed')}")
    session.result(**{program: {"passed": passed, "failed": list(failed), "skipped": list(skipped)}})
    if failed:
        raise Failed(f"{program} {done.how}; {len(failed)} tests fail alone, too", done.tail)
    if passed == 0:
        raise Skip(f"every test was skipped: {'; '.join(sorted(set(reasons.values())))}" if skipped else
                   "no test was run")
    if done.rc not in (0, references.SKIPPED) or done.timed_out:
        raise Failed(f"{program} {done.how}, though each test passes alone", done.tail)


def conformance(session):
    gtest(session, "device_conformance_test", "*/Cuda" if session.cuda else "*/Simt*")


def golden(session):
    gtest(session, "golden_gpu_test", "*")


def clusters(session):
    gtest(session, "gpu_road_test", "ClusterLaunchTest.*")


def faults(session):
    try:
        gtest(session, "gpu_road_test", "*KernelFaultsTest*")
    finally:
        # A line for each, also where one fails.
        rows = session.printed()
        session.result(faults=rows)
        session.table(["kernel", "outcome", "before [us]", "after [us]", "ratio", "message"],
                      [[row["fault"], row["outcome"], f"{row['before_ns'] / 1e3:.1f}", f"{row['after_ns'] / 1e3:.1f}",
                        f"{row['after_ns'] / row['before_ns'] if row['before_ns'] else 0:.3f}", row["message"][:160]]
                       for row in rows])


def timing(session):
    try:
        gtest(session, "gpu_road_test", "TimingQualityTest.*")
    finally:
        for row in session.printed()[:1]:
            tell_timing(session, row)


def tell_timing(session, row):
    medians = sorted(row["median_ns"])
    middle = medians[len(medians) // 2]
    widths = [(high - low) / 2 / median for low, high, median in zip(row["low_ns"], row["high_ns"], row["median_ns"])]
    session.result(timing=row)
    session.fact(f"{row['problem']}, {row['schedule']}")
    session.fact(f"{len(medians)} medians, {medians[0] / 1e3:.2f} to {medians[-1] / 1e3:.2f} us: a spread of "
                 f"{100 * (medians[-1] - medians[0]) / middle:.2f}% of the middle one")
    session.fact(f"widest interval +/- {100 * max(widths):.2f}%")
    session.fact(f"{100 * row['tied']:.1f}% of all pairs have overlapping intervals (wanted on a GPU: 95%)")


def ties(session):
    times = 3 if session.small else 10
    session.expect_ok("tie_rate", "--device", session.device, "--worker", session.programs.path("mmtune-worker"),
                      "--times", times, "--json")
    row = session.printed()[0]
    session.result(ties=row)
    session.fact(f"{row['tied']} of {row['comparisons']} tied; the ratio off 1 by {100 * row['median_error']:.2f}% "
                 f"(median), {100 * row['largest_error']:.2f}% (largest)")
    if row["tied"] < row["comparisons"] - 1:
        raise Failed("a schedule is not tied with itself", "")
