-- The tables of live-game-api, for whoever asks the database itself: docs/live-game-api.md.
-- Only what its door shows: standard chess with a clock. UUIDs are text, times RFC 3339,
-- `rated` is 0 or 1. A game that is played is as of the last fold, at most half a minute
-- ago; its moves are there when it is over.

-- The UUIDs of accounts, as text.
CREATE VIEW live_accounts AS
SELECT number,
       lower(substr(hex(uuid), 1, 8) || '-' || substr(hex(uuid), 9, 4) || '-' || substr(hex(uuid), 13, 4)
             || '-' || substr(hex(uuid), 17, 4) || '-' || substr(hex(uuid), 21)) AS id
  FROM accounts;

CREATE VIEW live_games AS
SELECT printf('61726269-7465-8000-8000-%012x', t.id) AS id,
       creator.id AS creator_account_id,
       CASE WHEN t.started_at IS NOT NULL THEN white.id END AS white_account_id,
       CASE WHEN t.started_at IS NOT NULL THEN black.id END AS black_account_id,
       CASE t.state WHEN 'WAITING' THEN 'waiting_for_opponent' WHEN 'COMPLETED' THEN 'ended'
                    ELSE 'in_progress' END AS status,
       t.rated AS rated,
       t.variant AS variant_code,
       t.initial_ms AS time_initial_ms,
       t.increment_ms AS time_increment_ms,
       t.white_clock_ms AS white_clock_ms,
       t.black_clock_ms AS black_clock_ms,
       t.side_to_move AS side_to_move,
       t.fen AS fen,
       CASE t.result WHEN 'white_wins' THEN '1-0' WHEN 'black_wins' THEN '0-1'
                     WHEN 'draw' THEN '1/2-1/2' END AS result,
       CASE t.result WHEN 'aborted' THEN 'aborted' ELSE t.reason END AS end_reason,
       strftime('%Y-%m-%dT%H:%M:%S', t.created_at / 1000, 'unixepoch') || printf('.%03dZ', t.created_at % 1000) AS created_at,
       strftime('%Y-%m-%dT%H:%M:%S', t.started_at / 1000, 'unixepoch') || printf('.%03dZ', t.started_at % 1000) AS started_at,
       strftime('%Y-%m-%dT%H:%M:%S', t.ended_at / 1000, 'unixepoch') || printf('.%03dZ', t.ended_at % 1000) AS ended_at,
       strftime('%Y-%m-%dT%H:%M:%S', t.updated_at / 1000, 'unixepoch') || printf('.%03dZ', t.updated_at % 1000) AS updated_at
  FROM tables t
  LEFT JOIN live_accounts creator ON creator.number = t.creator
  LEFT JOIN live_accounts white ON white.number = t.white
  LEFT JOIN live_accounts black ON black.number = t.black
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL;

-- Which game is found among the games, and then its moves by their key: hence CROSS.
CREATE VIEW live_game_moves AS
SELECT printf('61726269-7465-8001-%04x-%012x', 0x8000 + m.ply, m.table_id) AS id,
       printf('61726269-7465-8000-8000-%012x', t.id) AS game_id,
       m.ply AS ply,
       m.move_number AS move_number,
       m.color AS color,
       m.from_square AS from_square,
       m.to_square AS to_square,
       m.promotion AS promotion,
       m.san AS san,
       m.fen_after AS fen_after,
       strftime('%Y-%m-%dT%H:%M:%S', m.played_at / 1000, 'unixepoch') || printf('.%03dZ', m.played_at % 1000) AS played_at,
       m.elapsed_ms AS elapsed_ms
  FROM tables t CROSS JOIN moves m ON m.table_id = t.id
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL;

-- Of games that are over: their moves, and the end that a player or a clock made.
CREATE VIEW live_game_events AS
SELECT printf('61726269-7465-8002-%04x-%012x', 0x8000 + m.ply, m.table_id) AS id,
       printf('61726269-7465-8000-8000-%012x', t.id) AS game_id,
       'move' AS event_type,
       json_object('ply', m.ply, 'color', m.color, 'from', m.from_square, 'to', m.to_square,
                   'promotion', m.promotion, 'san', m.san) AS payload,
       strftime('%Y-%m-%dT%H:%M:%S', m.played_at / 1000, 'unixepoch') || printf('.%03dZ', m.played_at % 1000) AS created_at
  FROM tables t CROSS JOIN moves m ON m.table_id = t.id
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL
UNION ALL
SELECT printf('61726269-7465-8003-8000-%012x', t.id),
       printf('61726269-7465-8000-8000-%012x', t.id),
       CASE t.reason WHEN 'resignation' THEN 'resign' WHEN 'draw_agreed' THEN 'draw_accept' ELSE 'timeout' END,
       CASE t.result WHEN 'white_wins' THEN json_object('color', 'b') WHEN 'black_wins' THEN json_object('color', 'w')
                     ELSE json_object() END,
       strftime('%Y-%m-%dT%H:%M:%S', t.ended_at / 1000, 'unixepoch') || printf('.%03dZ', t.ended_at % 1000)
  FROM tables t
 WHERE t.kind = 1 AND t.variant = 'standard' AND t.increment_ms IS NOT NULL AND t.state = 'COMPLETED'
   AND t.reason IN ('resignation', 'draw_agreed', 'timeout', 'timeout_vs_insufficient_material');
