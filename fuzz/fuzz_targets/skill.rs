#![no_main]

#[allow(dead_code, reason = "of all targets this is one")]
#[path = "../../crates/chess/tests/fuzz_targets/mod.rs"]
mod fuzz_targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_targets::skill::run(bytes));
