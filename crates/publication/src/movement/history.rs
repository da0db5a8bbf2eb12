use chrono::{DateTime, Days, NaiveTime, Utc};
use sports_domain::{GameKey, GameLines, ModelType, eastern_instant};

use crate::identity::Start;
use crate::movement::forecasts::ForecastItem;
use crate::movement::game::GameMovement;
use crate::movement::lines::{ClosingLine, LineHistory};
use crate::movement::publications::{Publications, Published};
use crate::movement::row::RecordedRow;
use crate::movement::season::SeasonMovement;
use crate::movement::window::Window;

/// A game of a season, its lines and its forecasts. It is followed by its identity, whatever its starts were.
#[derive(Debug, Clone, Copy)]
pub struct GameHistory<'m> {
    season: &'m SeasonMovement,
    game: &'m GameMovement,
}

impl SeasonMovement {
    /// Returns the games of the season that were quoted or predicted, in the order of their present keys.
    pub fn games(&self) -> Vec<GameHistory<'_>> {
        let mut games: Vec<_> = self.movements().map(|game| GameHistory { season: self, game }).collect();
        games.sort_by(|one, other| one.key().cmp(other.key()));
        games
    }

    /// Returns a game of the season.
    pub fn game(&self, game_id: &str) -> Option<GameHistory<'_>> {
        self.movement(game_id).map(|game| GameHistory { season: self, game })
    }
}

impl<'m> GameHistory<'m> {
    /// Returns the identity of the game.
    pub fn game_id(&self) -> &'m str {
        self.game.game_id()
    }

    /// Returns the present key: that of the archives, else the newest one that was published.
    ///
    /// # Panics
    ///
    /// Never: a game is noted with a name.
    pub fn key(&self) -> &'m GameKey {
        let recorded = self.season.any_row(self.game.game_id()).map(|row| &row.key);
        let listed = || self.game.newest_listing().map(|listing| &listing.key);
        recorded.or_else(listed).expect("a game is noted with a name")
    }

    /// Returns the publisher's own id of the game. A game that was called off lost its published one, as did a game whose
    /// published id another game has now.
    pub fn match_id(&self) -> Option<&'m str> {
        let recorded = self.season.any_row(self.game.game_id()).and_then(|row| row.match_id.as_deref());
        let published = || self.game.newest_listing().filter(|_| !self.is_called_off())?.match_id.as_deref();
        recorded.or_else(|| published().filter(|_| !self.season.lost_its_id(self.game.game_id())))
    }

    /// Returns the game's row in the newest archive of a market.
    pub fn row(&self, model_type: ModelType) -> Option<&'m RecordedRow> {
        self.season.row(model_type, self.game.game_id())
    }

    /// Returns true if any market's archive has the game as called off.
    pub fn is_called_off(&self) -> bool {
        ModelType::ALL.iter().any(|of| self.row(*of).is_some_and(|row| row.is_called_off))
    }

    /// Returns true if odds ever quoted the game.
    pub fn was_quoted(&self) -> bool {
        self.game.quotes.spans(self.season.odds.len()).any(|(_, lines)| lines.is_some())
    }

    /// Returns true if predictions of a market ever had the game.
    pub fn was_predicted(&self, model_type: ModelType) -> bool {
        self.game.forecasts.contains_key(&model_type)
    }

    /// Returns the start on record; `None` if its time is unknown.
    pub fn starts_at(&self) -> Option<DateTime<Utc>> {
        instant(Start::of(self.key()))
    }

    /// Returns every start of the game on record, the oldest announcement first; some repeat. Starts that only the archives
    /// have are from before the entries that were read.
    pub fn former_starts(&self) -> impl Iterator<Item = Start> {
        let former = self.season.any_row(self.game.game_id()).map(|row| &*row.former_starts).unwrap_or_default();
        let published = self.game.starts().map(|(_, start)| start);
        let is_older = |start: &Start| !published.clone().any(|known| known == *start);
        let older: Vec<_> = former.iter().copied().filter(is_older).collect();
        older.into_iter().chain(published)
    }

    /// Returns the instants at which the game was to start before, oldest announcement first, each once.
    pub fn earlier_starts(&self) -> Vec<DateTime<Utc>> {
        let mut earlier = Vec::new();
        for start in self.former_starts().filter_map(instant) {
            if Some(start) != self.starts_at() && !earlier.contains(&start) {
                earlier.push(start);
            }
        }
        earlier
    }

    /// Returns the instant from which odds and forecasts no longer count: the first start that passed while it was on record,
    /// at the latest the present one. A game without a time closes at the end of its date.
    pub fn closes_at(&self) -> DateTime<Utc> {
        let starts = self.game.starts();
        let passed = starts.clone().zip(starts.skip(1)).map(|((_, start), (changed, _))| (closing(start), changed));
        let passed = passed.filter(|(start, changed)| start <= changed).map(|(start, _)| start);
        passed.min().map_or(closing(Start::of(self.key())), |passed| passed.min(closing(Start::of(self.key()))))
    }

    /// Returns true if the game has a close at an instant: its odds count no longer, and it was not called off.
    pub fn has_closed(&self, now: DateTime<Utc>) -> bool {
        self.closes_at() <= now && !self.is_called_off()
    }

    /// Returns the openers of the publisher, as results have them, each from the archive of its market.
    pub fn openers(&self) -> GameLines {
        let (money, spread) = (self.row(ModelType::WonOnPoints), self.row(ModelType::WonOnSpread));
        GameLines {
            open_money: money.map(|row| row.open_money).unwrap_or_default(),
            open_spread: spread.and_then(|row| row.open_spread),
            open_total: self.row(ModelType::OverUnder).and_then(|row| row.open_total),
            ..GameLines::default()
        }
    }

    /// Returns the lines of the game, all that were read.
    pub fn lines(&self) -> LineHistory {
        LineHistory::new(self.quotes(), &self.season.odds, Some(self.closes_at()))
    }

    /// Returns the lines of the game in a window, and whether they are complete: the oldest entry did not quote the game, or
    /// no older entry exists.
    pub fn lines_in(&self, window: &Window<'_>) -> (LineHistory, bool) {
        let through = self.season.odds.through_entry(window.oldest().generation);
        let oldest = through.saturating_sub(1);
        let quotes = self.quotes().filter(|(span, _)| span.end > oldest);
        let quotes = quotes.map(|(span, lines)| (span.start.max(oldest)..span.end, lines));
        let quotes = quotes.skip_while(|(_, lines)| lines.is_none());
        let mut history = LineHistory::new(quotes, &self.season.odds, Some(self.closes_at()));
        for line in &mut history.lines {
            line.published = window.seen(line.published);
        }
        // The line may have been quoted last before the window.
        if let Some((close, whole)) = history.close.as_mut().zip(self.lines().close) {
            *close = ClosingLine { published: window.seen(whole.published), ..whole };
        }
        let is_quoted = through > 0 && self.game.quotes.in_publication(oldest).is_some();
        (history, !(is_quoted && window.has_older()))
    }

    /// Returns the lines that the odds had at an instant, and their publication; `None` if they did not quote the game.
    pub fn lines_at(&self, instant: DateTime<Utc>) -> Option<(Published, GameLines)> {
        let publication = self.season.odds.through(instant).checked_sub(1)?;
        let lines = self.game.quotes.in_publication(publication)?;
        Some((self.season.odds.get(publication)?, *lines))
    }

    /// Returns the forecasts of a market that were published before the game closed, oldest first. Each differs from the one
    /// before in its probabilities or lines.
    pub fn forecasts(&self, model_type: ModelType) -> Vec<ForecastItem<'m>> {
        let Some(publications) = self.season.predictions.get(&model_type) else { return Vec::new() };
        self.forecasts_from(model_type, 0, publications)
    }

    /// Returns the forecasts of a market in a window, and whether they are complete.
    pub fn forecasts_in(&self, model_type: ModelType, window: &Window<'_>) -> (Vec<ForecastItem<'m>>, bool) {
        let Some(publications) = self.season.predictions.get(&model_type) else { return (Vec::new(), true) };
        let through = publications.through_entry(window.oldest().generation);
        let oldest = through.saturating_sub(1);
        let mut items = self.forecasts_from(model_type, oldest, publications);
        for item in &mut items {
            item.published = window.seen(item.published);
        }
        let at_oldest = self.game.forecasts.get(&model_type).and_then(|versions| versions.in_publication(oldest));
        let is_predicted = through > 0 && at_oldest.is_some_and(|forecast| !forecast.is_empty());
        (items, !(is_predicted && window.has_older()))
    }

    /// Returns the forecast that the predictions had at an instant; `None` if they did not have the game.
    pub fn forecast_at(&self, model_type: ModelType, instant: DateTime<Utc>) -> Option<ForecastItem<'m>> {
        let publications = self.season.predictions.get(&model_type)?;
        let publication = publications.through(instant).checked_sub(1)?;
        let forecast = self.game.forecasts.get(&model_type)?.in_publication(publication)?;
        let published = publications.get(publication)?;
        Some(ForecastItem { game: self.game, model_type, published, forecast: Some(forecast), standing: false })
    }

    /// Returns the forecast that holds for the row of the archive; `None` for a row without a forecast of these entries. Its
    /// publication is the one that first had it.
    pub fn standing(&self, model_type: ModelType) -> Option<ForecastItem<'m>> {
        self.forecasts(model_type).into_iter().find(|item| item.standing)
    }

    fn quotes(&self) -> impl Iterator<Item = (std::ops::Range<usize>, Option<&'m GameLines>)> {
        self.game.quotes.spans(self.season.odds.len())
    }

    /// Returns the forecasts from a publication on.
    fn forecasts_from(
        &self,
        model_type: ModelType,
        oldest: usize,
        publications: &Publications,
    ) -> Vec<ForecastItem<'m>> {
        let Some(versions) = self.game.forecasts.get(&model_type) else { return Vec::new() };
        let end = publications.before(self.closes_at());
        let stands = self.standing_publication(model_type, publications);
        let mut items: Vec<ForecastItem<'m>> = Vec::new();
        for (span, forecast) in versions.spans(publications.len()).filter(|(span, _)| span.end > oldest) {
            let first = span.start.max(oldest);
            let Some(published) = publications.get(first).filter(|_| first < end) else { continue };
            let standing = stands.is_some_and(|stands| span.contains(&stands));
            let item = ForecastItem { game: self.game, model_type, published, forecast, standing };
            match items.last_mut() {
                Some(last) if last.is_like(&item) => last.standing |= standing,
                None if item.is_empty() => {}
                _ => items.push(item),
            }
        }
        items
    }

    /// Returns the publication of the forecast in the row of the archive.
    fn standing_publication(&self, model_type: ModelType, publications: &Publications) -> Option<usize> {
        let entry = self.season.entry_of(self.row(model_type)?.live_run()?)?;
        publications.through_entry(entry.generation).checked_sub(1)
    }
}

/// Returns the instant of a start; `None` without a time.
fn instant(start: Start) -> Option<DateTime<Utc>> {
    start.time.map(|time| eastern_instant(start.date, time))
}

/// Returns the instant at which a start passes; without a time, the end of its date.
fn closing(start: Start) -> DateTime<Utc> {
    let next = || start.date.checked_add_days(Days::new(1)).unwrap_or(start.date);
    instant(start).unwrap_or_else(|| eastern_instant(next(), NaiveTime::MIN))
}
