//! Betting rules, their records, and their replay.

mod item;
mod leaderboard;
mod path;
mod query;
mod replay;

pub use query::AccountingCode;
use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(leaderboard::list_strategies).service(replay::replay_strategy);
}
