//! How large pages are, beside what other programs make of the same bytes: `sizes ROWS.ndjson`.

use std::error::Error;
use std::io::Write;

use sports_row_compression::{CompressedRows, Compression, Rows};

const HEAD: &str = r#"{"sport":"nfl","model_type":"won_on_spread","season":"2023-24","results":["#;
const TAIL: &str = r#"],"last_updated":"2024-02-14T15:04:05Z","total":285,"returned":100,"offset":0,"next_offset":100,"snapshot":"9f2c4e01d7ab3356","source_start":"2023-09-07","source_end":"2024-02-11"}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("sizes ROWS.ndjson")?;
    let (mut text, mut starts) = (Vec::new(), vec![0]);
    for row in std::fs::read_to_string(path)?.lines() {
        text.extend_from_slice(row.as_bytes());
        text.push(b',');
        starts.push(text.len());
    }
    let rows = Rows::new(&text, &starts);
    let number = starts.len() - 1;
    println!("{number} rows, {} bytes", text.len());
    println!("format rows plain usual ours ratio");
    for compression in [Compression::Gzip, Compression::Brotli, Compression::Zstd] {
        let season = CompressedRows::new(compression, rows).ok_or("rows without anything in common")?;
        for page in [1, 2, 5, 10, 11, 20, 50, 100, 1_000, number].into_iter().filter(|page| *page <= number) {
            let first = (number - page) / 3;
            let middle = &text[starts[first]..starts[first + page] - 1];
            let plain = [HEAD.as_bytes(), middle, TAIL.as_bytes()].concat();
            let range = first..first + page;
            let ours = season.page(HEAD.as_bytes(), rows, range, TAIL.as_bytes()).ok_or("too large")?.len();
            let usual = usual(compression, &plain)?;
            let ratio = 100 * ours / usual;
            println!("{compression:?} {page} {} {usual} {ours} {}.{:02}", plain.len(), ratio / 100, ratio % 100);
        }
        println!("{compression:?} keeps {} bytes", season.weight());
    }
    Ok(())
}

/// Gzip -6, Brotli 5 and Zstandard 3.
fn usual(compression: Compression, plain: &[u8]) -> std::io::Result<usize> {
    Ok(match compression {
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(plain)?;
            encoder.finish()?.len()
        }
        Compression::Brotli => {
            let mut encoder = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 5, 22);
            encoder.write_all(plain)?;
            encoder.flush()?;
            encoder.into_inner().len()
        }
        Compression::Zstd => zstd::bulk::compress(plain, 3)?.len(),
    })
}
