# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold of a log in PostgreSQL, whatever happened: each broken rule is a line. It shares no code with the
programs: it asks in SQL, and PostgreSQL itself notes who owned a job and who wrote for it (triggers)."""

AUDIT = """
CREATE SCHEMA soak;
CREATE TABLE soak.owner (job_id bigint, coordinator bigint, epoch bigint, at timestamptz DEFAULT clock_timestamp());
CREATE TABLE soak.lease (job_id bigint, at timestamptz DEFAULT clock_timestamp());
CREATE TABLE soak.foreign_write (what text, job_id bigint);
CREATE FUNCTION soak.note_owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO soak.owner VALUES (NEW.job_id, NEW.coordinator, NEW.epoch); RETURN NULL; END $$;
CREATE FUNCTION soak.note_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE written bigint; owners bigint; unfinished bigint;
BEGIN
  SELECT job_id INTO written FROM mmtune.candidate WHERE id = NEW.candidate_id;
  SELECT count(*) INTO owners FROM mmtune.ownership AS o JOIN mmtune.coordinator AS c ON c.id = o.coordinator
    WHERE o.job_id = written AND c.backend = pg_backend_pid();
  -- Anybody stores the late report of a job that has ended.
  SELECT count(*) INTO unfinished FROM mmtune.job WHERE id = written AND state IN ('waiting', 'running');
  IF TG_TABLE_NAME = 'attempt' AND TG_OP = 'INSERT' THEN INSERT INTO soak.lease VALUES (written); END IF;
  IF owners <> 1 AND unfinished = 1 THEN INSERT INTO soak.foreign_write VALUES (TG_TABLE_NAME, written); END IF;
  RETURN NULL; END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE ON mmtune.ownership FOR EACH ROW EXECUTE FUNCTION soak.note_owner();
CREATE TRIGGER note AFTER INSERT OR UPDATE ON mmtune.attempt FOR EACH ROW EXECUTE FUNCTION soak.note_writer();
CREATE TRIGGER note AFTER INSERT ON mmtune.measurement FOR EACH ROW WHEN (NEW.candidate_id IS NOT NULL)
  EXECUTE FUNCTION soak.note_writer();
"""

RULES = [
    ("candidate {} has {} canonical records",
     "SELECT c.id, count(m.id) FROM mmtune.candidate AS c LEFT JOIN mmtune.measurement AS m ON m.candidate_id = c.id AND "
     "m.canonical = 1 WHERE c.state = 'done' GROUP BY c.id HAVING count(m.id) > 1 OR count(m.id) = 0 AND c.id IN "
     "(SELECT candidate_id FROM mmtune.attempt)"),
    ("token {} has {} records",
     "SELECT a.token, count(*) FROM mmtune.attempt AS a JOIN mmtune.measurement AS m ON m.attempt_id = a.id GROUP BY "
     "a.token HAVING count(*) > 1"),
    ("candidate {} has {} live leases",
     "SELECT candidate_id, count(*) FROM mmtune.attempt WHERE state = 'live' GROUP BY candidate_id HAVING count(*) > 1"),
    ("job {} is {}, and a lease of it is live",
     "SELECT j.id, j.state FROM mmtune.attempt AS a JOIN mmtune.candidate AS c ON a.candidate_id = c.id JOIN mmtune.job "
     "AS j ON c.job_id = j.id WHERE a.state = 'live' AND j.state NOT IN ('waiting', 'running')"),
    ("candidate {} is {}, and its job is done",
     "SELECT c.id, c.state FROM mmtune.candidate AS c JOIN mmtune.job AS j ON c.job_id = j.id WHERE j.state = 'done' AND "
     "c.state <> 'done'"),
    ("job {} has {} owners of one epoch",
     "SELECT job_id, count(DISTINCT coordinator) FROM soak.owner GROUP BY job_id, epoch HAVING count(DISTINCT coordinator)"
     " > 1"),
    ("a session that does not own job {} wrote {} for it",
     "SELECT job_id, what FROM soak.foreign_write"),
]
# Seconds from `killed` (by the database's clock) until the jobs have another owner, and until the first lease of him.
TAKEN_OVER = """
WITH taken AS (SELECT job_id, min(at) AS at FROM soak.owner WHERE job_id IN ({jobs}) AND at > to_timestamp({killed})
  GROUP BY job_id)
SELECT round(extract(epoch FROM (SELECT max(at) FROM taken)) - {killed}, 2),
  round(extract(epoch FROM (SELECT min(lease.at) FROM soak.lease AS lease JOIN taken ON taken.job_id = lease.job_id
    WHERE lease.at > taken.at)) - {killed}, 2)"""
UNFINISHED = "SELECT id, state FROM mmtune.job WHERE state IN ('waiting', 'running')"


def broken_rules(sql, acknowledged):
    """`sql` runs a statement and returns rows with | between the columns. `acknowledged` has the beginnings of the
    tokens of leases whose reports workers were told are kept."""
    kept = sql("SELECT token FROM mmtune.attempt JOIN mmtune.measurement ON attempt_id = attempt.id")
    known = {token[:8] for token in kept}
    broken = [f"acknowledged, and not there: the report of lease {lease}" for lease in sorted(acknowledged - known)]
    for text, query in RULES:
        broken += [text.format(*row.split("|")) for row in sql(query)]
    return broken
