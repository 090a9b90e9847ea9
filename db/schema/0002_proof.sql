-- Version 2: what was proven of the schedule at small shapes before it was timed.

-- JSON; empty in what was measured before there were proofs.
ALTER TABLE measurement ADD COLUMN proof TEXT NOT NULL DEFAULT '';
-- NULL: not performed.
ALTER TABLE measurement ADD COLUMN proven INTEGER CHECK (proven IN (0, 1));
