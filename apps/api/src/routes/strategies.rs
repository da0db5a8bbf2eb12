//! Betting rules, their records, and their replay.

mod item;
mod leaderboard;
mod path;
mod query;
mod replay;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(leaderboard::list_strategies)).service(operation!(replay::replay_strategy));
}
