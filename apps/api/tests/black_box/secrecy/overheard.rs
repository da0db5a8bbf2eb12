//! Everything that was said where somebody could read it, and who must not be found in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reqwest::RequestBuilder;

use crate::service::{Answer, Service, Site};

/// What was said so far.
#[derive(Default)]
pub struct Overheard {
    said: Vec<String>,
    pub statuses: BTreeSet<u16>,
}

impl Overheard {
    /// Sends a request and listens to all of its answer.
    pub async fn ask(&mut self, request: RequestBuilder) -> Answer {
        let answer = Answer::to(request).await;
        self.note(format!("{} {:?} {}", answer.status, answer.headers, String::from_utf8_lossy(&answer.body)));
        self.statuses.insert(answer.status);
        answer
    }

    /// Sends a request that creates a key: listens to all but the body, and gives the key.
    pub async fn ask_for_a_key(&mut self, request: RequestBuilder) -> String {
        let answer = Answer::to(request).await;
        self.note(format!("{} {:?}", answer.status, answer.headers));
        self.statuses.insert(answer.status);
        answer.json()["api_key"].as_str().expect("a key").to_owned()
    }

    pub fn note(&mut self, said: impl Into<String>) {
        self.said.push(said.into());
    }

    /// Stops a server and reads what it printed and logged.
    pub fn stop(&mut self, site: &Site, service: Service) {
        let printed = service.printed();
        service.stop();
        self.note(printed);
        let log = site.log();
        assert!(log.contains("TRACE") && log.contains("answered "), "the log says everything");
        self.note(log);
    }

    /// Reads every file that was written: the database, the store, the logs.
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

    /// Nothing that was said gives one of these keys away.
    pub fn assert_silent_about<'k>(&self, keys: impl IntoIterator<Item = &'k String>) {
        for key in keys {
            for part in telling_parts(key) {
                let found = self.said.iter().find(|text| text.contains(part));
                let line = found.and_then(|text| text.lines().find(|line| line.contains(part)));
                assert!(found.is_none(), "{}", line.unwrap_or_default());
            }
        }
    }
}

/// What would give a key away: each half of the part that masks hide.
fn telling_parts(key: &str) -> [&str; 2] {
    let hidden = &key["sk_service_".len() + 4..];
    [&hidden[..20], &hidden[hidden.len() - 20..]]
}

/// A key of the right form that no customer has.
pub fn unknown_key() -> String {
    sports_testkit::programs::Place::fresh().subscriber_key()
}

/// A key with its last letter wrong, so that its checksum does not hold.
pub fn mistyped(key: &str) -> String {
    format!("{}x", &key[..key.len() - 1])
}
