use std::sync::Arc;

use sports_http_transport::{Draining, Tally};
use sports_program::settings::Settings;
use sports_telemetry::access_log::{AccessLog, LogWriter};
use sports_telemetry::metrics::Metrics;
use sports_telemetry::trace::Traces;
use sports_telemetry::{BackgroundTasks, RequestRecorder};

/// The parts by which operators watch the server and stop it.
pub struct Operations {
    /// The counts of what happens on connections.
    pub tally: Arc<Tally>,
    pub draining: Arc<Draining>,
    pub tasks: Arc<BackgroundTasks>,
    pub metrics: Arc<Metrics>,
    /// The export of traces; `None` if the environment names no collector.
    pub traces: Option<Traces>,
    pub requests: RequestLog,
}

/// The log of requests.
pub enum RequestLog {
    Off,
    /// Lines with the network of the client.
    WithNetworks(LogWriter),
    /// Lines without anything about the client.
    WithoutNetworks(LogWriter),
}

impl Operations {
    /// Creates the parts of a server that has not begun: nothing is counted, and it does not drain.
    pub fn new(tasks: Arc<BackgroundTasks>, traces: Option<Traces>, requests: RequestLog) -> Self {
        Self { tally: Arc::default(), draining: Arc::default(), tasks, metrics: Arc::default(), traces, requests }
    }

    /// Creates the recorder of the requests of one worker.
    pub(crate) fn recorder(&self) -> RequestRecorder {
        let log = self.requests.writer().map(AccessLog::new);
        let logs_networks = matches!(self.requests, RequestLog::WithNetworks(_));
        RequestRecorder::new(log, Arc::clone(&self.metrics), logs_networks)
    }
}

impl RequestLog {
    pub fn from_settings(settings: &Settings, writer: LogWriter) -> Self {
        if settings.log.client_network { Self::WithNetworks(writer) } else { Self::WithoutNetworks(writer) }
    }

    pub(crate) const fn writer(&self) -> Option<&LogWriter> {
        match self {
            Self::Off => None,
            Self::WithNetworks(writer) | Self::WithoutNetworks(writer) => Some(writer),
        }
    }
}
