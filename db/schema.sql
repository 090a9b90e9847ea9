-- The tables of a tuning log, schema version 1. A new log is made of them in one transaction. In a SQLite file it also
-- sets application_id and user_version; for PostgreSQL TranslateSchema() leaves out triggers and foreign keys.
--
-- Units are in the names. Digests are SHA-256 in lower-case hex of the canonical JSON beside them. Enumerations are
-- stored by name, as proto/types writes them. The lists of names that every record is checked against are comparisons
-- joined by OR: of IN (...) with three or more values SQLite makes a temporary table in each statement.

CREATE TABLE workload (
  id      INTEGER PRIMARY KEY,
  digest  TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  op      TEXT NOT NULL,
  m       INTEGER NOT NULL CHECK (m >= 1),
  n       INTEGER NOT NULL CHECK (n >= 1),
  k       INTEGER NOT NULL CHECK (k >= 1),
  dtype   TEXT NOT NULL,
  problem TEXT NOT NULL
) STRICT;

-- One row per device as it described itself; measurements are shared by class_key.
CREATE TABLE device (
  id        INTEGER PRIMARY KEY,
  digest    TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  class_key TEXT NOT NULL,
  kind      TEXT NOT NULL CHECK (kind IN ('cuda', 'simt')),
  name      TEXT NOT NULL,
  arch      TEXT NOT NULL,
  info      TEXT NOT NULL
) STRICT;
CREATE INDEX device_by_class ON device (class_key);

CREATE TABLE toolchain (
  id     INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  info   TEXT NOT NULL
) STRICT;

CREATE TABLE job (
  id                  INTEGER PRIMARY KEY,
  uuid                TEXT NOT NULL UNIQUE CHECK (uuid <> ''),
  client_request_id   TEXT NOT NULL UNIQUE,
  spec                BLOB NOT NULL,
  spec_digest         TEXT NOT NULL,
  workload_id         INTEGER NOT NULL REFERENCES workload (id),
  state               TEXT NOT NULL
                      CHECK (state IN ('waiting', 'running', 'done', 'cancelled', 'failed', 'interrupted')),
  message             TEXT NOT NULL,
  created_unix_millis INTEGER NOT NULL
) STRICT;
-- Queries name the same condition in the same way.
CREATE INDEX job_unfinished ON job (id) WHERE state = 'waiting' OR state = 'running';

CREATE TABLE candidate (
  id              INTEGER PRIMARY KEY,
  job_id          INTEGER NOT NULL REFERENCES job (id),
  schedule_digest TEXT NOT NULL CHECK (length(schedule_digest) = 64),
  schedule        TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state = 'queued' OR state = 'leased' OR state = 'done'),
  UNIQUE (job_id, schedule_digest)
) STRICT;

CREATE TABLE attempt (
  id           INTEGER PRIMARY KEY,
  token        TEXT NOT NULL UNIQUE CHECK (token <> ''),
  candidate_id INTEGER NOT NULL REFERENCES candidate (id),
  number       INTEGER NOT NULL CHECK (number >= 1),
  worker       TEXT NOT NULL,
  device_uuid  TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state = 'reported' OR state = 'live' OR state = 'expired' OR state = 'released' OR
                                    state = 'failed'),
  detail       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX attempt_one_live ON attempt (candidate_id) WHERE state = 'live';

-- candidate_id and attempt_id are NULL in an imported record; job_uuid is then a job of another log.
CREATE TABLE measurement (
  id              INTEGER PRIMARY KEY,
  uuid            TEXT NOT NULL UNIQUE CHECK (uuid <> ''),
  job_uuid        TEXT NOT NULL,
  candidate_id    INTEGER REFERENCES candidate (id),
  attempt_id      INTEGER UNIQUE REFERENCES attempt (id),
  workload_id     INTEGER NOT NULL REFERENCES workload (id),
  device_id       INTEGER NOT NULL REFERENCES device (id),
  toolchain_id    INTEGER NOT NULL REFERENCES toolchain (id),
  schedule_digest TEXT NOT NULL CHECK (length(schedule_digest) = 64),
  canonical       INTEGER NOT NULL CHECK (canonical IN (0, 1)),
  unix_millis     INTEGER NOT NULL,
  outcome         TEXT NOT NULL
                  CHECK (outcome = 'ok' OR outcome = 'rejected' OR outcome = 'compile_failed' OR
                         outcome = 'launch_failed' OR outcome = 'wrong_result' OR outcome = 'timed_out' OR
                         outcome = 'crashed' OR outcome = 'unstable' OR outcome = 'suspect' OR outcome = 'skipped'),
  median_ns       REAL NOT NULL CHECK (median_ns >= 0),
  low_ns          REAL NOT NULL CHECK (low_ns >= 0),  -- of 'skipped': the least time that the schedule can take
  high_ns         REAL NOT NULL CHECK (high_ns >= 0),
  gflops          REAL,
  reference       TEXT NOT NULL,  -- the first 16 digits of the digest of the schedule it was compared with; empty: none
  ratio           REAL,           -- its time divided by that schedule's; NULL: not compared
  regime          TEXT NOT NULL,
  clock           TEXT NOT NULL,
  registers       INTEGER NOT NULL CHECK (registers >= -1),
  spill_bytes     INTEGER NOT NULL CHECK (spill_bytes >= -1),
  shared_bytes    INTEGER NOT NULL CHECK (shared_bytes >= 0),
  threads         INTEGER NOT NULL CHECK (threads >= 0),
  grid_x          INTEGER NOT NULL CHECK (grid_x >= 0),
  grid_y          INTEGER NOT NULL CHECK (grid_y >= 0),
  grid_z          INTEGER NOT NULL CHECK (grid_z >= 0),
  worker          TEXT NOT NULL,
  attempt         INTEGER NOT NULL CHECK (attempt >= 1),
  code_digest     TEXT NOT NULL,
  message         TEXT NOT NULL,
  schedule        TEXT NOT NULL,
  check_report    TEXT NOT NULL,  -- JSON
  phases          TEXT NOT NULL,  -- JSON
  samples_ns      BLOB NOT NULL CHECK (length(samples_ns) % 8 = 0),  -- little-endian binary64
  verification           TEXT NOT NULL,  -- JSON: the verification at small shapes; empty: none
  verified          INTEGER CHECK (verified IN (0, 1)),  -- NULL: not verified
  conditions      TEXT NOT NULL,  -- JSON: how the record was timed; empty: not known
  -- Equal where the code, its launches, the problem, the device and the regime are; empty: not timed.
  timing_key      TEXT NOT NULL,
  CHECK ((candidate_id IS NULL) = (attempt_id IS NULL)),
  CHECK ((outcome = 'ok') = (gflops IS NOT NULL)),
  CHECK ((reference = '') = (ratio IS NULL)),
  CHECK (outcome <> 'ok' OR median_ns > 0)
) STRICT;
CREATE UNIQUE INDEX measurement_one_canonical ON measurement (candidate_id) WHERE canonical = 1;
CREATE INDEX measurement_by_schedule ON measurement (workload_id, schedule_digest);
CREATE INDEX measurement_by_job ON measurement (job_uuid);
CREATE INDEX measurement_by_time ON measurement (unix_millis);
-- Lists of the newest: each index gives its records in the order of their ids.
CREATE INDEX measurement_by_workload ON measurement (workload_id);
CREATE INDEX measurement_by_outcome ON measurement (outcome);
CREATE INDEX measurement_by_timing_key ON measurement (timing_key)
  WHERE timing_key <> '' AND canonical = 1 AND outcome = 'ok';

CREATE VIEW device_class AS
  SELECT d.id AS device_id, (SELECT min(f.id) FROM device AS f WHERE f.class_key = d.class_key) AS class_id
  FROM device AS d;

-- The canonical ok records, fastest first within a problem, a class of devices, a regime and a toolchain. Follows from
-- measurement, which triggers keep it in step with; RankingRows() of db/ranking.h computes the same rows.
CREATE TABLE ranking (
  workload_id    INTEGER NOT NULL,
  class_id       INTEGER NOT NULL,  -- the first device of the class
  regime         TEXT NOT NULL,
  toolchain_id   INTEGER NOT NULL,
  verified         INTEGER NOT NULL,  -- 1: verified, and passed
  median_ns      REAL NOT NULL,
  uuid           TEXT NOT NULL,
  measurement_id INTEGER NOT NULL,
  schedule       TEXT NOT NULL,     -- the first 16 digits of its digest
  unix_millis    INTEGER NOT NULL,
  reference      TEXT NOT NULL,     -- of measurement
  ratio          REAL,
  PRIMARY KEY (workload_id, class_id, regime, toolchain_id, verified, median_ns, uuid)
) STRICT, WITHOUT ROWID;
CREATE INDEX ranking_newest ON ranking (workload_id, class_id, regime, verified, unix_millis);
CREATE INDEX ranking_compared ON ranking (workload_id, class_id, regime, toolchain_id, reference) WHERE reference <> '';

-- The first schedule of each ranking by one toolchain, as RankRecords() of proto/types/ranked_record.h finds it, with all
-- that a tuning spec says of it. Each problem, class of devices, regime and toolchain of the table ranking has two rows.
-- Triggers add them, and set `rule` to 0 where a change of measurement could make a row wrong. The writer ranks for
-- those rows when it commits; a reader that meets one ranks the records itself.
CREATE TABLE best (
  workload_id        INTEGER NOT NULL,
  class_id           INTEGER NOT NULL,
  regime             TEXT NOT NULL,
  verified_only      INTEGER NOT NULL,  -- 1: only verified records count
  toolchain_id       INTEGER NOT NULL,
  rule               INTEGER NOT NULL,  -- kRankingRule of db/ranking.h; with any other number no column below counts
  newest_unix_millis INTEGER,           -- the time of the newest record that counts, or up to a minute before it
  measurement_id     INTEGER,           -- the record with the schedule's own time; NULL: no record counts
  compared_id        INTEGER,           -- the record with the comparison that places it; NULL: none does
  ranked_ns          REAL,
  place_ns           REAL,
  device_id          INTEGER,           -- this and the columns below: as that record has them
  schedule           TEXT,
  schedule_digest    TEXT,
  code_digest        TEXT,
  verified           INTEGER,
  PRIMARY KEY (workload_id, class_id, regime, verified_only, toolchain_id)
) STRICT;  -- with rowids: SQLite changes it without a temporary table

-- A new record leaves the best one as it is when all records of its schedule are slower and no comparison has to do
-- with the schedule: then it can neither be the best nor place another schedule.
CREATE TRIGGER ranking_insert AFTER INSERT ON measurement WHEN NEW.canonical = 1 AND NEW.outcome = 'ok' BEGIN
  INSERT INTO ranking SELECT NEW.workload_id, class_id, NEW.regime, NEW.toolchain_id, ifnull(NEW.verified, 0),
    NEW.median_ns, NEW.uuid, NEW.id, substr(NEW.schedule_digest, 1, 16), NEW.unix_millis, NEW.reference, NEW.ratio
    FROM device_class WHERE device_id = NEW.device_id;
  INSERT INTO best (workload_id, class_id, regime, verified_only, toolchain_id, rule)
    SELECT NEW.workload_id, class_id, NEW.regime, v.column1, NEW.toolchain_id, 0
    FROM (VALUES (0), (1)) AS v CROSS JOIN device_class WHERE device_id = NEW.device_id ON CONFLICT DO NOTHING;
  UPDATE best SET newest_unix_millis = max(newest_unix_millis, NEW.unix_millis),  -- NULL stays: not known
    rule = CASE WHEN NEW.reference <> '' OR NEW.median_ns <= ifnull(place_ns, NEW.median_ns)
      OR EXISTS (SELECT 1 FROM ranking AS k WHERE k.workload_id = best.workload_id AND k.class_id = best.class_id
        AND k.regime = best.regime AND k.toolchain_id = best.toolchain_id AND k.reference <> ''
        AND k.reference = substr(NEW.schedule_digest, 1, 16))
      OR EXISTS (SELECT 1 FROM measurement AS r WHERE r.workload_id = NEW.workload_id
        AND r.schedule_digest = NEW.schedule_digest AND r.id <> NEW.id AND +r.outcome = 'ok'
        AND (r.reference <> '' OR r.median_ns <= place_ns)) THEN 0 ELSE rule END
    WHERE workload_id = NEW.workload_id
    AND class_id = (SELECT class_id FROM device_class WHERE device_id = NEW.device_id) AND regime = NEW.regime
    AND verified_only <= ifnull(NEW.verified, 0) AND toolchain_id = NEW.toolchain_id;
END;
CREATE TRIGGER ranking_delete AFTER DELETE ON measurement WHEN OLD.canonical = 1 AND OLD.outcome = 'ok' BEGIN
  DELETE FROM ranking WHERE workload_id = OLD.workload_id
    AND class_id = (SELECT class_id FROM device_class WHERE device_id = OLD.device_id)
    AND regime = OLD.regime AND toolchain_id = OLD.toolchain_id AND verified = ifnull(OLD.verified, 0)
    AND median_ns = OLD.median_ns AND uuid = OLD.uuid;
  UPDATE best SET rule = 0, newest_unix_millis = NULL WHERE workload_id = OLD.workload_id;
END;
CREATE TRIGGER ranking_update AFTER UPDATE ON measurement BEGIN
  DELETE FROM ranking WHERE OLD.canonical = 1 AND OLD.outcome = 'ok' AND workload_id = OLD.workload_id
    AND class_id = (SELECT class_id FROM device_class WHERE device_id = OLD.device_id)
    AND regime = OLD.regime AND toolchain_id = OLD.toolchain_id AND verified = ifnull(OLD.verified, 0)
    AND median_ns = OLD.median_ns AND uuid = OLD.uuid;
  INSERT INTO ranking SELECT NEW.workload_id, class_id, NEW.regime, NEW.toolchain_id, ifnull(NEW.verified, 0),
    NEW.median_ns, NEW.uuid, NEW.id, substr(NEW.schedule_digest, 1, 16), NEW.unix_millis, NEW.reference, NEW.ratio
    FROM device_class WHERE device_id = NEW.device_id AND NEW.canonical = 1 AND NEW.outcome = 'ok';
  INSERT INTO best (workload_id, class_id, regime, verified_only, toolchain_id, rule)
    SELECT NEW.workload_id, class_id, NEW.regime, v.column1, NEW.toolchain_id, 0
    FROM (VALUES (0), (1)) AS v CROSS JOIN device_class
    WHERE device_id = NEW.device_id AND NEW.canonical = 1 AND NEW.outcome = 'ok' ON CONFLICT DO NOTHING;
  UPDATE best SET rule = 0, newest_unix_millis = NULL WHERE workload_id IN (OLD.workload_id, NEW.workload_id);
END;

-- What happened, for people: nothing but the notes about workers (TuningLog::WorkerNotes) is read back.
CREATE TABLE event (
  id          INTEGER PRIMARY KEY,
  unix_millis INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  job_id      INTEGER REFERENCES job (id),
  detail      TEXT NOT NULL
) STRICT;
-- Queries name the same condition in the same way.
CREATE INDEX event_worker_note ON event (id)
  WHERE kind = 'worker_contradicted' OR kind = 'worker_quarantined' OR kind = 'worker_cleared' OR kind = 'worker_disputed';
