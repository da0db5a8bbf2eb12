//! Lines on the standard streams by which no outcome is decided.

use std::fmt::Arguments;
use std::io::Write;

/// Prints a line on standard output, like `println`. A line that cannot be written, as on a full disk, is dropped.
#[macro_export]
macro_rules! print_line {
    ($($line:tt)*) => { $crate::printing::write_line(&mut ::std::io::stdout(), format_args!($($line)*)) };
}

/// Prints a line on standard error, like `eprintln`. A line that cannot be written, as on a full disk, is dropped.
#[macro_export]
macro_rules! print_error_line {
    ($($line:tt)*) => { $crate::printing::write_line(&mut ::std::io::stderr(), format_args!($($line)*)) };
}

/// Writes a line at once, since other programs may write to the same place. Drops it on an error.
pub fn write_line(stream: &mut dyn Write, line: Arguments<'_>) {
    let _: std::io::Result<()> = stream.write_all(format!("{line}\n").as_bytes()).and_then(|()| stream.flush());
}
