#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| server::doors::xmpp::trial::anything::run(bytes));
