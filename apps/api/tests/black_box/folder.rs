//! Folders to change: copies of release folders and of whole stores.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_domain::content::ObjectHash;
use sports_testkit::programs::{copy_folder, fixture};
use tempfile::TempDir;

/// A copy of a fixture's release folder.
pub struct Folder(TempDir);

impl Folder {
    pub fn copy_of(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        copy_folder(&fixture(name).join("release"), folder.path());
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Replaces the first `from` by `to`.
    pub fn replace(self, file: &str, from: &str, to: &str) -> Self {
        self.edit(file, |text| {
            assert!(text.contains(from), "{file} has no {from}");
            text.replacen(from, to, 1)
        })
    }

    /// Adds a line at the end.
    pub fn append(self, file: &str, line: &str) -> Self {
        self.edit(file, |text| format!("{}\n{line}\n", text.trim_end()))
    }

    /// Reverses the rows of a file, below its header.
    pub fn reversed(self, file: &str) -> Self {
        self.edit(file, |text| {
            let (head, rows) = text.split_once('\n').expect("a head");
            let rows: Vec<_> = rows.lines().rev().collect();
            format!("{head}\n{}\n", rows.join("\n"))
        })
    }

    /// Changes the text of a file.
    pub fn edit(self, file: &str, change: impl FnOnce(&str) -> String) -> Self {
        let file = self.path().join(file);
        let text = fs::read_to_string(&file).expect("a text file");
        fs::write(&file, change(&text)).expect("written");
        self
    }
}

/// One league's part of a store.
pub struct League(PathBuf);

impl League {
    pub fn nfl(store: &Path) -> Self {
        Self(store.join("sports").join("nfl"))
    }

    pub fn objects(&self) -> PathBuf {
        self.0.join("objects")
    }

    pub fn entry(&self, generation: u64) -> PathBuf {
        self.0.join("log").join(format!("{generation:012}.json"))
    }

    /// Returns the model type, season and file of every archive that an entry names.
    pub fn archives(&self, generation: u64) -> Vec<(String, String, PathBuf)> {
        let text = fs::read_to_string(self.entry(generation)).expect("an entry");
        let entry: Value = serde_json::from_str(&text).expect("JSON");
        let word = |value: &Value| value.as_str().expect("a text").to_owned();
        let named = entry["results"].as_array().expect("results").iter();
        let file = |hash: &Value| self.objects().join(format!("{}.parquet", word(hash)));
        named.map(|named| (word(&named["model_type"]), word(&named["season"]), file(&named["sha256"]))).collect()
    }

    /// Returns the file of one of these archives.
    pub fn archive(&self, generation: u64, model_type: &str, season: &str) -> PathBuf {
        let mut named = self.archives(generation).into_iter();
        named.find(|named| (&*named.0, &*named.1) == (model_type, season)).expect("the season").2
    }

    /// Changes an entry, as a program that writes such entries would have written it.
    pub fn rewrite_entry(&self, generation: u64, change: impl FnOnce(&mut Value)) {
        let text = fs::read_to_string(self.entry(generation)).expect("an entry");
        let mut entry: Value = serde_json::from_str(&text).expect("JSON");
        entry.as_object_mut().expect("an object").remove("sha256_above").expect("a digest");
        change(&mut entry);
        let text = serde_json::to_string_pretty(&entry).expect("JSON");
        let above = format!("{},\n", text.strip_suffix("\n}").expect("an object of several lines"));
        let digest = ObjectHash::from_bytes(above.as_bytes());
        let entry = format!("{above}  \"sha256_above\": \"{digest}\"\n}}\n");
        fs::write(self.entry(generation), entry).expect("written");
    }

    /// Returns the leaves that an entry adds to the tree, each with its index.
    pub fn leaves(&self, generation: u64) -> Vec<(u64, String)> {
        let read = |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON") };
        let record = &read(&self.entry(generation))["record"];
        let first = record["first"].as_u64().expect("a number");
        let object = read(&self.objects().join(record["leaves"]["object"].as_str().expect("an object")));
        let text = |leaf: &Value| leaf.as_str().expect("a text").to_owned();
        (first..).zip(object["leaves"].as_array().expect("leaves").iter().map(text)).collect()
    }

    /// Returns the index of the leaf of an entry whose text begins so.
    pub fn leaf(&self, generation: u64, begin: &str) -> Option<u64> {
        let mut leaves = self.leaves(generation).into_iter();
        leaves.find(|(_, text)| text.starts_with(begin)).map(|(index, _)| index)
    }

    /// Returns the file of the registry that an entry names.
    pub fn registry(&self, generation: u64) -> PathBuf {
        let text = fs::read_to_string(self.entry(generation)).expect("an entry");
        let entry: Value = serde_json::from_str(&text).expect("JSON");
        self.objects().join(entry["models"]["object"].as_str().expect("a registry"))
    }

    /// Stores an object and returns its fields in an entry.
    pub fn put(&self, kind: &str, bytes: &[u8]) -> [(&'static str, Value); 3] {
        let hash = ObjectHash::from_bytes(bytes).to_string();
        let name = format!("{hash}.{kind}");
        fs::write(self.objects().join(&name), bytes).expect("written");
        [("object", name.into()), ("sha256", hash.into()), ("bytes", bytes.len().into())]
    }
}
