-- Version 9: what the rule of proto/types/ranked_record.h needs to find the best of a problem without reading its
-- records: the toolchain of each, which are compared with another schedule, and which is the newest. The rules of
-- proto/types/validate.h have become stricter: db/migration.cc applies them again in this migration's transaction.

DROP TRIGGER ranking_insert;
DROP TRIGGER ranking_delete;
DROP TRIGGER ranking_update;
DROP TABLE ranking;

-- The canonical ok records, fastest first within a problem, a class of devices, a regime and a toolchain. Follows from
-- measurement, which triggers keep it in step with.
CREATE TABLE ranking (
  workload_id    INTEGER NOT NULL,
  class_id       INTEGER NOT NULL,  -- the first device of the class
  regime         TEXT NOT NULL,
  toolchain_id   INTEGER NOT NULL,
  proven         INTEGER NOT NULL,  -- 1: a proof was performed and passed
  median_ns      REAL NOT NULL,
  uuid           TEXT NOT NULL,
  measurement_id INTEGER NOT NULL,
  schedule       TEXT NOT NULL,     -- as much of its digest as tells schedules apart
  unix_millis    INTEGER NOT NULL,
  compared       INTEGER NOT NULL,  -- 1: the record has a comparison with another schedule
  PRIMARY KEY (workload_id, class_id, regime, toolchain_id, proven, median_ns, uuid)
) STRICT, WITHOUT ROWID;

-- As kRankingRows of db/ranking.h, which makes it for logs that are only read.
INSERT INTO ranking SELECT r.workload_id, c.class_id, r.regime, r.toolchain_id, ifnull(r.proven, 0), r.median_ns,
  r.uuid, r.id, substr(r.schedule_digest, 1, 16), r.unix_millis, instr(r.conditions, '"comparison":{') > 0
  FROM measurement AS r JOIN (SELECT d.id AS id, f.class_id AS class_id FROM device AS d JOIN
    (SELECT class_key, min(id) AS class_id FROM device GROUP BY class_key) AS f ON f.class_key = d.class_key) AS c
  ON c.id = r.device_id WHERE r.canonical = 1 AND r.outcome = 'ok'
  ORDER BY 1, 2, 3, 4, 5, 6, 7;
CREATE INDEX ranking_newest ON ranking (workload_id, class_id, regime, proven, unix_millis);
CREATE INDEX ranking_compared ON ranking (workload_id, class_id, regime, toolchain_id) WHERE compared = 1;

CREATE TRIGGER ranking_insert AFTER INSERT ON measurement WHEN NEW.canonical = 1 AND NEW.outcome = 'ok' BEGIN
  INSERT INTO ranking VALUES (NEW.workload_id,
    (SELECT min(id) FROM device WHERE class_key = (SELECT class_key FROM device WHERE id = NEW.device_id)),
    NEW.regime, NEW.toolchain_id, ifnull(NEW.proven, 0), NEW.median_ns, NEW.uuid, NEW.id,
    substr(NEW.schedule_digest, 1, 16), NEW.unix_millis, instr(NEW.conditions, '"comparison":{') > 0);
END;
CREATE TRIGGER ranking_delete AFTER DELETE ON measurement WHEN OLD.canonical = 1 AND OLD.outcome = 'ok' BEGIN
  DELETE FROM ranking WHERE workload_id = OLD.workload_id
    AND class_id = (SELECT min(id) FROM device
                    WHERE class_key = (SELECT class_key FROM device WHERE id = OLD.device_id))
    AND regime = OLD.regime AND toolchain_id = OLD.toolchain_id AND proven = ifnull(OLD.proven, 0)
    AND median_ns = OLD.median_ns AND uuid = OLD.uuid;
END;
CREATE TRIGGER ranking_update AFTER UPDATE ON measurement BEGIN
  DELETE FROM ranking WHERE OLD.canonical = 1 AND OLD.outcome = 'ok' AND workload_id = OLD.workload_id
    AND class_id = (SELECT min(id) FROM device
                    WHERE class_key = (SELECT class_key FROM device WHERE id = OLD.device_id))
    AND regime = OLD.regime AND toolchain_id = OLD.toolchain_id AND proven = ifnull(OLD.proven, 0)
    AND median_ns = OLD.median_ns AND uuid = OLD.uuid;
  INSERT INTO ranking SELECT NEW.workload_id,
    (SELECT min(id) FROM device WHERE class_key = (SELECT class_key FROM device WHERE id = NEW.device_id)),
    NEW.regime, NEW.toolchain_id, ifnull(NEW.proven, 0), NEW.median_ns, NEW.uuid, NEW.id,
    substr(NEW.schedule_digest, 1, 16), NEW.unix_millis, instr(NEW.conditions, '"comparison":{') > 0
    WHERE NEW.canonical = 1 AND NEW.outcome = 'ok';
END;
