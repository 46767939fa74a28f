-- For a list of more than two values SQLite makes a table in memory, anew for each row that is written:
-- a tenth of making and joining a game. The same condition in words that need none. What is stored stays
-- as it is, so the words of the schema alone are exchanged.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
   SET sql = replace(sql,
     'CHECK (state IN (''WAITING'', ''ACTIVE'', ''PAUSED'', ''COMPLETED''))',
     'CHECK (state = ''WAITING'' OR state = ''ACTIVE'' OR state = ''PAUSED'' OR state = ''COMPLETED'')')
 WHERE type = 'table' AND name = 'tables';
PRAGMA writable_schema = RESET;
