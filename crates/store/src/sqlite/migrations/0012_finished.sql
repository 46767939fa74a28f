-- Finished tables that anybody may see, in the order in which everybody may know that they are: for whoever
-- takes all of them with them, page by page, and comes back for more.
CREATE INDEX tables_finished ON tables (ended_at + coalesce(delay_ms, 0), id)
  WHERE state = 'COMPLETED' AND sight < 2 AND result <> 'aborted';
