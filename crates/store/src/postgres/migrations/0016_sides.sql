-- Whoever waits for an opponent may want a certain side: 'w' or 'b'.
ALTER TABLE tickets ADD COLUMN side text CHECK (side IN ('w', 'b'));
