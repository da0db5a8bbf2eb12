//! The exit codes of the program.

use std::error::Error;
use std::process::ExitCode;

use sports_accounts_sea_orm::ConnectError;
use sports_limits::NotARedisAddress;
use sports_prices_kalshi::SetupError;
use sports_program::settings::SettingsError;
use sports_store::OpenError;

/// Returns 2 if a setting or an option is wrong, else 1.
pub fn exit_code(error: &(dyn Error + Send + Sync + 'static)) -> ExitCode {
    let is_input = error.is::<SettingsError>()
        || error.downcast_ref().is_some_and(sports_telemetry::SetupError::blames_a_variable)
        || is_demo_input(error)
        || matches!(error.downcast_ref(), Some(SetupError::NotAnAddress { .. }))
        || error.downcast_ref().is_some_and(OpenError::blames_the_address)
        || error.is::<NotARedisAddress>()
        || error.downcast_ref().is_some_and(ConnectError::blames_the_address);
    if is_input { ExitCode::from(2) } else { ExitCode::FAILURE }
}

#[cfg(feature = "demo")]
fn is_demo_input(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    error.is::<sports_demo::BadOptions>()
}

#[cfg(not(feature = "demo"))]
const fn is_demo_input(_: &(dyn Error + Send + Sync + 'static)) -> bool {
    false
}
