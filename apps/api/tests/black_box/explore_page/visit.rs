//! A tab of the page, with a record of its requests and errors.

use std::fs;
use std::path::Path;

use base64::Engine;
use serde_json::{Value, json};

use crate::browser::{Browser, Page};
use crate::service::Service;

/// The folder for screenshots of the page.
const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/explore");

pub struct Visit<'a> {
    pub page: Page<'a>,
    events: Vec<Value>,
}

impl<'a> Visit<'a> {
    /// Opens the page as a new visitor.
    pub async fn start(browser: &'a mut Browser, service: &Service) -> Self {
        let mut page = browser.tab();
        for domain in ["Network", "Log", "Runtime"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page.go(&service.url("/explore/"));
        let mut visit = Self { page, events: Vec::new() };
        visit.look(1280, "light");
        visit.page.expect("document.querySelector('main')?.dataset.shown", &json!("")).await;
        visit
    }

    /// Opens the page as a new visitor who types the service's own key.
    pub async fn with_key(browser: &'a mut Browser, service: &Service) -> Self {
        let mut visit = Self::start(browser, service).await;
        visit.type_key(service.key()).await;
        visit
    }

    /// Keeps the files that the page saves in a folder.
    pub fn save_to(&mut self, folder: &Path) {
        self.page.call("Page.setDownloadBehavior", &json!({ "behavior": "allow", "downloadPath": folder }));
    }

    /// Cuts the page off the network, or connects it again. The browser answers before its network obeys, so requests are sent
    /// until they show that it does.
    pub async fn be_offline(&mut self, is_offline: bool) {
        let conditions =
            json!({ "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.page.call("Network.emulateNetworkConditions", &conditions);
        let fails = "fetch('/health', { cache: 'no-store' }).then(() => false, () => true)";
        self.page.expect(fails, &json!(is_offline)).await;
    }

    /// Lets the intervals of the page pass a hundred times as fast from its next load on.
    pub fn hasten(&mut self) {
        let hasten = "const wait = setInterval; window.setInterval = (work, time) => wait(work, time / 100);";
        self.page.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": hasten }));
    }

    /// Sets the width of the page and its colour scheme.
    pub fn look(&mut self, width: u32, scheme: &str) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.page.call("Emulation.setDeviceMetricsOverride", &size);
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.page.call("Emulation.setEmulatedMedia", &features);
    }

    /// Opens a view by its address and waits until it is displayed, with the parts that are requested by themselves.
    pub async fn show(&mut self, address: &str) {
        let hash = format!("#/{address}");
        self.page.evaluate(&format!("location.hash = {}", json!(hash)));
        self.page.expect("document.querySelector('main').dataset.shown", &json!(hash)).await;
        self.settle().await;
    }

    /// Waits for the parts of the view that are requested by themselves.
    pub async fn settle(&mut self) {
        self.page.expect("document.querySelectorAll('.later[aria-busy]').length", &json!(0)).await;
    }

    /// Opens the tables of the figures of a view.
    pub fn open_numbers(&mut self) {
        self.page.evaluate("document.querySelectorAll('.under details').forEach(numbers => numbers.open = true)");
        // The content is made by an event that the browser sends after this task.
        self.page.evaluate("new Promise(done => setTimeout(done, 50))");
    }

    /// Returns the marks of figures, those of legends left out: their models or games, and their values as texts.
    pub fn marks(&mut self, selector: &str, name: &str) -> Vec<(String, String)> {
        let of = format!(
            "[...document.querySelectorAll({})].filter(mark => !mark.closest('.legend')).map(mark => \
             [mark.dataset.{name} ?? '', mark.dataset.value ?? ''])",
            json!(selector)
        );
        serde_json::from_value(self.page.evaluate(&of)).expect("texts")
    }

    /// Types a key as a person does, and waits until the view is displayed with it.
    pub async fn type_key(&mut self, key: &str) {
        self.page.evaluate("document.querySelector('#key-field').focus()");
        self.page.call("Input.insertText", &json!({ "text": key }));
        self.press("Enter", "\r");
        self.page
            .expect(
                "!!document.querySelector('#key-field-forget') && 'shown' in document.querySelector('main').dataset",
                &json!(true),
            )
            .await;
    }

    /// Presses a key of the keyboard.
    pub fn press(&mut self, name: &str, text: &str) {
        let code = match name {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            _ => panic!("{name} has no code here"),
        };
        let down = json!({ "type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": code, "text": text });
        self.page.call("Input.dispatchKeyEvent", &down);
        let up = json!({ "type": "keyUp", "key": name, "code": name, "windowsVirtualKeyCode": code });
        self.page.call("Input.dispatchKeyEvent", &up);
    }

    /// Returns the texts of elements.
    pub fn text(&mut self, selector: &str) -> Value {
        self.page
            .evaluate(&format!("[...document.querySelectorAll({})].map(found => found.innerText)", json!(selector)))
    }

    /// Returns the texts of a row's cells. Panics with the text of the view if it has no such row.
    pub fn row(&mut self, id: &str) -> Vec<String> {
        let cells = "[...(document.getElementById(id)?.cells ?? [])].map(cell => cell.innerText)";
        let cells = self.page.evaluate(&format!("((id) => {cells})({})", json!(id)));
        assert_ne!(cells, json!([]), "{id} is not in {}", self.text("main"));
        serde_json::from_value(cells).expect("texts")
    }

    /// Saves a screenshot of the whole page.
    pub fn keep_picture(&mut self, name: &str) {
        let height = self.page.evaluate("Math.min(document.documentElement.scrollHeight, 2400)");
        let width = self.page.evaluate("innerWidth");
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let parameters = json!({ "format": "webp", "quality": 80, "clip": clip, "captureBeyondViewport": true });
        let taken = self.page.call("Page.captureScreenshot", &parameters)["data"].clone();
        let picture =
            base64::engine::general_purpose::STANDARD.decode(taken.as_str().expect("text")).expect("a picture");
        fs::create_dir_all(PICTURES).expect("a folder");
        fs::write(Path::new(PICTURES).join(format!("{name}.webp")), picture).expect("written");
    }

    /// Returns the browser's complaints so far: errors, failed requests, and violations of the page's policy.
    pub fn complaints(&mut self) -> Vec<String> {
        self.listen();
        let complaints = self.events.iter().filter_map(|event| {
            let params = &event["params"];
            let is_one = match event["method"].as_str()? {
                "Log.entryAdded" => matches!(params["entry"]["level"].as_str(), Some("error" | "warning")),
                "Runtime.consoleAPICalled" => matches!(params["type"].as_str(), Some("error" | "warning" | "assert")),
                "Runtime.exceptionThrown" => true,
                _ => false,
            };
            is_one.then(|| params.to_string())
        });
        let complaints: Vec<_> = complaints.collect();
        assert_eq!(self.page.evaluate("window.refused"), json!([]), "its policy refuses it nothing");
        complaints
    }

    /// Returns the addresses that were requested so far.
    pub fn requested(&mut self) -> Vec<String> {
        self.listen();
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.filter_map(|event| event["params"]["request"]["url"].as_str().map(str::to_owned)).collect()
    }

    fn listen(&mut self) {
        self.events.extend(self.page.events());
    }
}

/// Returns the items of a JSON list.
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// Returns a JSON text.
pub fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}
