use std::collections::BTreeMap;

use chrono::NaiveDate;
use sports_domain::{Season, TeamSlug};
use sports_performance::{TeamForm, next_game_dates};
use sports_ports::PortError;

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// How each team did in a season of a market, and when it plays next.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonForm {
    /// The season: the current one, or the newest while none is current.
    pub season: PublishedSeason,
    /// The current season.
    pub current: Option<Season>,
    /// Teams with a decided game, best first.
    pub teams: Vec<TeamForm>,
    /// Each team's earliest game from today on that has no final, where one is known.
    pub next_games: BTreeMap<TeamSlug, NaiveDate>,
}

#[derive(Debug)]
pub(super) struct FormQuestion {
    pub(super) season: PublishedSeason,
    pub(super) current: Option<Season>,
    /// The Eastern date.
    pub(super) today: NaiveDate,
    /// Games to come that the season's archive does not hold, once for each team.
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
