use std::collections::BTreeMap;

use chrono::NaiveDate;
use sports_domain::{Season, TeamSlug};
use sports_performance::{TeamForm, next_game_dates};
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// The record of each team in a season of a market, and the date of its next game.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonForm {
    /// The current season, or the newest if no season is current.
    pub season: PublishedSeason,
    pub current: Option<Season>,
    /// Teams with a decided game, best first.
    pub teams: Vec<TeamForm>,
    /// The date of each team's earliest game without a final from today on, if known.
    pub next_games: BTreeMap<TeamSlug, NaiveDate>,
}

#[derive(Hash)]
pub(super) struct FormQuestion {
    pub(super) season: PublishedSeason,
    pub(super) current: Option<Season>,
    /// The Eastern date of today.
    pub(super) today: NaiveDate,
    /// Future games that the season's archive does not contain, once per team.
    pub(super) predicted: Vec<(TeamSlug, NaiveDate)>,
}

impl QuestionKind for FormQuestion {
    type Answer = SeasonForm;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonForm, PortError> {
        let opened = figures.open(&self.season).await?;
        let predicted = self.predicted.iter().map(|(team, date)| (team, *date));
        let next_games = next_game_dates(opened.unsettled_by_team().chain(predicted), self.today);
        Ok(SeasonForm {
            season: self.season,
            current: self.current,
            teams: opened.form.clone(),
            next_games: next_games.into_iter().map(|(team, date)| (team.clone(), date)).collect(),
        })
    }
}
