//! The declarations of a release, and the promotion of extra columns to columns of models.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::NaiveDate;
use sports_domain::{ModelName, ModelSet, ModelType, NotAModelSet, Sport};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::registry::{Declaring, Moment, Registry, RegistryOnRecord, VersionChange};
use sports_publication::slate_update::{Returns, SlateReport, Warning, refused_markets};
use sports_publication::{
    Catalog, Generation, LeagueRecord, Place, Problem, Promotion, Release, promote_archive, promote_at_start,
    promote_predictions,
};

use super::defaults::ForecastModels;
use super::{ModelsReport, PromotedColumn, PublishError};
use crate::league_markets::slate_dates;
use crate::record::{Slates, newest_entry};

/// Returns the registry of a league's newest entry.
pub(super) async fn on_record(
    log: &dyn PublicationLog,
    slates: &Slates,
    sport: Sport,
) -> Result<RegistryOnRecord, PortError> {
    let Some(entry) = newest_entry(log, sport).await? else { return Ok(RegistryOnRecord::default()) };
    let Catalog { models, generation, .. } = &entry.catalog;
    let registry = slates.registry(&entry.catalog).await?;
    Ok(RegistryOnRecord { registry, object: models.map(|models| models.object), next: generation.next() })
}

/// The models of a league before and after a release.
pub(super) struct DeclaredModels {
    before: Registry,
    after: Registry,
    /// The entry of the release.
    generation: Generation,
    /// The models that a market did not have before.
    news: BTreeMap<ModelType, Vec<ModelName>>,
    /// The league's first own model if the release declares no other and does not say whether it is public.
    first: Option<ModelName>,
}

impl DeclaredModels {
    /// Applies the declarations of a release to the registry on record.
    pub(super) async fn of(
        release: &Release,
        existing: Option<&Catalog>,
        slates: &Slates,
        moment: Moment,
    ) -> Result<Self, PublishError> {
        let object = existing.and_then(|existing| existing.models).map(|models| models.object);
        let before = match existing {
            Some(existing) => slates.registry(existing).await?,
            None => Registry::default(),
        };
        let declaring = Declaring { moment, before: object };
        let after = before.declare(&release.models.declarations, &declaring).map_err(PublishError::Problems)?;
        if !after.reads_as(&release.models.read_under) {
            return Err(PublishError::OtherModels);
        }
        let refused = refused_markets(release, after.league());
        if !refused.is_empty() {
            return Err(PublishError::Problems(refused));
        }
        let news = ModelType::ALL.map(|model_type| {
            let known: Vec<_> = names(&before, model_type).collect();
            (model_type, names(&after, model_type).filter(|name| !known.contains(name)).collect::<Vec<_>>())
        });
        let news = news.into_iter().filter(|(_, names)| !names.is_empty()).collect();
        let first = after.first_without_a_word_on_public(&before, &release.models.declarations);
        Ok(Self { before, after, generation: moment.generation, news, first })
    }

    /// Returns true if the release needs all seasons of a market: it has a model that it did not have before, or all seasons
    /// decide whether the first model is the only one.
    pub(super) fn need_all(&self, model_type: ModelType) -> bool {
        self.news.contains_key(&model_type) || self.first.is_some()
    }

    /// Makes the first model public if it is the only one: no model of the specification has a probability.
    pub(super) fn publicise_the_only_one(&mut self, forecasts: &ForecastModels) {
        self.first = self.first.filter(|_| !forecasts.have_standard());
        if let Some(name) = self.first {
            self.after = self.after.clone().publicising(name);
        }
    }

    /// Returns the registries before and after the release.
    pub(super) const fn registries(&self) -> (&Registry, &Registry) {
        (&self.before, &self.after)
    }

    /// Makes extra columns on record columns of the models that were declared with their names. A record is copied only if
    /// a market has such a model.
    pub(super) fn promote<'r>(
        &self,
        record: &'r LeagueRecord,
    ) -> Result<(Cow<'r, LeagueRecord>, Vec<PromotedColumn>), Vec<Problem>> {
        if self.news.is_empty() {
            return Ok((Cow::Borrowed(record), Vec::new()));
        }
        let mut record = record.clone();
        let (mut columns, mut problems) = (BTreeMap::new(), Vec::new());
        for ((model_type, season), archive) in &mut record.archives {
            let Some(models) = self.news.get(model_type) else { continue };
            let promoted = promote_archive(archive, models).unwrap_or_else(|found| {
                problems.extend(found);
                Promotion::new()
            });
            for (model, games) in promoted {
                let column = || PromotedColumn { model, model_type: *model_type, seasons: Vec::new(), games: 0 };
                let column = columns.entry((model, *model_type)).or_insert_with(column);
                column.seasons.push(*season);
                column.games += games;
            }
        }
        for (model_type, predictions) in &mut record.predictions {
            if let Some(models) = self.news.get(model_type)
                && let Err(found) = promote_predictions(predictions, models)
            {
                problems.extend(found);
            }
        }
        if problems.is_empty() { Ok((Cow::Owned(record), columns.into_values().collect())) } else { Err(problems) }
    }

    /// Makes extra columns of games that go back to an earlier start columns of the models that were declared since then.
    pub(super) fn promote_returns(&self, mut returns: Returns) -> Result<Returns, Vec<Problem>> {
        let mut problems = Vec::new();
        for model_type in ModelType::ALL {
            let models: Vec<_> = names(&self.after, model_type).collect();
            let found = returns.values_mut().filter_map(|then| promote_at_start(then, model_type, &models).err());
            problems.extend(found.flatten());
        }
        if problems.is_empty() { Ok(returns) } else { Err(problems) }
    }

    /// Puts own models in the order of declaration.
    pub(super) fn arrange(&self, mut record: LeagueRecord) -> Result<LeagueRecord, Vec<Problem>> {
        if self.after.own().next().is_none() {
            return Ok(record);
        }
        let mut problems = Vec::new();
        for ((model_type, season), archive) in &mut record.archives {
            if let Err(reason) = archive.arrange(self.after.own().map(|model| model.name)) {
                problems.push(too_many(&format!("{model_type} {season}"), reason));
            }
        }
        if problems.is_empty() { Ok(record) } else { Err(problems) }
    }

    /// Returns a warning if a release lacks a market that the league had on its last slate date. A league with declared
    /// markets has none.
    pub(super) async fn missing_markets(
        &self,
        release: &Release,
        existing: Option<&Catalog>,
        log: &dyn PublicationLog,
    ) -> Result<Option<Warning>, PortError> {
        let date = release.slate_date;
        let has_begun_only = release.run.as_ref().is_some_and(|run| run.completed_at.is_none());
        let is_slate = !release.predictions.is_empty() && !has_begun_only;
        let Some(existing) = existing.filter(|_| is_slate && self.after.league().markets.is_none()) else {
            return Ok(None);
        };
        let known = existing.predictions.iter().map(|(of, entry)| (*of, entry.artifact.slate_date));
        let is_there = |(of, last): &(ModelType, NaiveDate)| *last >= date || release.predictions.contains_key(of);
        let (there, missing): (Vec<_>, Vec<_>) = known.partition(is_there);
        if missing.is_empty() {
            return Ok(None);
        }
        let dates = slate_dates(log, existing, |_, oldest| oldest.slate_date >= date).await?;
        let Some((last, had)) = dates.last_before(date) else { return Ok(None) };
        let missing: Vec<_> = missing.into_iter().map(|(of, _)| of).filter(|of| had.contains(of)).collect();
        let there = there.into_iter().map(|(of, _)| of).chain(release.predictions.keys().copied()).collect();
        Ok((!missing.is_empty()).then_some(Warning::MissingMarkets { missing, last, there }))
    }

    /// Returns the registry after the release, if it changed.
    pub(super) fn changed(&self) -> Option<Registry> {
        (self.after != self.before).then(|| self.after.clone())
    }

    /// Returns the versions of models that the release declares.
    pub(super) fn new_versions(&self) -> Vec<VersionChange> {
        self.after.new_versions(&self.before)
    }

    /// Returns the changes but those of default models.
    pub(super) fn report(&self, promoted: Vec<PromotedColumn>) -> ModelsReport {
        let [before, after] = [&self.before, &self.after].map(Registry::declared_headline);
        ModelsReport {
            declared: self.after.declared_in(self.generation).collect(),
            retired: self.after.retired_in(self.generation).collect(),
            first: self.before.own().next().is_none() && self.after.own().next().is_some(),
            promoted,
            versions: self
                .new_versions()
                .into_iter()
                .filter(|change| self.before.get(change.model.as_str()).is_some())
                .collect(),
            league: (self.after.league() != self.before.league()).then(|| self.after.league().clone()),
            headline: (before != after).then(|| after.unwrap_or(Registry::DEFAULT_HEADLINE)),
            made_public: self.first,
            defaults: Vec::new(),
        }
    }

    /// Returns a warning for each market whose file has no probability of models that are not retired, and had some.
    pub(super) fn unforecast(&self, slate: &SlateReport) -> Vec<Warning> {
        let is_retired =
            |model: &&ModelName| self.after.get(model.as_str()).is_some_and(|known| known.retired.is_some());
        let warnings = slate.markets.iter().map(|(model_type, market)| {
            let models: Vec<_> = market.unforecast.iter().filter(|model| !is_retired(model)).copied().collect();
            (!models.is_empty()).then_some(Warning::Unforecast(*model_type, models))
        });
        warnings.flatten().collect()
    }
}

/// Creates the problem of a season with more own models than it can have.
fn too_many(within: &str, reason: NotAModelSet) -> Problem {
    let (NotAModelSet::TooMany(name) | NotAModelSet::Repeated(name)) = reason;
    let expected = format!(
        "at most {} models of your own with values in one season of a market; leave this column out, or publish the season with \
         --replace-season and without the values of a retired model",
        ModelSet::MOST
    );
    let problem = Problem::at(Place { file: within.into(), row: None }, expected);
    Problem { column: Some(name.to_string()), ..problem }
}

/// Returns the own models of a market, retired ones included, in the order of declaration.
fn names(registry: &Registry, model_type: ModelType) -> impl Iterator<Item = ModelName> {
    registry.own().filter(move |model| model.model_types.contains(&model_type)).map(|model| model.name)
}
