-- Version 1 of the tuning log. Applied in one transaction by db/migration.cc, which also sets application_id and
-- user_version. Never edited once released: a change is a new file with the next number.
--
-- Units are in the names. Digests are SHA-256 in lower-case hex of the canonical JSON beside them.
-- Enumerations are stored by name, as proto/types writes them.

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

CREATE TABLE candidate (
  id              INTEGER PRIMARY KEY,
  job_id          INTEGER NOT NULL REFERENCES job (id),
  schedule_digest TEXT NOT NULL CHECK (length(schedule_digest) = 64),
  schedule        TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('queued', 'leased', 'done')),
  UNIQUE (job_id, schedule_digest)
) STRICT;

CREATE TABLE attempt (
  id           INTEGER PRIMARY KEY,
  token        TEXT NOT NULL UNIQUE CHECK (token <> ''),
  candidate_id INTEGER NOT NULL REFERENCES candidate (id),
  number       INTEGER NOT NULL CHECK (number >= 1),
  worker       TEXT NOT NULL,
  device_uuid  TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('live', 'reported', 'expired', 'released', 'failed')),
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
                  CHECK (outcome IN ('ok', 'rejected', 'compile_failed', 'launch_failed', 'wrong_result', 'timed_out',
                                     'crashed', 'unstable')),
  median_ns       REAL NOT NULL CHECK (median_ns >= 0),
  low_ns          REAL NOT NULL CHECK (low_ns >= 0),
  high_ns         REAL NOT NULL CHECK (high_ns >= 0),
  gflops          REAL,
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
  CHECK ((candidate_id IS NULL) = (attempt_id IS NULL)),
  CHECK ((outcome = 'ok') = (gflops IS NOT NULL)),
  CHECK (outcome <> 'ok' OR median_ns > 0)
) STRICT;
CREATE UNIQUE INDEX measurement_one_canonical ON measurement (candidate_id) WHERE canonical = 1;
CREATE INDEX measurement_by_schedule ON measurement (workload_id, schedule_digest);
CREATE INDEX measurement_by_job ON measurement (job_uuid);
CREATE INDEX measurement_by_time ON measurement (unix_millis);
CREATE INDEX measurement_best ON measurement (workload_id, gflops) WHERE canonical = 1 AND outcome = 'ok';

-- What happened, for people: nothing but the notes about workers (TuningLog::WorkerNotes) is read back.
CREATE TABLE event (
  id          INTEGER PRIMARY KEY,
  unix_millis INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  job_id      INTEGER REFERENCES job (id),
  detail      TEXT NOT NULL
) STRICT;
