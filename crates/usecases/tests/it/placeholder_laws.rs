//! Games whose start is not known at first: whatever feeds write for it, no forecast from after the real start stands.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use proptest::collection::vec;
use proptest::prelude::*;
use sports_domain::content::ObjectHash;
use sports_domain::{FinalScore, GameKey, Market, ModelColumn, Sport, TeamSlug, eastern_date, eastern_instant};
use sports_ports::seasons::SeasonRef;
use sports_publication::settle::Permissions;
use sports_publication::{Ending, FinalRow, Located, testing};
use sports_usecases::publish::{Mode, PublishError, Published, Settlement};
use sports_usecases::record::newest_entry;

use crate::moved_back::{Evening, MARKET};
use crate::world::World;

const DATE: &str = "2025-12-10";

fn date() -> NaiveDate {
    DATE.parse().expect("a date")
}

fn time(written: &str) -> NaiveTime {
    written.parse().expect("a time")
}

fn instant(start: NaiveDateTime) -> DateTime<Utc> {
    eastern_instant(start.date(), start.time())
}

/// The start of the game as a feed writes it.
#[derive(Debug, Clone, Copy)]
enum Written {
    Placeholder(&'static str),
    /// Midnight of the date that the real start has in universal time.
    UniversalDate,
    Real,
}

/// A release, this time after noon of the day before the game, for the slate of today or of the game's day.
#[derive(Debug, Clone, Copy)]
struct Step {
    after: TimeDelta,
    written: Written,
    is_for_today: bool,
}

fn a_step() -> impl Strategy<Value = Step> {
    let written = prop_oneof![
        4 => prop_oneof![Just("00:00:00"), Just("23:59:00"), Just("22:33:00")].prop_map(Written::Placeholder),
        2 => Just(Written::UniversalDate),
        1 => Just(Written::Real),
    ];
    let minutes = prop_oneof![3 => 19 * 60..37 * 60_i64, 1 => 0..40 * 60_i64];
    (minutes, written, any::<bool>()).prop_map(|(minutes, written, is_for_today)| Step {
        after: TimeDelta::minutes(minutes),
        written,
        is_for_today,
    })
}

/// A game that begins an hour before, at or an hour after the hour from which its league plays, or in the evening.
fn a_game() -> impl Strategy<Value = (Sport, NaiveDateTime)> {
    let sport = prop_oneof![Just(Sport::Mlb), Just(Sport::Nba), Just(Sport::Nfl), Just(Sport::Ncaab)];
    let start = prop_oneof![(-1..=1_i64).prop_map(Ok), Just(Err("19:00:00")), Just(Err("23:30:00"))];
    (sport, start).prop_map(|(sport, start)| {
        let of_day = |hours| date().and_time(sport.earliest_start()) + TimeDelta::hours(hours);
        (sport, start.map_or_else(|evening| date().and_time(time(evening)), of_day))
    })
}

/// The season of a league around one game.
struct Day {
    evening: Evening,
    label: &'static str,
    start: NaiveDateTime,
}

impl Day {
    fn new(sport: Sport, start: NaiveDateTime) -> Self {
        let label = if sport == Sport::Mlb { "2025" } else { "2025-26" };
        Self { evening: Evening { sport, world: World::new() }, label, start }
    }

    fn key(&self, written: Written) -> GameKey {
        let (date, time) = match written {
            // 03:33 in universal time is a placeholder in mlb alone.
            Written::Placeholder("22:33:00") if self.evening.sport != Sport::Mlb => (date(), time("23:59:00")),
            Written::Placeholder(text) => (date(), time(text)),
            Written::UniversalDate => (instant(self.start).date_naive(), NaiveTime::MIN),
            Written::Real => (self.start.date(), self.start.time()),
        };
        let team = |name: &str| TeamSlug::normalise(name).expect("a team");
        GameKey { date, time: Some(time), away: team("boston"), home: team("new_york"), game_number: None }
    }

    /// Publishes a forecast of the game with this number of hundredths.
    async fn publish(
        &self,
        at: DateTime<Utc>,
        written: Written,
        slate: NaiveDate,
        hundredths: usize,
    ) -> Result<Published, PublishError> {
        let mut release = self.evening.predicting(self.label, &self.key(written), Some(blend_of(hundredths)), None);
        release.slate_date = slate;
        for row in release.predictions.values_mut().flat_map(|file| &mut file.rows) {
            row.value.game.match_id = Some("g1".to_owned());
        }
        self.evening.publish(&at.to_rfc3339(), release).await
    }

    /// Adds a final with the real start; returns false if it is refused.
    async fn settle(&self, at: DateTime<Utc>) -> bool {
        let Evening { sport, world } = &self.evening;
        world.clock.set(at);
        let value = FinalRow {
            key: self.key(Written::Real),
            game_id: None,
            match_id: Some("g1".to_owned()),
            ending: Ending::settled(FinalScore { away: 3, home: 5 }),
            void: None,
            remarks: Vec::new(),
        };
        let settlement = Settlement {
            sport: *sport,
            finals: vec![Located { place: testing::place(2), value }],
            content: ObjectHash::from_bytes(b"finals"),
            permissions: Permissions::default(),
        };
        match world.publisher().settle(&settlement, Mode::Commit).await {
            Ok(_) => true,
            Err(PublishError::Problems(_) | PublishError::NothingPublished(_)) => false,
            Err(other) => panic!("{other}"),
        }
    }

    /// Returns the forecast that stands, in hundredths.
    async fn standing(&self) -> Option<usize> {
        let Evening { sport, world } = &self.evening;
        let (season, market) = (testing::season(*sport, self.label), Market::new(*sport, MARKET));
        let head = newest_entry(&*world.store, *sport).await.expect("answers")?.catalog;
        let archive = SeasonRef::from_artifact(market, season, &head.results.get(&(MARKET, season))?.artifact);
        let archive = world.archives.read(&archive).await.expect("reads");
        let blend = archive.games().first()?.forecast.forecasts.get(ModelColumn::Blend)?.get();
        (0..100).find(|hundredths| (blend_of(*hundredths) - blend).abs() < 1e-9)
    }
}

fn blend_of(hundredths: usize) -> f64 {
    f64::from(u8::try_from(hundredths).expect("small")) / 100.0
}

async fn holds(sport: Sport, start: NaiveDateTime, mut steps: Vec<Step>) {
    steps.sort_by_key(|step| step.after);
    steps.dedup_by_key(|step| step.after);
    let day = Day::new(sport, start);
    let eve = date().pred_opt().expect("a date").and_time(time("12:00:00"));
    let mut releases: Vec<DateTime<Utc>> = Vec::new();
    // A start before the usual hours, and one in universal time of which nothing says so, are known once they are stated.
    let is_usual = start.time() >= sport.earliest_start();
    let is_local = steps.iter().all(|step| !matches!(step.written, Written::UniversalDate));
    for Step { after, written, is_for_today } in steps {
        let at = instant(eve) + after;
        let slate = if is_for_today { eastern_date(at) } else { date() };
        let published = day.publish(at, written, slate, releases.len()).await;
        assert!(matches!(published, Ok(_) | Err(PublishError::Problems(_))), "{published:?}");
        releases.push(at);
        let standing = day.standing().await.map(|number| releases[number]);
        if is_usual && is_local {
            assert!(standing.is_none_or(|made| made < instant(start)), "{standing:?} stands, in play since {start}");
        }
    }
    let over = instant(eve) + TimeDelta::hours(48);
    // Finals state the start, too, and change none on record.
    if day.settle(over).await {
        let standing = day.standing().await.map(|number| releases[number]);
        assert!(standing.is_none_or(|made| made < instant(start)), "{standing:?} is settled after the start {start}");
    }
    day.publish(over, Written::Real, date(), releases.len()).await.expect("the real start is stated");
    releases.push(over);
    let standing = day.standing().await.map(|number| releases[number]);
    assert!(standing.is_none_or(|made| made < instant(start)), "{standing:?} stands after the start {start}");
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn no_forecast_from_after_the_real_start_stands((sport, start) in a_game(), steps in vec(a_step(), 1..6)) {
        run(holds(sport, start, steps));
    }
}

#[tokio::test]
async fn a_game_without_a_start_takes_forecasts_until_the_usual_hour() {
    let [eve, today] = [date().pred_opt().expect("a date"), date()];
    let placeholder = Written::Placeholder("00:00:00");
    for (written, releases, standing) in [
        (placeholder, [(today, "10T09:00"), (today, "10T11:59")], 1),
        (Written::Placeholder("23:59:00"), [(today, "10T09:00"), (today, "10T12:00")], 0),
        (Written::Placeholder("22:33:00"), [(today, "10T09:00"), (today, "10T16:00")], 0),
        (placeholder, [(today, "09T20:00"), (today, "10T11:59")], 1),
        // A slate of the day before may have the date of universal time.
        (placeholder, [(today, "10T09:00"), (eve, "10T11:00")], 0),
        (placeholder, [(eve, "09T09:00"), (today, "10T11:00")], 0),
        // A start that is known decides.
        (Written::Real, [(today, "10T09:00"), (today, "10T16:29")], 1),
        (Written::Real, [(today, "10T09:00"), (today, "10T16:30")], 0),
    ] {
        let day = Day::new(Sport::Mlb, date().and_time(time("16:30:00")));
        for (number, (slate, at)) in releases.into_iter().enumerate() {
            let at = instant(format!("2025-12-{at}:00").parse().expect("a time"));
            day.publish(at, written, slate, number).await.expect("publishes");
        }
        assert_eq!(day.standing().await, Some(standing), "{written:?} {releases:?}");
    }
}
