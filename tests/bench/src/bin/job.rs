//! One job in its own process, for the script `processes`.
//!
//!     job COMMAND PATH [TIMES]     prints the nanoseconds that each time took
//!     job serve                    does the same for each line of standard input: COMMAND, a tab and PATH;
//!                                  `spawn` and a command line starts a process and waits

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use idx_bench::data::{self, Digit};
use idx_std::{ElementType, Error, Reader, RecordWriter, WriteOptions, load, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["serve"] => {
            for line in io::stdin().lines() {
                let line = line?;
                match line.split('\t').collect::<Vec<_>>()[..] {
                    ["spawn", program, ref arguments @ ..] => {
                        println!("{}", spawn(program, arguments)?)
                    }
                    [command, path] => println!("{}", time(command, path)?),
                    _ => return Err(line.into()),
                }
            }
        }
        [command, path] => println!("{}", time(command, path)?),
        [command, path, times] => {
            for _ in 0..times.parse()? {
                println!("{}", time(command, path)?);
            }
        }
        _ => return Err("usage: job COMMAND PATH [TIMES], or job serve".into()),
    }
    Ok(())
}

/// Returns the time that the work takes, without giving the memory back.
fn time(command: &str, path: &str) -> Result<u128, Error> {
    fn timed<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<u128, Error> {
        let start = Instant::now();
        let result = black_box(work()?);
        let nanoseconds = start.elapsed().as_nanos();
        drop(result);
        Ok(nanoseconds)
    }
    match command {
        "open" => timed(|| open(path)),
        "load-u8" => timed(|| load::<u8>(path)),
        "load-i32" => timed(|| load::<i32>(path)),
        "load-f32" => timed(|| load::<f32>(path)),
        "stream" => timed(|| stream(path)),
        "write" => timed(|| write(path)),
        "data" => timed(|| {
            let folder = Path::new(path);
            data::fill(folder)?;
            data::typed::<f32>(folder, "f32")
        }),
        _ => match command.strip_prefix("gz-of-mib-").map(str::parse) {
            Some(Ok(mib)) => timed(|| compress(path, mib)),
            _ => panic!("job: unknown command {command}"),
        },
    }
}

/// The sum of all elements of a file of `u8`, in constant memory.
fn stream(path: &str) -> Result<u64, Error> {
    let mut reader = Reader::open(path)?;
    let mut sum = 0;
    while let Some(record) = reader.next_record() {
        let elements = record?.iter();
        sum += u64::from(elements.map(|element| u32::from(*element)).sum::<u32>());
    }
    Ok(sum)
}

/// 47 MB of f32, record by record.
fn write(path: &str) -> Result<(), Error> {
    let mut writer = RecordWriter::<Digit<f32>>::create(path)?;
    for record in 0..15_000u16 {
        writer.push(&[[f32::from(record); 28]; 28])?;
    }
    writer.finish()?;
    Ok(())
}

/// Writes a compressed file of this many records of 1 MiB.
fn compress(path: &str, records: u32) -> Result<(), Error> {
    let options = WriteOptions::new().gzip(true).level(1);
    let mut writer = options.create(path, ElementType::U8, &[0, 1 << 20])?;
    let mut record = vec![0; 1 << 20];
    for seed in 0..records {
        data::draw(seed, &mut record);
        writer.push_bytes(&record)?;
    }
    writer.finish()?;
    Ok(())
}

/// Returns the time of a process, from its start to its end. This small process starts it, because starting takes
/// longer the more memory the parent has.
fn spawn(program: &str, arguments: &[&str]) -> io::Result<u128> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status()?;
    let nanoseconds = start.elapsed().as_nanos();
    match status.success() {
        true => Ok(nanoseconds),
        false => Err(io::Error::other(format!("{program}: {status}"))),
    }
}
