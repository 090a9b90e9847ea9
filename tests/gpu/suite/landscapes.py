# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The step that takes what time is left: how fast many random schedules are."""

import os

from suite import records
from suite.session import Failed

# Problem, schedules wanted, share of the time.
PROBLEMS = [("1024x1024x1024", 1600, 6), ("2048x2048x2048", 450, 3), ("1000x1000x1000", 450, 2)]
SIMT_PROBLEMS = [("64x64x64", 6, 1), ("48x40x33", 4, 1)]


def landscapes(session):
    wanted = SIMT_PROBLEMS if session.small else PROBLEMS
    rows, found, problems = [], [], []
    shares = sum(share for _, _, share in wanted)
    log = os.path.join(session.scratch, "landscapes.db")
    for problem, trials, share in wanted:
        seconds = max(8.0, (session.remaining() - 6) * share / shares)
        shares -= share
        try:
            _, new = records.matmul(session, problem, log, "--strategy", "random", "--seed", 11, "--trials", trials,
                                    "--seconds", f"{seconds * 0.9:.1f}", "--measure-seconds", "0.03", "--no-verification",
                                    "--no-skip",
                                    seconds=seconds)
        except Failed as failure:
            problems.append(str(failure))
            session.step["output"] += failure.output + "\n"
            continue
        found += new
        valid = sorted(records.gflops(record) for record in new if record["measurement"]["outcome"] == "ok")
        digests = {record["measurement"]["code_digest"] for record in new}
        rows.append([problem, trials, len(new), len(valid), len(digests),
                     f"{valid[-1]:.4g}" if valid else "-", f"{valid[len(valid) // 2]:.4g}" if valid else "-",
                     busy_share(new)])
        session.result(**{problem: {"wanted": trials, "records": len(new), "valid": len(valid)}})
    session.table(["problem", "wanted", "records", "valid", "digests", "best [GFLOP/s]", "median [GFLOP/s]",
                   "measure child, mean [ms]"], rows)
    if problems:
        raise Failed("; ".join(problems), session.step["output"])
    records.expect_good(session, found)


def busy_share(found):
    """Milliseconds that the measure child is busy with a candidate."""
    spent = [sum(record["measurement"]["phases"][phase] for phase in ("load_ms", "check_ms", "timing_ms"))
             for record in found]
    return f"{sum(spent) / len(spent):.0f}" if spent else "-"
