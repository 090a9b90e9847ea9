# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps that tune."""

import os
import re

from suite import records, references
from suite.session import Failed, Skip

TUNED = "1024x1024x1024"
# Shape and share of the step's time: large operands take long to make and to check.
SHAPES = [("2048x2048x2048", 2), ("4096x4096x4096", 3), ("8192x8192x8192", 5), ("5376x5376x2048", 3),
          ("1000x1000x1000", 2), ("4096x16x4096", 2)]
LEAST_SECONDS_OF_A_SHAPE = 8.0
LEAST_SECONDS_OF_A_LADDER = 5.0
SIMT_SHAPES = [("96x96x64", 1), ("50x16x40", 1)]

# Divisible by all tiles, by some, by none; thin, tiny, one row or column.
CHECKED = ["512x512x512", "256x384x128", "128x128x4096", "1024x64x256", "64x1024x256", "2048x128x64", "127x129x131",
           "255x257x253", "1000x1000x1000", "1001x37x513", "33x999x65", "511x513x17", "100x100x100", "300x200x700",
           "96x160x224", "768x48x80", "1x1024x1024", "1024x1x1024", "1024x1024x1", "1x1x4097", "7x5x3", "17x33x2049",
           "4096x16x512", "16x4096x512", "129x64x4095", "640x360x90", "48x48x48", "513x512x511", "2x2048x300",
           "2048x3x300", "191x193x197", "1280x72x31"]
SIMT_CHECKED = ["64x64x64", "33x47x17", "1x64x32"]
TRIALS, SIMT_TRIALS = 11, 3
# Clients at a time: the worker is to find its next candidates compiled.
CLIENTS = 6
REFERENCE_SECONDS = 0.3
MEASURE = ["--measure-seconds", "0.01", "--no-verification", "--no-skip"]


def main_problem(session):
    return "64x64x64" if session.small else TUNED


def small(session):
    """Options that keep a small run short."""
    return ["--measure-seconds", "0.02"] if session.small else []


def tune(session):
    trials = 3 if session.small else 64
    done, new = records.matmul(session, main_problem(session), session.log, "--trials", trials, "--seconds", 40,
                               *small(session))
    session.step["output"] = done.out
    session.tuned = records.best(new)
    records.expect_good(session, new, done.tail)


def correctness(session):
    shapes, trials = (SIMT_CHECKED, SIMT_TRIALS) if session.small else (CHECKED, TRIALS)
    found, failures = records.matmuls(session, [(shape, "--strategy", "random", "--seed", seed, "--trials", trials, *MEASURE)
                                                for seed, shape in enumerate(shapes)], CLIENTS)
    checked = {(records.shape(record), records.schedule(record)) for record in found
               if record["measurement"]["check"]["performed"]}
    wanted = len(shapes) * SIMT_TRIALS if session.small else 300
    session.fact(f"{len(checked)} schedules x shapes were checked (wanted: {wanted}), over {len(shapes)} shapes")
    session.result(checked=len(checked), wanted=wanted)
    records.expect_good(session, found, failures[0] if failures else "")
    if failures:
        raise Failed(f"{len(failures)} of {len(shapes)} jobs did not end well", failures[0])
    if len(checked) < wanted:
        raise Failed(f"only {len(checked)} of {wanted} schedules were checked")


def cublas(session):
    """All problems of shapes and tensor_cores; Triton's configurations are compiled meanwhile."""
    problems = [references.problem_of(shape) for shape in [main_problem(session)] +
                [shape for shape, _ in (SIMT_SHAPES if session.small else SHAPES)]]
    references.compile_triton_ahead(session, problems + [references.problem_of(shape, **more)
                                                         for shape, more, _ in tensor_core_problems(session)])
    found, why = references.time_cublas(session, problems, REFERENCE_SECONDS)
    if not found:
        raise Skip(f"cuBLAS is absent: {why}")
    session.result(cublas=found)
    session.fact(f"{session.cublas}, {next(iter(found.values()))['cuBLAS']['library']}")
    session.table(["problem", "way", "GFLOP/s", "median [us]", "low", "high", "samples"],
                  [[row["problem"], way_text(row), f"{row['gflops']:.0f}",
                    *(f"{row[part] / 1e3:.2f}" for part in ("median_ns", "low_ns", "high_ns")), row["samples"]]
                   for ways in found.values() for row in ways.values() if "gflops" in row])
    for ways in found.values():
        for row in ways.values():
            if "reason" in row:
                session.fact(f"{row['problem']}: {row['way']}: {row['reason']}")
    wrong = references.wrong(found)
    if why or wrong:
        raise Failed(why or f"wrong: {'; '.join(wrong)}")


def way_text(row):
    return row["way"] + (f" ({row['suggestion']} of {row['suggestions']})" if "suggestions" in row else "")


def compare(session, wanted):
    """Tunes problems, each with options, a name and its share of the step's time, and sets the best schedule of each beside
    the references: cuBLAS and cuBLASLt right after it, Triton, whose start takes long, once for all."""
    rows, found, problems, beside, whys = [], [], [], {}, []
    triton_seconds = references.SECONDS_OF_TRITON * len(wanted) + 10 if session.cuda and not session.small else 0
    shares = sum(share for *_, share in wanted)
    for shape, options, name, share in wanted:
        left = session.remaining() - triton_seconds
        if left < LEAST_SECONDS_OF_A_SHAPE:
            problems.append(f"{name}: no time was left")
            continue
        # What a client is cut at; it stops proposing at two thirds of it.
        seconds = max(LEAST_SECONDS_OF_A_SHAPE, left * share / shares)
        shares -= share
        limits = ["--seconds", f"{seconds * 2 / 3:.1f}"] + (["--trials", 2] if session.small else [])
        try:
            _, new = records.matmul(session, shape, session.log, *options, *limits, "--no-verification", *small(session),
                                    seconds=seconds)
        except Failed as failure:
            problems.append(f"{name}: {failure}")
            session.step["output"] += failure.output + "\n"
            continue
        found += new
        record = records.best(new)
        if record is None and name == main_problem(session):
            record = session.tuned  # the log has answered
        if record is None:
            problems.append(f"{name}: no valid record ({records.text(records.outcomes(new))})")
            continue
        rows.append((name, record))
        try:
            times, why = references.time_cublas(session, [record["problem"]], REFERENCE_SECONDS) if session.cuda else ({}, "")
        except Failed as failure:
            times, why = {}, str(failure)
        beside.update(times)
        whys.append(why)
    triton, why = references.time_triton(session, [record["problem"] for _, record in rows], REFERENCE_SECONDS) \
        if session.cuda and rows else ({}, "")
    for problem, row in triton.items():
        beside.setdefault(problem, {})["Triton"] = row
    tell(session, rows, beside)
    for why in dict.fromkeys(filter(None, [*whys, why])):
        session.fact(f"not beside: {why}")
    problems += [f"wrong: {line}" for line in references.wrong(beside)]
    if problems:
        raise Failed("; ".join(problems), session.step["output"])
    records.expect_good(session, found)


def tell(session, rows, beside):
    lines = []
    for name, record in rows:
        ways = beside.get(references.key(record["problem"]), {})
        ours, theirs = records.gflops(record), {way: references.gflops(ways.get(way)) for way in references.WAYS}
        session.result(**{name: {"gflops": ours, "schedule": record["schedule"], "references": ways,
                                 "median_ns": record["measurement"]["timing"]["median_ns"]}})
        lines.append([name, f"{ours:.0f}", *(f"{value:.0f} ({ours / value:.3f})" if value else "absent"
                                             for value in theirs.values()), f"`{records.schedule(record)}`"])
        for row in ways.values():
            if "reason" in row:
                session.fact(f"{name}: {row['way']}: {row['reason']}")
    session.table(["problem", "GFLOP/s", *(f"{way} (ours / it)" for way in references.WAYS), "schedule"], lines)


def shapes(session):
    compare(session, [(shape, [], shape, share) for shape, share in
                      ([("64x64x64", 1), *SIMT_SHAPES] if session.small else [(TUNED, 2), *SHAPES])])


def tensor_cores(session):
    compare(session, [(shape, options, f"{shape} {' '.join(options)}", 1)
                      for shape, _, options in tensor_core_problems(session)])


def tensor_core_problems(session):
    """Shape, what its problem has that f32 has not, and the options that say so."""
    size = "64x64x64" if session.small else "4096x4096x4096"
    large = "64x64x64" if session.small else "8192x8192x8192"
    return [(large, {"dtype": "bf16"}, ["--dtype", "bf16"]),
            (size, {"dtype": "f16", "transpose_b": True}, ["--dtype", "f16", "--transpose-b"]),
            (size, {"math": "tf32"}, ["--dtype", "tf32"]),
            (size, {"dtype": "s8", "transpose_b": True}, ["--dtype", "s8", "--transpose-b"]),
            (size, {"math": "tf32x3"}, ["--dtype", "f32", "--math", "tf32x3"])]


def ladder(session):
    """The ladder of f32 and, if the time suffices, that of bf16, at a size at which large tiles fill the device. If one fails, the other runs."""
    rungs = [(main_problem(session), []), ("64x64x64" if session.small else "4096x4096x4096", ["--dtype", "bf16"])]
    found, problems, output = [], [], ""
    for number, (problem, options) in enumerate(rungs):
        if number > 0 and session.remaining() < LEAST_SECONDS_OF_A_LADDER:
            session.fact(f"{problem} {' '.join(options)}: no time was left")
            continue
        done = session.run_program("tune", "ladder", problem, *options, "--device", session.device, "--log", session.log, "--quiet",
                                   "--trials", 2 if session.small else 12, *small(session),
                                   seconds=session.remaining() if number > 0 else session.remaining() / 2)
        new = records.export(session, session.log)
        if done.rc != 0 or done.timed_out:
            problems.append(f"tune ladder {problem} {' '.join(options)} {done.how}; its records: {records.text(records.outcomes(new))}")
            output += done.tail
        session.step["output"] += done.out
        found += new
    if problems:
        raise Failed("; ".join(problems), output)
    records.expect_good(session, found)


def verify(session):
    if not os.path.exists(session.log):
        raise Skip("no step has tuned: there is nothing to verify")
    problems = [main_problem(session)] + ([] if session.small else ["1000x1000x1000"])
    unverified = []
    for problem in problems:
        done = session.run_program("tune", "verify", "matmul", problem, "--best", "--log", session.log, "--device",
                                   session.device)
        session.step["output"] += f"{problem}\n{done.out}{done.err}\n"
        verdict = re.search(r"^verdict\s+(.*)$", done.out, re.MULTILINE)
        session.fact(f"{problem}: {verdict.group(1) if verdict else done.how}")
        if done.rc != 0 or done.timed_out:
            unverified.append(f"{problem}: {done.how}")
    if unverified:
        raise Failed("; ".join(unverified), session.step["output"])
