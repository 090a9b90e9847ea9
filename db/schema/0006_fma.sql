-- Version 6: the kernel family `simt` is called `fma`, after its instruction. A schedule is known by the digest of its
-- text, a toolchain by that of its own, which lists the families: both follow. The specs of jobs, and events, stay as
-- they were: whoever reads a schedule takes the old name (proto/types/schedule_name.h).

-- Of what is whole, and of what is damaged but has a whole twin to be restored from. What is damaged otherwise stays as
-- it is, so that its digest still finds the byte that fell over; a repair runs these statements again.
CREATE TEMP TABLE renamed (before TEXT PRIMARY KEY, now TEXT NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO renamed SELECT schedule_digest, sha256('{"family":"fma",' || substr(schedule, 18))
  FROM (SELECT schedule_digest, schedule FROM candidate UNION SELECT schedule_digest, schedule FROM measurement)
  WHERE substr(schedule, 1, 17) = '{"family":"simt",' AND sha256(schedule) = schedule_digest;

UPDATE candidate SET
  schedule = iif(substr(schedule, 1, 17) = '{"family":"simt",', '{"family":"fma",' || substr(schedule, 18), schedule),
  schedule_digest = (SELECT now FROM renamed WHERE before = schedule_digest)
  WHERE schedule_digest IN (SELECT before FROM renamed);
-- The ranking follows by its triggers.
UPDATE measurement SET
  schedule = iif(substr(schedule, 1, 17) = '{"family":"simt",', '{"family":"fma",' || substr(schedule, 18), schedule),
  schedule_digest = (SELECT now FROM renamed WHERE before = schedule_digest)
  WHERE schedule_digest IN (SELECT before FROM renamed);
UPDATE measurement SET conditions = replace(conditions, '"family":"simt"', '"family":"fma"')
  WHERE instr(conditions, '"family":"simt"') > 0;
DROP TABLE temp.renamed;

-- A log may have both names of a toolchain: lines of a newer program could be imported. They become one.
CREATE TEMP TABLE renamed (id INTEGER PRIMARY KEY, info TEXT NOT NULL, digest TEXT NOT NULL);
INSERT INTO renamed SELECT id, info, sha256(info) FROM (
  SELECT id, replace(replace(info, ' simt=', ' fma='), '"simt=', '"fma=') AS info FROM toolchain
  WHERE instr(info, 'simt=') > 0 AND sha256(info) = digest);
UPDATE measurement SET toolchain_id =
  (SELECT other.id FROM toolchain AS other JOIN renamed AS n ON n.digest = other.digest WHERE n.id = toolchain_id)
  WHERE toolchain_id IN (SELECT n.id FROM renamed AS n JOIN toolchain AS other ON other.digest = n.digest);
DELETE FROM toolchain WHERE id IN (SELECT n.id FROM renamed AS n JOIN toolchain AS other ON other.digest = n.digest);
UPDATE toolchain SET
  info = (SELECT n.info FROM renamed AS n WHERE n.id = toolchain.id),
  digest = (SELECT n.digest FROM renamed AS n WHERE n.id = toolchain.id)
  WHERE id IN (SELECT id FROM renamed);
DROP TABLE temp.renamed;
