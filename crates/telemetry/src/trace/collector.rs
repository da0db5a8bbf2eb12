use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::Protocol;
use reqwest::header::HeaderName;
use reqwest::{Client, Url};
use sports_ports::in_one_line;
use tokio::runtime::Handle;

/// A variable of OpenTelemetry that cannot be used. A value may be a secret, so the error does not contain it.
#[derive(Debug, thiserror::Error)]
#[error("environment variable {name} cannot be used: expected {expected}")]
pub struct BadVariable {
    name: &'static str,
    expected: &'static str,
}

/// The settings of a collector that the library reads otherwise, or not strictly enough.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CollectorSettings {
    pub protocol: Protocol,
    /// The time limit of a request.
    pub timeout: Duration,
}

impl CollectorSettings {
    /// The default of the specification.
    const TIMEOUT: Duration = Duration::from_secs(10);

    /// Reads the variables; returns `None` if they name no collector.
    ///
    /// # Errors
    ///
    /// [`BadVariable`] for one that the library would ignore, or print with its value.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, BadVariable> {
        // That of traces comes first.
        let first = |names: [&'static str; 2]| {
            let of = |name| Some((name, variable(name).filter(|value| !value.is_empty())?));
            names.into_iter().find_map(of)
        };
        let is_disabled = variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let endpoint = first(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]);
        let Some((name, address)) = endpoint.filter(|_| !is_disabled) else { return Ok(None) };
        let is_http = |address: &Url| matches!(address.scheme(), "http" | "https") && address.has_host();
        if !Url::parse(&address).is_ok_and(|address| is_http(&address)) {
            return Err(BadVariable { name, expected: "an address, such as http://localhost:4318" });
        }
        if let Some((name, headers)) = first(["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]) {
            let is_header =
                |pair: &str| pair.split_once('=').is_some_and(|(name, _)| name.trim().parse::<HeaderName>().is_ok());
            if !headers.split(',').filter(|pair| !pair.trim().is_empty()).all(is_header) {
                return Err(BadVariable { name, expected: "names and values: name=value,name=value" });
            }
        }
        let protocol = match first(["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
            None => Protocol::HttpBinary,
            Some((name, protocol)) => match protocol.as_str() {
                "http/protobuf" => Protocol::HttpBinary,
                "http/json" => Protocol::HttpJson,
                _ => return Err(BadVariable { name, expected: "http/protobuf or http/json" }),
            },
        };
        let timeout = match first(["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]) {
            None => Self::TIMEOUT,
            Some((name, milliseconds)) => {
                let milliseconds = milliseconds.parse().ok().filter(|milliseconds| *milliseconds > 0);
                Duration::from_millis(milliseconds.ok_or(BadVariable { name, expected: "a number of milliseconds" })?)
            }
        };
        Ok(Some(Self { protocol, timeout }))
    }
}

/// The client of a collector. It reports in the log when spans begin to get lost, and when they arrive again.
#[derive(Debug)]
pub(super) struct CollectorClient {
    http: Client,
    /// The runtime of the requests: the exporter has a thread without one.
    runtime: Handle,
    is_failing: AtomicBool,
}

impl CollectorClient {
    /// Creates a client, whose requests run on the current runtime.
    pub fn new(timeout: Duration) -> Result<Self, reqwest::Error> {
        let http = Client::builder().timeout(timeout).build()?;
        Ok(Self { http, runtime: Handle::current(), is_failing: AtomicBool::new(false) })
    }

    /// Logs the first failure of a series, and the first success after it.
    fn log_transition(&self, failure: Option<String>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Relaxed);
        match (failure, was_failing) {
            (Some(causes), false) => tracing::warn!(causes, "traces do not reach their collector: {causes}"),
            (None, true) => tracing::info!("traces reach their collector again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let http = self.http.clone();
        let sent = self.runtime.spawn(async move {
            let answer = http.execute(request.try_into()?).await?;
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = answer.status();
            *response.headers_mut() = answer.headers().clone();
            *response.body_mut() = answer.bytes().await?;
            Ok::<_, reqwest::Error>(response)
        });
        let answer = sent.await?.map_err(reqwest::Error::without_url);
        self.log_transition(match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("the collector answered {}", answer.status())),
            Err(error) => Some(in_one_line(error)),
        });
        Ok(answer?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Option<CollectorSettings>, String> {
        let variable =
            |name: &str| variables.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned());
        CollectorSettings::from_variables(variable).map_err(|error| error.to_string())
    }

    const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");

    #[test]
    fn a_collector_has_the_defaults_of_the_specification() {
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "")]), Ok(None));
        assert_eq!(read(&[ENDPOINT, ("OTEL_SDK_DISABLED", "true")]), Ok(None));
        let settings = CollectorSettings { protocol: Protocol::HttpBinary, timeout: Duration::from_secs(10) };
        assert_eq!(read(&[ENDPOINT]), Ok(Some(settings)));
        let variables =
            [ENDPOINT, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"), ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2500")];
        let settings = CollectorSettings { protocol: Protocol::HttpJson, timeout: Duration::from_millis(2_500) };
        assert_eq!(read(&variables), Ok(Some(settings)));
    }

    #[test]
    fn a_malformed_variable_is_named_without_its_value() {
        for (name, value) in [
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector:secret"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=secret,secret"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc-secret"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "10 secret"),
        ] {
            let refused = read(&[ENDPOINT, (name, value)]).expect_err(name);
            assert!(refused.contains(name) && !refused.contains("secret"), "{refused}");
        }
    }
}
