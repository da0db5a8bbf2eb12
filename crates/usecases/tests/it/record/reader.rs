//! A reader during publishes: reads a page at a time, from a node that polls now and then.

use std::sync::Arc;

use sports_domain::paging::{HistoryRequest, Limit, Snapshot};
use sports_ports::publication::PublicationLog as _;
use sports_publication::ArchivedGame;
use sports_usecases::record::CurrentGenerations;
use sports_usecases::results::ResultsError;

use crate::world::{MARKET, ResultsNow, SEASON, SPORT, World};

/// A separate node, and a partly read season.
pub(super) struct Reader {
    node: Arc<CurrentGenerations>,
    results: ResultsNow,
    walk: Option<Walk>,
}

/// The pages of a season read so far.
struct Walk {
    snapshot: Snapshot,
    next: usize,
    rows: Vec<ArchivedGame>,
}

impl Reader {
    pub(super) fn over(world: &World) -> Self {
        let node = world.node();
        let results = ResultsNow::new(world, &node);
        Self { node, results, walk: None }
    }

    /// Polls the log.
    pub(super) async fn poll(&self) {
        self.node.poll().await;
    }

    /// Checks that everything the node serves belongs to its current generation.
    pub(super) async fn serves_one_generation(&self, world: &World) {
        let Ok(Some(league)) = self.node.current(SPORT) else { return };
        let catalog = league.catalog();
        let entry = world.store.entry(SPORT, catalog.generation).await.expect("answers").expect("an entry");
        assert_eq!(league.entry, entry);
        let odds = match &entry.catalog.odds {
            Some(artifact) => Some(world.slates.odds(SPORT, artifact).await.expect("reads")),
            None => None,
        };
        assert_eq!(league.odds.as_deref(), odds.as_ref());
        assert!(league.predictions.keys().eq(entry.catalog.predictions.keys()));
        for (model_type, named) in &entry.catalog.predictions {
            let predictions = world.slates.predictions(SPORT, &named.artifact).await.expect("reads");
            assert_eq!(*league.predictions[model_type], predictions);
        }
    }

    /// Reads the next page. All pages of a season come from one archive, or the request fails because the snapshot
    /// changed.
    pub(super) async fn read_next_page(&mut self, world: &World) {
        let season = sports_publication::testing::season(SPORT, SEASON);
        let (offset, snapshot) = match &self.walk {
            Some(walk) => (walk.next, Some(walk.snapshot.clone())),
            None => (0, None),
        };
        let request = HistoryRequest::OfSeason { season, offset, snapshot };
        let page = match self.results.page(MARKET, &request, Limit::new(2).expect("a limit")).await {
            Ok(page) => page,
            Err(ResultsError::SnapshotChanged { .. }) => {
                assert!(self.walk.take().is_some(), "only a reader that has begun gets this error");
                return;
            }
            Err(ResultsError::NoSuchSnapshot { .. } | ResultsError::NoSuchModel(_)) => {
                panic!("the snapshot was given out")
            }
            Err(ResultsError::Unreadable(error)) => panic!("{error}"),
            Err(ResultsError::Unwalked(error)) => panic!("{error}"),
            Err(ResultsError::AnotherMoment { .. }) => panic!("the present is requested"),
            Err(ResultsError::OutsideSeason { .. }) => panic!("no dates are requested"),
            Err(
                ResultsError::NotReadYet(_) | ResultsError::NothingPublished(_) | ResultsError::NoSuchSeason { .. },
            ) => {
                assert!(self.walk.is_none(), "what is published stays");
                return;
            }
        };
        let archive = world.archives.read(&page.season).await.expect("reads");
        let mut walk = self.walk.take().unwrap_or(Walk { snapshot: page.snapshot.clone(), next: 0, rows: Vec::new() });
        assert_eq!(walk.snapshot, page.snapshot);
        walk.rows.extend(page.rows.iter().map(|row| archive.games()[row].clone()));
        match page.next_offset {
            Some(next) => self.walk = Some(Walk { next, ..walk }),
            None => assert_eq!(walk.rows, archive.games(), "the pages are the season"),
        }
    }
}
