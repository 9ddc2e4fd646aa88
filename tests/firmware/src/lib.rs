//! Start, output and end of the programs.
//!
//! A program is a function that returns `Ok` or an error message; QEMU exits with 0 or 1. No program can panic: all are
//! linked with `panic-never`, except where `size` measures a build in which the optimizer left panics.

#![no_std]
#![forbid(unsafe_code)]

use core::fmt;

#[cfg(not(feature = "any-panic"))]
use panic_never as _;
use semihosting::process;
use semihosting::sys::arm_compat::sys_writec;

#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;

/// The result of a program.
pub type Outcome = Result<(), &'static str>;

/// Makes a function the entry point of the program.
#[macro_export]
macro_rules! program {
    ($run:path) => {
        #[$crate::entry]
        fn main() -> ! {
            $crate::exit($run())
        }
    };
}

/// Prints on the host, like the macro of this name in std; the one of semihosting can panic.
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => {
        $crate::print(format_args!($($arguments)*))
    };
}

pub fn print(arguments: fmt::Arguments<'_>) {
    struct Host;
    impl fmt::Write for Host {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.bytes().for_each(sys_writec);
            Ok(())
        }
    }
    // The host accepts any text, and there would be no way to report an error.
    let _ = fmt::write(&mut Host, arguments);
}

/// Ends the program, and QEMU with it.
pub fn exit(outcome: Outcome) -> ! {
    if let Err(reason) = outcome {
        print!("{reason}\n");
    }
    process::exit(i32::from(outcome.is_err()))
}

/// Ends the program with a code that means neither success nor failure.
pub fn crash() -> ! {
    process::exit(2)
}

#[cfg(feature = "any-panic")]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    crash()
}

/// Returns `Ok` if `holds`, else the message `otherwise`.
pub fn ensure(holds: bool, otherwise: &'static str) -> Outcome {
    if holds { Ok(()) } else { Err(otherwise) }
}

/// A file at a chosen distance from an address that is a multiple of 8.
#[repr(C, align(8))]
pub struct At<const DISTANCE: usize, const SIZE: usize> {
    padding: [u8; DISTANCE],
    pub file: [u8; SIZE],
}

impl<const DISTANCE: usize, const SIZE: usize> At<DISTANCE, SIZE> {
    pub const fn new(file: &[u8; SIZE]) -> Self {
        Self { padding: [0; DISTANCE], file: *file }
    }
}
