-- Version 8: the same values are allowed, said in another way. Of a list of three or more, SQLite makes a table in each
-- statement that writes a row: of what the record writer's thread did for a candidate, more than an eighth.

-- Rewriting a CHECK leaves the rows as they are: the procedure of SQLite's "ALTER TABLE", section 7.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    'state IN (''queued'', ''leased'', ''done'')',
    'state = ''queued'' OR state = ''leased'' OR state = ''done''')
  WHERE type = 'table' AND name = 'candidate';
UPDATE sqlite_schema SET sql = replace(sql,
    'state IN (''live'', ''reported'', ''expired'', ''released'', ''failed'')',
    'state = ''reported'' OR state = ''live'' OR state = ''expired'' OR state = ''released'' OR state = ''failed''')
  WHERE type = 'table' AND name = 'attempt';
UPDATE sqlite_schema SET sql = replace(sql,
    'outcome IN (''ok'', ''rejected'', ''compile_failed'', ''launch_failed'', ''wrong_result'', ''timed_out'',
                                     ''crashed'', ''unstable'', ''suspect'', ''skipped'')',
    'outcome = ''ok'' OR outcome = ''rejected'' OR outcome = ''compile_failed'' OR outcome = ''launch_failed'' OR
                   outcome = ''wrong_result'' OR outcome = ''timed_out'' OR outcome = ''crashed'' OR
                   outcome = ''unstable'' OR outcome = ''suspect'' OR outcome = ''skipped''')
  WHERE type = 'table' AND name = 'measurement';
PRAGMA writable_schema = RESET;
