//! A browser without a window, driven through its debugging pipe.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// How long a page may take to become what is expected.
const PATIENCE: Duration = Duration::from_mins(1);

/// Collects what a page is refused by its policy, from before its first script runs.
const WATCH: &str = "window.refused = []; addEventListener('securitypolicyviolation', \
                     event => refused.push(`${event.effectiveDirective} ${event.blockedURI}`));";

pub struct Browser {
    child: Child,
    commands: ChildStdin,
    messages: BufReader<ChildStdout>,
    sent: u64,
    _profile: tempfile::TempDir,
}

/// One page in a browser.
pub struct Page<'a> {
    browser: &'a mut Browser,
    session: String,
}

impl Browser {
    /// A browser of this machine; says so where there is none and need not be.
    pub fn start() -> Option<Self> {
        let Some(program) = chromium() else {
            assert!(env::var_os("REQUIRE_SERVICES").is_none(), "chromium is required");
            eprintln!("skipped: this needs chromium");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        // The debugging pipe is descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(program)
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let commands = child.stdin.take().expect("piped");
        let messages = BufReader::new(child.stdout.take().expect("piped"));
        Some(Self { child, commands, messages, sent: 0, _profile: profile })
    }

    /// Opens an address and watches what it is refused.
    pub fn open(&mut self, url: &str) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", &json!({ "url": "about:blank" }))["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.call(None, "Target.attachToTarget", &attach)["sessionId"].as_str().expect("one").to_owned();
        let mut page = Page { browser: self, session };
        page.call("Page.enable", &json!({}));
        page.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": WATCH }));
        page.call("Page.navigate", &json!({ "url": url }));
        page
    }

    /// Sends a command and waits for its result; what happens meanwhile is not listened to.
    fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.sent += 1;
        let id = self.sent;
        let mut command = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut message = Vec::new();
            let read = self.messages.read_until(0, &mut message).expect("the browser speaks");
            assert!(read > 0, "the browser ended");
            let message: Value = serde_json::from_slice(message.strip_suffix(&[0]).expect("whole")).expect("JSON");
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }
}

impl Page<'_> {
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// What an expression comes to in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", &asked);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression comes to this.
    pub async fn expect(&mut self, expression: &str, expected: &Value) {
        let started = Instant::now();
        loop {
            let value = self.evaluate(expression);
            if value == *expected {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{expression} is still {value}");
            sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn chromium() -> Option<PathBuf> {
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    let named = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(named)
}
