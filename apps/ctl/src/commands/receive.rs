use std::net::SocketAddr;

use serde_json::json;
use sports_program::StopSignals;

use crate::door::Door;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Receives releases and finals over HTTP until SIGTERM, SIGINT or SIGHUP, and answers what was received by then.
pub async fn run(places: &Places<'_>, bind: SocketAddr) -> Result<Report, Failure> {
    let mut signals = StopSignals::listen().map_err(Failure::other)?;
    let mut door = Door::open(places, bind).await?;
    door.work_until(signals.next()).await;
    door.close().await;
    Ok(Report::new(Vec::new(), json!({})))
}
