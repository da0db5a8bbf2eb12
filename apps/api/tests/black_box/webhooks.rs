//! Webhooks of the real programs: what arrives at a receiver, from one server and from several of one database.

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};

use crate::cluster::Cluster;
use crate::service::{Answer, Service, Site};
use crate::stream::publish;

const HOOKS: &str = "/api/v1/customers/me/webhooks";

/// What a server needs to deliver to receivers on this machine.
const HERE: [(&str, &str); 2] =
    [("SPORTS_WEBHOOKS__ALLOW_HTTP", "true"), ("SPORTS_WEBHOOKS__ALLOW_NETWORKS", "127.0.0.0/8")];

/// The time limit for a delivery.
const SOON: Duration = Duration::from_mins(1);

/// A message as a receiver gets it.
#[derive(Debug, Clone)]
struct Message {
    head: String,
    body: String,
}

impl Message {
    fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")));
        line.and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value.trim())
    }

    fn id(&self) -> &str {
        self.header("webhook-id")
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// Checks the signature as Standard Webhooks describes it, with another program, and the age of the message.
    fn check(&self, secret: &str) {
        let program = "import base64, hashlib, hmac, sys, time\n\
            assert abs(time.time() - int(sys.argv[3])) < 100\n\
            key = base64.b64decode(sys.argv[1].removeprefix('whsec_'))\n\
            text = '.'.join(sys.argv[2:5]).encode()\n\
            print('v1,' + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode())";
        let timestamp = self.header("webhook-timestamp");
        let signed = Command::new("python3").args(["-c", program, secret, self.id(), timestamp, &self.body]).output();
        let signature = String::from_utf8(signed.expect("python3 runs").stdout).expect("text");
        assert_eq!(self.header("webhook-signature"), signature.trim());
    }
}

/// A receiver of messages. It answers with the statuses in turn, and with the last one from then on.
struct Receiver {
    port: u16,
    messages: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    async fn start(statuses: &'static [u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let messages = Arc::<Mutex<Vec<Message>>>::default();
        let seen = Arc::clone(&messages);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let seen = Arc::clone(&seen);
                tokio::spawn(async move {
                    let (mut text, mut piece) = (String::new(), [0; 8192]);
                    let message = loop {
                        let Ok(read @ 1..) = stream.read(&mut piece).await else { return };
                        text.push_str(&String::from_utf8_lossy(&piece[..read]));
                        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                        let message = Message { head: head.to_owned(), body: body.to_owned() };
                        if message.header("content-length").parse() == Ok(body.len()) {
                            break message;
                        }
                    };
                    let status = {
                        let mut seen = seen.lock().expect("no panic");
                        seen.push(message);
                        statuses[(seen.len() - 1).min(statuses.len() - 1)]
                    };
                    let answer = format!("HTTP/1.1 {status} Answer\r\nlocation: /\r\ncontent-length: 0\r\n\r\n");
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { port, messages }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    fn messages(&self) -> Vec<Message> {
        self.messages.lock().expect("no panic").clone()
    }

    /// Waits until the messages are so.
    async fn until(&self, what: &str, is_so: impl Fn(&[Message]) -> bool) -> Vec<Message> {
        let started = Instant::now();
        loop {
            let messages = self.messages();
            if is_so(&messages) {
                return messages;
            }
            assert!(started.elapsed() < SOON, "{what}: {messages:?}");
            sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn send(service: &Service, method: Method, path: &str, body: Option<Value>) -> Answer {
    let request = service.call(method, path);
    Answer::to(if let Some(body) = body { request.json(&body) } else { request }).await
}

/// Creates a webhook; returns its path and its secret.
async fn create(service: &Service, body: Value) -> (String, String) {
    let answer = send(service, Method::POST, HOOKS, Some(body)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = |name: &str| answer.json()[name].as_str().expect("text").to_owned();
    (format!("{HOOKS}/{}", text("id")), text("secret"))
}

/// Creates a webhook, and waits until a test has arrived: from then on, it is told of what happens.
async fn create_and_test(service: &Service, receiver: &Receiver, body: Value) -> (String, String) {
    let (path, secret) = create(service, body).await;
    assert_eq!(send(service, Method::POST, &format!("{path}/test"), None).await.status, 200);
    receiver.until("a test", |messages| !messages.is_empty()).await;
    (path, secret)
}

fn check_all(messages: &[Message], secret: &str) {
    for message in messages {
        message.check(secret);
    }
}

fn generations(messages: &[Message]) -> Vec<u64> {
    let releases = messages.iter().map(Message::json).filter(|message| message["type"] == "release");
    releases.map(|message| message["data"]["generation"].as_u64().expect("a number")).collect()
}

#[tokio::test]
async fn releases_arrive_signed_and_are_repeated_until_they_are_accepted() {
    let site = Site::on_one_machine();
    publish(&site, 1);
    let service = site.serve_with(&HERE).await;
    let receiver = Receiver::start(&[200, 500, 302, 200]).await;
    let hook = json!({ "url": receiver.url(), "sports": ["nfl"], "events": ["release"] });
    let (path, secret) = create_and_test(&service, &receiver, hook).await;
    publish(&site, 2);
    let messages = receiver.until("three attempts", |messages| messages.len() == 4).await.split_off(1);
    assert_eq!(generations(&messages), [2, 2, 2]);
    assert!(messages.iter().all(|message| message.id() == messages[0].id()), "{messages:?}");
    check_all(&messages, &secret);
    let message = messages[0].json();
    let release = &service.json_of("releases/nfl").await["releases"][0];
    for (name, value) in release.as_object().expect("an object") {
        assert_eq!(&message["data"][name], value, "{name}");
    }
    assert_eq!((&message["timestamp"], &message["data"]["sport"]), (&release["published_at"], &json!("nfl")));
    let listed = service.until(&format!("{path}/deliveries"), |answer| answer.json()[0]["is_delivered"] == true).await;
    let delivery = &listed.json()[0];
    assert_eq!(delivery["id"], messages[0].id());
    assert_eq!((&delivery["attempts"], &delivery["last_status"]), (&json!(3), &json!(200)));
    assert_eq!(delivery["next_attempt_at"], Value::Null);
    let hooks = service.get(HOOKS).await.json();
    assert_eq!((&hooks[0]["is_enabled"], &hooks[0]["failing_since"]), (&json!(true), &Value::Null));
    assert!(!hooks.to_string().contains("whsec_"), "the secret is shown once");
}

#[tokio::test]
async fn what_was_published_while_the_server_was_killed_is_delivered_later() {
    let site = Site::on_one_machine();
    publish(&site, 1);
    let service = site.serve_with(&HERE).await;
    let receiver = Receiver::start(&[200]).await;
    let hook = json!({ "url": receiver.url(), "sports": ["nfl"] });
    let (_, secret) = create_and_test(&service, &receiver, hook).await;
    publish(&site, 2);
    receiver.until("the second release", |messages| generations(messages) == [2]).await;
    service.end("KILL");
    publish(&site, 3);
    publish(&site, 4);
    let _service = site.serve_with(&HERE).await;
    let messages = receiver.until("what was missed", |messages| generations(messages).len() >= 3).await;
    let mut seen = generations(&messages);
    seen.dedup();
    assert_eq!(seen, [2, 3, 4]);
    check_all(&messages, &secret);
}

#[tokio::test]
async fn a_test_is_sent_and_an_address_that_is_not_public_is_refused() {
    let site = Site::on_one_machine();
    let receiver = Receiver::start(&[200]).await;
    // The operator allows HTTP here, and no network.
    let service = site.serve_with(&HERE[..1]).await;
    let local = create(&service, json!({ "url": receiver.url() })).await.0;
    let name = create(&service, json!({ "url": format!("http://localhost:{}/", receiver.port) })).await.0;
    for path in [&local, &name] {
        let sent = send(&service, Method::POST, &format!("{path}/test"), None).await;
        let is_tried = |answer: &Answer| answer.json()[0]["attempts"] == 1;
        let listed = service.until(&format!("{path}/deliveries"), is_tried).await.json();
        assert_eq!((&listed[0]["id"], &listed[0]["event"]), (&sent.json()["id"], &json!("test")));
        let error = listed[0]["last_error"].as_str().expect("a reason");
        assert!(error.contains("not public"), "{error}");
    }
    assert!(receiver.messages().is_empty());
    service.end("TERM");
    let service = site.serve_with(&HERE).await;
    let messages = receiver.until("the tests", |messages| messages.len() >= 2).await;
    assert_eq!(messages[0].json()["type"], "test");
    let removed = send(&service, Method::DELETE, &local, None).await;
    assert_eq!(removed.json()["message"], "Webhook removed");
    assert_eq!(
        send(&service, Method::POST, &format!("{local}/test"), None).await.failure(404),
        "You have no such webhook"
    );
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_told_nothing_until_it_is_enabled() {
    let site = Site::on_one_machine();
    let service = site.serve_with(&HERE).await;
    let receiver = Receiver::start(&[410, 200]).await;
    let (path, _) = create(&service, json!({ "url": receiver.url() })).await;
    assert_eq!(send(&service, Method::POST, &format!("{path}/test"), None).await.status, 200);
    let hooks = service.until(HOOKS, |answer| answer.json()[0]["is_enabled"] == false).await.json();
    assert_eq!(hooks[0]["disabled_reason"], "the receiver answered 410");
    let refused = send(&service, Method::POST, &format!("{path}/test"), None).await;
    assert!(refused.failure(400).contains("enable it first"), "{}", refused.text());
    let enabled = send(&service, Method::POST, &format!("{path}/enable"), None).await.json();
    assert_eq!((&enabled["is_enabled"], &enabled["disabled_at"]), (&json!(true), &Value::Null));
    assert_eq!(send(&service, Method::POST, &format!("{path}/test"), None).await.status, 200);
    receiver.until("another test", |messages| messages.len() == 2).await;
}

#[tokio::test]
async fn webhooks_are_limited_and_wrong_ones_are_explained() {
    let site = Site::on_one_machine();
    let service = site.serve().await;
    let tables = [
        (json!({ "url": "http://example.com/" }), "`url`: it must begin with https://"),
        (json!({ "url": "example.com" }), "`url`: expected an address such as https://example.com/hooks/sports"),
        (json!({ "url": "https://a:b@example.com/" }), "`url`: it cannot have a user or a password"),
        (json!({ "url": "https://example.com/", "sports": ["xfl"] }), "`sports`: "),
        (json!({ "url": "https://example.com/", "sports": null }), "invalid type: null"),
        (json!({ "url": "https://example.com/", "sports": [] }), "`sports`: the list is empty"),
        (
            json!({ "url": "https://example.com/", "events": ["finals"] }),
            "`events`: `finals` is none of release and status",
        ),
        (json!({ "url": "https://example.com/", "events": ["test"] }), "`events`: `test` is sent on request"),
        (json!({ "url": "https://example.com/", "leagues": ["nfl"] }), "unknown field `leagues`"),
        (json!({ "url": format!("https://example.com/?key={}", service.key()) }), "`url`: "),
        (json!({}), "missing field `url`"),
    ];
    for (body, expected) in tables {
        let refused = send(&service, Method::POST, HOOKS, Some(body.clone())).await;
        assert!(refused.failure(400).contains(expected), "{body}: {}", refused.text());
    }
    for number in 0..10 {
        create(&service, json!({ "url": format!("https://example.com/{number}") })).await;
    }
    let refused = send(&service, Method::POST, HOOKS, Some(json!({ "url": "https://example.com/" }))).await;
    assert!(refused.failure(400).contains("You have 10 webhooks"), "{}", refused.text());
    let reader =
        send(&service, Method::POST, "/api/v1/customers/me/api-keys", Some(json!({ "name": "r", "scope": "read" })))
            .await;
    let key = reader.json()["api_key"].as_str().expect("a key").to_owned();
    assert_eq!(service.with_key(&key).get(HOOKS).await.status, 403);
    let (_, other) = site.customer("other@example.com", "ai");
    assert_eq!(service.with_key(&other).get(HOOKS).await.json(), json!([]));
    let first = service.get(HOOKS).await.json()[0]["id"].as_str().expect("an id").to_owned();
    let foreign = service.with_key(&other).request(Method::DELETE, &format!("{HOOKS}/{first}"));
    assert_eq!(Answer::to(foreign).await.failure(404), "You have no such webhook");
}

/// Three nodes of one database, which are killed one after the other while releases are published.
#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn killed_nodes_lose_no_event_and_repeat_none_under_another_id() {
    let Some(site) = Cluster::site() else { return };
    publish(&site, 1);
    let mut cluster = Cluster::start(site, &HERE).await;
    let receiver = Receiver::start(&[200, 503, 200]).await;
    let hook = json!({ "url": receiver.url(), "sports": ["nfl"], "events": ["release"] });
    let (path, secret) = create_and_test(cluster.next(), &receiver, hook).await;
    for version in 2..8 {
        publish(&cluster.site, version);
        if version % 2 == 0 && cluster.nodes.len() > 1 {
            cluster.nodes.remove(0).end("KILL");
        }
    }
    let all = |messages: &[Message]| (2..8).all(|number| generations(messages).contains(&number));
    let messages = receiver.until("every release", all).await;
    check_all(&messages, &secret);
    for number in 2..8 {
        let of_release: Vec<_> =
            messages.iter().filter(|message| message.json()["data"]["generation"] == number).collect();
        assert!(of_release.iter().all(|message| message.id() == of_release[0].id()), "{of_release:?}");
    }
    let listed = cluster.nodes[0].get(&format!("{path}/deliveries")).await.json();
    assert_eq!(listed.as_array().map(Vec::len), Some(7), "six releases and the test");
}
