-- Version 3: under what conditions a candidate was timed, and what runs the same.

-- JSON; empty in what was measured before.
ALTER TABLE measurement ADD COLUMN conditions TEXT NOT NULL DEFAULT '';
-- Equal where the code, its launches, the problem, the device and the regime are; empty: not timed, or before.
ALTER TABLE measurement ADD COLUMN timing_key TEXT NOT NULL DEFAULT '';
CREATE INDEX measurement_by_timing_key ON measurement (timing_key)
  WHERE timing_key <> '' AND canonical = 1 AND outcome = 'ok';
