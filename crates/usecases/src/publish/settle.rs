//! The revision that adds finals to published archives.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{ModelType, Season, Sport};
use sports_publication::settle::{SettleReport, settle};
use sports_publication::slate_update::Warning;
use sports_publication::{Catalog, ReleaseId};

use super::commit::Revision;
use super::draft::{ArtifactTimes, Draft, Stores};
use super::error::PublishError;
use super::outcome::Settlement;

/// A settlement and the stores it is applied to.
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

    fn warn(report: &mut SettleReport, warning: Warning) {
        report.warnings.push(warning.to_string());
    }

    async fn draft(
        &self,
        existing: Option<&Catalog>,
        release_id: ReleaseId,
        at: DateTime<Utc>,
    ) -> Result<Draft<SettleReport>, PublishError> {
        let existing = existing.ok_or(PublishError::NothingPublished(self.settlement.sport))?;
        let before = self.stores.open_archives(existing, self.affected_archives(existing)).await?;
        let Settlement { finals, permissions, .. } = self.settlement;
        let (after, report) = settle(before.clone(), finals, *permissions, at).map_err(PublishError::Problems)?;
        let catalog = Catalog { release_id, published_at: at, ..existing.clone() };
        let mut draft = Draft::from_catalog(catalog, report);
        for (place, archive) in after {
            if before.get(&place) != Some(&archive) {
                // Finals do not change the slate: the archive keeps its slate date.
                let slate_date = existing.results[&place].artifact.slate_date;
                draft.archives.push((archive, ArtifactTimes { source_as_of: at, slate_date }));
            }
        }
        Ok(draft)
    }
}

impl SettleRevision<'_> {
    /// Returns the archives whose date range contains the date of any final.
    fn affected_archives(&self, existing: &Catalog) -> Vec<(ModelType, Season)> {
        let dates: Vec<NaiveDate> = self.settlement.finals.iter().map(|row| row.value.key.date).collect();
        let covers = |first: Option<NaiveDate>, last: Option<NaiveDate>| {
            dates.iter().any(|date| first.is_some_and(|first| first <= *date) && last.is_some_and(|last| *date <= last))
        };
        let archives = existing.results.iter();
        let affected_archives =
            archives.filter(|(_, entry)| covers(entry.coverage.first_date, entry.coverage.last_date));
        affected_archives.map(|(place, _)| *place).collect()
    }
}
