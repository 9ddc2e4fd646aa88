//! A web server on this machine that serves a folder, and can misbehave.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The time for which a silent server keeps the connection, longer than any test waits.
const PATIENCE: Duration = Duration::from_secs(600);

/// The answer of a server to each request.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// Answers correctly.
    Well,
    /// Answers correctly, and closes the connection after this many bytes.
    BreaksOff(usize),
    /// Answers with this error number.
    Refuses(u16),
    /// Answers 200 OK with a web page.
    WebPage,
    /// Sends as many bytes as the file has, with another last byte.
    Changed,
    /// Sends a byte more than the file has.
    TooMuch,
    /// Closes the connection at once.
    HangsUp,
    /// Answers correctly, sends this many bytes, and then nothing more.
    FallsSilent(usize),
    /// Answers correctly, sends this many bytes, and then one every 10 milliseconds.
    Drips(usize),
}

/// A running server.
#[derive(Debug)]
pub struct Mirror {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Mirror {
    /// Serves the files of a folder from a port of the loopback interface, until the program ends.
    ///
    /// # Panics
    ///
    /// If there is no such port.
    #[must_use]
    pub fn start(folder: &Path, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback interface");
        let address = listener.local_addr().expect("it is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let server =
            Self { address: format!("http://{address}/"), requests: Arc::clone(&requests) };
        let folder = folder.to_path_buf();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, requests) = (folder.clone(), Arc::clone(&requests));
                std::thread::spawn(move || {
                    // A client that closes the connection is not an error of the server.
                    let _ = answer(&stream, &folder, manner, &requests);
                });
            }
        });
        server
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The requests so far, as names of files.
    ///
    /// # Panics
    ///
    /// If the server did.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("the server runs").clone()
    }
}

fn answer(
    mut stream: &TcpStream,
    folder: &Path,
    manner: Manner,
    requests: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let name = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_string();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    requests.lock().expect("no test panics with it").push(name.clone());
    let Ok(mut bytes) = fs::read(folder.join(name)) else {
        return write!(
            stream,
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    };
    let mut most = usize::MAX;
    match manner {
        Manner::HangsUp => return Ok(()),
        Manner::Refuses(number) => {
            return write!(
                stream,
                "HTTP/1.1 {number} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
        }
        Manner::WebPage => {
            bytes = b"<!DOCTYPE html><title>This page is gone</title>".to_vec();
        }
        Manner::Changed => {
            if let Some(last) = bytes.last_mut() {
                *last ^= 1;
            }
        }
        Manner::TooMuch => bytes.push(0),
        Manner::BreaksOff(count) | Manner::FallsSilent(count) | Manner::Drips(count) => {
            most = count;
        }
        Manner::Well => {}
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    )?;
    let (first, rest) = bytes.split_at(bytes.len().min(most));
    stream.write_all(first)?;
    match manner {
        Manner::FallsSilent(_) => std::thread::sleep(PATIENCE),
        Manner::Drips(_) => {
            for byte in rest {
                std::thread::sleep(Duration::from_millis(10));
                stream.write_all(&[*byte])?;
            }
        }
        _ => {}
    }
    Ok(())
}
