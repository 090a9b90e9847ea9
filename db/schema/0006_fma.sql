-- Version 6: the kernel family `simt` is called `fma`, after its instruction. A schedule is known by the digest of its
-- text, a toolchain by that of its own, which lists the families: both follow. The specs of jobs, and events, stay as
-- they were: whoever reads a schedule takes the old name (proto/types/schedule_name.h).

-- Of what is whole only, so that what is damaged is still seen to be.
CREATE TEMP TABLE renamed (before TEXT PRIMARY KEY, now TEXT NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO renamed SELECT schedule_digest, sha256('{"family":"fma",' || substr(schedule, 18))
  FROM (SELECT schedule_digest, schedule FROM candidate UNION SELECT schedule_digest, schedule FROM measurement)
  WHERE substr(schedule, 1, 17) = '{"family":"simt",' AND sha256(schedule) = schedule_digest;

UPDATE candidate SET
  schedule = iif(substr(schedule, 1, 17) = '{"family":"simt",', '{"family":"fma",' || substr(schedule, 18), schedule),
  schedule_digest = ifnull((SELECT now FROM renamed WHERE before = schedule_digest), schedule_digest);
-- The ranking follows by its triggers.
UPDATE measurement SET
  schedule = iif(substr(schedule, 1, 17) = '{"family":"simt",', '{"family":"fma",' || substr(schedule, 18), schedule),
  schedule_digest = ifnull((SELECT now FROM renamed WHERE before = schedule_digest), schedule_digest),
  conditions = replace(conditions, '"family":"simt"', '"family":"fma"')
  WHERE schedule_digest IN (SELECT before FROM renamed) OR substr(schedule, 1, 17) = '{"family":"simt",'
    OR instr(conditions, '"family":"simt"') > 0;
UPDATE toolchain SET
  info = replace(replace(info, ' simt=', ' fma='), '"simt=', '"fma='),
  digest = iif(sha256(info) = digest, sha256(replace(replace(info, ' simt=', ' fma='), '"simt=', '"fma=')), digest)
  WHERE instr(info, 'simt=') > 0;
DROP TABLE temp.renamed;
