//! Declarations beside other publishers, and declarations that are interrupted.

use std::collections::BTreeSet;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use async_trait::async_trait;
use bytes::Bytes;
use futures::future::BoxFuture;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::publication::{Appended, LogEntry, ObjectKind, Objects, PublicationLog};
use sports_publication::registry::{Change, Registry};
use sports_publication::{Catalog, Generation};
use sports_testkit::publication::StoreFake;
use sports_usecases::publish::{PublishError, Published};
use sports_usecases::verify::verify;
use tokio::sync::{Mutex, Notify};

use crate::declared::{Folder, NotPublished, columns_on_record, declarations, model, name, names};
use crate::world::{SPORT, World};

/// A store that calls something before each call.
struct Hooked<H> {
    store: Arc<StoreFake>,
    hook: H,
}

#[async_trait]
trait Hook: Send + Sync {
    /// Is called before a read, or before and after a write.
    async fn on(&self, call: Call) -> Result<(), PortError>;
}

/// The kind of a call of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Read,
    BeforeWrite,
    AfterWrite,
}

#[async_trait]
impl<H: Hook> PublicationLog for Hooked<H> {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        self.hook.on(Call::Read).await?;
        self.store.numbers(sport).await
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        self.hook.on(Call::Read).await?;
        self.store.numbers_after(sport, generation).await
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        self.hook.on(Call::Read).await?;
        self.store.entry(sport, generation).await
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        self.hook.on(Call::BeforeWrite).await?;
        let appended = self.store.append(catalog).await?;
        self.hook.on(Call::AfterWrite).await?;
        Ok(appended)
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.store.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.store.ping().await
    }
}

#[async_trait]
impl<H: Hook> Objects for Hooked<H> {
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError> {
        self.hook.on(Call::BeforeWrite).await?;
        let hash = self.store.put(sport, kind, bytes).await?;
        self.hook.on(Call::AfterWrite).await?;
        Ok(hash)
    }

    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError> {
        self.hook.on(Call::Read).await?;
        self.store.get(sport, kind, object).await
    }
}

/// Another publisher, which publishes between two calls of the first.
struct Between {
    /// The number of the call before which the other publishes.
    at: usize,
    calls: AtomicUsize,
    other: Mutex<Option<BoxFuture<'static, Result<Published, NotPublished>>>>,
    outcome: Mutex<Option<Result<Published, NotPublished>>>,
}

#[async_trait]
impl Hook for Between {
    async fn on(&self, call: Call) -> Result<(), PortError> {
        if call != Call::AfterWrite && self.calls.fetch_add(1, SeqCst) == self.at {
            let other = self.other.lock().await.take();
            *self.outcome.lock().await = Some(other.expect("one call has the number").await);
        }
        Ok(())
    }
}

/// Publishes one folder, and another before a certain call of the store. Returns both outcomes, the second of which is
/// `None` if there was no such call.
async fn interleaved(
    world: &World,
    one: &Folder,
    other: &Folder,
    at: usize,
) -> (Result<Published, NotPublished>, Option<Result<Published, NotPublished>>) {
    let (publisher, folder) = (world.publisher(), other.clone());
    let other: BoxFuture<'static, _> = Box::pin(async move { folder.publish(&publisher).await });
    let (calls, other, outcome) = (AtomicUsize::new(0), Mutex::new(Some(other)), Mutex::new(None));
    let hook = Between { at, calls, other, outcome };
    let store = Arc::new(Hooked { store: world.store.clone(), hook });
    let done = one.publish(&world.publisher_through(store.clone())).await;
    let second = store.hook.outcome.lock().await.take();
    (done, second)
}

/// Creates a league with a season that has both columns as extra columns.
async fn league() -> World {
    let world = World::new();
    let folder = Folder { seasons: vec!["2021"], columns: vec![("ELO", 0.25), ("bets", 0.5)], ..Folder::default() };
    folder.publish(&world.publisher()).await.expect("published");
    world
}

/// Returns a folder that declares ELO, and a folder with the column in another season.
fn two_publishers() -> [Folder; 2] {
    let declaring = Folder::declaring(declarations([("ELO", model(|_| {}))], None));
    let with_columns =
        Folder { seasons: vec!["2022", "2023"], columns: vec![("ELO", 0.75), ("bets", 0.125)], ..Folder::default() };
    [declaring, with_columns]
}

#[tokio::test]
async fn no_order_of_two_publishers_loses_a_value_or_grades_an_undeclared_column() {
    let [declaring, with_columns] = two_publishers();
    let mut orders = 0;
    for (one, other) in [(&declaring, &with_columns), (&with_columns, &declaring)] {
        for at in 0.. {
            let world = league().await;
            let (first, second) = interleaved(&world, one, other, at).await;
            first.unwrap_or_else(|error| panic!("call {at}: {error:?}"));
            let Some(second) = second else { break };
            second.unwrap_or_else(|error| panic!("call {at}: {error:?}"));
            let (models, extras) = columns_on_record(&world).await;
            assert_eq!((models.len(), extras.len()), (9, 9), "call {at}: three seasons of three markets");
            assert_eq!((names(&models), names(&extras)), (BTreeSet::from(["ELO"]), BTreeSet::from(["bets"])));
            let expected = |season: &str| Some(if season == "2021" { 0.25 } else { 0.75 });
            assert!(models.iter().all(|((season, ..), value)| Some(*value) == expected(season)));
            let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("intact");
            assert_eq!(verified.entries, 3, "call {at}");
            orders += 1;
        }
    }
    assert!(orders > 20, "{orders} orders");
}

#[tokio::test]
async fn a_column_is_published_before_its_model_is_retired_or_refused() {
    let [declaring, with_columns] = two_publishers();
    let retiring = model(|declared| declared.retired = Change::Set(true));
    let retiring = Folder::declaring(declarations([("ELO", retiring)], None));
    let (mut published, mut refused) = (0, 0);
    for (one, other) in [(&retiring, &with_columns), (&with_columns, &retiring)] {
        for at in 0.. {
            let world = league().await;
            declaring.publish(&world.publisher()).await.expect("declared");
            let (first, second) = interleaved(&world, one, other, at).await;
            let Some(second) = second else { break };
            let columns = if std::ptr::eq(one, &raw const with_columns) { first } else { second };
            let (models, _) = columns_on_record(&world).await;
            match columns {
                Ok(_) => {
                    assert_eq!(models.len(), 9, "call {at}");
                    published += 1;
                }
                Err(NotPublished::Unread(problems)) => {
                    assert_eq!((problems.len(), models.len()), (1, 3), "call {at}: nothing of the folder is published");
                    refused += 1;
                }
                Err(error) => panic!("call {at}: {error:?}"),
            }
            let registry = world.slates.registry(&world.head().await).await.expect("readable");
            assert!(registry.get("ELO").is_some_and(|elo| elo.retired.is_some()), "call {at}");
            assert!(verify(&*world.store, &world.archives, &world.slates, SPORT).await.is_ok(), "call {at}");
        }
    }
    assert!(published > 0 && refused > 0, "{published} published, {refused} refused");
}

/// The kinds of interruption at a write.
#[derive(Debug, Clone, Copy)]
enum Interruption {
    /// The store fails and has not written.
    Failed,
    /// The store has written, and its answer is lost.
    AnswerLost,
    /// The publisher is killed before the write.
    Killed,
}

/// A store that ends a publish at a certain write.
struct Ending {
    at: usize,
    how: Interruption,
    writes: AtomicUsize,
    killed: Notify,
}

#[async_trait]
impl Hook for Ending {
    async fn on(&self, call: Call) -> Result<(), PortError> {
        let failed = || Err(PortError::unavailable("the store", "failed"));
        let number = self.writes.load(SeqCst);
        match (call, self.how) {
            (Call::BeforeWrite, Interruption::Killed) if number >= self.at => {
                self.killed.notify_one();
                pending().await
            }
            (Call::BeforeWrite, Interruption::Failed) if number >= self.at => failed(),
            (Call::BeforeWrite, Interruption::AnswerLost) if number > self.at => failed(),
            (Call::AfterWrite, _) => {
                let number = self.writes.fetch_add(1, SeqCst);
                let is_lost = matches!(self.how, Interruption::AnswerLost) && number >= self.at;
                if is_lost { failed() } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}

const SEASONS: [&str; 25] = [
    "1999", "2000", "2001", "2002", "2003", "2004", "2005", "2006", "2007", "2008", "2009", "2010", "2011", "2012",
    "2013", "2014", "2015", "2016", "2017", "2018", "2019", "2020", "2021", "2022", "2023",
];

/// Publishes a folder through a store that ends at a write; returns `true` if the publish succeeded.
async fn interrupted(world: &World, folder: &Folder, at: usize, how: Interruption) -> bool {
    let hook = Ending { at, how, writes: AtomicUsize::new(0), killed: Notify::new() };
    let store = Arc::new(Hooked { store: world.store.clone(), hook });
    let publisher = world.publisher_through(store.clone());
    tokio::select! {
        outcome = folder.publish(&publisher) => match outcome {
            Ok(_) => true,
            Err(NotPublished::Refused(PublishError::Port(_))) => false,
            Err(error) => panic!("write {at}, {how:?}: {error:?}"),
        },
        () = store.hook.killed.notified() => false,
    }
}

/// A declaration that promotes a column in 75 archives writes these, the leaves, the registry and the entry.
#[tokio::test]
async fn a_promotion_of_75_archives_that_ends_at_any_write_is_whole_or_not_at_all() {
    const WRITES: usize = 3 * SEASONS.len() + 3;
    let [declaring, _] = two_publishers();
    let hows = [Interruption::Failed, Interruption::AnswerLost, Interruption::Killed];
    let spread = (0..WRITES - 3).step_by(2).enumerate().map(|(index, at)| (at, hows[index % 3]));
    let ends = [WRITES - 3, WRITES - 2, WRITES - 1].into_iter().flat_map(|at| hows.map(|how| (at, how)));
    let (mut whole, mut points) = (0, 0);
    for (at, how) in spread.chain(ends) {
        let world = World::new();
        let folder = Folder { seasons: SEASONS.to_vec(), columns: vec![("ELO", 0.5)], ..Folder::default() };
        folder.publish(&world.publisher()).await.expect("published");
        let before = world.head().await;
        assert!(!interrupted(&world, &declaring, at, how).await, "write {at}, {how:?}");
        let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("intact");
        let (models, extras) = columns_on_record(&world).await;
        let found = (verified.entries, models.len(), extras.len());
        let is_whole = found == (2, 75, 0);
        assert!(is_whole || found == (1, 0, 75), "write {at}, {how:?}: {found:?}");
        assert!(is_whole || world.head().await == before);
        let again = declaring.publish(&world.publisher()).await.expect("published again");
        assert_eq!(again.models.promoted.len(), if is_whole { 0 } else { 3 }, "write {at}, {how:?}");
        let (models, extras) = columns_on_record(&world).await;
        assert_eq!((world.head().await.generation.get(), models.len(), extras.len()), (2, 75, 0));
        assert_declared(&world).await;
        (whole, points) = (whole + usize::from(is_whole), points + 1);
    }
    assert!(points >= 40 && whole == 1, "{whole} of {points} are whole: the entry was written, its answer was lost");
}

async fn assert_declared(world: &World) {
    let registry: Registry = world.slates.registry(&world.head().await).await.expect("readable");
    assert_eq!(registry.declared_in(world.head().await.generation).collect::<Vec<_>>(), [name("ELO")]);
    assert!(verify(&*world.store, &world.archives, &world.slates, SPORT).await.is_ok());
}
