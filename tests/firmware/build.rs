//! Gives the linker the machine's memory, and the programs their files.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use idx_std::{IdxRecord, Reader, RecordWriter};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    memory(&out)?;
    digits(&out)?;
    tables(&out)?;
    partition(&out)?;
    classifier(&out)?;
    measure();
    Ok(())
}

/// Writes the flash and RAM of this target's machine in QEMU, for the linker scripts of cortex-m-rt and riscv-rt.
fn memory(out: &Path) -> Result<(), Box<dyn Error>> {
    let (flash, flash_size, ram, ram_size) = match env::var("TARGET")?.as_str() {
        "thumbv6m-none-eabi" => (0, "256K", 0x2000_0000, "16K"), // microbit
        "thumbv7m-none-eabi" => (0, "256K", 0x2000_0000, "64K"), // lm3s6965evb
        "thumbv7em-none-eabihf" => (0, "4M", 0x2000_0000, "4M"), // mps2-an386
        "riscv32imac-unknown-none-elf" => (0x8000_0000_u32, "256K", 0x8010_0000_u32, "64K"), // virt
        other => return Err(format!("no simulated machine for the target {other}").into()),
    };
    let mut script = format!(
        "MEMORY {{\n\
            FLASH : ORIGIN = {flash:#x}, LENGTH = {flash_size}\n\
            RAM : ORIGIN = {ram:#x}, LENGTH = {ram_size}\n\
        }}\n"
    );
    // riscv-rt needs to know where each kind of section goes; cortex-m-rt does not.
    for (section, region) in [
        ("TEXT", "FLASH"),
        ("RODATA", "FLASH"),
        ("DATA", "RAM"),
        ("BSS", "RAM"),
        ("HEAP", "RAM"),
        ("STACK", "RAM"),
    ] {
        script += &format!("REGION_ALIAS(\"REGION_{section}\", {region});\n");
    }
    fs::write(out.join("memory.x"), script)?;
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    Ok(())
}

#[derive(IdxRecord)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord)]
struct Label(#[idx(range = 0..=9)] u8);

/// Writes the first digits of the project's sample, as many as fit the smallest flash next to the program, and the ink
/// of each, as the host counts it.
fn digits(out: &Path) -> Result<(), Box<dyn Error>> {
    const COUNT: usize = 100;
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../idx-cli/sample");
    println!("cargo::rerun-if-changed={}", sample.display());

    let images = Reader::open(sample.join("digits-images-idx3-ubyte"))?.records::<Digit>()?;
    let images: Vec<Digit> = images.take(COUNT).collect::<Result<_, _>>()?;
    write(out, "images", &images)?;

    let labels = Reader::open(sample.join("digits-labels-idx1-ubyte"))?.records::<Label>()?;
    let labels: Vec<Label> = labels.take(COUNT).collect::<Result<_, _>>()?;
    write(out, "labels", &labels)?;

    let ink = |digit: &Digit| digit.0.as_flattened().iter().copied().map(i32::from).sum();
    let mut ink: Vec<i32> = images.iter().map(ink).collect();
    if let Some(last) = ink.last_mut().filter(|_| wrong_answer()) {
        *last += 1;
    }
    write(out, "ink", &ink)
}

/// Writes the numbers from -6 to 5, three to a record, in each element type except that of the digits.
fn tables(out: &Path) -> Result<(), Box<dyn Error>> {
    table(out, "i8", |number| number * 21)?;
    table(out, "i16", |number| i16::from(number) * 5_461)?;
    table(out, "i32", |number| i32::from(number) * 357_913_941)?;
    table(out, "f32", |number| f32::from(number) / 7.0)?;
    table(out, "f64", |number| f64::from(number) / 7.0)
}

fn table<E: IdxRecord>(
    out: &Path,
    name: &str,
    element: impl Fn(i8) -> E,
) -> Result<(), Box<dyn Error>> {
    let records = [-6, -3, 0, 3].map(|first| [first, first + 1, first + 2].map(&element));
    write(out, name, &records)
}

/// Writes the contents of external flash: a table and the digits, with FF before, between and after them.
fn partition(out: &Path) -> Result<(), Box<dyn Error>> {
    let mut partition = Vec::new();
    for (offset, name) in [(64, "i16"), (257, "images")] {
        partition.resize(offset, 0xFF);
        partition.extend(fs::read(out.join(name))?);
    }
    partition.resize(partition.len().next_multiple_of(4096), 0xFF);
    fs::write(out.join("partition"), partition)?;
    Ok(())
}

/// Passes on the files of idx-data's example `quantized_network`.
fn classifier(out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=IDX_CLASSIFIER");
    let folder = env::var_os("IDX_CLASSIFIER").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/classifier"),
        PathBuf::from,
    );
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rustc-env=CLASSIFIER={}", folder.display());
    let scores = Reader::open(folder.join("scores"))
        .and_then(|reader| reader.records::<[i32; 10]>())
        .map_err(|error| {
            format!(
                "{error}; tests/firmware/run makes it, with idx-data's example quantized_network"
            )
        })?;
    let mut scores: Vec<[i32; 10]> = scores.collect::<Result<_, _>>()?;
    if let Some([.., last]) = scores.last_mut().filter(|_| wrong_answer()) {
        *last += 1;
    }
    write(out, "scores", &scores)
}

/// Selects the use of idx-core to measure, for `src/bin/measure.rs`.
fn measure() {
    println!("cargo::rerun-if-env-changed=IDX_MEASURE");
    println!("cargo::rustc-check-cfg=cfg(measure, values(any()))");
    let measured = env::var("IDX_MEASURE").unwrap_or("nothing".into());
    println!("cargo::rustc-cfg=measure={measured:?}");
    if measured.ends_with("defmt") {
        println!("cargo::rustc-link-arg-bin=measure=-Tdefmt.x");
    }
}

/// Returns whether the programs get a wrong expectation, which they must detect.
fn wrong_answer() -> bool {
    env::var_os("CARGO_FEATURE_WRONG_ANSWER").is_some()
}

fn write<T: IdxRecord>(folder: &Path, name: &str, records: &[T]) -> Result<(), Box<dyn Error>> {
    let mut writer = RecordWriter::create(folder.join(name))?;
    for record in records {
        writer.push(record)?;
    }
    writer.finish()?;
    Ok(())
}
