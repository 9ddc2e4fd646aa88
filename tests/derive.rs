//! What the derive takes and what it refuses, as the compiler says it.

/// Programs that must compile and run.
#[test]
fn accepted() {
    trybuild::TestCases::new().pass("ui/pass/*.rs");
}

/// Refusals in the derive's own words.
#[test]
fn refused() {
    trybuild::TestCases::new().compile_fail("ui/refused/*.rs");
}

/// Refusals in which the compiler has a word, which differ from version to version.
#[test]
fn refused_by_the_compiler() {
    trybuild::TestCases::new().compile_fail("ui/compiler/*.rs");
}
