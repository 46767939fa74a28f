//! PGN out and in: what we write, what we read, and what we refuse.

mod damage;
mod export;
mod files;
mod limits;
mod random;
mod recorded;
mod round_trip;
