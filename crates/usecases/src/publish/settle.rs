//! The revision that adds finals to published archives.

use async_trait::async_trait;
use chrono::{DateTime, Days, NaiveDate, Utc};
use sports_domain::{ModelType, Season, Sport, eastern_date};
use sports_publication::registry::Moment;
use sports_publication::settle::{SettleReport, settle};
use sports_publication::{Catalog, Exceptions, ReleaseId};

use super::commit::Revision;
use super::draft::{ArtifactTimes, Draft, Stores};
use super::{PublishError, Settlement};

/// The number of days around an archive's dates in which a final may belong to the archive.
const AROUND: Days = Days::new(2);

/// Finals being added.
pub(super) struct SettleRevision<'s> {
    pub(super) settlement: &'s Settlement,
    pub(super) stores: &'s Stores,
}

#[async_trait]
impl Revision for SettleRevision<'_> {
    type Report = SettleReport;

    fn sport(&self) -> Sport {
        self.settlement.sport
    }

    fn release_id(&self, existing: Option<&Catalog>, at: DateTime<Utc>) -> ReleaseId {
        let slate_date = existing.map_or_else(|| at.date_naive(), |existing| existing.slate_date);
        ReleaseId::new(slate_date, at, &self.settlement.content)
    }

    async fn draft(
        &self,
        existing: Option<&Catalog>,
        release_id: ReleaseId,
        Moment { at, .. }: Moment,
    ) -> Result<Draft<SettleReport>, PublishError> {
        let existing = existing.ok_or(PublishError::NothingPublished(self.settlement.sport))?;
        let before = self.stores.open_archives(existing, self.concerned(existing)).await?;
        let Settlement { finals, permissions, .. } = self.settlement;
        let (after, report) = settle(before.clone(), finals, *permissions, at).map_err(PublishError::Problems)?;
        let (exceptions, ended_season) = (Exceptions::default(), existing.ended_season_on(eastern_date(at)));
        let catalog =
            Catalog { release_id, published_at: at, exceptions, ended_season, upload: None, ..existing.clone() };
        let mut draft = Draft::from_catalog(catalog, report);
        for (place, archive) in after {
            if before.get(&place) != Some(&archive) {
                // Finals do not change the slate: the archive keeps its slate date.
                let slate_date = existing.results[&place].artifact.slate_date;
                draft.archives.push((archive, ArtifactTimes { source_as_of: at, slate_date }));
            }
        }
        draft.compare_rows(&before);
        Ok(draft)
    }
}

impl SettleRevision<'_> {
    /// The archives whose games lie around the dates of the finals; names may be of any season.
    fn concerned(&self, existing: &Catalog) -> Vec<(ModelType, Season)> {
        let dates: Vec<NaiveDate> = self.settlement.finals.iter().map(|row| row.value.key.date).collect();
        let is_named =
            self.settlement.finals.iter().any(|row| row.value.game_id.is_some() || row.value.match_id.is_some());
        let covers = |first: Option<NaiveDate>, last: Option<NaiveDate>| {
            is_named
                || dates.iter().any(|date| {
                    first.is_some_and(|first| first <= *date + AROUND)
                        && last.is_some_and(|last| *date <= last + AROUND)
                })
        };
        let archives = existing.results.iter();
        let affected_archives =
            archives.filter(|(_, entry)| covers(entry.coverage.first_date, entry.coverage.last_date));
        affected_archives.map(|(place, _)| *place).collect()
    }
}
