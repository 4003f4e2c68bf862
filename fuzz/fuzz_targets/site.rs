//! `targets` of `byleave-testing` says what is checked.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| byleave_fuzz::targets::check("site", input));
