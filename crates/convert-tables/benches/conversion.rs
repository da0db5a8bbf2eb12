//! The speed of a conversion, in bytes of CSV a second.
fn main() {}
