//! The revision that applies a release: merges its history into archives and replaces the slate.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use rayon::prelude::*;
use sports_domain::{GameKey, Market, ModelType, Season, Sport, eastern_date};
use sports_ledger::entry_before;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::findings::MarketReport;
use sports_publication::identity::{OnRecord, Resolution, has_unknown_names, in_terms_of_record};
use sports_publication::registry::Moment;
use sports_publication::slate_update::{Publishing, Warning, live_season, publish_slate, slate_season};
use sports_publication::{
    Catalog, ClockSource, Ending, Exceptions, Generation, LeagueRecord, MergeCounts, Merged, Override, Problem,
    Release, ReleaseId, ResultsEntry, Run, SeasonArchive, SeasonHistory, SlateRuns, as_recorded, irreplaceable,
    merge_history, replacements, without_placeholders,
};

use super::commit::Revision;
use super::defaults::{ForecastModels, LeagueState, default_models};
use super::draft::{Draft, Stores};
use super::models::DeclaredModels;
use super::revised::{ReleaseReport, Revised, returns};
use super::{PublishError, Requested, SeasonChange};

/// The longest time to search back for odds that predictions do not include; the deadline for them has long passed by
/// then.
const READ_BACK: TimeDelta = TimeDelta::days(2);

/// A release and the log and stores it is applied to.
pub(super) struct ReleaseRevision<'r> {
    pub(super) release: &'r Release,
    pub(super) log: &'r dyn PublicationLog,
    pub(super) stores: &'r Stores,
    pub(super) requested: &'r Requested,
}

#[async_trait]
impl Revision for ReleaseRevision<'_> {
    type Report = ReleaseReport;

    fn sport(&self) -> Sport {
        self.release.sport
    }

    fn release_id(&self, _existing: Option<&Catalog>, at: DateTime<Utc>) -> ReleaseId {
        ReleaseId::new(self.release.slate_date, at, &self.release.content)
    }

    fn warnings<'r>(&self, report: &'r ReleaseReport) -> &'r [Warning] {
        &report.slate.warnings
    }

    async fn draft(
        &self,
        existing: Option<&Catalog>,
        release_id: ReleaseId,
        moment: Moment,
    ) -> Result<Draft<ReleaseReport>, PublishError> {
        let at = moment.at;
        if let (Some(existing), true) = (existing, self.requested.refuses_older) {
            expect_not_older(self.release, existing)?;
        }
        let mut models = DeclaredModels::of(self.release, existing, &self.stores.slates, moment).await?;
        let before = self.before(existing, &models).await?;
        let release =
            without_placeholders(self.release, self.requested.overrides.contains(&Override::PlaceholderStart));
        let release = &as_recorded(&release, &before, live_season(self.release, existing));
        let live = slate_season(release, existing);
        let on_record = on_record(&before, live, existing);
        let resolution = &Resolution::of(release, &on_record, live, at);
        let slate = &in_terms_of_record(release, resolution, live);
        let (promoted, columns) = models.promote(&before).map_err(PublishError::Problems)?;
        let followed =
            promoted.clone().into_owned().following(release.sport, resolution).map_err(PublishError::Problems)?;
        let revision = ReleaseRevision { release, ..*self };
        let Merging { record: merged, seasons, warnings, problems } = revision.merge(followed, resolution, at);
        let exceptions = self.exceptions(&before, &merged);
        let returns = returns(self.log, self.stores, resolution, existing, at).await?;
        let returns = &models.promote_returns(returns).map_err(PublishError::Problems)?;
        let (catalog, release_id) = (existing, &release_id);
        let publishing =
            Publishing { release, resolution, slate, catalog, release_id, before: &promoted, returns, now: at };
        let (after, mut slate) = without_problems(publish_slate(&publishing, merged), problems)?;
        if existing.is_none() && self.store_is_new().await? {
            slate.warnings.push(Warning::NewStore);
        }
        slate.warnings.extend(warnings.into_iter().chain(models.unforecast(&slate)));
        slate.warnings.extend(models.missing_markets(release, existing, self.log).await?);
        let catalog = next_catalog(self.release, existing, release_id.clone(), at);
        let unknown_since = self.unknown_since(existing, at).await?;
        let moves = resolution.moves().to_vec();
        let after = models.arrange(after).map_err(PublishError::Problems)?;
        let seasons = season_changes(&seasons, &after);
        let [forecast_before, forecast_after] = [&before, &after].map(ForecastModels::of);
        models.publicise_the_only_one(&forecast_after);
        let (registry, new_versions) = (models.changed(), models.new_versions());
        if self.requested.refuses_declarations && registry.is_some() {
            return Err(PublishError::Declares(self.release.sport));
        }
        let revised = Revised { release: self.release, before, after, registry, new_versions, moves, unknown_since };
        let report = ReleaseReport { seasons, slate, models: models.report(columns), exceptions };
        let mut draft = revised.draft(catalog, report);
        let (registry, declared) = models.registries();
        let before = LeagueState { catalog: existing, registry, forecasts: &forecast_before };
        let after = LeagueState { catalog: Some(&draft.catalog), registry: declared, forecasts: &forecast_after };
        let (defaults, changes) = default_models(&before, &after, &self.stores.archives).await?;
        draft.catalog.default_models = defaults;
        draft.report.models.defaults = changes;
        Ok(draft)
    }
}

/// Refuses odds, predictions and runs that were made before those on record: an upload that was delayed or repeated would put them
/// over the newer ones.
fn expect_not_older(release: &Release, existing: &Catalog) -> Result<(), PublishError> {
    let older = |what: String, given: Option<DateTime<Utc>>, known: Option<DateTime<Utc>>| match (given, known) {
        (Some(given), Some(known)) if given < known => Err(PublishError::Older { what, given, known }),
        _ => Ok(()),
    };
    let odds = existing.odds.as_ref().filter(|_| release.odds.is_some());
    older("odds".to_owned(), release.source_as_of.odds, odds.map(|odds| odds.source_as_of))?;
    for (model_type, entry) in &existing.predictions {
        let known = Some(entry.artifact.source_as_of).filter(|_| release.predictions.contains_key(model_type));
        older(format!("predictions of {model_type}"), release.predictions_as_of(), known)?;
    }
    // A history states the run that made it, which is no slate.
    let is_slate = release.history.is_empty() || release.odds.is_some() || !release.predictions.is_empty();
    let run_of = |run: Option<&Run>| run.filter(|_| is_slate).map(|run| run.started_at);
    older("a run".to_owned(), run_of(release.run.as_ref()), run_of(existing.run.as_ref()))
}

/// Returns the result of the last step, unless that or an earlier one found problems.
fn without_problems<T>(last: Result<T, Vec<Problem>>, mut problems: Vec<Problem>) -> Result<T, PublishError> {
    match last {
        Ok(result) if problems.is_empty() => Ok(result),
        refused => {
            problems.extend(refused.err().unwrap_or_default());
            Err(PublishError::Problems(problems))
        }
    }
}

impl ReleaseRevision<'_> {
    /// Returns a problem for every listing that is resolved to no game.
    pub(super) async fn problems_of_games(
        &self,
        existing: Option<&Catalog>,
        at: DateTime<Utc>,
    ) -> Result<Vec<Problem>, PortError> {
        let before = self.open(existing, None).await?;
        let release = without_placeholders(self.release, false);
        let release = &as_recorded(&release, &before, live_season(self.release, existing));
        let live = slate_season(release, existing);
        Ok(Resolution::of(release, &on_record(&before, live, existing), live, at).problems().to_vec())
    }

    /// Returns true if the store has no log entries of any league.
    async fn store_is_new(&self) -> Result<bool, PortError> {
        for sport in Sport::ALL {
            if !self.log.numbers(sport).await?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads the record that the release changes, and checks that the seasons which it replaces can be replaced.
    async fn before(&self, existing: Option<&Catalog>, models: &DeclaredModels) -> Result<LeagueRecord, PublishError> {
        let record = self.open(existing, Some(models)).await?;
        let problems = irreplaceable(&self.requested.replace, self.release, &record);
        if problems.is_empty() { Ok(record) } else { Err(PublishError::Problems(problems)) }
    }

    /// Reads the slate, and the archives whose games the release may list: those of its seasons and dates and, if it has
    /// a `match_id` or `game_id` that none of them has, all others.
    ///
    /// A market with newly declared models is read whole, since its extra columns may be theirs, and every market for a league's
    /// first model.
    async fn open(
        &self,
        existing: Option<&Catalog>,
        models: Option<&DeclaredModels>,
    ) -> Result<LeagueRecord, PortError> {
        let Some(existing) = existing else { return Ok(LeagueRecord::default()) };
        let (sport, live) = (existing.sport, slate_season(self.release, Some(existing)));
        let mut record = LeagueRecord::default();
        for (model_type, entry) in &existing.predictions {
            let predictions = self.stores.slates.predictions(sport, &entry.artifact).await?;
            record.predictions.insert(*model_type, predictions);
        }
        if let Some(odds) = &existing.odds {
            record.odds = Some(self.stores.slates.odds(sport, odds).await?);
        }
        if let Some(openers) = &existing.openers {
            record.openers = self.stores.slates.openers(sport, openers).await?;
        }
        let near = self.near_seasons(existing, live);
        let need_all = |model_type| models.is_some_and(|models| models.need_all(model_type));
        let is_near = |(model_type, season): &(ModelType, Season)| near.contains(season) || need_all(*model_type);
        let (near, far): (Vec<_>, Vec<_>) = existing.results.keys().copied().partition(is_near);
        record.archives = self.stores.open_archives(existing, near).await?;
        if !far.is_empty() && has_unknown_names(self.release, &OnRecord::of(&record, Some(live)), live) {
            record.archives.extend(self.stores.open_archives(existing, far).await?);
        }
        Ok(record)
    }

    /// Returns the seasons that the release names, and those on record with games around its dates, since their games
    /// may be listed under another season.
    fn near_seasons(&self, existing: &Catalog, live: Season) -> BTreeSet<Season> {
        let named = self.release.history.iter().map(|history| history.season).chain([live]);
        let dates = self.release.dates();
        let is_near =
            |entry: &ResultsEntry| entry.coverage.nearby().is_some_and(|nearby| dates.range(nearby).next().is_some());
        let near = existing.results.iter().filter(|(_, entry)| is_near(entry));
        near.map(|((_, season), _)| *season).chain(named).collect()
    }

    /// Returns the publication instant of the first recorded odds newer than the release's predictions. Reads the
    /// record back as long as its odds are newer, for two days at most.
    async fn unknown_since(
        &self,
        existing: Option<&Catalog>,
        at: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, PortError> {
        let known = self.release.predictions_as_of().unwrap_or(at);
        let newer = |catalog: &Catalog| {
            let odds = catalog.odds.as_ref().filter(|odds| odds.source_as_of > known);
            odds.map(|odds| odds.published_at)
        };
        let Some(existing) = existing.filter(|_| !self.release.predictions.is_empty()) else { return Ok(None) };
        let Some(mut first) = newer(existing) else { return Ok(None) };
        let mut before = entry_before(self.log, existing).await?;
        while let Some(entry) = before.filter(|_| at < first + READ_BACK) {
            let Some(arrived) = newer(&entry.catalog) else { break };
            first = arrived;
            before = entry_before(self.log, &entry.catalog).await?;
        }
        Ok(Some(first))
    }

    /// Merges every season of the release into a record whose games are under their new keys; returns what does not fit
    /// as problems.
    fn merge(&self, mut record: LeagueRecord, resolution: &Resolution<'_>, at: DateTime<Utc>) -> Merging {
        let run = self.release.run.as_ref().map(|run| run.id.as_str());
        let (mut changes, mut warnings) = (Vec::new(), Vec::new());
        let mut imported_live = BTreeMap::<_, Vec<_>>::new();
        let mut problems: Vec<_> = self.release.history.iter().flat_map(SeasonHistory::contradictions).collect();
        problems.extend(resolution.problems().iter().cloned());
        problems.extend(self.release.ahead_of(at));
        // Work is split by season, because the markets of a season share its games.
        let merged = self.release.history.par_iter().map(|history| {
            let called_off = called_off(&record, history.season);
            let merged = history.touched().into_iter().map(|model_type| {
                let (market, place) = (Market::new(self.release.sport, model_type), (model_type, history.season));
                let existing = record.archives.get(&place);
                let replaced = existing.filter(|_| self.requested.replace.contains(&history.season));
                let onto = existing.filter(|_| replaced.is_none());
                let merged = merge_history(market, onto, history, resolution, run, at);
                (place, merged.map(|merged| merged.in_place_of(replaced).called_off_as(&called_off, onto)))
            });
            merged.collect::<Vec<_>>()
        });
        for ((model_type, season), merged) in merged.collect::<Vec<_>>().into_iter().flatten() {
            match merged {
                Ok(Merged { archive, mut counts, blend_gap, imported_live: imported }) => {
                    imported_live.entry(season).or_default().extend(imported);
                    warnings.extend(blend_kept(model_type, season, counts, blend_gap));
                    counts.changed +=
                        rescheduled_alone(record.archives.get(&(model_type, season)), &archive, resolution);
                    changes.push(((model_type, season), counts));
                    record.archives.insert((model_type, season), archive);
                }
                Err(found) => problems.extend(found),
            }
        }
        warnings.extend(imported_live.into_iter().filter_map(|(season, games)| {
            Some(Warning::ImportedLive { season, rows: games.len(), first: games.into_iter().min()? })
        }));
        // A games file applies to every market, so each market reports its problems.
        problems.sort();
        problems.dedup();
        self.drop_replaced(&mut record);
        Merging { record, seasons: changes, warnings, problems }
    }

    /// Removes the markets of replaced seasons that the release does not have.
    fn drop_replaced(&self, record: &mut LeagueRecord) {
        let has = |(model_type, season): &(ModelType, Season)| {
            let of_season = self.release.history.iter().filter(|history| history.season == *season);
            of_season.flat_map(SeasonHistory::touched).any(|touched| touched == *model_type)
        };
        record.archives.retain(|place, _| !self.requested.replace.contains(&place.1) || has(place));
    }

    fn exceptions(&self, before: &LeagueRecord, after: &LeagueRecord) -> Exceptions {
        let Requested { overrides, replace, .. } = self.requested;
        let replaced = replacements(replace, &before.archives, &after.archives);
        Exceptions { overrides: overrides.clone(), replaced }
    }
}

/// Returns the endings of a season's games that were called off in a market, by identity.
fn called_off(record: &LeagueRecord, season: Season) -> HashMap<String, Ending> {
    let archives = record.archives.iter().filter(|((_, of), _)| *of == season).map(|(_, archive)| archive);
    let games = archives.flat_map(SeasonArchive::games).map(|game| &game.facts).filter(|facts| facts.is_called_off());
    games.filter_map(|facts| facts.game_id.clone().zip(facts.ending.clone())).collect()
}

/// A record with the history of a release.
struct Merging {
    record: LeagueRecord,
    seasons: Vec<((ModelType, Season), MergeCounts)>,
    warnings: Vec<Warning>,
    problems: Vec<Problem>,
}

/// Returns the changes of the archives that a release merged into.
fn season_changes(merged: &[((ModelType, Season), MergeCounts)], after: &LeagueRecord) -> Vec<SeasonChange> {
    let changes = merged.par_iter().filter_map(|(place, counts)| {
        let archive = after.archives.get(place)?;
        let (season, model_type, rows) = (place.1, place.0, archive.games().len());
        Some(SeasonChange { season, model_type, rows, counts: *counts, report: MarketReport::of(archive) })
    });
    changes.collect()
}

/// Returns a warning if BLENDs of an import differ from those on record.
fn blend_kept(model_type: ModelType, season: Season, counts: MergeCounts, gap: f64) -> Option<Warning> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a difference of probabilities")]
    let ten_thousandths = (gap * 1e4).round() as u16;
    (counts.blend_kept > 0).then_some(Warning::BlendKept {
        season,
        model_type,
        games: counts.blend_kept,
        ten_thousandths,
    })
}

/// Returns the games of a record, of which the newest entry knows those that closed at an earlier start.
fn on_record(before: &LeagueRecord, live: Season, existing: Option<&Catalog>) -> OnRecord {
    let closed = existing.map(|existing| existing.frozen_games.clone()).unwrap_or_default();
    OnRecord::of(before, Some(live)).with_closed(live, &closed)
}

/// The games of an archive of which a release changes the start and nothing else.
fn rescheduled_alone(before: Option<&SeasonArchive>, after: &SeasonArchive, resolution: &Resolution<'_>) -> usize {
    let moved = resolution.moves().iter().map(|made| &made.made.to);
    let same =
        |key: &&GameKey| after.get(key).is_some_and(|game| before.and_then(|before| before.get(key)) == Some(game));
    moved.filter(same).count()
}

/// Returns the catalog after a release, before its new content is named.
fn next_catalog(release: &Release, existing: Option<&Catalog>, release_id: ReleaseId, at: DateTime<Utc>) -> Catalog {
    let SlateRuns { slate_date, run, earlier_run } = SlateRuns::after(release, existing);
    Catalog {
        sport: release.sport,
        generation: Generation::FIRST,
        previous: None,
        release_id,
        published_at: at,
        clock: ClockSource::default(),
        slate_date,
        run,
        earlier_run,
        frozen_games: BTreeSet::new(),
        listed_ahead: BTreeSet::new(),
        default_models: BTreeMap::new(),
        ended_season: existing.and_then(|existing| existing.ended_season_on(eastern_date(at))),
        upload: None,
        exceptions: Exceptions::default(),
        models: existing.and_then(|existing| existing.models),
        tree: None,
        odds: existing.and_then(|existing| existing.odds.clone()),
        predictions: existing.map(|existing| existing.predictions.clone()).unwrap_or_default(),
        openers: existing.and_then(|existing| existing.openers.clone()),
        results: existing.map(|existing| existing.results.clone()).unwrap_or_default(),
    }
}
