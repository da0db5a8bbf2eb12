//! The command `demo`: a server with a simulated world to serve.

use std::error::Error;
use std::sync::Arc;

use sports_demo::{Demo, DemoOptions, MESSAGE};
use sports_http_transport::Listeners;
use sports_settings::Settings;
use sports_telemetry::access_log::LogWriter;

use crate::routes::explore::OneClick;
use crate::routes::root::RootMessage;
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
    let api = wiring::wire_locked(&settings, lock).await?.logged_to(log);
    let api = api.provide(Arc::new(RootMessage(MESSAGE.to_owned())));
    let api = match demo.one_click() {
        Some((token, key)) => api.provide(Arc::new(OneClick::new(token, key))),
        None => api,
    };
    let publishing = demo.keep_up(&settings);
    let served = server::serve(api, &settings, listeners, |url| demo.print_commands(url)).await;
    publishing.end().await;
    served
}
