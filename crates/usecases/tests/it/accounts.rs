use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{Customer, KeyName, KeyRecord, KeyScope, KeySelector};
use sports_ports::accounts::{Customers, KeyIssue, KeyRing};
use sports_testkit::accounts::AccountsFake;
use sports_usecases::accounts::{AccountError, NewKey, issue_key, rename_key, revoke_another_key};

/// Creates a customer with the keys of these seeds.
async fn customer_with_keys(seeds: &[u8]) -> (AccountsFake, Customer) {
    let (accounts, customer) = (AccountsFake::new(), a_customer().build());
    let _ = accounts.create(&customer).await.expect("answers");
    for seed in seeds {
        let outcome = accounts.issue(customer.id, &a_key_record().seeded(*seed).build()).await;
        assert_eq!(outcome.expect("answers"), KeyIssue::Issued);
    }
    (accounts, customer)
}

fn full(seed: u8) -> KeySelector {
    KeySelector::Full(a_key(seed).digest())
}

fn masked(seed: u8) -> KeySelector {
    KeySelector::Masked(a_key(seed).masked())
}

#[tokio::test]
async fn a_key_does_not_revoke_itself_by_either_of_its_names() {
    let (accounts, customer) = customer_with_keys(&[1, 2]).await;
    for selector in [full(1), masked(1)] {
        let refused = revoke_another_key(&accounts, customer.id, &selector, &a_key(1).digest(), second(1)).await;
        assert!(matches!(refused, Err(AccountError::KeyInUse)), "{refused:?}");
    }
    let revoked = revoke_another_key(&accounts, customer.id, &masked(2), &a_key(1).digest(), second(1)).await;
    assert_eq!(revoked.expect("revoked").digest, a_key(2).digest());
    let again = revoke_another_key(&accounts, customer.id, &full(2), &a_key(1).digest(), second(2)).await;
    assert!(matches!(again, Err(AccountError::NoSuchKey)), "{again:?}");
}

#[tokio::test]
async fn a_key_is_renamed_while_it_is_active() {
    let (accounts, customer) = customer_with_keys(&[1, 2]).await;
    let name = KeyName::new("server").expect("a name");
    for selector in [full(1), masked(1)] {
        let renamed = rename_key(&accounts, customer.id, &selector, &name, second(1)).await.expect("renamed");
        assert_eq!((renamed.digest, &renamed.name), (a_key(1).digest(), &name));
    }
    let keys = accounts.keys_of(customer.id).await.expect("answers");
    let mut names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["notebook", "server"]);

    let _ = accounts.revoke(customer.id, &a_key(2).digest(), second(2)).await.expect("answers");
    for gone in [full(2), masked(2), full(3)] {
        let refused = rename_key(&accounts, customer.id, &gone, &name, second(3)).await;
        assert!(matches!(refused, Err(AccountError::NoSuchKey)), "{refused:?}");
    }
}

#[tokio::test]
async fn a_key_that_expires_in_the_past_is_not_issued() {
    let (accounts, customer) = customer_with_keys(&[]).await;
    let name = || KeyName::new("laptop").expect("a name");
    let until = |end| NewKey { expires_at: Some(end), ..NewKey::named(name()) };
    let issue = async |end| issue_key(&accounts, customer.id, until(end), second(10), [1; 32]).await;
    for past in [second(9), second(10)] {
        let refused = issue(past).await;
        assert!(matches!(refused, Err(AccountError::ExpiresInThePast)), "{refused:?}");
    }
    assert!(accounts.keys_of(customer.id).await.expect("answers").is_empty());
    assert!(issue(second(11)).await.is_ok());
}

#[test]
fn a_key_made_with_a_key_reaches_no_further() {
    let creator = a_key_record().expiring(second(50)).allowed_from("10.0.0.0/8").build();
    let named = || NewKey::named(KeyName::new("laptop").expect("a name"));
    let within = |new: NewKey, creator: &KeyRecord| new.within(creator);
    let inherited = within(named(), &creator).expect("as narrow as its creator");
    assert_eq!(
        (inherited.expires_at, inherited.allowed_networks),
        (Some(second(50)), creator.allowed_networks.clone())
    );
    assert_eq!(inherited.created_by, creator.masked.to_string());
    let narrower = NewKey {
        expires_at: Some(second(40)),
        scope: KeyScope::Read,
        allowed_networks: "10.1.0.0/16".parse().expect("a network"),
        ..named()
    };
    let narrow = within(narrower.clone(), &creator).expect("narrower");
    assert_eq!((narrow.expires_at, narrow.scope), (Some(second(40)), KeyScope::Read));
    assert_eq!(narrow.allowed_networks, narrower.allowed_networks);
    let wider = NewKey { allowed_networks: "10.1.0.0/16, 0.0.0.0/0".parse().expect("networks"), ..named() };
    assert!(matches!(within(wider.clone(), &creator), Err(AccountError::WiderThanCreator)));
    let unlimited = within(wider.clone(), &a_key_record().build()).expect("the creator works from everywhere");
    assert_eq!((unlimited.allowed_networks, unlimited.expires_at), (wider.allowed_networks, None));
    assert_eq!(within(named(), &a_key_record().reading().build()).expect("as narrow").scope, KeyScope::Read);
}
