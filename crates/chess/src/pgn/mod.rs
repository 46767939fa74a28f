//! Games out to and in from PGN files.
