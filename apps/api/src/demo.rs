//! The command `demo`: a server with a simulated world to serve.

use std::error::Error;

use sports_demo::{Demo, DemoOptions, MESSAGE};
use sports_http_transport::Listeners;
use sports_program::settings::Settings;
use sports_telemetry::access_log::LogWriter;

use crate::state::{OneClick, RequestLog, Site};
use crate::{server, wiring};

/// Prepares the demo and serves it until it is stopped, publishing meanwhile.
///
/// # Errors
///
/// The options do not fit the folder, the world cannot be published, or the server cannot listen on the address.
pub async fn serve(
    mut settings: Settings,
    options: &DemoOptions,
    log: LogWriter,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let listeners = Listeners::bind(&settings)?;
    let lock = wiring::lock(&settings)?;
    let demo = Demo::prepare(&mut settings, options).await?;
    let one_click = demo.one_click().map(|(token, key)| OneClick::new(token, key));
    let mut site = Site { message: MESSAGE.to_owned(), one_click, ..Site::from_settings(&settings)? };
    site.witnesses.push(demo.witness().clone());
    let service = wiring::wire(&settings, site, lock, RequestLog::from_settings(&settings, log)).await?;
    let publishing = demo.keep_up(&settings);
    let served = server::serve(service, &settings, listeners, |url| demo.print_commands(url)).await;
    publishing.end().await;
    served
}
