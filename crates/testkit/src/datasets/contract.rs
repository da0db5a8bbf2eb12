//! The contract suites of [`Datasets`], [`Entitlements`], [`Refreshes`], [`DatasetFiles`] and [`LinkSigner`], one
//! function per promise.
//!
//! Every function of records takes empty records, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

use std::fs;
use std::ops::Range;

use chrono::TimeDelta;
use futures::TryStreamExt;
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_dataset, an_entitlement, second};
use sports_accounts::{
    CalendarMonth, Customer, CustomerId, Dataset, Download, Entitlement, FileName, IdempotencyKey, LINK_LIFETIME,
    Product, REFRESHES_A_MONTH, RefreshAllowance,
};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::accounts::{CustomerCreation, Customers};
use sports_ports::datasets::{
    DatasetFiles, Datasets, DownloadLink, EntitlementRevocation, Entitlements, Grant, LinkError, LinkSigner,
    RefreshClaim, Refreshed, Refreshes, SignedLink, StoredFile,
};

/// Runs every check of records, each on new ones from `fresh`.
pub async fn records<Records>(fresh: impl AsyncFn() -> Records)
where
    Records: Customers + Datasets + Entitlements + Refreshes,
{
    an_added_dataset_is_listed_as_it_was(&fresh().await).await;
    datasets_are_listed_by_product_league_and_name(&fresh().await).await;
    a_dataset_replaces_its_namesake(&fresh().await).await;
    a_removed_dataset_is_gone_and_no_other(&fresh().await).await;

    a_granted_entitlement_is_listed_as_it_was(&fresh().await).await;
    a_second_grant_replaces_the_first(&fresh().await).await;
    an_unknown_customer_is_granted_nothing(&fresh().await).await;
    an_entitlement_is_revoked_once(&fresh().await).await;
    one_customers_entitlements_do_not_affect_another(&fresh().await).await;

    refreshes_are_taken_up_to_the_limit(&fresh().await).await;
    a_refresh_that_is_given_back_can_be_taken_again(&fresh().await).await;
    refreshes_start_anew_each_month_for_each_customer(&fresh().await).await;
    racing_refreshes_with_one_left_have_one_winner(&fresh().await).await;
    a_refresh_is_made_once_under_a_key(&fresh().await).await;
    an_abandoned_claim_and_an_old_one_are_free_again(&fresh().await).await;
    the_last_refresh_is_the_one_that_was_kept_last(&fresh().await).await;
}

/// Runs every check of files.
pub async fn files(files: &impl DatasetFiles) {
    a_file_reads_back_whole_and_in_part(files).await;
    the_same_bytes_have_the_same_name(files).await;
    an_object_that_was_never_put_is_absent(files).await;
    a_file_that_is_not_there_is_not_stored(files).await;
    a_large_file_reads_back_in_order(files).await;
}

/// Runs every check of a signer that has signed nothing yet.
pub async fn links(signer: &impl LinkSigner) {
    an_unsigned_link_opens_nothing(signer);
    a_link_opens_what_it_was_signed_for_until_its_end(signer).await;
    a_changed_link_opens_nothing(signer).await;
}

async fn an_account(records: &impl Customers, seed: u8) -> Customer {
    let customer = a_customer().seeded(seed).build();
    assert_eq!(records.create(&customer).await.expect("create answers"), CustomerCreation::Created);
    customer
}

async fn grant(records: &impl Entitlements, entitlement: &Entitlement) {
    assert_eq!(records.grant(entitlement).await.expect("grant answers"), Grant::Granted);
}

async fn held(records: &impl Entitlements, customer: &Customer) -> Vec<Entitlement> {
    records.entitlements_of(customer.id).await.expect("entitlements_of answers")
}

/// Checks that entitlements with and without an end are listed by product, then by league.
pub async fn a_granted_entitlement_is_listed_as_it_was(records: &(impl Customers + Entitlements)) {
    let ann = an_account(records, 1).await;
    assert_eq!(held(records, &ann).await, []);
    let at = second(1) + TimeDelta::microseconds(123_456);
    let in_order = [
        an_entitlement().held_by(&ann).to("archive", Sport::Nfl).granted(at).build(),
        an_entitlement().held_by(&ann).to("odds", Sport::Mlb).expiring(at).build(),
        an_entitlement().held_by(&ann).to("odds", Sport::Nfl).build(),
        an_entitlement().held_by(&ann).to("odds", Sport::Ncaab).build(),
    ];
    for place in [2, 0, 3, 1] {
        grant(records, &in_order[place]).await;
    }
    assert_eq!(held(records, &ann).await, in_order);
}

/// Checks that a new grant may extend, shorten or restore an entitlement.
pub async fn a_second_grant_replaces_the_first(records: &(impl Customers + Entitlements)) {
    let ann = an_account(records, 1).await;
    let first = an_entitlement().held_by(&ann).expiring(second(100)).build();
    grant(records, &first).await;
    let longer = an_entitlement().held_by(&ann).granted(second(5)).expiring(second(200)).build();
    grant(records, &longer).await;
    assert_eq!(held(records, &ann).await.as_slice(), std::slice::from_ref(&longer));
    let revoked = records.revoke_entitlement(ann.id, &longer.product, longer.sport, second(6)).await;
    assert_eq!(revoked.expect("revoke_entitlement answers"), EntitlementRevocation::Revoked);
    let again = an_entitlement().held_by(&ann).granted(second(7)).build();
    grant(records, &again).await;
    assert_eq!(held(records, &ann).await, [again]);
}

/// Checks that an entitlement needs an existing customer.
pub async fn an_unknown_customer_is_granted_nothing(records: &(impl Customers + Entitlements)) {
    let stranger = a_customer().seeded(9).build();
    let outcome = records.grant(&an_entitlement().held_by(&stranger).build()).await.expect("grant answers");
    assert_eq!(outcome, Grant::NoSuchCustomer);
    assert_eq!(held(records, &stranger).await, []);
}

/// Checks that a revoked or expired entitlement is not revoked again.
pub async fn an_entitlement_is_revoked_once(records: &(impl Customers + Entitlements)) {
    let ann = an_account(records, 1).await;
    let endless = an_entitlement().held_by(&ann).to("odds", Sport::Nfl).build();
    let ending = an_entitlement().held_by(&ann).to("odds", Sport::Nba).expiring(second(10)).build();
    let revoke = async |entitlement: &Entitlement, at| {
        let outcome = records.revoke_entitlement(ann.id, &entitlement.product, entitlement.sport, second(at)).await;
        outcome.expect("revoke_entitlement answers")
    };
    assert_eq!(revoke(&endless, 1).await, EntitlementRevocation::NotInForce, "there is none yet");
    grant(records, &endless).await;
    grant(records, &ending).await;
    assert_eq!(revoke(&ending, 10).await, EntitlementRevocation::NotInForce, "it ran out");
    assert_eq!(revoke(&endless, 5).await, EntitlementRevocation::Revoked);
    assert_eq!(revoke(&endless, 6).await, EntitlementRevocation::NotInForce);
    let endless = an_entitlement().held_by(&ann).to("odds", Sport::Nfl).revoked(second(5)).build();
    assert_eq!(held(records, &ann).await, [ending, endless]);
}

/// Checks that neither a list nor a revocation affects another customer.
pub async fn one_customers_entitlements_do_not_affect_another(records: &(impl Customers + Entitlements)) {
    let (ann, bob) = (an_account(records, 1).await, an_account(records, 2).await);
    let hers = an_entitlement().held_by(&ann).build();
    grant(records, &hers).await;
    assert_eq!(held(records, &bob).await, []);
    let outcome = records.revoke_entitlement(bob.id, &hers.product, hers.sport, second(1)).await;
    assert_eq!(outcome.expect("revoke_entitlement answers"), EntitlementRevocation::NotInForce);
    assert_eq!(held(records, &ann).await, [hers]);
}

async fn put(files: &impl DatasetFiles, bytes: &[u8]) -> StoredFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), bytes).expect("written");
    files.put_file(file.path()).await.expect("put_file answers")
}

async fn read(files: &impl DatasetFiles, object: &ObjectHash, range: Range<u64>) -> Vec<u8> {
    let pieces = files.read_file(object, range).await.expect("read_file answers").expect("it is there");
    pieces.try_collect::<Vec<_>>().await.expect("every piece").concat()
}

/// Reads the whole file, the first byte, the last byte and the middle.
pub async fn a_file_reads_back_whole_and_in_part(files: &impl DatasetFiles) {
    let bytes = b"date,home,away\n2024-11-24,chi,min\n";
    let StoredFile { object, bytes: size, written } = put(files, bytes).await;
    assert_eq!((object, size, written), (ObjectHash::from_bytes(bytes), 34, true));
    assert_eq!(files.file_size(&object).await.expect("file_size answers"), Some(34));
    for range in [0..34, 0..1, 33..34, 15..25] {
        let expected = &bytes[usize::try_from(range.start).expect("small")..usize::try_from(range.end).expect("small")];
        assert_eq!(read(files, &object, range).await, expected);
    }
}

/// Checks that storing a file again writes nothing.
pub async fn the_same_bytes_have_the_same_name(files: &impl DatasetFiles) {
    let first = put(files, b"once").await;
    assert_eq!(put(files, b"once").await, StoredFile { written: false, ..first });
    assert_eq!(read(files, &first.object, 0..4).await, b"once");
}

/// Checks that absence is not a failure.
pub async fn an_object_that_was_never_put_is_absent(files: &impl DatasetFiles) {
    let object = ObjectHash::from_bytes(b"never put");
    assert_eq!(files.file_size(&object).await.expect("absence is no failure"), None);
    assert!(files.read_file(&object, 0..1).await.expect("absence is no failure").is_none());
}

/// Checks that a missing file and a folder are errors.
pub async fn a_file_that_is_not_there_is_not_stored(files: &impl DatasetFiles) {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(files.put_file(&folder.path().join("missing.csv")).await.is_err());
    assert!(files.put_file(folder.path()).await.is_err());
}

/// Reads a file that exceeds the size of one request to any store.
pub async fn a_large_file_reads_back_in_order(files: &impl DatasetFiles) {
    let large: Vec<u8> = (0..12_000_000_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let stored = put(files, &large).await;
    assert_eq!(stored.object, ObjectHash::from_bytes(&large));
    assert!(read(files, &stored.object, 0..12_000_000).await == large);
    assert!(read(files, &stored.object, 7_999_990..8_000_010).await == large[7_999_990..8_000_010]);
}

fn a_download() -> Download {
    Download::for_customer(&a_dataset().build(), a_customer().build().id, second(0))
}

/// Signs a link and splits it like a request; `None` if the signer's links point to another service.
async fn a_link(signer: &impl LinkSigner) -> Option<DownloadLink> {
    let SignedLink::Here(link) = signer.sign(&a_download()).await.expect("sign answers") else { return None };
    let (path, query) = link.split_once('?').expect("a query");
    let path: Vec<_> = path.strip_prefix("/downloads/").expect("the path of downloads").split('/').collect();
    let [product, sport, object, file_name] = path[..] else { panic!("four parts: {path:?}") };
    let value = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).expect(name).1.to_owned()
    };
    Some(DownloadLink {
        product: product.to_owned(),
        sport: sport.to_owned(),
        object: object.to_owned(),
        file_name: file_name.to_owned(),
        bytes: value("bytes"),
        customer: value("customer"),
        expires: value("expires"),
        signature: value("signature"),
    })
}

/// Checks that a link is valid up to its last instant, and expired at its end.
pub async fn a_link_opens_what_it_was_signed_for_until_its_end(signer: &impl LinkSigner) {
    let Some(link) = a_link(signer).await else { return };
    for now in [second(0), second(0) + LINK_LIFETIME - TimeDelta::microseconds(1)] {
        assert_eq!(signer.open(&link, now), Ok(a_download()), "{now}");
    }
    for now in [second(0) + LINK_LIFETIME, second(1_000_000)] {
        assert_eq!(signer.open(&link, now), Err(LinkError::Expired), "{now}");
    }
}

/// Checks that any changed part makes a link forged, before and after its end.
pub async fn a_changed_link_opens_nothing(signer: &impl LinkSigner) {
    let Some(link) = a_link(signer).await else { return };
    let changed = |part: &str| format!("{part}0");
    let others = [
        DownloadLink { product: changed(&link.product), ..link.clone() },
        DownloadLink { sport: "nba".to_owned(), ..link.clone() },
        DownloadLink { object: link.object.chars().rev().collect(), ..link.clone() },
        DownloadLink { file_name: changed(&link.file_name), ..link.clone() },
        DownloadLink { bytes: changed(&link.bytes), ..link.clone() },
        DownloadLink { customer: link.customer.replace("cus_0", "cus_1"), ..link.clone() },
        DownloadLink { expires: changed(&link.expires), ..link.clone() },
        DownloadLink { signature: changed(&link.signature), ..link.clone() },
    ];
    for other in others {
        assert_ne!(other, link);
        for now in [second(0), second(1_000_000)] {
            assert_eq!(signer.open(&other, now), Err(LinkError::Forged), "{other:?}");
        }
    }
}

/// Checks that a download with an invented signature is forged.
pub fn an_unsigned_link_opens_nothing(signer: &impl LinkSigner) {
    for signature in ["", "00"] {
        let made_up = DownloadLink::from_download(&a_download(), signature.to_owned());
        assert_eq!(signer.open(&made_up, second(0)), Err(LinkError::Forged), "{made_up:?}");
    }
}

async fn add(records: &impl Datasets, dataset: &Dataset) -> Option<Dataset> {
    records.add_dataset(dataset).await.expect("add_dataset answers")
}

async fn all(records: &impl Datasets) -> Vec<Dataset> {
    records.datasets().await.expect("datasets answers")
}

fn product(name: &str) -> Product {
    name.parse().expect("a product")
}

/// Checks that every league and every microsecond is kept.
pub async fn an_added_dataset_is_listed_as_it_was(records: &impl Datasets) {
    assert_eq!(all(records).await, []);
    let added = Sport::ALL.map(|sport| {
        let at = second(1) + TimeDelta::microseconds(123_456);
        a_dataset().of_product("odds", sport).called("all.csv.gz").holding(sport.code().as_bytes(), at).build()
    });
    for dataset in &added {
        assert_eq!(add(records, dataset).await, None);
    }
    assert_eq!(all(records).await, added);
}

/// Checks that the order of the list does not depend on the order of additions.
pub async fn datasets_are_listed_by_product_league_and_name(records: &impl Datasets) {
    let in_order = [
        a_dataset().of_product("archive", Sport::Nfl).called("z.csv").build(),
        a_dataset().of_product("odds", Sport::Mlb).called("b.csv").build(),
        a_dataset().of_product("odds", Sport::Nba).called("a.csv").build(),
        a_dataset().of_product("odds", Sport::Ncaab).called("A.csv").build(),
        a_dataset().of_product("odds", Sport::Ncaab).called("a.csv").build(),
    ];
    for place in [3, 1, 4, 0, 2] {
        add(records, &in_order[place]).await;
    }
    assert_eq!(all(records).await, in_order);
}

/// Checks that the new content replaces the old, which is returned.
pub async fn a_dataset_replaces_its_namesake(records: &impl Datasets) {
    let old = a_dataset().holding(b"old", second(1)).build();
    let other = a_dataset().called("other.csv").holding(b"old", second(1)).build();
    let new = a_dataset().holding(b"newer", second(2)).build();
    for dataset in [&old, &other] {
        assert_eq!(add(records, dataset).await, None);
    }
    assert_eq!(add(records, &new).await, Some(old));
    assert_eq!(all(records).await, [new, other]);
}

/// Checks that a removal selects one file by its name, or all datasets of a product and league.
pub async fn a_removed_dataset_is_gone_and_no_other(records: &impl Datasets) {
    let [one, two, other_league, other_product] = [
        a_dataset().of_product("odds", Sport::Nfl).called("1.csv").build(),
        a_dataset().of_product("odds", Sport::Nfl).called("2.csv").build(),
        a_dataset().of_product("odds", Sport::Nba).called("1.csv").build(),
        a_dataset().of_product("archive", Sport::Nfl).called("1.csv").build(),
    ];
    for dataset in [&one, &two, &other_league, &other_product] {
        add(records, dataset).await;
    }
    let remove = async |sport, file_name: Option<&str>| {
        let file_name = file_name.map(|name| name.parse::<FileName>().expect("a name"));
        records.remove_dataset(&product("odds"), sport, file_name.as_ref()).await.expect("remove_dataset answers")
    };
    assert_eq!(remove(Sport::Nfl, Some("3.csv")).await, []);
    assert_eq!(remove(Sport::Nfl, Some("1.csv")).await.as_slice(), std::slice::from_ref(&one));
    assert_eq!(remove(Sport::Nfl, Some("1.csv")).await, [], "it is gone");
    assert_eq!(all(records).await, [other_product.clone(), other_league.clone(), two.clone()]);
    add(records, &one).await;
    assert_eq!(remove(Sport::Nfl, None).await, [one, two]);
    assert_eq!(remove(Sport::Mlb, None).await, []);
    assert_eq!(all(records).await, [other_product, other_league]);
}

async fn an_account_of_refreshes(records: &impl Customers, seed: u8) -> CustomerId {
    let customer = a_customer().seeded(seed).build();
    let _ = records.create(&customer).await.expect("create answers");
    customer.id
}

fn month() -> CalendarMonth {
    CalendarMonth::containing(second(0))
}

async fn take(records: &impl Refreshes, customer: CustomerId, month: CalendarMonth) -> Option<u32> {
    records.take_refresh(customer, month).await.expect("take_refresh answers")
}

async fn taken(records: &impl Refreshes, customer: CustomerId, month: CalendarMonth) -> u32 {
    records.refreshes_taken(customer, month).await.expect("refreshes_taken answers")
}

/// Checks that each refresh returns the count including itself.
pub async fn refreshes_are_taken_up_to_the_limit(records: &(impl Customers + Refreshes)) {
    let ann = an_account_of_refreshes(records, 1).await;
    assert_eq!(taken(records, ann, month()).await, 0);
    for count in 1..=REFRESHES_A_MONTH {
        assert_eq!(take(records, ann, month()).await, Some(count));
        assert_eq!(taken(records, ann, month()).await, count);
    }
    for _ in 0..3 {
        assert_eq!(take(records, ann, month()).await, None);
        assert_eq!(taken(records, ann, month()).await, REFRESHES_A_MONTH);
    }
}

/// Checks that a count does not fall below zero.
pub async fn a_refresh_that_is_given_back_can_be_taken_again(records: &(impl Customers + Refreshes)) {
    let ann = an_account_of_refreshes(records, 1).await;
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    assert_eq!(take(records, ann, month()).await, Some(1));
    assert_eq!(take(records, ann, month()).await, Some(2));
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    assert_eq!(taken(records, ann, month()).await, 1);
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    records.give_back_refresh(ann, month()).await.expect("give_back_refresh answers");
    assert_eq!((taken(records, ann, month()).await, take(records, ann, month()).await), (0, Some(1)));
}

/// Refreshes are counted per customer and month.
pub async fn refreshes_start_anew_each_month_for_each_customer(records: &(impl Customers + Refreshes)) {
    let (ann, bob) = (an_account_of_refreshes(records, 1).await, an_account_of_refreshes(records, 2).await);
    for _ in 0..REFRESHES_A_MONTH {
        assert!(take(records, ann, month()).await.is_some());
    }
    assert_eq!(take(records, ann, month()).await, None);
    assert_eq!(take(records, ann, month().next()).await, Some(1));
    assert_eq!(take(records, bob, month()).await, Some(1));
    assert_eq!(taken(records, ann, month()).await, REFRESHES_A_MONTH);
}

/// Repeats the race for the last refresh a hundred times.
pub async fn racing_refreshes_with_one_left_have_one_winner(records: &(impl Customers + Refreshes)) {
    let ann = an_account_of_refreshes(records, 1).await;
    let mut month = month();
    for round in 0..100 {
        month = month.next();
        for _ in 1..REFRESHES_A_MONTH {
            assert!(take(records, ann, month).await.is_some());
        }
        let racing = join_all((0..4).map(|_| take(records, ann, month))).await;
        let won: Vec<_> = racing.into_iter().flatten().collect();
        assert_eq!(won, [REFRESHES_A_MONTH], "round {round}");
        assert_eq!(taken(records, ann, month).await, REFRESHES_A_MONTH);
    }
}

fn idempotency_key(text: &str) -> IdempotencyKey {
    IdempotencyKey::new(text).expect("a key")
}

/// Returns a refresh of a customer with links of both kinds.
fn refreshed(customer: CustomerId, used: u32) -> Refreshed {
    let download = |name| Download::for_customer(&a_dataset().called(name).build(), customer, second(0));
    let links = vec![
        (download("a.csv"), SignedLink::Here("/downloads/a?x=1&y=%20".to_owned())),
        (download("b.csv"), SignedLink::Elsewhere("https://bucket.example.com/b?signature=1".to_owned())),
    ];
    Refreshed { allowance: RefreshAllowance { used, month: month() }, links }
}

async fn claim(records: &impl Refreshes, customer: CustomerId, key: &str, at: i64) -> RefreshClaim {
    records.claim_refresh(customer, &idempotency_key(key), second(at)).await.expect("claim_refresh answers")
}

async fn keep(records: &impl Refreshes, key: Option<&str>, at: i64, (customer, used): (CustomerId, u32)) -> bool {
    let (key, refreshed) = (key.map(idempotency_key), refreshed(customer, used));
    records.keep_refresh(customer, key.as_ref(), second(at), &refreshed).await.expect("keep_refresh answers")
}

/// Checks that of racing claims one is granted, and that the others get the answer once it is kept, by customer and key.
pub async fn a_refresh_is_made_once_under_a_key(records: &(impl Customers + Refreshes)) {
    let (ann, bob) = (an_account_of_refreshes(records, 1).await, an_account_of_refreshes(records, 2).await);
    let racing = join_all((0..4).map(|_| claim(records, ann, "one", 0))).await;
    assert_eq!(racing.iter().filter(|claim| **claim == RefreshClaim::Claimed).count(), 1, "{racing:?}");
    assert_eq!(racing.iter().filter(|claim| **claim == RefreshClaim::Underway).count(), 3, "{racing:?}");
    assert_eq!(claim(records, ann, "another", 1).await, RefreshClaim::Claimed);
    assert_eq!(claim(records, bob, "one", 1).await, RefreshClaim::Claimed);
    assert!(!keep(records, Some("one"), 1, (ann, 1)).await, "claimed at another time");
    assert!(keep(records, Some("one"), 0, (ann, 1)).await);
    assert!(!keep(records, Some("one"), 0, (ann, 2)).await, "kept already");
    let day = 24 * 60 * 60;
    assert_eq!(claim(records, ann, "one", day - 1).await, RefreshClaim::Made(refreshed(ann, 1)));
    assert_eq!(claim(records, bob, "one", 2).await, RefreshClaim::Underway);
    assert_eq!(claim(records, ann, "one", day).await, RefreshClaim::Claimed);
}

/// Checks that a claim that comes to nothing keeps nobody from the next.
pub async fn an_abandoned_claim_and_an_old_one_are_free_again(records: &(impl Customers + Refreshes)) {
    let ann = an_account_of_refreshes(records, 1).await;
    assert_eq!(claim(records, ann, "one", 0).await, RefreshClaim::Claimed);
    records.abandon_refresh(ann, &idempotency_key("one"), second(1)).await.expect("abandon_refresh answers");
    assert_eq!(claim(records, ann, "one", 2).await, RefreshClaim::Underway, "the claim of another time was abandoned");
    records.abandon_refresh(ann, &idempotency_key("one"), second(0)).await.expect("abandon_refresh answers");
    assert_eq!(claim(records, ann, "one", 2).await, RefreshClaim::Claimed);
    assert_eq!(claim(records, ann, "one", 121).await, RefreshClaim::Underway);
    assert_eq!(claim(records, ann, "one", 122).await, RefreshClaim::Claimed);
    assert!(!keep(records, Some("one"), 2, (ann, 1)).await, "the claim is another's");
    assert!(keep(records, Some("one"), 122, (ann, 1)).await);
    records.abandon_refresh(ann, &idempotency_key("one"), second(122)).await.expect("abandon_refresh answers");
    assert_eq!(claim(records, ann, "one", 123).await, RefreshClaim::Made(refreshed(ann, 1)), "what was made stays");
}

/// Checks that the last answer is that of a customer's own last refresh, under a key or not.
pub async fn the_last_refresh_is_the_one_that_was_kept_last(records: &(impl Customers + Refreshes)) {
    let (ann, bob) = (an_account_of_refreshes(records, 1).await, an_account_of_refreshes(records, 2).await);
    let last = async |customer| records.last_refresh(customer).await.expect("last_refresh answers");
    assert_eq!(last(ann).await, None);
    assert!(keep(records, None, 0, (ann, 1)).await);
    assert_eq!(last(ann).await, Some(refreshed(ann, 1)));
    assert_eq!(claim(records, ann, "one", 5).await, RefreshClaim::Claimed);
    assert_eq!(last(ann).await, Some(refreshed(ann, 1)), "nothing is kept yet");
    assert!(keep(records, Some("one"), 5, (ann, 2)).await);
    assert_eq!(last(ann).await, Some(refreshed(ann, 2)));
    assert!(keep(records, None, 9, (ann, 3)).await);
    assert_eq!((last(ann).await, last(bob).await), (Some(refreshed(ann, 3)), None));
}
