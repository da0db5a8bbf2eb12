use sports_accounts::testing::{a_customer, a_key_record, second};
use sports_accounts::{KeyName, KeyRecord, KeyScope};
use sports_ports::accounts::{Customers as _, KeyRing as _};
use sports_testkit::accounts::AccountsFake;
use sports_usecases::accounts::{AccountError, NewKey, issue_key};

#[tokio::test]
async fn a_key_that_expires_in_the_past_is_not_issued() {
    let (accounts, customer) = (AccountsFake::new(), a_customer().build());
    let _ = accounts.create(&customer).await.expect("answers");
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
