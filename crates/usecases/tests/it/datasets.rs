use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_dataset, an_entitlement, second};
use sports_accounts::{CustomerId, Dataset, Download, REFRESHES_A_MONTH};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::accounts::{CustomerCreation, Customers as _};
use sports_ports::datasets::{Datasets as _, Entitlements as _, Grant};
use sports_ports::{PortError, error_chain};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::datasets::{DatasetFilesFake, LinkSignerFake};
use sports_usecases::datasets::{
    Addition, CheckedFiles, DatasetService, Fault, GrantError, RefreshError, add_dataset, grant_entitlement,
    verify_datasets,
};

/// The service at noon on 1 May 2025, with one customer and two files of `odds` for the NFL.
struct World {
    records: Arc<AccountsFake>,
    files: Arc<DatasetFilesFake>,
    signer: Arc<LinkSignerFake>,
    service: DatasetService,
    customer: CustomerId,
}

impl World {
    async fn new() -> Self {
        let records = Arc::new(AccountsFake::new());
        let (files, signer) = (Arc::new(DatasetFilesFake::default()), Arc::new(LinkSignerFake::default()));
        files.keep(b"a dataset");
        let clock = Arc::new(ClockFake::at("2025-05-01T12:00:00Z"));
        let service = DatasetService {
            datasets: records.clone(),
            files: files.clone(),
            entitlements: records.clone(),
            refreshes: records.clone(),
            signer: signer.clone(),
            clock,
            checked: CheckedFiles::default(),
        };
        let customer = a_customer().build();
        assert_eq!(records.create(&customer).await.expect("answers"), CustomerCreation::Created);
        let world = Self { records, files, signer, service, customer: customer.id };
        world.add(&a_dataset().of_product("odds", Sport::Nfl).called("1.csv").build()).await;
        world.add(&a_dataset().of_product("odds", Sport::Nfl).called("2.csv").build()).await;
        world.add(&a_dataset().of_product("odds", Sport::Nba).called("1.csv").build()).await;
        world
    }

    async fn owning(product: &str, sport: Sport) -> Self {
        let world = Self::new().await;
        world.grant(product, sport, None).await;
        world
    }

    async fn add(&self, dataset: &Dataset) {
        self.records.add_dataset(dataset).await.expect("answers");
    }

    async fn grant(&self, product: &str, sport: Sport, end: Option<DateTime<Utc>>) {
        let entitlement = an_entitlement().to(product, sport);
        let entitlement = end.map_or(entitlement.clone(), |end| entitlement.expiring(end)).build();
        assert_eq!(self.records.grant(&entitlement).await.expect("answers"), Grant::Granted);
    }

    async fn used(&self) -> u32 {
        self.service.status(self.customer).await.expect("answers").allowance.used
    }

    /// Takes a refresh; returns the files it links to.
    async fn refresh(&self) -> Result<Vec<String>, RefreshError> {
        let refreshed = self.service.refresh(self.customer).await?;
        let name = |download: &Download| format!("{}/{}/{}", download.product, download.sport, download.file_name);
        Ok(refreshed.links.iter().map(|(download, _)| name(download)).collect())
    }
}

#[tokio::test]
async fn a_refresh_links_to_everything_that_is_owned_and_nothing_else() {
    let world = World::owning("odds", Sport::Nfl).await;
    assert_eq!(world.refresh().await.expect("links"), ["odds/nfl/1.csv", "odds/nfl/2.csv"]);
    world.grant("odds", Sport::Nba, None).await;
    world.grant("archive", Sport::Nfl, None).await;
    assert_eq!(world.refresh().await.expect("links"), ["odds/nba/1.csv", "odds/nfl/1.csv", "odds/nfl/2.csv"]);
    assert_eq!(world.used().await, 2);
}

#[tokio::test]
async fn a_signing_failure_at_any_file_takes_no_refresh() {
    let world = World::owning("odds", Sport::Nfl).await;
    world.signer.fail_after(1);
    for _ in 0..20 {
        let failed = world.refresh().await;
        assert!(matches!(failed, Err(RefreshError::Port(PortError::Unavailable { .. }))), "{failed:?}");
        world.signer.fail_after(1);
    }
    assert_eq!(world.used().await, 0);
    world.signer.fail_after(0);
    world.refresh().await.expect("links");
}

#[tokio::test]
async fn a_damaged_file_gets_no_link_and_an_intact_one_is_read_once() {
    let world = World::owning("odds", Sport::Nfl).await;
    let object = a_dataset().build().object;
    world.files.keep_as(object, b"a dataseT");
    for _ in 0..2 {
        let Err(RefreshError::Port(damaged)) = world.refresh().await else { panic!("a link to a damaged file") };
        let damaged = error_chain(&damaged);
        assert!(damaged.ends_with(&format!("the object {object} does not hash to its name")), "{damaged}");
    }
    assert_eq!(world.used().await, 0);
    world.files.keep(b"a dataset");
    let read_before = world.files.times_read();
    join_all((0..4).map(|_| world.refresh())).await.into_iter().for_each(|links| drop(links.expect("links")));
    assert_eq!(world.files.times_read() - read_before, 1, "two datasets of one content, four refreshes");
    assert_eq!(world.used().await, 4);
}

#[tokio::test]
async fn a_file_with_another_hash_is_found_whatever_its_size() {
    let world = World::new().await;
    let found = async || {
        let verified = verify_datasets(&*world.records, &*world.files).await.expect("answers");
        verified.into_iter().map(|(dataset, found)| (dataset.file_name.to_string(), found)).collect::<Vec<_>>()
    };
    world.add(&a_dataset().of_product("odds", Sport::Nfl).called("2.csv").holding(b"abc", second(1)).build()).await;
    let expected = |second| {
        [("1.csv", Ok(())), ("1.csv", Ok(())), ("2.csv", second)].map(|(name, found)| (name.to_owned(), found))
    };
    assert_eq!(found().await, expected(Err(Fault::Missing)));
    world.files.keep_as(ObjectHash::from_bytes(b"abc"), b"ab");
    assert_eq!(found().await, expected(Err(Fault::Size { found: 2, recorded: 3 })));
    world.files.keep_as(ObjectHash::from_bytes(b"abc"), b"abd");
    assert_eq!(found().await, expected(Err(Fault::Content)));
    world.files.keep(b"abc");
    assert_eq!(found().await, expected(Ok(())));
    world.files.become_unavailable();
    let unavailable = verify_datasets(&*world.records, &*world.files).await;
    assert!(matches!(unavailable, Err(PortError::Unavailable { .. })), "{unavailable:?}");
}

#[tokio::test]
async fn two_refreshes_that_race_for_the_last_have_one_winner() {
    for _ in 0..100 {
        let world = World::owning("odds", Sport::Nfl).await;
        for _ in 1..REFRESHES_A_MONTH {
            world.refresh().await.expect("links");
        }
        let racing = join_all([world.refresh(), world.refresh()]).await;
        assert_eq!(racing.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        assert!(racing.iter().any(|outcome| matches!(outcome, Err(RefreshError::NoneLeft(_)))));
    }
}

#[tokio::test]
async fn the_same_content_in_the_same_place_is_not_added_again() {
    let world = World::new().await;
    let add = async |file: &str, at| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let named = ("odds".parse().expect("a product"), Sport::Nhl, "nhl.csv".parse().expect("a name"));
        add_dataset(&*world.records, &*world.files, &file, named, second(at)).await.expect("added")
    };
    let Addition::New(first) = add("Cargo.toml", 1).await else { panic!("the place was free") };
    assert_eq!(add("Cargo.toml", 2).await, Addition::Unchanged(first.clone()));
    world.files.keep_as(first.object, b"damaged");
    assert_eq!(add("Cargo.toml", 2).await, Addition::Repaired(first.clone()));
    let Addition::Replaced { dataset, previous } = add("README.md", 3).await else { panic!("other content") };
    assert_eq!((previous, dataset.added_at), (first, second(3)));
    let recorded = world.records.datasets().await.expect("answers");
    assert_eq!(recorded.iter().filter(|known| known.has_place_of(&dataset)).collect::<Vec<_>>(), [&dataset]);
}

#[tokio::test]
async fn an_entitlement_that_ends_in_the_past_is_not_granted() {
    let world = World::new().await;
    let entitlement = an_entitlement().to("odds", Sport::Nfl).expiring(second(10)).build();
    let grant = async |now| grant_entitlement(&*world.records, &*world.records, &entitlement, now).await;
    for late in [second(10), second(11)] {
        let refused = grant(late).await;
        assert!(matches!(refused, Err(GrantError::EndsInThePast)), "{refused:?}");
    }
    assert!(world.records.entitlements_of(world.customer).await.expect("answers").is_empty());
    assert!(grant(second(9)).await.expect("granted"), "there are datasets of odds for the NFL");
    let early = an_entitlement().to("archive", Sport::Nfl).build();
    let opens = grant_entitlement(&*world.records, &*world.records, &early, second(0)).await.expect("granted");
    assert!(!opens, "no dataset of the product was added");
}
