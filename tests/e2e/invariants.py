# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold of a log, whatever happened on the road: each broken rule is a line."""

import re
import shutil
import sqlite3


def acknowledged_leases(text):
    """Of a worker's log, which has ended and left nothing to report: the leases whose measurements it reported."""
    unknown = {lease[:8] for lease in re.findall(r"report_unknown lease=(\w+)", text)}
    return set(re.findall(r" measured lease=(\w+)", text)) - unknown


def sees_a_loss(path, acknowledged):
    """The control: whether broken_in_log sees that one of these reports is gone from a copy of the log."""
    lost = min(acknowledged)
    copy = path + ".control"
    shutil.copy(path, copy)
    log = sqlite3.connect(copy)
    log.executescript("PRAGMA foreign_keys = OFF; DELETE FROM measurement WHERE attempt_id IN "
                      f"(SELECT id FROM attempt WHERE token LIKE '{lost}%');")
    log.close()
    return any(lost in line for line in broken_in_log(copy, acknowledged))


def broken_in_log(path, acknowledged):
    """`acknowledged`: beginnings of the tokens of reports that a worker was told are kept."""
    log = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        kept = [token for token, in log.execute("SELECT token FROM attempt JOIN measurement ON attempt_id = attempt.id")]
        broken = [f"acknowledged, and not there: the report of lease {lease}" for lease in sorted(acknowledged)
                  if not any(token.startswith(lease) for token in kept)]
        broken += [f"candidate {candidate} has {count} canonical records" for candidate, count in log.execute(
            "SELECT candidate.id, count(measurement.id) AS records FROM candidate LEFT JOIN measurement "
            "ON candidate_id = candidate.id AND canonical = 1 WHERE state = 'done' GROUP BY candidate.id "
            # What the log answered was never leased, and has its record in another job.
            "HAVING records > 1 OR records = 0 AND candidate.id IN (SELECT candidate_id FROM attempt)")]
        broken += [f"candidate {candidate} crashed, says the server, although a worker had reported ok"
                   for candidate, in log.execute(
            "SELECT DISTINCT verdict.candidate_id FROM measurement AS verdict JOIN measurement AS ok "
            "ON ok.candidate_id = verdict.candidate_id AND ok.id < verdict.id WHERE verdict.canonical = 1 "
            "AND verdict.worker = 'server' AND verdict.outcome = 'crashed' AND ok.outcome = 'ok'")]
        broken += [f"candidate {candidate} has {count} live leases" for candidate, count in log.execute(
            "SELECT candidate_id, count(*) AS leases FROM attempt WHERE state = 'live' GROUP BY candidate_id "
            "HAVING leases > 1")]
        broken += [f"job {job} is {state}, and lease {token} of it is live" for job, state, token in log.execute(
            "SELECT job.uuid, job.state, token FROM attempt JOIN candidate ON candidate_id = candidate.id "
            "JOIN job ON job_id = job.id WHERE attempt.state = 'live' AND job.state NOT IN ('waiting', 'running')")]
        broken += [f"candidate {candidate} is {state}, and its job is done" for candidate, state in log.execute(
            "SELECT candidate.id, candidate.state FROM candidate JOIN job ON job_id = job.id "
            # When its time is over, a job leaves what it has proposed, and nobody has measured, in the queue.
            "WHERE job.state = 'done' AND candidate.state <> 'done' "
            "AND NOT (candidate.state = 'queued' AND job.message LIKE 'seconds: %')")]
        broken += [line for line, in log.execute("PRAGMA integrity_check") if line != "ok"]
        return broken
    finally:
        log.close()
