#![doc = include_str!("../README.md")]

mod exchange;
mod folder;
mod index;
mod odds;
mod published;
mod record;
mod requests;
mod runtime;
mod scratch;
mod settings;
mod slate;
mod tables;
mod texts;
mod upload;

/// A reader under test, with the checks of its results.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name of the target, of its seeds' folder, and of its libFuzzer program.
    pub name: &'static str,
    /// Reads the bytes; panics if the reader breaks a promise.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 16] = [
    Target { name: "folder_csv", run: folder::csv },
    Target { name: "folder_json", run: folder::json },
    Target { name: "folder_parquet", run: folder::parquet },
    Target { name: "manifest", run: folder::manifest },
    Target { name: "archive", run: published::decode_archive },
    Target { name: "slate", run: slate::decode },
    Target { name: "catalog", run: published::read_catalog },
    Target { name: "odds_feed", run: odds::convert },
    Target { name: "tables", run: tables::convert },
    Target { name: "exchange", run: exchange::read },
    Target { name: "texts", run: texts::read },
    Target { name: "record", run: record::read },
    Target { name: "index", run: index::read },
    Target { name: "requests", run: requests::send },
    Target { name: "settings", run: settings::load },
    Target { name: "upload", run: upload::unpack_archive },
];

/// Runs a target on some bytes.
///
/// # Panics
///
/// Panics if the reader breaks a promise, or if there is no such target.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    (target.run)(bytes);
}
