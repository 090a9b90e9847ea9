-- Version 7: the outcome 'skipped', of a schedule that cannot be as fast as the best of its job: its low_ns is the time
-- that it takes at least.

-- Widening a CHECK leaves the rows as they are: the procedure of SQLite's "ALTER TABLE", section 7.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''unstable'', ''suspect'')', '''unstable'', ''suspect'', ''skipped'')')
  WHERE type = 'table' AND name = 'measurement';
PRAGMA writable_schema = RESET;
