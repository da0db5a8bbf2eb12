//! Recorded output, and the assertion that no key is in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reqwest::RequestBuilder;

use crate::service::{Answer, Service, Site};

/// The output so far.
#[derive(Default)]
pub struct Recording {
    outputs: Vec<String>,
    pub statuses: BTreeSet<u16>,
}

impl Recording {
    /// Sends a request and records its whole answer.
    pub async fn send(&mut self, request: RequestBuilder) -> Answer {
        let answer = Answer::to(request).await;
        self.note(format!("{} {:?} {}", answer.status, answer.headers, String::from_utf8_lossy(&answer.body)));
        self.statuses.insert(answer.status);
        answer
    }

    /// Sends a request that creates a key: records all but the body, and returns the key.
    pub async fn create_key(&mut self, request: RequestBuilder) -> String {
        let answer = Answer::to(request).await;
        self.note(format!("{} {:?}", answer.status, answer.headers));
        self.statuses.insert(answer.status);
        answer.json()["api_key"].as_str().expect("a key").to_owned()
    }

    pub fn note(&mut self, outputs: impl Into<String>) {
        self.outputs.push(outputs.into());
    }

    /// Stops a server and records its output and its log.
    pub fn stop(&mut self, site: &Site, service: Service) {
        let printed = service.printed();
        service.stop();
        self.note(printed);
        let log = site.log();
        assert!(log.contains("TRACE") && log.contains("answered "), "the log is complete");
        self.note(log);
    }

    /// Records every file that was written: the database, the store, the logs.
    pub fn read_files(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                self.read_files(&path);
            } else {
                let bytes = fs::read(&path).expect("a file");
                self.note(format!("{} {}", path.display(), String::from_utf8_lossy(&bytes)));
            }
        }
    }

    /// Asserts that no recorded output reveals one of these keys.
    pub fn assert_without<'k>(&self, keys: impl IntoIterator<Item = &'k String>) {
        for key in keys {
            for part in revealing_parts(key) {
                let found = self.outputs.iter().find(|text| text.contains(part));
                let line = found.and_then(|text| text.lines().find(|line| line.contains(part)));
                assert!(found.is_none(), "{}", line.unwrap_or_default());
            }
        }
    }
}

/// Returns the parts of a key that reveal it: each half of the part that masks hide.
fn revealing_parts(key: &str) -> [&str; 2] {
    let hidden = &key["sk_service_".len() + 4..];
    [&hidden[..20], &hidden[hidden.len() - 20..]]
}

/// Returns a key of the right form that no customer has.
pub fn unknown_key() -> String {
    sports_testkit::programs::TestFolder::fresh().subscriber_key()
}

/// Returns a key with its last letter wrong, so that its checksum does not match.
pub fn mistyped(key: &str) -> String {
    format!("{}x", &key[..key.len() - 1])
}
