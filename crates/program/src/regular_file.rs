//! Regular files: opened and read only if they are files, and no larger than they may be.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file, or a link to one.
///
/// # Errors
///
/// Errors of the system, and [`ErrorKind::InvalidInput`] for anything else at the path, which could block forever when opened.
pub fn open(path: &Path) -> io::Result<File> {
    check(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // It may have been replaced in between.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// Errors of [`open`], and [`ErrorKind::FileTooLarge`] for a larger file, of which at most `most + 1` bytes are read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_open(open(path)?, most)
}

/// Reads a file that is open, with the checks of [`read`].
pub(crate) fn read_open(mut file: File, most: u64) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    check(&metadata)?;
    if metadata.len() > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // It may be growing.
    file.by_ref().take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// Checks that metadata is that of a regular file.
///
/// # Errors
///
/// [`ErrorKind::InvalidInput`] for anything else, which the message names.
pub fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {}, not a file", kind(metadata.file_type()))))
}

fn kind(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    "something else"
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MiB, the most that is read", most >> 20))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_file_is_read_through_a_link_and_up_to_its_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "12345").expect("written");
        symlink(&file, &link).expect("linked");
        assert_eq!(read(&link, 5).expect("read"), b"12345");
        let refused = read(&file, 4).expect_err("too large");
        assert_eq!(refused.kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_path_that_is_no_file_is_named_without_blocking() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        assert!(Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo runs").success());
        let _socket = UnixListener::bind(at("socket")).expect("a socket");
        symlink("/dev/zero", at("device")).expect("linked");
        symlink(at("pipe"), at("link")).expect("linked");
        fs::create_dir(at("folder")).expect("a folder");
        let table = [
            ("pipe", "a named pipe"),
            ("link", "a named pipe"),
            ("socket", "a socket"),
            ("device", "a device"),
            ("folder", "a folder"),
        ];
        for (name, what) in table {
            let refused = read(&at(name), 1 << 20).expect_err(name);
            assert_eq!(refused.to_string(), format!("it is {what}, not a file"), "{name}");
        }
        assert_eq!(open(&at("nothing")).expect_err("missing").kind(), ErrorKind::NotFound);
    }
}
