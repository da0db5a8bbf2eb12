//! Why the program ends otherwise than it was asked to, and with which exit code it says so.

use std::error::Error;
use std::process::ExitCode;

use sports_accounts_sea_orm::ConnectError;
use sports_artifacts_object_store::OpenError;
use sports_prices_kalshi::SetupError;
use sports_settings::SettingsError;

use crate::telemetry::BadFilter;

/// Options that do not go with what is there; the text says which, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadOptions(pub String);

/// 2 where a setting or an option is wrong, 1 for anything else.
#[must_use]
pub fn exit_code(error: &(dyn Error + Send + Sync + 'static)) -> ExitCode {
    let is_input = error.is::<SettingsError>()
        || error.is::<BadFilter>()
        || error.is::<BadOptions>()
        || matches!(error.downcast_ref(), Some(SetupError::NotAnAddress { .. }))
        || error.is::<OpenError>()
        || error.downcast_ref().is_some_and(ConnectError::blames_the_address);
    if is_input { ExitCode::from(2) } else { ExitCode::FAILURE }
}
