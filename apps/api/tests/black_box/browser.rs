//! A browser without a window, driven through its debugging pipe. One of them runs for all tests of the program; each test has
//! a context of its own, with its own pages, storage and downloads.

use std::collections::HashMap;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// The time limit for a page to reach the expected state.
const TIMEOUT: Duration = Duration::from_mins(3);

/// The script that collects violations of the page's policy, installed before the page's first script runs.
const WATCH: &str = "window.refused = []; addEventListener('securitypolicyviolation', \
                     event => refused.push(`${event.effectiveDirective} ${event.blockedURI}`));";

/// The script that starts the program, with descriptors 3 and 4 as its debugging pipe. It ends with this program, which
/// closes the pipe, and its profile is removed then.
const SHELL: &str = "trap '' INT TERM HUP; profile=$(mktemp -d); \
                     (trap - INT TERM HUP; exec \"$@\" \"--user-data-dir=$profile\" 3<&0 4>&1 </dev/null >/dev/null 2>&1); \
                     rm -rf \"$profile\"";

static CHROMIUM: LazyLock<Option<Chromium>> = LazyLock::new(|| chromium().map(Chromium::start));

/// The running browser.
struct Chromium {
    commands: Mutex<(u64, ChildStdin)>,
    readers: Mutex<Readers>,
}

/// The contexts that wait for the result of a command, by its number, and those that read the events of a page, by its session.
#[derive(Default)]
struct Readers {
    results: HashMap<u64, Sender<Value>>,
    events: HashMap<String, Sender<Value>>,
}

impl Readers {
    /// Tells every context that no message follows.
    fn end(&mut self) {
        for (_, reader) in self.results.drain() {
            drop(reader.send(Value::Null));
        }
    }

    /// Hands a message to its context, if that is still there.
    fn hand_over(&mut self, message: Value) {
        let reader = message["id"].as_u64().map_or_else(
            || self.events.get(message["sessionId"].as_str().unwrap_or_default()).cloned(),
            |id| self.results.remove(&id),
        );
        let Some(reader) = reader else { return };
        // The events of a session follow the result that names it.
        if let Some(session) = message["result"]["sessionId"].as_str() {
            self.events.insert(session.to_owned(), reader.clone());
        }
        drop(reader.send(message));
    }
}

impl Chromium {
    fn start(program: PathBuf) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", SHELL, "sh"])
            .arg(program)
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"])
            // A page that another one covers is shown all the same.
            .args(["--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"])
            .arg("--disable-background-timer-throttling")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let commands = child.stdin.take().expect("piped");
        let messages = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            Self::read(messages);
            child.wait()
        });
        Self { commands: Mutex::new((0, commands)), readers: Mutex::default() }
    }

    /// Reads messages until the browser ends.
    fn read(mut messages: BufReader<ChildStdout>) {
        let mut message = Vec::new();
        let readers = || &CHROMIUM.as_ref().expect("it runs").readers;
        while messages.read_until(0, &mut message).is_ok_and(|read| read > 0) {
            let Ok(parsed) = serde_json::from_slice(message.strip_suffix(&[0]).unwrap_or(&message)) else { break };
            readers().lock().expect("not poisoned").hand_over(parsed);
            message.clear();
        }
        readers().lock().expect("not poisoned").end();
    }

    /// Sends a command whose result goes to a reader; returns its number, or `None` if the browser has ended.
    fn send(&self, mut command: Value, reader: &Sender<Value>) -> Option<u64> {
        let mut commands = self.commands.lock().ok()?;
        commands.0 += 1;
        let id = commands.0;
        command["id"] = id.into();
        self.readers.lock().ok()?.results.insert(id, reader.clone());
        commands.1.write_all(format!("{command}\0").as_bytes()).ok()?;
        Some(id)
    }
}

/// The browser of one test: a context that shares nothing with those of others.
pub struct Browser {
    chromium: &'static Chromium,
    context: String,
    reader: Sender<Value>,
    messages: Receiver<Value>,
    /// Events of pages that no command has read yet, in order.
    events: Vec<Value>,
}

/// One page in a browser.
pub struct Page<'a> {
    browser: &'a mut Browser,
    session: String,
}

/// The size of a telephone's screen in its own pixels.
pub const TELEPHONE: (u32, u32) = (390, 844);

impl Browser {
    /// Creates a context; `None`, with a message, if no browser is installed and none is required.
    pub fn start() -> Option<Self> {
        let Some(chromium) = CHROMIUM.as_ref() else {
            assert!(env::var_os("REQUIRE_SERVICES").is_none(), "chromium is required");
            eprintln!("skipped: this needs chromium");
            return None;
        };
        let (reader, messages) = mpsc::channel();
        let mut browser = Self { chromium, context: String::new(), reader, messages, events: Vec::new() };
        let created = browser.call(None, "Target.createBrowserContext", &json!({ "disposeOnDetach": true }));
        created["browserContextId"].as_str().expect("an id").clone_into(&mut browser.context);
        Some(browser)
    }

    /// Opens an address in a new tab, and records violations of its policy, requests and errors.
    pub fn open(&mut self, url: &str) -> Page<'_> {
        let mut page = self.tab();
        page.go(url);
        page
    }

    /// Opens a new, empty tab.
    pub fn tab(&mut self) -> Page<'_> {
        self.events.clear();
        let target =
            self.call(None, "Target.createTarget", &json!({ "url": "about:blank", "browserContextId": self.context }))
                ["targetId"]
                .clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = self.call(None, "Target.attachToTarget", &attach)["sessionId"].as_str().expect("one").to_owned();
        let mut page = Page { browser: self, session };
        for domain in ["Page", "Network", "Log", "Runtime"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page.call("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        page.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": WATCH }));
        page
    }

    /// Sends a command and waits for its result; events that arrive meanwhile are recorded.
    fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.attempt(session, method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and returns its result, or the browser's error.
    fn attempt(&mut self, session: Option<&str>, method: &str, params: &Value) -> Result<Value, Value> {
        let mut command = json!({ "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let id = self.chromium.send(command, &self.reader).expect("the browser runs");
        loop {
            let message = self.messages.recv_timeout(TIMEOUT).expect("the browser answers");
            assert!(!message.is_null(), "the browser ended");
            if message["id"] == id {
                return message.get("error").map_or_else(|| Ok(message["result"].clone()), |error| Err(error.clone()));
            }
            self.events.push(message);
        }
    }
}

impl Page<'_> {
    /// Opens an address in this tab.
    pub fn go(&mut self, url: &str) {
        self.call("Page.navigate", &json!({ "url": url }));
    }

    /// Displays the page in the size of a telephone.
    pub fn on_a_telephone(&mut self) {
        let (width, height) = TELEPHONE;
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
        self.call("Emulation.setDeviceMetricsOverride", &screen);
    }

    /// Returns every address that was requested since the tab was opened.
    pub fn requested(&mut self) -> Vec<String> {
        let requests = self.happened("Network.requestWillBeSent");
        requests.iter().map(|event| event["request"]["url"].as_str().expect("an address").to_owned()).collect()
    }

    /// Returns the errors in the console since the tab was opened.
    pub fn errors(&mut self) -> Vec<Value> {
        let mut errors = self.happened("Runtime.exceptionThrown");
        errors.extend(self.happened("Log.entryAdded").into_iter().filter(|event| event["entry"]["level"] == "error"));
        errors.extend(self.happened("Runtime.consoleAPICalled").into_iter().filter(|event| event["type"] == "error"));
        errors
    }

    fn happened(&mut self, method: &str) -> Vec<Value> {
        // Earlier events have arrived when this returns.
        self.evaluate("0");
        let events = self.browser.events.iter().filter(|event| event["sessionId"] == self.session);
        events.filter(|event| event["method"] == method).map(|event| event["params"].clone()).collect()
    }

    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// Returns the events of the enabled domains so far, each once.
    pub fn events(&mut self) -> Vec<Value> {
        // Events that are on their way arrive before this answer.
        self.evaluate("0");
        std::mem::take(&mut self.browser.events)
    }

    /// Evaluates an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.attempt(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Evaluates an expression; returns an error while one document replaces another.
    fn attempt(&mut self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.browser.attempt(Some(&self.session), "Runtime.evaluate", &parameters)?;
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        Ok(result["result"]["value"].clone())
    }

    /// Waits until an expression has this value.
    pub async fn expect(&mut self, expression: &str, expected: &Value) {
        let started = Instant::now();
        loop {
            let value = self.attempt(expression);
            if value.as_ref() == Ok(expected) {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "{expression} is still {value:?}");
            sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let dispose =
            json!({ "method": "Target.disposeBrowserContext", "params": { "browserContextId": self.context } });
        // Nothing waits for the result.
        let _ = self.chromium.send(dispose, &self.reader);
    }
}

/// Returns the browser on the path, the one without a window first: it starts four times as fast.
fn chromium() -> Option<PathBuf> {
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    let named = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].into_iter().find_map(named)
}
