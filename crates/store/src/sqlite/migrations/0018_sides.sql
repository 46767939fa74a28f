-- Whoever waits for an opponent may want a certain side: 'w' or 'b'.
ALTER TABLE tickets ADD COLUMN side TEXT CHECK (side IN ('w', 'b'));
