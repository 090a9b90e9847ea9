-- Version 4: what rankings and lists are read from, so that neither walks the whole log; and outcome 'suspect'.

-- The canonical ok records, fastest first within a problem, a class of devices and a regime. Follows from measurement,
-- which triggers keep it in step with.
CREATE TABLE ranking (
  workload_id    INTEGER NOT NULL,
  class_id       INTEGER NOT NULL,  -- the first device of the class
  regime         TEXT NOT NULL,
  proven         INTEGER NOT NULL,  -- 1: a proof was performed and passed
  median_ns      REAL NOT NULL,
  uuid           TEXT NOT NULL,
  measurement_id INTEGER NOT NULL,
  schedule       TEXT NOT NULL,     -- as much of its digest as tells schedules apart
  unix_millis    INTEGER NOT NULL,
  PRIMARY KEY (workload_id, class_id, regime, proven, median_ns, uuid)
) STRICT, WITHOUT ROWID;

-- As kRankingRows of db/ranking.h, which makes it for logs that are only read.
INSERT INTO ranking SELECT r.workload_id, c.class_id, r.regime, ifnull(r.proven, 0), r.median_ns, r.uuid, r.id,
  substr(r.schedule_digest, 1, 16), r.unix_millis
  FROM measurement AS r JOIN (SELECT d.id AS id, f.class_id AS class_id FROM device AS d JOIN
    (SELECT class_key, min(id) AS class_id FROM device GROUP BY class_key) AS f ON f.class_key = d.class_key) AS c
  ON c.id = r.device_id WHERE r.canonical = 1 AND r.outcome = 'ok'
  ORDER BY 1, 2, 3, 4, 5, 6;

CREATE TRIGGER ranking_insert AFTER INSERT ON measurement WHEN NEW.canonical = 1 AND NEW.outcome = 'ok' BEGIN
  INSERT INTO ranking VALUES (NEW.workload_id,
    (SELECT min(id) FROM device WHERE class_key = (SELECT class_key FROM device WHERE id = NEW.device_id)),
    NEW.regime, ifnull(NEW.proven, 0), NEW.median_ns, NEW.uuid, NEW.id, substr(NEW.schedule_digest, 1, 16),
    NEW.unix_millis);
END;
CREATE TRIGGER ranking_delete AFTER DELETE ON measurement WHEN OLD.canonical = 1 AND OLD.outcome = 'ok' BEGIN
  DELETE FROM ranking WHERE workload_id = OLD.workload_id
    AND class_id = (SELECT min(id) FROM device
                    WHERE class_key = (SELECT class_key FROM device WHERE id = OLD.device_id))
    AND regime = OLD.regime AND proven = ifnull(OLD.proven, 0) AND median_ns = OLD.median_ns AND uuid = OLD.uuid;
END;
CREATE TRIGGER ranking_update AFTER UPDATE ON measurement BEGIN
  DELETE FROM ranking WHERE OLD.canonical = 1 AND OLD.outcome = 'ok' AND workload_id = OLD.workload_id
    AND class_id = (SELECT min(id) FROM device
                    WHERE class_key = (SELECT class_key FROM device WHERE id = OLD.device_id))
    AND regime = OLD.regime AND proven = ifnull(OLD.proven, 0) AND median_ns = OLD.median_ns AND uuid = OLD.uuid;
  INSERT INTO ranking SELECT NEW.workload_id,
    (SELECT min(id) FROM device WHERE class_key = (SELECT class_key FROM device WHERE id = NEW.device_id)),
    NEW.regime, ifnull(NEW.proven, 0), NEW.median_ns, NEW.uuid, NEW.id, substr(NEW.schedule_digest, 1, 16),
    NEW.unix_millis WHERE NEW.canonical = 1 AND NEW.outcome = 'ok';
END;

-- Lists of the newest: each index gives its records in the order of their ids.
CREATE INDEX measurement_by_workload ON measurement (workload_id);
CREATE INDEX measurement_by_outcome ON measurement (outcome);
DROP INDEX measurement_best;  -- the ranking took its place

-- Widening a CHECK leaves the rows as they are: the procedure of SQLite's "ALTER TABLE", section 7.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''crashed'', ''unstable'')', '''crashed'', ''unstable'', ''suspect'')')
  WHERE type = 'table' AND name = 'measurement';
PRAGMA writable_schema = RESET;
