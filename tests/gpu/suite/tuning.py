# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps that tune."""

import concurrent.futures
import os
import re

from suite import cublas as library
from suite import records
from suite.session import Failed, Skip

TUNED = "1024x1024x1024"
# Shape and share of the step's time: large operands take long to make and to check.
SHAPES = [("2048x2048x2048", 2), ("4096x4096x4096", 3), ("8192x8192x8192", 5), ("5376x5376x2048", 3),
          ("1000x1000x1000", 2), ("4096x16x4096", 2)]
LEAST_SECONDS_OF_A_SHAPE = 8.0
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
MEASURE = ["--measure-seconds", "0.01", "--no-proof", "--no-skip"]


def main_problem(session):
    return TUNED if session.cuda else "64x64x64"


def small(session):
    """Options that keep a run on the SIMT device short."""
    return [] if session.cuda else ["--measure-seconds", "0.02"]


def tune(session):
    trials = 64 if session.cuda else 3
    done, new = records.matmul(session, main_problem(session), session.log, "--trials", trials, "--seconds", 40,
                               *small(session))
    session.step["output"] = done.out
    session.tuned = records.best(new)
    records.expect_good(session, new, done.tail)


def correctness(session):
    shapes, trials = (CHECKED, TRIALS) if session.cuda else (SIMT_CHECKED, SIMT_TRIALS)
    log = os.path.join(session.scratch, "correctness.db")
    with records.served(session, log, workers=1) as address:
        def one(job):
            return session.run_program("tune", "matmul", job[1], "--device", session.device, "--server", address,
                                       "--strategy", "random", "--seed", job[0], "--trials", trials, "--quiet",
                                       "--json", *MEASURE)

        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            runs = list(pool.map(one, enumerate(shapes)))
    found = records.export(session, log)
    checked = {(records.shape(record), records.schedule(record)) for record in found
               if record["measurement"]["check"]["performed"]}
    wanted = 300 if session.cuda else len(shapes) * SIMT_TRIALS
    session.fact(f"{len(checked)} schedules x shapes were checked (wanted: {wanted}), over {len(shapes)} shapes")
    session.result(checked=len(checked), wanted=wanted)
    bad = [run for run in runs if run.rc != 0 or run.timed_out]
    records.expect_good(session, found, bad[0].tail if bad else "")
    if bad:
        raise Failed(f"{len(bad)} of {len(shapes)} jobs did not end well: the first {bad[0].how}", bad[0].tail)
    if len(checked) < wanted:
        raise Failed(f"only {len(checked)} of {wanted} schedules were checked")


def cublas(session):
    wanted = [TUNED] + [shape for shape, _ in SHAPES]
    rows, why = library.times(session, wanted, 1.0)
    if not rows:
        raise Skip(f"cuBLAS is absent: {why}")
    session.result(cublas=rows)
    session.fact(f"{session.cublas}, {next(iter(rows.values()))['cublas']}")
    session.table(["problem", "GFLOPS", "median [us]", "low", "high", "samples"],
                  [[shape, f"{row['gflops']:.0f}", *(f"{row[key] / 1e3:.2f}" for key in ("median_ns", "low_ns",
                                                                                        "high_ns")), row["samples"]]
                   for shape, row in rows.items()])
    wrong = [shape for shape, row in rows.items() if row["wrong"]]
    if why or wrong:
        raise Failed(why or f"products of cuBLAS are wrong: {', '.join(wrong)}")


def row_of(session, shape, record):
    """What the table says of a shape, and how cuBLAS does right after it."""
    try:
        beside, why = library.times(session, [shape], 0.5) if session.cuda else ({}, "needs a CUDA device")
    except Failed as failure:
        beside, why = {}, str(failure)
    ours = records.gflops(record)
    theirs = beside[shape]["gflops"] if shape in beside else None
    session.result(**{shape: {"gflops": ours, "cublas_gflops": theirs, "schedule": record["schedule"],
                              "median_ns": record["measurement"]["timing"]["median_ns"]}})
    return [shape, f"{ours:.0f}", f"{theirs:.0f}" if theirs else "absent", f"{ours / theirs:.3f}" if theirs else "-",
            f"`{records.schedule(record)}`"], why


def shapes(session):
    wanted = SHAPES if session.cuda else SIMT_SHAPES
    rows, found, problems = [], [], []
    if session.tuned:
        row, why = row_of(session, main_problem(session), session.tuned)
        rows.append(row)
    elif session.cuda:
        wanted = [(TUNED, 2)] + wanted
    shares = sum(share for _, share in wanted)
    for shape, share in wanted:
        if session.remaining() < LEAST_SECONDS_OF_A_SHAPE:
            problems.append(f"{shape}: no time was left")
            continue
        # What a client is cut at; it stops proposing at two thirds of it.
        seconds = max(LEAST_SECONDS_OF_A_SHAPE, session.remaining() * share / shares)
        shares -= share
        limits = ["--seconds", f"{seconds * 2 / 3:.1f}"] + ([] if session.cuda else ["--trials", 2])
        try:
            _, new = records.matmul(session, shape, session.log, *limits, "--no-proof", *small(session),
                                    seconds=seconds)
        except Failed as failure:
            problems.append(f"{shape}: {failure}")
            session.step["output"] += failure.output + "\n"
            continue
        found += new
        record = records.best(new)
        if record is None:
            problems.append(f"{shape}: no valid record ({records.text(records.outcomes(new))})")
            continue
        row, why = row_of(session, shape, record)
        rows.append(row)
    session.table(["problem", "GFLOPS", "cuBLAS", "of cuBLAS", "schedule"], rows)
    if session.cuda and rows and all(row[2] == "absent" for row in rows):
        session.fact(f"no times of cuBLAS: {why}")
    if problems:
        raise Failed("; ".join(problems), session.step["output"])
    records.expect_good(session, found)


def ladder(session):
    done = session.run_program("tune", "ladder", main_problem(session), "--device", session.device, "--log",
                               session.log, "--quiet", "--trials", 64 if session.cuda else 2, *small(session))
    new = records.export(session, session.log)
    if done.rc != 0 or done.timed_out:
        raise Failed(f"tune ladder {done.how}; its records: {records.text(records.outcomes(new))}", done.tail)
    session.step["output"] = done.out
    records.expect_good(session, new)


def verify(session):
    if not os.path.exists(session.log):
        raise Skip("no step has tuned: there is nothing to verify")
    problems = [main_problem(session)] + (["1000x1000x1000"] if session.cuda else [])
    unproven = []
    for problem in problems:
        done = session.run_program("tune", "verify", "matmul", problem, "--best", "--log", session.log, "--device",
                                   session.device)
        session.step["output"] += f"{problem}\n{done.out}{done.err}\n"
        verdict = re.search(r"^verdict\s+(.*)$", done.out, re.MULTILINE)
        session.fact(f"{problem}: {verdict.group(1) if verdict else done.how}")
        if done.rc != 0 or done.timed_out:
            unproven.append(f"{problem}: {done.how}")
    if unproven:
        raise Failed("; ".join(unproven), session.step["output"])
