//! Links the program for QEMU's lm3s6965evb, with the strings of defmt outside of flash.

fn main() {
    println!("cargo::rustc-link-search=../template-qemu");
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
}
