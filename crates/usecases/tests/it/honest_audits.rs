//! Seasons of a publisher whose clock is right, audited from outside: whatever the program publishes, settles, moves, withdraws and
//! calls off accuses nobody.

use std::num::NonZeroUsize;
use std::sync::Arc;

use chrono::TimeDelta;
use proptest::prelude::*;
use sports_domain::content::ObjectHash;
use sports_domain::{FinalScore, Forecasts, LineColumn, LineValue, Market, ModelName, ModelType, OwnForecasts};
use sports_grading::Verdict;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{Change, Declaring, Moment};
use sports_publication::settle::Permissions;
use sports_publication::testing::place;
use sports_publication::{
    ArchivedGame, CalledOffStatus, Catalog, Ending, FinalRow, ForecastOrigin, Located, PredictionsFile, SeasonArchive,
};
use sports_transparency::audit::{
    Audit, AuditTerms, Evidence, FindingKind, ResultRow, RowStatements, SeasonFiles, StatedLeaves, audit_season,
};
use sports_transparency::{RecordedEnding, TreeHash, WrittenLeaf};
use sports_usecases::forecast_proof::ForecastProofs;
use sports_usecases::publish::{Mode, Settlement};
use sports_usecases::record::{CurrentGenerations, TreeHead, TreeReader, newest_entry};

use crate::declared::{declarations, model};
use crate::following::Opened;
use crate::identity_laws::{League, MLB, NBA, Publishing, RealGame, Row, Step, a_step, doubleheaders, real_games, run};

/// An event of a season.
#[derive(Debug, Clone)]
enum Event {
    /// A release or a file of finals.
    Step(Step),
    /// A release with rows without probabilities.
    Withdraw(Vec<Row>),
    /// A file that calls games off.
    CallOff(Vec<Row>),
    /// A file that corrects finals.
    Correct(Vec<Row>),
    /// The witness is away from now on, or is back.
    Witness(bool),
    /// A release that declares an own model, or retires it, or takes it back.
    Declare { own: usize, retired: bool },
    /// A node polls the store; or it starts again, from the store alone.
    Node { restart: bool },
}

/// The publisher's own models.
const OWN: &[&str] = &["ELO", "SRS"];

fn an_event() -> impl Strategy<Value = Event> {
    let row = || (0..6_usize, any::<bool>()).prop_map(|(game, has_id)| Row { game, minutes: 0, has_id });
    let rows = move || prop::collection::vec(row(), 1..3);
    prop_oneof![
        8 => a_step().prop_map(Event::Step),
        1 => rows().prop_map(Event::Withdraw),
        1 => rows().prop_map(Event::CallOff),
        1 => rows().prop_map(Event::Correct),
        1 => any::<bool>().prop_map(Event::Witness),
        2 => (0..OWN.len(), prop::bool::weighted(0.3)).prop_map(|(own, retired)| Event::Declare { own, retired }),
        2 => prop::bool::weighted(0.3).prop_map(|restart| Event::Node { restart }),
    ]
}

/// Leagues with their games, some of them doubleheaders.
fn seasons() -> impl Strategy<Value = (League, Vec<RealGame>)> {
    prop_oneof![
        2 => real_games(NBA).prop_map(|games| (NBA, games)),
        1 => real_games(MLB).prop_map(|games| (MLB, games)),
        1 => (3..9_i64).prop_map(|hours| (MLB, doubleheaders(hours))),
    ]
}

/// A publisher with an honest witness and a node. Each release is made by a publisher that has just started, from the store alone.
struct Witnessed {
    publishing: Publishing,
    node: Arc<CurrentGenerations>,
    evidence: Evidence,
    is_there: bool,
}

impl Witnessed {
    fn new(league: League, games: Vec<RealGame>) -> Self {
        let mut publishing = Publishing::new(league, games);
        publishing.own = OWN;
        let node = publishing.world.node();
        Self { publishing, node, evidence: Evidence::of_quorum(NonZeroUsize::MIN), is_there: true }
    }

    async fn take(&mut self, event: &Event) {
        match event {
            Event::Step(step) => self.publishing.take(step).await,
            Event::Withdraw(rows) => self.withdraw(rows).await,
            Event::CallOff(rows) => {
                let ending = Ending::CalledOff { status: CalledOffStatus::new("postponed").expect("a word") };
                self.settle(rows, &ending, false).await;
            }
            Event::Correct(rows) => {
                self.settle(rows, &Ending::settled(FinalScore { away: 101, home: 99 }), true).await;
            }
            Event::Witness(is_there) => self.is_there = *is_there,
            Event::Declare { own, retired } => self.declare(OWN[*own], *retired).await,
            Event::Node { restart } => {
                if *restart {
                    self.node = self.publishing.world.node();
                }
                self.node.poll().await;
            }
        }
        let Some(head) = self.head().await else { return };
        if let (Some(tree), true) = (TreeHead::of(&head), self.is_there) {
            let second = u64::try_from(head.published_at.timestamp()).expect("after 1970");
            self.evidence.add_cosignature(0, tree.size, second);
        }
    }

    async fn head(&self) -> Option<Catalog> {
        let newest = newest_entry(&*self.publishing.world.store, self.publishing.league.sport).await.expect("answers");
        newest.map(|entry| entry.catalog)
    }

    async fn declare(&mut self, own: &str, retired: bool) {
        self.publishing.world.clock.advance(TimeDelta::milliseconds(1));
        let publisher = self.publishing.world.publisher();
        let known = publisher.models(self.publishing.league.sport).await.expect("reads");
        let moment = Moment { generation: known.next, at: self.publishing.now() };
        let declarations = declarations([(own, model(|model| model.retired = Change::Set(retired)))], None);
        let mut release = self.publishing.bare().await;
        release.models.read_under = known
            .registry
            .declare(&declarations, &Declaring { moment, before: known.object })
            .expect("a model that is retired can be taken back");
        release.models.declarations = declarations;
        publisher.publish(&release, Mode::Commit).await.expect("declares");
    }

    /// The node, which started at any time, serves the newest entry of an honest publisher.
    async fn check_node(&self) {
        self.node.poll().await;
        let served = self.node.current(self.publishing.league.sport).expect("the log was read");
        let served = served.map(|league| league.catalog().generation);
        assert_eq!(served, self.head().await.map(|head| head.generation));
        assert_eq!(self.node.status().failing, []);
    }

    async fn withdraw(&mut self, rows: &[Row]) {
        self.publishing.world.clock.advance(TimeDelta::milliseconds(1));
        let mut release = self.publishing.bare().await;
        let empty = |row: &Row| {
            let mut predicted = self.publishing.predicted(row, 0, &release.models.read_under);
            predicted.value.game.forecasts = Forecasts::default();
            predicted.value.game.own = OwnForecasts::default();
            predicted
        };
        let rows = self.publishing.rows(rows).iter().map(empty).collect();
        let file = PredictionsFile { given: vec![LineColumn::OverUnder], rows, ..Default::default() };
        release.predictions.insert(ModelType::OverUnder, file);
        // A release that is refused changes nothing.
        let _ = self.publishing.world.try_publish(&release).await;
    }

    async fn settle(&mut self, rows: &[Row], ending: &Ending, correct: bool) {
        self.publishing.world.clock.advance(TimeDelta::milliseconds(1));
        let begun = self.publishing.now() - TimeDelta::hours(3);
        // A game that is not over has no final that could be wrong.
        let is_over = |row: &&Row| !correct || self.publishing.games[row.game].key(0).has_started(begun);
        let row = |row: &Row| {
            let (key, match_id) = (self.publishing.games[row.game].key(0), self.publishing.match_id(row));
            let (ending, remarks) = (ending.clone(), Vec::new());
            let value = FinalRow { key, game_id: None, match_id, ending, void: None, remarks };
            Located { place: place(row.game + 2), value }
        };
        let settlement = Settlement {
            sport: self.publishing.league.sport,
            finals: self.publishing.rows(rows).iter().filter(is_over).map(row).collect(),
            content: ObjectHash::from_bytes(b"endings"),
            permissions: Permissions { correct, ..Permissions::default() },
        };
        let _ = self.publishing.world.publisher().settle(&settlement, Mode::Commit).await;
    }

    /// Audits the season, or one model of it, a week later, from its leaves, openings and rows.
    async fn audited(&self, model: Option<&str>) -> Option<Audit> {
        let head = self.head().await?;
        let tree = TreeHead::of(&head)?;
        let world = &self.publishing.world;
        let store = &world.store;
        let reader = TreeReader::new(Arc::clone(store) as _, world.slates.clone(), Arc::clone(store) as _);
        let written = reader.leaves(&tree, 0..tree.size).await.expect("reads");
        let texts: Vec<_> = written.iter().map(WrittenLeaf::text).collect();
        let leaves = StatedLeaves::read(&texts).expect("leaves");
        let proofs = ForecastProofs::new(Arc::new(reader), Arc::new(Opened(world.archives.clone())));
        let mut files = SeasonFiles::default();
        for ((model_type, season), results) in &head.results {
            let archive = SeasonRef::from_artifact(
                Market::new(self.publishing.league.sport, *model_type),
                *season,
                &results.artifact,
            );
            let archive = world.archives.read(&archive).await.expect("reads");
            let openings = proofs.openings(&head, &archive).await.expect("reads");
            files.openings.extend(openings.into_iter().map(|opening| opening.located));
            files.rows.extend(archive.games().iter().map(|game| result_row(&archive, game)));
        }
        let league = self.publishing.league;
        let (sport, season, now) = (league.sport, league.season(), self.publishing.now() + TimeDelta::days(7));
        let root = TreeHash::of_leaf(b"a root");
        let model = model.map(|model| model.parse().expect("a name"));
        let terms = AuditTerms { sport, season, now, root, model, schedule: None, is_public: false };
        Some(audit_season(&leaves, &self.evidence, &files, &terms))
    }
}

/// Returns a row as results have it.
fn result_row(archive: &SeasonArchive, game: &ArchivedGame) -> ResultRow {
    let (model_type, season) = (archive.market().model_type, archive.season());
    let origin = game.forecast.origin.as_ref().filter(|_| game.forecast.is_live());
    let number = |column: LineColumn| match game.facts.lines.value(column)? {
        LineValue::Price(price) => Some(f64::from(price.get())),
        LineValue::Points(points) => Some(points),
    };
    let mut own = Vec::new();
    game.forecast.own.write_blocks(archive.models(), &mut own);
    let graded = game.market_game_with(model_type, &own);
    let reason = if let Verdict::Ungraded(reason) = graded.verdict() { Some(reason.code().to_owned()) } else { None };
    let standard = game.forecast.forecasts.iter().map(|(model, number)| (ModelName::of(model), number.get()));
    let own = game.forecast.own.iter().map(|(model, number)| (model, number.get()));
    ResultRow {
        model_type,
        season,
        game: game.facts.key.clone(),
        live_run: origin.map(|origin| origin.run().unwrap_or_default().to_owned()),
        is_recorded: origin.is_some(),
        lines: LineColumn::ALL.into_iter().filter_map(|column| Some((column, number(column)?))).collect(),
        probabilities: standard.chain(own).collect(),
        ending: match &game.facts.ending {
            Some(Ending::Final { score, status }) => {
                RecordedEnding::Final { score: *score, status: status.parse().expect("a word") }
            }
            Some(Ending::CalledOff { status }) => {
                RecordedEnding::CalledOff { status: status.word().parse().expect("a word") }
            }
            None => RecordedEnding::Gone,
        },
        statements: RowStatements {
            season: season.to_string(),
            published_at: origin.and_then(ForecastOrigin::published_at),
            probability_source: origin.map(|_| "recorded".to_owned()),
            positive_won: graded.positive_won(),
            push: graded.push(),
            graded: reason.is_none(),
            ungraded_reason: reason,
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// A right clock accuses nobody, and what is open has its reason in the witness or in a change after a start.
    #[test]
    fn no_season_of_a_right_clock_is_accused(
        (league, games) in seasons(),
        events in prop::collection::vec(an_event(), 4..16),
    ) {
        run(async {
            let mut season = Witnessed::new(league, games);
            for event in &events {
                season.take(event).await;
            }
            season.check_node().await;
            for model in [None, Some(OWN[0]), Some(OWN[1])] {
                let Some(audit) = season.audited(model).await else { return };
                let accusing: Vec<_> = audit.findings.iter().filter(|found| found.code == 1).collect();
                assert!(accusing.is_empty(), "{accusing:?}");
                if !events.iter().any(|event| matches!(event, Event::Witness(false))) {
                    let open = [FindingKind::NotAttested, FindingKind::LateWithdrawal, FindingKind::NotRecorded];
                    assert_eq!(open.map(|kind| audit.count(kind)), [0; 3], "{:?}", audit.findings);
                }
            }
        });
    }
}
