//! The picture of a site.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::regular_file;

/// A picture of at most [`LARGEST`](Self::LARGEST) bytes: PNG, JPEG or WebP, which run nothing and load nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

impl Logo {
    /// The maximum size of the file, in bytes.
    pub const LARGEST: u64 = 512 << 10;

    /// Reads the file of a logo.
    ///
    /// # Errors
    ///
    /// Errors of the system, and [`ErrorKind::InvalidData`] for a file that is too large or no such picture.
    pub fn read(path: &Path) -> io::Result<Self> {
        let invalid = |reason: &str| io::Error::new(ErrorKind::InvalidData, reason);
        let bytes = regular_file::read(path, Self::LARGEST).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => {
                invalid("it is larger than 512 KiB: make it smaller; it is shown 40 pixels high")
            }
            _ => error,
        })?;
        let media_type = media_type(&bytes);
        let media_type = media_type.ok_or_else(|| invalid("it is no PNG, JPEG or WebP: convert it to one of them"))?;
        Ok(Self { media_type, bytes })
    }
}

/// Returns the media type of a whole picture by its first and last bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', .., b'I', b'E', b'N', b'D', _, _, _, _] => {
            Some("image/png")
        }
        // Some programs write more behind the end.
        [0xff, 0xd8, 0xff, rest @ ..] => rest.windows(2).any(|bytes| bytes == [0xff, 0xd9]).then_some("image/jpeg"),
        [b'R', b'I', b'F', b'F', a, b, c, d, b'W', b'E', b'B', b'P', b'V', b'P', b'8', ..] => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]);
            (bytes.len() as u64 == u64::from(length) + 8).then_some("image/webp")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;

    use super::*;

    /// Pictures of one pixel, made by other programs.
    const PICTURES: [(&str, &str); 2] = [
        ("image/png", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="),
        ("image/webp", "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA="),
    ];

    fn read(bytes: &[u8]) -> io::Result<Logo> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        Logo::read(file.path())
    }

    #[test]
    fn pictures_are_known_by_their_bytes() {
        for (media_type, text) in PICTURES {
            let bytes = BASE64_STANDARD.decode(text).expect("base64");
            assert_eq!(read(&bytes).expect("a picture").media_type, media_type);
            let cut = read(&bytes[..bytes.len() - 1]).expect_err("cut off").to_string();
            assert!(cut.contains("no PNG, JPEG or WebP"), "{cut}");
        }
        assert_eq!(read(&[0xff, 0xd8, 0xff, 0xe0, 0, 0xff, 0xd9]).expect("JPEG").media_type, "image/jpeg");
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_refused() {
        for bytes in [
            &b""[..],
            b"GIF89a;",
            b"\xff\xd8\xff\xe0",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"\x89PNG\r\n\x1a\n",
        ] {
            assert!(read(bytes).expect_err("no picture").to_string().contains("convert it"));
        }
        let large = [&BASE64_STANDARD.decode(PICTURES[0].1).expect("base64")[..], &vec![0; 20 << 20]].concat();
        assert!(read(&large).expect_err("20 MB").to_string().contains("larger than 512 KiB"));
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Logo::read(folder.path()).expect_err("a folder").to_string().contains("it is a folder"));
    }
}
