-- Games that are gone through after their end: those that wait, and what came of it.
CREATE TABLE analyses (
  table_id     bigint PRIMARY KEY,
  asked_by     bigint,            -- until it is done
  asked_at     bigint NOT NULL,
  leased_until bigint,            -- somebody is at it, unless they are gone by then
  attempt      integer NOT NULL,  -- how often somebody began
  done         integer NOT NULL,  -- half-moves
  total        integer NOT NULL,
  result       text               -- JSON, once it is done
);

CREATE INDEX analyses_open ON analyses (asked_at, table_id) WHERE result IS NULL;
