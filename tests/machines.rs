//! What `cargo test` does not run, as it needs more than Rust.

/// The programs of `tests/firmware` need targets and emulators, which a test must not install.
#[test]
fn firmware_has_a_command_of_its_own() {
    idx_tests::skip("firmware on four machines: run tests/firmware/run, which installs QEMU");
}
