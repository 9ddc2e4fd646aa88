//! Prints what a program sent over defmt: `decode PROGRAM <SENT`.

use std::error::Error;
use std::io::{Read, stdin};
use std::{env, fs};

use defmt_decoder::{DecodeError, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let program = env::args_os().nth(1).ok_or("usage: decode PROGRAM <SENT")?;
    let table = Table::parse(&fs::read(program)?)?.ok_or("the program has no strings of defmt")?;
    let mut sent = Vec::new();
    stdin().read_to_end(&mut sent)?;
    let mut decoder = table.new_stream_decoder();
    decoder.received(&sent);
    loop {
        match decoder.decode() {
            Ok(frame) => println!("{}", frame.display_message()),
            Err(DecodeError::UnexpectedEof) => return Ok(()),
            Err(DecodeError::Malformed) => return Err("these bytes are not of defmt".into()),
        }
    }
}
