//! Compression of bodies at levels that are fast enough for a first request: a page of 100 rows takes less than a millisecond
//! of CPU as gzip or Zstandard, less than three as Brotli.

use std::io::{self, Write};
use std::panic::resume_unwind;

use bytes::Bytes;
use tokio::task::{JoinError, spawn_blocking};

use crate::encoding::Encoding;

const GZIP_LEVEL: u32 = 4;
const BROTLI_QUALITY: u32 = 4;
const BROTLI_BUFFER: usize = 16 * 1024;
const ZSTD_LEVEL: i32 = 1;

/// The size up to which a body is compressed on the thread that answers the request, in bytes.
const INLINE: usize = 64 * 1024;

/// Returns a body in an encoding; `None` if that is not smaller than its pieces, which follow each other.
pub(crate) async fn compressed<const N: usize>(encoding: Encoding, pieces: [Bytes; N]) -> Option<Bytes> {
    let size: usize = pieces.iter().map(Bytes::len).sum();
    let compress = move || compress(encoding, &pieces, size);
    let compressed = if size <= INLINE || encoding == Encoding::Identity {
        compress()
    } else {
        match spawn_blocking(compress).await.map_err(JoinError::try_into_panic) {
            Ok(compressed) => compressed,
            Err(Ok(panic)) => resume_unwind(panic),
            // The program ends.
            Err(Err(_)) => return None,
        }
    };
    compressed.ok()?.filter(|compressed| compressed.len() < size).map(Bytes::from)
}

/// Compresses the pieces of a body; `None` without compression.
fn compress(encoding: Encoding, pieces: &[Bytes], size: usize) -> io::Result<Option<Vec<u8>>> {
    let mut out = Vec::new();
    match encoding {
        Encoding::Identity => return Ok(None),
        Encoding::Brotli => {
            // A window that is larger than the body takes memory and time for nothing.
            let window = (usize::BITS - size.leading_zeros()).clamp(16, 20);
            let mut encoder = brotli::CompressorWriter::new(&mut out, BROTLI_BUFFER, BROTLI_QUALITY, window);
            write(pieces, &mut encoder)?;
        }
        Encoding::Zstd => {
            let mut encoder = zstd::stream::Encoder::new(&mut out, ZSTD_LEVEL)?;
            encoder.set_pledged_src_size(Some(size as u64))?;
            write(pieces, &mut encoder)?;
            encoder.finish()?;
        }
        Encoding::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(&mut out, flate2::Compression::new(GZIP_LEVEL));
            write(pieces, &mut encoder)?;
            encoder.finish()?;
        }
    }
    // The body is kept for as long as its generation is current.
    out.shrink_to_fit();
    Ok(Some(out))
}

fn write(pieces: &[Bytes], out: &mut impl Write) -> io::Result<()> {
    pieces.iter().try_for_each(|piece| out.write_all(piece))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Returns the body that a client reads from a compressed one.
    fn decompressed(encoding: Encoding, compressed: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match encoding {
            Encoding::Identity => panic!("{encoding:?} compresses nothing"),
            Encoding::Brotli => brotli::Decompressor::new(compressed, 4096).read_to_end(&mut plain),
            Encoding::Zstd => zstd::stream::copy_decode(compressed, &mut plain).map(|()| plain.len()),
            Encoding::Gzip => flate2::read::GzDecoder::new(compressed).read_to_end(&mut plain),
        }
        .expect("a whole body");
        plain
    }

    #[tokio::test]
    async fn a_compressed_body_has_the_bytes_of_its_pieces_in_their_order() {
        for rows in [1, 20, 100, 2_000, 60_000] {
            let row = |row| format!("{{\"row\":{row},\"home_team\":\"boston_celtics\"}},");
            let pieces = ["{\"results\":[".to_owned(), (0..rows).map(row).collect(), "]}".repeat(20)].map(Bytes::from);
            for encoding in Encoding::COMPRESSED {
                let first = compressed(encoding, pieces.clone()).await.expect("smaller");
                assert_eq!(decompressed(encoding, &first), pieces.concat(), "{encoding:?} {rows}");
                assert_eq!(compressed(encoding, pieces.clone()).await, Some(first), "{encoding:?} {rows}");
            }
        }
    }

    #[tokio::test]
    async fn a_body_that_does_not_become_smaller_has_no_compressed_form() {
        for encoding in [Encoding::Identity].into_iter().chain(Encoding::COMPRESSED) {
            assert_eq!(compressed(encoding, [Bytes::from_static(b"[1]")]).await, None, "{encoding:?}");
            assert_eq!(compressed(encoding, [Bytes::new()]).await, None, "{encoding:?}");
        }
    }
}
