use bytes::Bytes;
use chrono::DateTime;
use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::application;

/// A complete answer.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    /// Sends a request, to an application of this process or to a server, and returns the whole answer.
    pub async fn to(request: RequestBuilder) -> Self {
        let (client, request) = request.build_split();
        let request = match application::answer(request.expect("a request")).await {
            Ok(answer) => return answer,
            Err(request) => request,
        };
        let response = client.execute(request).await.expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, body: response.bytes().await.expect("a whole body") }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    pub fn text(&self) -> &str {
        str::from_utf8(&self.body).unwrap_or("(not text)")
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", self.text());
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Asserts a failure of this status, in the common form of failures; returns its detail.
    pub fn failure(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body = self.json();
        let fields: Vec<_> = body.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(fields, ["detail", "error", "timestamp"]);
        assert_eq!(body["error"], format!("HTTP_{status}"));
        let timestamp = body["timestamp"].as_str().expect("a text");
        assert!(DateTime::parse_from_rfc3339(timestamp).is_ok(), "{timestamp}");
        assert!(self.header("x-request-id").is_some_and(|id| !id.is_empty()));
        let detail = body["detail"].as_str().expect("a text").to_owned();
        let is_full_month = detail.contains(" per month; the next month begins ");
        assert_eq!(self.header("retry-after").is_some(), matches!(status, 429 | 503) && !is_full_month);
        assert_eq!(self.header("www-authenticate").is_some(), status == 401);
        detail
    }
}
