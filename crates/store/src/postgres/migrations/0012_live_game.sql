-- The tables of live-game-api, for whoever asks the database itself: docs/live-game-api.md.
-- Only what its door shows: standard chess with a clock. `live_games` is as of the last
-- change; the moves of a game are there when it is over.

-- Moments, as others know them.
CREATE FUNCTION live_time(ms bigint) RETURNS timestamptz LANGUAGE sql STABLE AS
  'SELECT timestamptz ''1970-01-01 00:00:00+00'' + ms * interval ''1 millisecond''';
-- The UUID of a table and of what belongs to it: which kind, and which of them.
CREATE FUNCTION live_uuid(id bigint, kind integer, place integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS
  'SELECT (''617262697465'' || lpad(to_hex(32768 + kind), 4, ''0'') || lpad(to_hex(32768 + place), 4, ''0'')
           || lpad(to_hex(id), 12, ''0''))::uuid';

CREATE VIEW live_games AS
SELECT live_uuid(t.id, 0, 0) AS id,
       encode(creator.uuid, 'hex')::uuid AS creator_account_id,
       CASE WHEN t.started_at IS NOT NULL THEN encode(white.uuid, 'hex')::uuid END AS white_account_id,
       CASE WHEN t.started_at IS NOT NULL THEN encode(black.uuid, 'hex')::uuid END AS black_account_id,
       (CASE t.state WHEN 'WAITING' THEN 'waiting_for_opponent' WHEN 'COMPLETED' THEN 'ended'
                     ELSE 'in_progress' END)::varchar(32) AS status,
       t.rated AS rated,
       t.variant::varchar(32) AS variant_code,
       t.initial_ms::integer AS time_initial_ms,
       t.increment_ms::integer AS time_increment_ms,
       t.white_clock_ms::integer AS white_clock_ms,
       t.black_clock_ms::integer AS black_clock_ms,
       t.side_to_move::char(1) AS side_to_move,
       t.fen AS fen,
       (CASE t.result WHEN 'white_wins' THEN '1-0' WHEN 'black_wins' THEN '0-1'
                      WHEN 'draw' THEN '1/2-1/2' END)::varchar(8) AS result,
       (CASE t.result WHEN 'aborted' THEN 'aborted' ELSE t.reason END)::varchar(32) AS end_reason,
       live_time(t.created_at) AS created_at,
       live_time(t.started_at) AS started_at,
       live_time(t.ended_at) AS ended_at,
       live_time(t.updated_at) AS updated_at
  FROM tables t
  LEFT JOIN accounts creator ON creator.number = t.creator
  LEFT JOIN accounts white ON white.number = t.white
  LEFT JOIN accounts black ON black.number = t.black
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL;

CREATE VIEW live_game_moves AS
SELECT live_uuid(m.table_id, 1, m.ply) AS id,
       live_uuid(t.id, 0, 0) AS game_id,
       m.ply AS ply,
       m.move_number AS move_number,
       m.color::char(1) AS color,
       substr(m.uci, 1, 2)::char(2) AS from_square,
       substr(m.uci, 3, 2)::char(2) AS to_square,
       nullif(substr(m.uci, 5, 1), '')::char(1) AS promotion,
       m.san::varchar(16) AS san,
       m.fen_after AS fen_after,
       live_time(m.played_at) AS played_at,
       m.elapsed_ms::integer AS elapsed_ms
  FROM tables t JOIN moves m ON m.table_id = t.id
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL;

-- Of games that are over: their moves, and the end that a player or a clock made.
CREATE VIEW live_game_events AS
SELECT live_uuid(m.table_id, 2, m.ply) AS id,
       live_uuid(t.id, 0, 0) AS game_id,
       'move'::varchar(32) AS event_type,
       jsonb_build_object('ply', m.ply, 'color', m.color, 'from', substr(m.uci, 1, 2), 'to', substr(m.uci, 3, 2),
                          'promotion', nullif(substr(m.uci, 5, 1), ''), 'san', m.san) AS payload,
       live_time(m.played_at) AS created_at
  FROM tables t JOIN moves m ON m.table_id = t.id
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL
UNION ALL
SELECT live_uuid(t.id, 3, 0),
       live_uuid(t.id, 0, 0),
       (CASE t.reason WHEN 'resignation' THEN 'resign' WHEN 'draw_agreed' THEN 'draw_accept' ELSE 'timeout' END)::varchar(32),
       CASE t.result WHEN 'white_wins' THEN jsonb_build_object('color', 'b')
                     WHEN 'black_wins' THEN jsonb_build_object('color', 'w') ELSE '{}' END,
       live_time(t.ended_at)
  FROM tables t
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL AND t.state = 'COMPLETED'
   AND t.reason IN ('resignation', 'draw_agreed', 'timeout', 'timeout_vs_insufficient_material');
