use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use sports_domain::content::ObjectHash;
use sports_testkit::programs::{TestFolder, copy_folder};

/// The exit code and the output of a command.
#[derive(Debug)]
pub struct Completed {
    pub code: Option<i32>,
    pub out: String,
    /// Standard error without [`places`](Self::places).
    pub err: String,
    /// The lines on standard error that name the database and the store which a writing command opened.
    pub places: String,
}

impl From<Output> for Completed {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let names_a_place = |line: &&str| line.starts_with("database: ") || line.starts_with("store: ");
        let err = text(output.stderr);
        let (places, err) = err.split_inclusive('\n').partition(names_a_place);
        Self { code: output.status.code(), out: text(output.stdout), err, places }
    }
}

impl Completed {
    /// Parses the single JSON object on standard output.
    pub fn json(&self) -> Value {
        let json: Value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("one JSON value: {e}: {self:?}"));
        assert!(json.is_object(), "{json}");
        json
    }
}

/// Runs `sportsctl` to its end, with any exit code.
pub fn run<A: AsRef<OsStr>>(place: &TestFolder, arguments: impl IntoIterator<Item = A>) -> Completed {
    place.sportsctl(arguments).output().expect("sportsctl runs").into()
}

/// Runs `sportsctl --json`, expects success, and returns the object.
pub fn run_json<A: AsRef<OsStr>>(place: &TestFolder, arguments: impl IntoIterator<Item = A>) -> Value {
    let mut command = place.sportsctl(arguments);
    let output = Completed::from(command.arg("--json").output().expect("sportsctl runs"));
    assert_eq!(output.code, Some(0), "{output:?}");
    output.json()
}

/// Removes the names of the database and the store from the report of a writing command.
pub fn without_places(mut report: Value) -> Value {
    let fields = report.as_object_mut().expect("an object");
    assert!(fields.remove("database").is_some() | fields.remove("store").is_some(), "it names neither");
    report
}

/// Publishes a folder and returns the report.
pub fn publish(place: &TestFolder, folder: &Path) -> Value {
    run_json(place, [OsStr::new("publish"), folder.as_os_str()])
}

/// Returns a league's entries in the log, newest first.
pub fn releases(place: &TestFolder, sport: &str) -> Vec<Value> {
    make_store(place);
    let answer = run_json(place, ["releases", sport, "--limit", "1000"]);
    answer["releases"].as_array().expect("a list").clone()
}

/// Returns the report of `verify` about one league, which must verify.
pub fn verified(place: &TestFolder, sport: &str) -> Value {
    make_store(place);
    run_json(place, ["verify", sport])["verified"][0].clone()
}

/// Creates the store's folder: a command that only reads does not.
fn make_store(place: &TestFolder) {
    fs::create_dir_all(place.store()).expect("a folder");
}

/// Returns the path of a log entry.
pub fn entry(place: &TestFolder, sport: &str, generation: u64) -> PathBuf {
    place.store().join(format!("sports/{sport}/log/{generation:012}.json"))
}

/// Returns the number of entries in the log of a league on disk, without temporary files.
pub fn entries(place: &TestFolder, sport: &str) -> usize {
    let found = files(&place.store().join(format!("sports/{sport}/log")));
    let numbered = found.iter().filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".json"));
    numbered.filter(|stem| stem.len() == 12 && stem.bytes().all(|byte| byte.is_ascii_digit())).count()
}

/// Returns the catalog in a log entry.
pub fn catalog(place: &TestFolder, sport: &str, generation: u64) -> Value {
    let bytes = fs::read(entry(place, sport, generation)).expect("the entry");
    serde_json::from_slice(&bytes).expect("JSON")
}

/// Writes an entry with the digest that belongs to it; returns its hash.
pub fn write_entry(place: &TestFolder, sport: &str, mut catalog: Value) -> String {
    catalog.as_object_mut().expect("an object").remove("sha256_above");
    let text = serde_json::to_string_pretty(&catalog).expect("JSON");
    let above = format!("{},\n", text.strip_suffix("\n}").expect("an object of several lines"));
    let digest = ObjectHash::from_bytes(above.as_bytes());
    let text = format!("{above}  \"sha256_above\": \"{digest}\"\n}}\n");
    let path = entry(place, sport, catalog["generation"].as_u64().expect("a number"));
    fs::write(path, &text).expect("written");
    ObjectHash::from_bytes(text.as_bytes()).to_string()
}

/// Returns the season archives on disk that are named by hash, in any order.
pub fn objects(place: &TestFolder, sport: &str) -> Vec<PathBuf> {
    let found = files(&place.store().join(format!("sports/{sport}/objects")));
    found.into_iter().filter(|path| path.extension() == Some(OsStr::new("parquet"))).collect()
}

/// Returns every file below a folder, sorted; empty if there is no such folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

/// Copies a release folder and replaces one piece of text in one file.
pub fn edited(place: &TestFolder, release: &Path, (file, from, to): (&str, &str, &str)) -> PathBuf {
    let folder = place.path().join(format!("edited-{}", files(place.path()).len()));
    copy_folder(release, &folder);
    let text = fs::read_to_string(folder.join(file)).expect("the file");
    assert_eq!(text.matches(from).count(), 1, "`{from}` is in {file} once");
    fs::write(folder.join(file), text.replace(from, to)).expect("written");
    folder
}
