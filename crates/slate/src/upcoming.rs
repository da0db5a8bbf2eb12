use chrono::NaiveDate;

/// Returns the first date that counts as upcoming.
///
/// A completed run for today or a later date makes it today, even if the run found no games. Before such a run, the
/// earlier slate stays: its games count from the slate's own date on, but never from before the last completed run,
/// because earlier games were over by then.
pub fn upcoming_floor(today: NaiveDate, completed_run_for: Option<NaiveDate>, artifact_slate: NaiveDate) -> NaiveDate {
    completed_run_for.map_or(artifact_slate, |completed| completed.max(artifact_slate)).min(today)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_slate_stays_visible_until_todays_run_has_completed() {
        let date = |day| NaiveDate::from_ymd_opt(2024, 11, day).expect("a date");
        let table = [
            (Some(24), 24, 24, "today's run is done"),
            (Some(25), 25, 24, "a later run is done"),
            (Some(24), 23, 24, "an off-day: yesterday's games are over"),
            (Some(23), 22, 23, "the day after an off-day: what was over then is not to come again"),
            (Some(23), 23, 23, "yesterday's slate is the latest"),
            (None, 23, 23, "no run is known"),
            (Some(23), 26, 24, "a slate ahead of today hides nothing of today"),
        ];
        for (run, artifact, floor, why) in table {
            assert_eq!(upcoming_floor(date(24), run.map(date), date(artifact)), date(floor), "{why}");
        }
    }
}
