use chrono::TimeDelta;
use sports_accounts::testing::{a_customer, an_entitlement, second};
use sports_accounts::{Customer, Entitlement};
use sports_domain::Sport;
use sports_ports::accounts::{CustomerCreation, Customers};
use sports_ports::datasets::{EntitlementRevocation, Entitlements, Grant};

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
