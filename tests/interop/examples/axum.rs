//! A server that accepts files from strangers, of at most 16 MiB after decompression.

use axum::{Router, body::Bytes, http::StatusCode, routing::post};
use idx_std::ReadOptions;

async fn upload(body: Bytes) -> Result<String, (StatusCode, String)> {
    let file = ReadOptions::new().limit(16 << 20).from_bytes(body);
    let file = file.map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    Ok(format!("{} records", file.as_idx().len()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let _router: Router = Router::new().route("/", post(upload)); // for `axum::serve`
    println!("{:?}", upload(Bytes::from_static(b"<html>")).await);
}
