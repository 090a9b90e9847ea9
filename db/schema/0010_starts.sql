-- Version 10: indexes of the few rows that a coordinator reads when it starts, so that its start does not depend on the
-- length of the log. Queries name the same conditions in the same way.

CREATE INDEX IF NOT EXISTS job_unfinished ON job (id) WHERE state = 'waiting' OR state = 'running';
CREATE INDEX IF NOT EXISTS event_worker_note ON event (id)
  WHERE kind = 'worker_accused' OR kind = 'worker_quarantined' OR kind = 'worker_let_go' OR kind = 'worker_doubted';
