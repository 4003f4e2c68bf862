//! Runs this target under libFuzzer. `byleave_testing::targets` defines the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| byleave_fuzz::targets::check("saved_policy", input));
