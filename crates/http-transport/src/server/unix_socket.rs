use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use super::ListenError;

/// The permissions of a socket: the user and the group of the server may connect, such as a proxy in that group.
const MODE: u32 = 0o660;

/// Listens on a Unix socket. Replaces a socket on which nothing listens, which a server that was killed leaves behind.
///
/// # Errors
///
/// [`ListenError`] if there is another file, if another program listens, or if the socket cannot be created.
pub(super) fn bind(path: &Path) -> Result<UnixListener, ListenError> {
    let failed = |error| ListenError::Socket { path: path.to_owned(), error };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.file_type().is_socket() => return Err(ListenError::NotASocket { path: path.to_owned() }),
        Ok(_) if UnixStream::connect(path).is_ok() => return Err(ListenError::SocketInUse { path: path.to_owned() }),
        Ok(_) => fs::remove_file(path).map_err(failed)?,
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    fs::set_permissions(path, Permissions::from_mode(MODE)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}
